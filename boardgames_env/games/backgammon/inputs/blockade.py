"""Blockade: primes, the men behind them, and the anchors that hold against them."""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.games.backgammon.inputs.side import BOARD_BITS, HOME_BITS, Side, highest, lowest, size
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, HOME, POINTS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

_AHEAD = 12
_ROLLS = 36
_LONGEST = 6
_TRAPPING = 4
_THEIR_HOME_BITS = HOME_BITS << (POINTS - HOME)
_ANCHOR_BITS = BOARD_BITS & -(1 << (POINTS - HOME))  # their home board and bar point


def _escapes() -> NDArray[np.int64]:
    """Return `rolls_to_go` by the closed points of the twelve ahead of a man, bit 0 the next."""
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
    """Return the number of points of its home board that the seat has made, of 6."""
    return size(side.made & HOME_BITS) / HOME


@helper
def keeping_out(state: State, side: Side) -> float:
    """Return the rolls that would leave a man of the other seat on the bar, of 36."""
    return size(side.made & HOME_BITS) ** 2 / _ROLLS


@helper
def longest_run(points: int) -> int:
    """Return the length of the longest run of points."""
    length = 0
    while points:
        points &= points >> 1
        length += 1
    return length


@helper
def longest_prime(state: State, side: Side) -> float:
    """Return the length of the seat's longest prime, of 6; longer ones count as 6."""
    return min(longest_run(side.made), _LONGEST) / _LONGEST


@helper
def prime_ahead(state: State, side: Side) -> float:
    """Return the length of the longest prime ahead of the other's rearmost man, at most 6; of 6."""
    return min(longest_run(side.made & -(2 << side.their_rear)), _LONGEST) / _LONGEST


@helper
def trapped(state: State, side: Side) -> float:
    """Return the share of the other's men that have a prime of four points ahead of them."""
    end = highest(side.made & side.made >> 1 & side.made >> 2 & side.made >> (_TRAPPING - 1))
    if end == 0:
        return 0.0
    held = int(count(state, 1 - side.seat, BAR))
    for point in range(1, end):
        held += max(-count(state, side.seat, point), 0)
    return held / side.total


@helper
def rolls_to_go(made: int, point: int) -> int:
    """Return the rolls of which a lone man on a point could play both dice (two of a double)."""
    return int(_ESCAPES[made >> (point + 1) & ((1 << _AHEAD) - 1)])


@helper
def holding(state: State, side: Side) -> float:
    """Return the rolls of which the other's rearmost man alone could not play both dice, of 36."""
    return 1 - rolls_to_go(side.made, side.their_rear) / _ROLLS


@helper
def containment(state: State, side: Side) -> float:
    """Return the same for the place that holds a man best: the bar, or an open home point."""
    fewest = _ROLLS
    for point in range(HOME + 1):
        if not side.made >> point & 1:
            fewest = min(fewest, rolls_to_go(side.made, point))
    return 1 - fewest / _ROLLS


@helper
def men_back(state: State, side: Side) -> float:
    """Return the seat's men on its points 19 to 24 and on the bar, as a part of all its men."""
    back = side.bar
    for point in range(POINTS - HOME + 1, POINTS + 1):
        back += max(count(state, side.seat, point), 0)
    return back / side.total


@helper
def rearmost(state: State, side: Side) -> float:
    """Return the point of the seat's rearmost man, 25 on the bar; of 25."""
    return side.rear / BAR


@helper
def anchors(state: State, side: Side) -> float:
    """Return 1 if the seat has made two or more of its points 19 to 24, 1/2 for one."""
    return min(size(side.made & _THEIR_HOME_BITS), 2) / 2


@helper
def best_anchor(state: State, side: Side) -> float:
    """Return the advance of the foremost anchor: 1 on point 18, 1/7 on 24; 0 for none."""
    held = side.made & _ANCHOR_BITS
    return (BAR - lowest(held)) / (HOME + 1) if held else 0.0
