"""Records of contests, and files of them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.record import FORMAT, read_records, write_records
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.ending import ENDS
from boardgames_env.files import checksum
from tests.contests import recorded
from tests.variants import fast_for

GAME = "tic_tac_toe"
OTHERS = ("marelle(steps='king')", "hypergammon(cube=True)")


def write_anything(path: Path, **data: Any) -> None:
    data = {"format": FORMAT, "version": 1, **data}
    path.write_text(json.dumps({**data, "sha256": checksum(data)}), encoding="utf-8")


@pytest.mark.parametrize("spec", fast_for([GAME], [GAME, *OTHERS]))
def test_what_is_read_is_what_was_written(spec: str, tmp_path: Path) -> None:
    played = recorded(spec, contests=3, seed=5).records
    records = (*played, replace(played[0], players=("ä\n", "human"), cut=True))
    write_records(tmp_path / "new" / "contests.json", records)
    found = read_records(tmp_path / "new" / "contests.json")
    assert found == records
    assert [each.end for each in found] == [each.end for each in records]
    assert found[0].end in ENDS[1:]
    assert found[0].positions(make_game(spec)) == records[0].positions(make_game(spec))
    assert [each.seed for each in found[:3]] == [(5, 0), (5, 1), (5, 2)]
    assert len((tmp_path / "new" / "contests.json").read_text(encoding="utf-8").splitlines()) == 2 + len(records)


def test_a_file_of_version_0_3_does_not_say_why_contests_ended(tmp_path: Path) -> None:
    records = recorded(contests=3).records
    write_records(tmp_path / "new.json", records)
    entries = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["contests"]
    assert [entry.pop("end") for entry in entries] == [each.end for each in records]
    write_anything(tmp_path / "old.json", contests=entries)
    found = read_records(tmp_path / "old.json")
    assert found == records
    assert {each.end for each in found} == {""}


def test_a_store_has_each_contest_once(tmp_path: Path, game: Game) -> None:
    store = MatchStore(tmp_path / "store.sqlite")
    store.add(*(recorded(game, contests=contests, seed=5) for contests in (2, 3)))
    assert tuple(store.records()) == recorded(game, contests=3, seed=5).records


@pytest.mark.parametrize("spec", [GAME, "hypergammon", "five_mens_morris(plies=30)", "pong_hau_ki"])
def test_a_store_says_why_contests_ended(spec: str, tmp_path: Path) -> None:
    store, played = MatchStore(tmp_path / "store.sqlite"), recorded(spec, contests=5, seed=1)
    store.add(played)
    assert [each.end for each in store.records()] == [each.end for each in played.records]
    assert "" not in played.ends


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("; [Game]\n 0 point match", "is damaged, or does not hold a record of contests"),
        ({"version": 2, "contests": []}, "does not hold a record of contests: its version is 2, not 1"),
        ({"contests": 3}, "is damaged, or does not hold a record of contests"),
        ({"contests": {}}, "is damaged, or does not hold a record of contests"),
        ({"contests": [{"game": "achi"}]}, "is damaged, or does not hold a record of contests .KeyError"),
    ],
)
def test_other_files_are_refused(content: str | dict[str, Any], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(content, encoding="utf-8") if isinstance(content, str) else write_anything(path, **content)
    with pytest.raises(BadInputError, match=f"file.json {sentence}"):
        read_records(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("actions", [4, 0.5]), ("actions", "40"), ("seed", [True]), ("points", None), ("decisions", [1])),
        *(("players", []), ("players", [1, 2]), ("end", "nonsense"), ("end", 1), ("end", [])),
        *(("seed", [-1]), ("events", [-1]), ("plies", -5), ("decisions", [1, -1]), ("cut", "no")),
    ],
)
def test_wrong_fields_are_refused(name: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_records(path, recorded(contests=1).records)
    entry = json.loads(path.read_text(encoding="utf-8"))["contests"][0]
    write_anything(path, contests=[{**entry, name: value}])
    with pytest.raises(BadInputError, match=r"file\.json is damaged, or does not hold a record of contests"):
        read_records(path)
    path.write_text(path.read_text(encoding="utf-8").replace('"decisions": ', '"decision": '), encoding="utf-8")
    with pytest.raises(BadInputError, match=r"file\.json is damaged or was edited: its checksum is wrong"):
        read_records(path)


def test_a_contest_that_ends_otherwise_is_refused(game: Game) -> None:
    record = next(each for each in recorded(game).records if each.outcome)
    with pytest.raises(BadInputError, match=f"seat 0 has {record.outcome} points at its end, not {-record.outcome}"):
        replace(record, outcome=-record.outcome).positions(game)


def test_a_contest_that_a_limit_ends_otherwise_is_refused() -> None:
    """A limit of plies draws a contest of five men's morris, and cuts one of nine men's short."""
    for spec, rest in (
        ("five_mens_morris(plies=20)", ""),
        ("nine_mens_morris(plies=40)", ", and a limit cuts it short"),
    ):
        game = make_game(spec)
        (record,) = recorded(game, contests=1).records
        assert record.positions(game)
        for changed in (replace(record, outcome=1), replace(record, cut=not record.cut)):
            with pytest.raises(BadInputError, match=f"seat 0 has 0 points at its end{rest}, not {changed.outcome}"):
                changed.positions(game)
