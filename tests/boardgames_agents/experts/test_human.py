"""A person at the terminal, played by a real terminal."""

import os
import re
import subprocess
import sys
import textwrap

import pytest

from tests.variants import by_turns

pty = pytest.importorskip("pty", reason="pseudo-terminals are a Unix thing")

CONTEST = """
    import sys
    from boardgames_agents.arena.contest import play_contest
    from boardgames_agents.experts.human import HumanLeft
    from boardgames_agents.registry import make_agent
    from boardgames_env import make_game

    game = make_game(sys.argv[1])
    try:
        record = play_contest(game, (make_agent("human", game), make_agent("human", game)), [1])
    except HumanLeft:
        print("left")
    else:
        print("played", record.actions, record.outcome)
"""


def play(game, answers, end=""):
    """What the terminal shows when somebody types these answers."""
    keyboard, terminal = pty.openpty()
    os.write(keyboard, "".join(f"{answer}\n" for answer in answers).encode() + end.encode())
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CONTEST), game],
        stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        shown, errors = process.communicate(timeout=60)
    os.close(keyboard)
    os.close(terminal)
    assert process.returncode == 0, errors
    return shown


def test_a_whole_contest():
    assert "played (4, 0, 2, 1, 6) 1" in play("tic_tac_toe", [4, 0, 2, 1, 6])


def test_wrong_answers_are_asked_again_with_what_is_allowed():
    shown = play("tic_tac_toe", [4, "middle", 4, "", " 0 ", 2, 1, 6])
    assert "'middle' is not allowed here; allowed: 0, 1, 2, 3, 5, 6, 7, 8" in shown
    assert "'4' is not allowed here" in shown
    assert "played (4, 0, 2, 1, 6) 1" in shown


def test_positions_are_shown():
    shown = play("tic_tac_toe", [4, "q"])
    assert "X to move" in shown
    assert " 3 | X | 5" in shown
    assert "O to move" in shown


def test_dice_are_shown_and_played_one_by_one():
    shown = play("hypergammon", ["24/18(2)", "q"])
    assert re.search(r"(white|black) to play [1-6]-[1-6]", shown)
    assert "dice: " in shown
    assert "'24/18(2)' is not allowed here; allowed: " in shown


@pytest.mark.slow
def test_whole_moves_are_played_in_the_games_own_notation():
    from boardgames_env import make_game

    game = make_game("hypergammon")
    seat, high, low = re.search(r"(white|black) to play ([1-6])-([1-6])", play("hypergammon", ["q"])).groups()
    rolled = [event.position for event in game.initial.events()]
    start = next(each for each in rolled if f"{seat} to play {high}-{low}" in each.text)
    move = start.moves()[-1]
    assert len(move.actions) == 2
    other = {"white": "black", "black": "white"}[seat]
    shown = play("hypergammon", ["24/1(2)", game.notation.write(start, move.actions), "q"])
    assert "as a whole move: '24/1(2)' is not a legal play of " in shown
    assert shown.count(f"{seat} to play") == 1, "the second action is not asked for"
    assert f"{other} to play" in shown


@pytest.mark.slow
def test_men_that_may_be_named_have_their_numbers_beside_them():
    shown = play("achi", [7, 5, 3, 1, 2, 0, 4, 6, "q"])
    assert " W---W---B        0---1---2" in shown
    assert " W---B---8        6---7---8" in shown


@pytest.mark.parametrize("given", by_turns(2, [(["q"], ""), ([4, "q"], ""), ([], "\x04"), ([4], "\x04")]))
def test_leaving(given):
    answers, end = given
    assert play("tic_tac_toe", answers, end).rstrip().endswith("left")
