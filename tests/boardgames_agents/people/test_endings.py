"""Why contests end."""

from collections.abc import Callable

import numpy as np
import pytest

from boardgames_agents.people.endings import Ending, ending_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.registry import make_player
from boardgames_env import make_game
from tests.contests import session_of
from tests.variants import EACH_GAME, sampled


def agents(spec: str, agent: str, seed: int) -> PlaySession:
    game = make_game(spec)
    session = PlaySession(game, (make_player(agent, game), make_player(agent, game)), (seed,))
    while not session.is_over:
        session.advance()
    return session


def resigned() -> PlaySession:
    session = session_of("tic_tac_toe", "4")
    session.resign(1)
    return session


def dropped() -> PlaySession:
    session = PlaySession(make_game("backgammon(cube=True)"), (None, None), (2,))
    session.play(session.position.moves()[0].actions)
    for text in ("double", "drop"):
        session.play([session.game.parse_action(text)])
    return session


def first_with(spec: str, reason: str) -> PlaySession:
    """Return the first random contest that ends for a reason."""
    for seed in range(300):
        session = agents(spec, "random", seed)
        if (found := ending_of(session)) and found.reason == reason:
            return session
    raise AssertionError(f"no contest of {spec} ends by {reason}")


ENDINGS: dict[str, tuple[Callable[[], PlaySession], str, str]] = {
    "line": (lambda: session_of("tic_tac_toe", *"03142"), "line", "X has the line 0, 1 and 2"),
    "losing line": (lambda: session_of("lose_tic_tac_toe", *"03142"), "line", "X has the line 0, 1 and 2, which loses"),
    "full": (lambda: session_of("tic_tac_toe", *"021463587"), "full board", "the board is full"),
    "resignation": (resigned, "resignation", "O resigns"),
    "drop": (dropped, "answer", "answers: drop"),
    "repetition": (
        lambda: first_with("pong_hau_ki", "repetition"), "repetition", "the same position has come up 3 times",
    ),
    "blocked": (lambda: first_with("mu_torere", "no move"), "no move", "has no legal move"),
    "blocked morris": (lambda: first_with("five_mens_morris", "no move"), "no move", "has no legal move"),
    "men": (lambda: first_with("five_mens_morris", "too few men"), "too few men", "has only 2 men left"),
    "plies": (lambda: first_with("five_mens_morris(plies=30)", "plies"), "plies", "30 plies have been played"),
    "gammon": (lambda: _off("hypergammon", 2), "borne off", "has borne off all men: a gammon"),
    "off": (lambda: _off("hypergammon", 1), "borne off", "has borne off all men"),
}  # fmt: skip


def _off(spec: str, points: int) -> PlaySession:
    return next(each for seed in range(50) if abs((each := agents(spec, "random", seed)).points) == points)


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
        session = agents(spec, "random", seed)
        found = ending_of(session)
        assert found is not None
        assert found.reason != "rules", (spec, seed)
        men = np.asarray(session.position.state[1 : 1 + session.game.board.size])
        assert all(men[location] for location in found.line)
