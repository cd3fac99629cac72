"""A person at the terminal."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.experts.human import HumanLeft
from boardgames_agents.registry import make_agent
from boardgames_env import make_game
from boardgames_env.contest import turn_text

Play = Callable[..., str]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    def shown(name: str, *answers: object) -> str:
        """Play a contest of two people who type these answers; return all that is shown, and how it ends."""
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        game = make_game(name)
        try:
            record = play_contest(game, (make_agent("human", game), make_agent("human", game)), [1])
        except HumanLeft:
            return capsys.readouterr().out + "left"
        return capsys.readouterr().out + f"played {record.actions} {record.outcome}"

    return shown


def test_positions_are_shown_and_wrong_answers_asked_again_with_what_is_allowed(play: Play) -> None:
    shown = play("tic_tac_toe", 4, "middle", 4, "", " 0 ", 2, 1, 6)
    assert shown.index("X to move") < shown.index(" 3 | X | 5") < shown.index("O to move")
    assert "'middle' is not allowed here; allowed: 0, 1, 2, 3, 5, 6, 7, 8" in shown
    assert "'4' is not allowed here" in shown
    assert shown.endswith("played (4, 0, 2, 1, 6) 1")


def test_dice_are_shown_and_whole_moves_are_played_in_the_games_own_notation(play: Play) -> None:
    game = make_game("hypergammon")
    found = re.search(r"(white|black) to play ([1-6])-([1-6])", play("hypergammon", "q"))
    assert found
    rolled = [event.position for event in game.initial.events()]
    start = next(each for each in rolled if found[0] in each.text)
    move = start.moves()[-1]
    assert len(move.actions) == 2
    shown = play("hypergammon", "24/1(2)", turn_text(start, move.actions), "q")
    assert "dice: " in shown
    assert "'24/1(2)' is not allowed here; allowed: " in shown
    assert "as a whole move: '24/1(2)' is not a legal play of " in shown
    assert shown.count(f"{found[1]} to play") == 1, "the second action is not asked for"
    assert {"white": "black", "black": "white"}[found[1]] + " to play" in shown


def test_men_that_may_be_named_have_their_numbers_beside_them(play: Play) -> None:
    shown = play("achi", 7, 5, 3, 1, 2, 0, 4, 6, "q")
    assert " W---W---B        0---1---2" in shown
    assert " W---B---8        6---7---8" in shown


@pytest.mark.parametrize("answers", [["q"], [4, "q"], [], [4]])
def test_leaving_with_a_letter_or_the_end_of_the_input(play: Play, answers: list[object]) -> None:
    assert play("tic_tac_toe", *answers).endswith("left")


CONTEST = """
from boardgames_agents.arena.tournament import tournament
print(tournament("tic_tac_toe", "human", "human", 1, 1).score)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("answers", "end"), [("4\n0\n2\n1\n6\n", "1 won"), ("4\n\x04", "HumanLeft")])
def test_at_a_real_terminal(answers: str, end: str) -> None:
    pty = pytest.importorskip("pty", reason="pseudo-terminals are a Unix thing")
    keyboard, terminal = pty.openpty()
    os.write(keyboard, answers.encode())
    process = subprocess.run(
        [sys.executable, "-c", CONTEST], stdin=terminal, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    os.close(keyboard)
    os.close(terminal)
    assert end in process.stdout + process.stderr
