"""Why contests end."""

from collections.abc import Callable

import numpy as np
import pytest

from boardgames_agents.people.endings import Ending, ending_of
from boardgames_agents.people.session import PlaySession
from tests.contests import after_a_play, played_out, session_of
from tests.variants import EACH_GAME, sampled


def resigned() -> PlaySession:
    session = session_of("tic_tac_toe", "4")
    session.resign(1)
    return session


def at_random(spec: str, seed: int) -> PlaySession:
    return played_out(spec, "random", "random", seed)


def first_with(spec: str, reason: str) -> PlaySession:
    """The first random contest that ends for a reason."""
    sessions = (at_random(spec, seed) for seed in range(300))
    return next(each for each in sessions if (found := ending_of(each)) and found.reason == reason)


def first_for(spec: str, points: int) -> PlaySession:
    """The first random contest that is won by a number of points."""
    return next(each for seed in range(50) if abs((each := at_random(spec, seed)).points) == points)


ENDINGS: dict[str, tuple[Callable[[], PlaySession], str, str]] = {
    "losing line": (lambda: session_of("lose_tic_tac_toe", *"03142"), "line", "X has the line 0, 1 and 2, which loses"),
    "full": (lambda: session_of("tic_tac_toe", *"021463587"), "full_board", "the board is full"),
    "resignation": (resigned, "resigned", "O resigns"),
    "drop": (lambda: after_a_play("double", "drop"), "dropped", "answers: drop"),
    "recurrence": (
        lambda: first_with("pong_hau_ki", "recurrence"), "recurrence", "the same position has come up 3 times",
    ),
    "blocked": (lambda: first_with("mu_torere", "no_move"), "no_move", "has no legal move"),
    "blocked morris": (lambda: first_with("five_mens_morris", "no_move"), "no_move", "has no legal move"),
    "men": (lambda: first_with("five_mens_morris", "too_few_men"), "too_few_men", "has only 2 men left"),
    "home": (
        lambda: session_of("breakthrough(columns=3,rows=3)", "a1-a2", "a3-b2", "a2-a3"), "home", "white has reached a3",
    ),
    "joined": (lambda: first_with("hex(size=3)", "joined"), "joined", "has joined its sides"),
    "stuck": (lambda: first_with("hexapawn", "no_move"), "no_move", "has no legal move"),
    "neither": (
        lambda: first_with("othello(size=4)", "no_move"), "no_move",
        "neither black nor white has a legal move; discs: black 6, white 9",
    ),
    "wiped out": (lambda: first_with("othello(size=4)", "too_few_men"), "too_few_men", "has no men left"),
    "no men": (lambda: first_with("breakthrough(columns=3,rows=4)", "too_few_men"), "too_few_men", "has no men left"),
    "no progress": (
        lambda: first_with("english_draughts(quiet_moves=5)", "no_progress"), "no_progress",
        "10 plies have been played without a capture or a man's move",
    ),
    "no captures": (
        lambda: first_with("english_draughts(quiet_moves=5,progress='capture')", "no_progress"), "no_progress",
        "10 plies have been played without a capture",
    ),
    "plies": (lambda: first_with("five_mens_morris(plies=30)", "plies"), "plies", "30 plies have been played"),
    "gammon": (lambda: first_for("hypergammon", 2), "borne_off", "has borne off all men: a gammon"),
    "off": (lambda: first_for("hypergammon", 1), "borne_off", "has borne off all men"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDINGS)
def test_the_reason_is_told(name: str) -> None:
    make, reason, sentence = ENDINGS[name]
    found = ending_of(make())
    assert found is not None
    assert found.reason == reason
    assert found.sentence.endswith(sentence)


def test_the_line_is_the_one_that_has_been_completed() -> None:
    assert ending_of(session_of("tic_tac_toe", *"03142")) == Ending("line", "X has the line 0, 1 and 2", (0, 1, 2))
    assert ending_of(session_of("tic_tac_toe", *"0314")) is None


@pytest.mark.parametrize("spec", sampled(EACH_GAME, one_in=6))
def test_every_end_has_a_reason(spec: str) -> None:
    """Random contests; where somebody wins, the reason is not a mere remark."""
    for seed in range(5):
        session = at_random(spec, seed)
        found = ending_of(session)
        assert found is not None
        assert found.reason != "rules", (spec, seed)
        men = np.asarray(session.position.state[1 : 1 + session.game.board.size])
        assert all(men[location] for location in found.line)
