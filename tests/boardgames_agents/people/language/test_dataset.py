"""Datasets of positions of solved games."""

import os
from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.people.language import dataset
from boardgames_agents.people.language.dataset import write_dataset
from boardgames_agents.people.language.prompt import PromptForm, prompt, read_answer
from boardgames_agents.people.language.trainer_forms import move_rewards
from boardgames_env import BadInputError, Game, make_game, solve
from tests.conftest import Run

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra dataset is not installed")


def rows_of(game: Game, path: Path, **options: Any) -> list[dict[str, Any]]:
    count = write_dataset(game, path, **options)
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    assert len(rows) == count
    return rows


def assert_exact(game: Game, rows: list[dict[str, Any]]) -> None:
    """Assert that every row holds what the solver's table says."""
    table = solve(game)
    for row in rows:
        position = game.position(row["state"])
        assert (row["game"], row["seat"], row["board"]) == (game.spec, position.seat, position.text)
        assert (row["value"], row["distance"]) == (table.value(position), table.distance(position))
        assert row["values"] == [table.value_for(position.after(*each), position.seat) for each in row["actions"]]
        assert max(row["values"]) == row["value"]
        assert {each[0] for each in row["actions"]} == set(position.legal_actions)
        read = [position.after(*read_answer(position, each)) for each in row["moves"]]
        assert read == [position.after(*each) for each in row["actions"]]
        best = [move for move, value in zip(row["moves"], row["values"], strict=True) if value == row["value"]]
        assert (row["best_moves"], row["is_key"]) == (best, min(row["values"]) < row["value"])


@pytest.mark.parametrize(
    ("spec", "count"), [("tic_tac_toe", 100), ("hexapawn", 70), ("disguised(game='tic_tac_toe', seed=3)", 100)]
)
def test_every_value_is_the_tables(tmp_path: Path, spec: str, count: int) -> None:
    game = make_game(spec)
    rows = rows_of(game, tmp_path / "t.parquet", positions=100)
    assert len({tuple(row["state"]) for row in rows}) == len(rows) == count
    assert_exact(game, rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "count"), [("tic_tac_toe", 4520), ("shisima", 0), ("disguised(game='hexapawn')", 0), ("achi", 0)]
)
def test_every_value_of_all_positions_is_the_tables(tmp_path: Path, spec: str, count: int) -> None:
    game = make_game(spec)
    rows = rows_of(game, tmp_path / "t.parquet")
    assert len(rows) == count or not count
    assert_exact(game, rows)


@pytest.mark.slow
def test_a_large_game_is_sampled(tmp_path: Path) -> None:
    game = make_game("five_mens_morris")
    assert_exact(game, rows_of(game, tmp_path / "t.parquet", positions=200))


def test_the_same_arguments_give_the_same_file(tmp_path: Path) -> None:
    game = make_game("shisima")
    one, same, other = (tmp_path / name for name in "abc")
    for path, seed in ((one, 1), (same, 1), (other, 2)):
        assert write_dataset(game, path, positions=50, seed=seed, test=0.5) == 50
    assert one.read_bytes() == same.read_bytes() != other.read_bytes()


def test_symmetric_positions_are_in_the_same_split(tmp_path: Path) -> None:
    game = make_game("hexapawn")
    rows = rows_of(game, tmp_path / "t", test=0.2, seed=5)
    splits: dict[bytes, set[str]] = {}
    for row in rows:
        splits.setdefault(game.position(row["state"]).canonical, set()).add(row["split"])
    assert all(len(each) == 1 for each in splits.values())
    assert 0.1 < sum(each == {"test"} for each in splits.values()) / len(splits) < 0.3
    assert {row["split"] for row in rows_of(game, tmp_path / "u", positions=99)} == {"train"}


def test_prompts_and_rewards_go_with_it(tmp_path: Path) -> None:
    game = make_game("disguised", game="tic_tac_toe", seed=3)
    rows = rows_of(game, tmp_path / "t", positions=30, form=PromptForm(legal=False))
    assert [row["prompt"] for row in rows] == [
        prompt(game.position(row["state"]), form=PromptForm(legal=False)) for row in rows
    ]
    columns = {name: [row[name] for row in rows] for name in ("game", "state")}
    assert move_rewards([row["best_moves"][0] for row in rows], **columns) == [0] * 30
    assert move_rewards([row["moves"][0] for row in rows], **columns) == [
        row["values"][0] - row["value"] for row in rows
    ]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path, game = tmp_path / "t", make_game("five_mens_morris")
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(BadInputError, match="too many positions to ask in all"):
        write_dataset(game, path)
    wrong = [{"positions": -1}, {"positions": 3.5}, {"seed": -1}, {"form": "json"}]
    for options in (*wrong, {"test": 1.1}, {"test": float("nan")}, {"test": "0.5"}):
        with pytest.raises(BadInputError):
            write_dataset(make_game("tic_tac_toe"), path, **options)  # type: ignore[arg-type]
    assert path.read_text(encoding="utf-8") == "mine"
    assert [*tmp_path.iterdir()] == [path]


def test_progress_is_reported_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, reported, make_row = [], [], dataset._row
    monkeypatch.setattr(dataset, "_row", lambda *given: (made.append(0), make_row(*given))[1])
    write_dataset(make_game("tic_tac_toe"), tmp_path / "t", 20, on_row=lambda: reported.append(len(made)))
    assert reported == [*range(1, 21)]


def test_a_path_may_be_a_text_and_a_link(here: Path) -> None:
    game = make_game("hexapawn")
    (here / "link").symlink_to("t")
    for _ in range(2):
        assert write_dataset(game, "link", positions=5) == 5
        assert (here / "link").is_symlink()
        assert parquet.read_table("t").num_rows == 5
    with pytest.raises(BadInputError, match="device or a pipe"):
        write_dataset(game, os.devnull, positions=5)


def test_what_cannot_be_written_is_named(refused: Run, here: Path) -> None:
    (here / "a").touch()
    for path, why in (("a/y", "Not a directory"), ("/proc/y", "No such file or directory"), (".", "Is a directory")):
        assert refused("dataset", "tic_tac_toe", path, "--positions", 5) == f"Error: {path}: {why}"


def test_fewer_positions_than_asked_for_are_announced(boardgames: Run, here: Path) -> None:
    assert boardgames("dataset", "hexapawn", "t", "--positions", 100) == (
        "70 positions of hexapawn (fewer than the 100 asked for): t\n"
    )
    assert boardgames("dataset", "hexapawn", "t", "--positions", 1) == "1 position of hexapawn: t\n"


def test_the_command(boardgames: Run, tmp_path: Path) -> None:
    out = boardgames("dataset", "tic_tac_toe", tmp_path / "t.parquet", "--positions", 20, "--prompt", "--test", 0.5)
    assert out.startswith("20 positions of tic_tac_toe: ")
    assert "prompt" in parquet.read_schema(tmp_path / "t.parquet").names
