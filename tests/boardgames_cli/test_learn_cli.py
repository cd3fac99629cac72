"""`boardgames learn`: being taught at the terminal."""

import sys
from io import StringIO
from pathlib import Path

import pytest

from boardgames_agents.people.pupil_file import PupilFiles
from tests.conftest import Run


@pytest.fixture
def typed(boardgames: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Run `boardgames learn tic_tac_toe` with lines that are typed; return what is printed."""

    def run(words: str, *lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", StringIO("".join(f"{line}\n" for line in lines)))
        return boardgames("learn", "tic_tac_toe", "--folder", str(tmp_path), *words.split())

    return run


def test_a_contest_ends_with_what_went_wrong_and_is_kept(typed, tmp_path: Path) -> None:
    out = typed("--trainer random --name Ann --seed 3", "8", "hint", "undo", "resign", "undo", "q")
    assert "Contest 1 of Ann: random." in out
    assert "You play X; O is played by random." in out
    assert "Nothing went wrong: no error in 0 turns" in out or "There was no choice in it." in out
    assert "the contest is over" in out
    (contest,) = PupilFiles(tmp_path).study("Ann", "tic_tac_toe").contests
    assert (contest.points, contest.assignment.helped, contest.errors) == (-1, 2, ())


@pytest.mark.slow
def test_errors_are_named_and_come_up_again(typed, tmp_path: Path) -> None:
    out = typed("--seed 1", "resign", "new", *["0", "1", "2", "3", "4", "5", "6", "7", "8"], "new", "q")
    assert "Contest 2 of me: a trainer that leads you to places where mistakes are easy." in out
    assert "O is played by your trainer" in out
    assert "Better: " in out
    contests = PupilFiles(tmp_path).study("me", "tic_tac_toe").contests
    assert [len(each.errors or ()) > 0 for each in contests] == [False, True]


@pytest.mark.slow
def test_practice_watching_and_contests_that_count(typed) -> None:
    out = typed("--trainer self --seed 1", "4", "new", "resign", "swap", "q")
    assert "You play both sides." in out
    assert "this contest counts; finish it or type resign first" in out
    assert "'swap' is not allowed" in out
    watched = typed("--trainer watch --seed 1", "q")
    assert "You watch." in watched
    assert "a draw" in watched


def test_a_trainer_that_is_none_is_one_sentence(refused: Run, tmp_path: Path) -> None:
    sentence = refused("learn", "tic_tac_toe", "--trainer", "nobody", "--folder", tmp_path)
    assert sentence.startswith("Error: there is no trainer 'nobody'")
