"""The race: pips, leads, and the pips to play before it begins."""

import math

from boardgames_env.games.backgammon.inputs.side import Side, in_contact
from boardgames_env.games.backgammon.rules.backgammon_board import HOME, POINTS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

_AT_START = 167
_ROLL_AHEAD = 4
_TIME = 100


@helper
def contact(state: State, side: Side) -> float:
    """Return 1 if a man has yet to pass one of the other's, 0 in a race."""
    return 1.0 if in_contact(side) else 0.0


@helper
def racing_chance(state: State, side: Side) -> float:
    """Return the chance to win in a race, by Kleinman's metric (D + 4)²/(S - 4).

    D is by how many pips the seat to roll leads, and S the pips of both; the square root of the metric goes through
    the error function. It counts a turn as 8 pips, of which the seat to roll has half.
    """
    lead = side.their_pips - side.pips + (_ROLL_AHEAD if side.to_roll else -_ROLL_AHEAD)
    both = max(side.pips + side.their_pips - _ROLL_AHEAD, 1)
    return 0.5 + 0.5 * math.erf(lead / math.sqrt(both))


@helper
def pip_count(state: State, side: Side) -> float:
    """Return the seat's pips, of 167, which it has at the start."""
    return side.pips / _AT_START


@helper
def lead(state: State, side: Side) -> float:
    """Return the pips the seat is ahead, as a part of the pips of both; 0 if it is behind."""
    return max(side.their_pips - side.pips, 0) / max(side.pips + side.their_pips, 1)


@helper
def pips_to_pass(state: State, side: Side) -> float:
    """Return the pips of the seat's men to the other's rearmost man, of those behind it; of 167."""
    total = (POINTS + 1 - side.their_rear) * side.bar
    for point in range(side.their_rear + 1, POINTS + 1):
        total += max(count(state, side.seat, point), 0) * (point - side.their_rear)
    return total / _AT_START


@helper
def timing(state: State, side: Side) -> float:
    """Return the pips the seat can play before it must break its home board or run; of 100.

    They are those from its points 7 to 18 to the 6 point, and those from its points 2 to 6 to the 1 point of all but
    two men on each.
    """
    total = 0
    for point in range(2, HOME + 1):
        total += max(count(state, side.seat, point) - 2, 0) * (point - 1)
    for point in range(HOME + 1, POINTS - HOME + 1):
        total += max(count(state, side.seat, point), 0) * (point - HOME)
    return total / _TIME
