"""Whether a resignation is enough: an agent expects to win what it may still win."""

from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.people.session import PlaySession

_MARGIN = 0.1
"""The points, in units of the stake, by which an agent's expectation may exceed what it is offered."""


def is_enough(session: PlaySession, seat: int, points: int) -> bool:
    """Return whether an agent takes some points for a contest that a seat resigns; a person takes what is offered.

    It does not if it expects more by the predictions that hints are from. Without predictions, and where there is but
    one number of points to resign for, it takes them.
    """
    offers = session.resignations(seat)
    is_asked = session.players[1 - seat] is not None and session.seat == seat and len(offers) > 1
    if not is_asked or predictor_of(session.game) is None:
        return True
    best, *_ = best_moves(session.position, 1).moves
    return points / offers[0] >= -best.value - _MARGIN
