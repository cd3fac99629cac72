"""`boardgames league`, run as its users run it."""

import json
from pathlib import Path

import pytest

from boardgames_cli.league import specs_in
from tests.conftest import Run

FILES = ("players.csv", "pairs.csv", "times.csv", "tables.md", "league.json")


@pytest.mark.slow
def test_a_league_is_played_and_published(boardgames: Run, tmp_path: Path) -> None:
    agents = ("--agents", "random,fallible(e=0.5)", "--agents", "pubeval")
    words = ("league", "tic_tac_toe", "lose_tic_tac_toe", *agents, "--contests", 6, "--folder", tmp_path / "run")
    out = boardgames(*words, "--publish", tmp_path / "docs")
    assert "tic_tac_toe: standings" in out
    assert "pubeval is left out at lose_tic_tac_toe" in out.replace("\n", " ")
    first = {name: (tmp_path / "run" / name).read_bytes() for name in FILES}
    assert all(first.values())
    assert (tmp_path / "docs" / "data" / "league" / "players.csv").read_bytes() == first["players.csv"]
    assert len(list((tmp_path / "run" / "tensorboard").rglob("events.out.*"))) == 2 + 1
    assert "another version" not in out
    (tmp_path / "run" / "contests-0.sqlite").touch()
    assert "contests played by another version of the program, which are not counted" in boardgames(*words)
    # nothing was played anew, so that even the times are the same
    assert {name: (tmp_path / "run" / name).read_bytes() for name in FILES} == first


@pytest.mark.slow
def test_a_league_file_is_changed_by_what_else_is_said(boardgames: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    training = {"trainer": "self", "contests": 5}
    restricted = [{"agent": "perfect", "games": ["achi", "tic_tac_toe"]}, {"agent": "reasonable", "games": ["achi"]}]
    agents = ["random", {"agent": "menace", "name": "MENACE", "training": training}, *restricted]
    file.write_text(json.dumps({"games": ["achi"], "agents": agents, "contests": 1000}), encoding="utf-8")
    words = ("--file", file, "--agents", "worst", "--contests", 2, "--folder", tmp_path / "run")
    out = boardgames("league", "tic_tac_toe", *words)
    rows = (tmp_path / "run" / "players.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert {tuple(row.split(",")[:1]) for row in rows} == {("tic_tac_toe",)}
    assert {row.split(",")[2] for row in rows} == {"random", "MENACE", "perfect", "worst"}
    assert "achi" not in out


def test_specs_are_split_outside_brackets_and_quotes() -> None:
    text = "random, lessons(lessons=2, practice=7),trained(run='a,b)')"
    assert list(specs_in(text)) == ["random", "lessons(lessons=2, practice=7)", "trained(run='a,b)')"]
