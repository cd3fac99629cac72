"""The board from a seat's side, as bit masks.

A mask is a set of points: bit p for the seat's own point p, 1 to 24, and bit 25 for its bar. A die d shifts a set of
men by d.
"""

from typing import NamedTuple

import numpy as np

from boardgames_env.games.backgammon.rules.backgammon_board import BAR, BARS, HOME, POINTS, TRAYS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

BOARD_BITS = (1 << (POINTS + 1)) - 2
"""All points."""
HOME_BITS = (1 << (HOME + 1)) - 2
"""The home board."""

_HALF = 13
_HIGHEST = np.array([max(n.bit_length() - 1, 0) for n in range(1 << _HALF)])
_SET = np.array([n.bit_count() for n in range(1 << _HALF)])


class Side(NamedTuple):
    """A position from a seat's side, from which all points are numbered."""

    seat: int
    total: int  # the number of all its men
    to_roll: bool  # whether it is its turn
    men: int  # the points with its men
    made: int  # the points with two or more of its men, which are closed to the other seat
    lone: int  # the points with one of its men: blots, which can be hit
    their_made: int  # the points that are closed to the seat
    their_lone: int  # the points with one man of the other seat
    bar: int  # its men on the bar
    off: int  # its men that are off
    their_off: int
    pips: int  # the points its men have to go until they are off; 25 for a man on the bar
    their_pips: int
    rear: int  # where its rearmost man is: 25 if it is on the bar, 0 if all are off
    their_rear: int  # where the other's rearmost man is: 0 if it is on the bar, 25 if all are off


@helper
def highest(points: int) -> int:
    """Return the highest of some points, 0 if there is none."""
    upper = points >> _HALF
    return int(_HIGHEST[upper] + _HALF if upper else _HIGHEST[points])


@helper
def lowest(points: int) -> int:
    """Return the lowest of some points, 0 if there is none."""
    return highest(points & -points)


@helper
def size(points: int) -> int:
    """Return the number of points in a set."""
    return int(_SET[points >> _HALF] + _SET[points & ((1 << _HALF) - 1)])


@helper
def men_on(state: State, seat: int) -> tuple[int, int, int, int, int, int]:
    """Return a seat's points with men, those with two or more, its pips; the same of the other."""
    men, made, pips = 0, 0, 0
    their_men, their_made, their_pips = 0, 0, 0
    for point in range(1, POINTS + 1):
        n = count(state, seat, point)
        men |= int(n > 0) << point
        made |= int(n > 1) << point
        pips += max(n, 0) * point
        their_men |= int(n < 0) << point
        their_made |= int(n < -1) << point
        their_pips -= min(n, 0) * (POINTS + 1 - point)
    pips += BAR * count(state, seat, BAR)
    their_pips += BAR * count(state, 1 - seat, BAR)
    return men, made, pips, their_men, their_made, their_pips


@helper
def side_of(state: State, seat: int, total: int) -> Side:
    """Return a seat's side of a position in a game with a number of men a seat."""
    men, made, pips, their_men, their_made, their_pips = men_on(state, seat)
    bar = int(abs(state[BARS + seat]))
    their_rear = 0
    if state[BARS + 1 - seat] == 0:
        their_rear = lowest(their_men) if their_men else BAR
    return Side(
        seat,
        total,
        state[0] == seat,
        men,
        made,
        men & ~made,
        their_made,
        their_men & ~their_made,
        bar,
        int(abs(state[TRAYS + seat])),
        int(abs(state[TRAYS + 1 - seat])),
        pips,
        their_pips,
        BAR if bar > 0 else highest(men),
        their_rear,
    )


@helper
def in_contact(side: Side) -> bool:
    """Return whether the seats' men have yet to pass each other."""
    return side.rear > side.their_rear
