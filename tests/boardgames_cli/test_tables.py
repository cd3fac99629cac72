"""Tables: as wide as the terminal, whole in files and pipes, and as JSON."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from boardgames_cli import printing
from tests.conftest import Run

MENACE = ("train", "tic_tac_toe", "menace", "--contests", 20, "--test-every", 0)
LEAGUE = ("league", "tic_tac_toe", "--agents", "random,perfect", "--contests", 4)
ROLLOUT = ("rollout", "start", "--dice", 31, "--trials", 1, "--truncate", 1, "--candidates", 2)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    terminal = Console(markup=False, highlight=False, width=80, force_terminal=True, color_system=None)
    monkeypatch.setattr(printing, "console", terminal)


@pytest.mark.usefixtures("narrow", "here")
@pytest.mark.parametrize(
    "words",
    [
        *(("paper",), ("games",), ("agents",), ("agent", "hoyle"), ROLLOUT, ("analyse", "start", "--plies", 1)),
        pytest.param(LEAGUE, marks=pytest.mark.slow),
    ],
    ids=lambda words: words[0],
)
def test_tables_fit_a_terminal_of_80_columns(boardgames: Run, words: tuple[object, ...]) -> None:
    out = boardgames(*words)
    assert "─" in out
    started = False
    for line in out.splitlines():
        started |= "───" in line
        if started and line.startswith(" ") and line.rstrip():
            assert len(line.rstrip()) <= 80, line


def rows_of(out: str) -> list[dict[str, object]]:
    """Return rows in JSON after checking that they are a list of objects, with numbers that JSON knows."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    rows = json.loads(out, parse_constant=refuse)
    assert isinstance(rows, list)
    assert rows
    assert all(isinstance(row, dict) for row in rows)
    return rows


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("games", "name actions value options"),
        ("agents", "name summary options"),
        ("trainers", "name summary options"),
        ("agent td", "name summary options"),
        ("trainer lessons", "name summary options"),
        ("paper", "paper table summary"),
        ("cache", "folder what files bytes"),
        ("solve achi", "game value plies positions won drawn lost"),
        ("solve nine_mens_morris --forecast --dir nine", "classes number rows bytes"),
        pytest.param("optima tic_tac_toe", "player challenger e power", marks=pytest.mark.slow),
        (
            "train tic_tac_toe menace --contests 3 --run run --test-every 0",
            "run game learner trainer seed contests done knowledge",
        ),
        pytest.param(
            "train tic_tac_toe menace --contests 3 --run run --seeds 0-1", "run seed contests", marks=pytest.mark.slow
        ),
        pytest.param(
            "league tic_tac_toe --agents random,perfect --contests 2",
            "game rank agent rating power",
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.usefixtures("here")
def test_tables_are_printed_as_lists_of_rows(boardgames: Run, words: str, names: str) -> None:
    for row in rows_of(boardgames(*words.split(), "--json")):
        assert set(names.split()) <= set(row)


def test_ratings_are_printed_as_rows(boardgames: Run, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    boardgames("match", "tic_tac_toe", "perfect", "random", "--contests", 6, "--store", store)
    best, worst = rows_of(boardgames("ratings", store, "tic_tac_toe", "--json"))
    assert (best["name"], worst["name"]) == ("perfect", "random")
    assert isinstance(best["rating"], float)


def test_what_hoyle_knows_and_decides_is_printed_as_rows(boardgames: Run, tmp_path: Path) -> None:
    run = tmp_path / "run"
    boardgames("train", "tic_tac_toe", "hoyle", "--contests", 2, "--test-every", 0, "--run", run)
    rows = rows_of(boardgames("knowledge", run, "--json"))
    assert {row["table"] for row in rows} == {"game frame", "useful knowledge", "Advisor weights"}
    rows = rows_of(boardgames("explain", run, 0, 4, "--json"))
    assert {row["played"] for row in rows} == {None}
    assert all("decided by" in row for row in rows)


@pytest.mark.slow
def test_an_experiment_and_benchmarks_are_printed_as_rows(boardgames: Run, tmp_path: Path) -> None:
    words = ("paper", "ideal_trainer", "--table", "table-3", "--runs", 1, "--folder", tmp_path / "run", "--json")
    assert {row["experiment"] for row in rows_of(boardgames(*words))} == {"table-3"}
    rows = rows_of(boardgames("solve", "five_mens_morris", "--classes", "3-3", "--dir", tmp_path / "five", "--json"))
    assert rows[0]["positions"] == 160_160
