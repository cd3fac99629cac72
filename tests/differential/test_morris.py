"""Nine men's morris against OpenSpiel's, which flies with three men and ends undecided after 200 turns."""

from typing import Any

import pytest

from boardgames_env import Position, make_game
from boardgames_env.actions import Action
from tests.differential.lockstep import play_both

POINTS = 24
IN_HAND = 1 + POINTS


def number(action: Action) -> int:
    """What OpenSpiel calls an action: placing and capturing by the point, moves by both ends."""
    assert action.kind in ("at", "capture", "move")
    if action.kind != "move":
        return action.locations[0]
    start, end = action.locations
    return POINTS + POINTS * start + end


def cut_short(position: Position, theirs: Any) -> bool:
    """Whether OpenSpiel's limit of turns, the only draw it knows, has ended the contest."""
    return theirs.is_terminal() and theirs.returns() == [0, 0]


def down_to_three(position: Position, theirs: Any) -> bool:
    """Whether a seat has three men left, with those in hand: from there on OpenSpiel lets it fly."""
    on_board = position.state[1:IN_HAND]
    left = [(on_board == 1).sum() + position.state[IN_HAND], (on_board == -1).sum() + position.state[IN_HAND + 1]]
    return min(left) <= 3 or cut_short(position, theirs)


@pytest.mark.parametrize(("fly_at", "ends"), [(3, cut_short), (0, down_to_three)])
def test_random_contests(fly_at: int, ends: Any) -> None:
    game = make_game("nine_mens_morris", fly_at=fly_at)
    numbers = [number(action) for action in game.actions]
    assert play_both(game, "nine_mens_morris", numbers, contests=1000, ends=ends) > 50_000
