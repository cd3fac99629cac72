"""Blockade: primes, and the men of the other's that they hold."""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.games.backgammon.backgammon_board import BAR, HOME
from boardgames_env.games.backgammon.features.side import HOME_BITS, Side, highest, size
from boardgames_env.games.backgammon.steps import count
from boardgames_env.kernels import State, helper

_AHEAD = 12
_ROLLS = 36
_LONGEST = 6
_TRAPPING = 4


def _escapes() -> NDArray[np.int64]:
    """By the points that are closed of the twelve ahead of a man (bit 0 for the next): see `rolls_to_go`."""
    closed = np.arange(1 << _AHEAD)
    rolls = np.zeros(len(closed), dtype=np.int64)
    for high in range(1, 7):
        for low in range(1, high + 1):
            halfway = (closed >> (high - 1) & 1 == 0) | (closed >> (low - 1) & 1 == 0)
            rolls += (2 - (high == low)) * (halfway & (closed >> (high + low - 1) & 1 == 0))
    return rolls


_ESCAPES = _escapes()


@helper
def home_points(state: State, side: Side) -> float:
    """How many of the six points of its home board the seat has made, of 6."""
    return size(side.made & HOME_BITS) / HOME


@helper
def keeping_out(state: State, side: Side) -> float:
    """The rolls that would leave a man of the other's on the bar, of 36."""
    return size(side.made & HOME_BITS) ** 2 / _ROLLS


@helper
def longest_run(points: int) -> int:
    """How many of some points are next to each other at most."""
    length = 0
    while points:
        points &= points >> 1
        length += 1
    return length


@helper
def longest_prime(state: State, side: Side) -> float:
    """The most points in a row that the seat has made, of 6; no more than 6 count."""
    return min(longest_run(side.made), _LONGEST) / _LONGEST


@helper
def prime_ahead(state: State, side: Side) -> float:
    """The most points in a row that the seat has made ahead of the other's rearmost man, of 6; no more than 6 count."""
    return min(longest_run(side.made & -(2 << side.their_rear)), _LONGEST) / _LONGEST


@helper
def trapped(state: State, side: Side) -> float:
    """The other's men that have four points in a row ahead that the seat has made, as a part of all its men."""
    end = highest(side.made & side.made >> 1 & side.made >> 2 & side.made >> (_TRAPPING - 1))
    if end == 0:
        return 0.0
    held = int(count(state, 1 - side.seat, BAR))
    for point in range(1, end):
        held += max(-count(state, side.seat, point), 0)
    return held / side.total


@helper
def rolls_to_go(made: int, point: int) -> int:
    """The rolls of which a man of the other's, on a point and alone, could play both dice (of a double two)."""
    return int(_ESCAPES[made >> (point + 1) & ((1 << _AHEAD) - 1)])


@helper
def holding(state: State, side: Side) -> float:
    """The rolls, of 36, of which the other's rearmost man alone could not play both dice (of a double two)."""
    return 1 - rolls_to_go(side.made, side.their_rear) / _ROLLS


@helper
def containment(state: State, side: Side) -> float:
    """The same of a man where it is held best: on the seat's bar, or on a home point that the seat has not made."""
    fewest = _ROLLS
    for point in range(HOME + 1):
        if not side.made >> point & 1:
            fewest = min(fewest, rolls_to_go(side.made, point))
    return 1 - fewest / _ROLLS
