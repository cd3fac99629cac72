"""Bearing off: waste, and the danger of losing a gammon or a backgammon."""

from boardgames_env.games.backgammon.inputs.side import Side
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, HOME, POINTS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

_PIPS_A_ROLL = 49 / 6
"""The mean pips of a roll, doubles played twice."""
_MEN_A_ROLL = 2
_WASTE = 20
_TO_SAVE = 100
_ROLLS = 8


@helper
def waste(state: State, side: Side) -> float:
    """Return the pips by which Keith's count (2004) corrects that of a home board, of 20.

    2 for each man after the first on the 1 point, 1 for each after the first on the 2 point and for each after the
    third on the 3 point, and 1 for each of the points 4, 5 and 6 that is empty.
    """
    pips = 2 * max(count(state, side.seat, 1) - 1, 0) + max(count(state, side.seat, 2) - 1, 0)
    pips += max(count(state, side.seat, 3) - 3, 0)
    for point in range(4, HOME + 1):
        pips += count(state, side.seat, point) <= 0
    return pips / _WASTE


@helper
def has_some_off(state: State, side: Side) -> float:
    """Return 1 if the seat has a man off, which makes a gammon impossible; else 0."""
    return 1.0 if side.off > 0 else 0.0


@helper
def pips_home(state: State, side: Side, home: int) -> int:
    """Return the pips from a seat's men behind a point to that point."""
    pips = (BAR - home) * side.bar
    for point in range(home + 1, POINTS + 1):
        pips += max(count(state, side.seat, point), 0) * (point - home)
    return pips


@helper
def pips_to_save_gammon(state: State, side: Side) -> int:
    """Return the pips that a seat needs to bring all men home and one off; 0 if it has one off."""
    if side.off > 0:
        return 0
    front = 1
    while front < HOME and count(state, side.seat, front) <= 0:
        front += 1
    return pips_home(state, side, HOME) + front


@helper
def gammon_pips(state: State, side: Side) -> float:
    """Return the pips to bring all men home and one off, 0 if one is off; of 100."""
    return pips_to_save_gammon(state, side) / _TO_SAVE


@helper
def gammon_danger(state: State, side: Side) -> float:
    """Return the danger of losing a gammon: 1/2 if one roll decides; 0 with a man off.

    The rolls that it needs to save it, of 49/6 pips, less those the other needs to bear off all, the more by pips
    and by men, two a roll; less one if it is the seat's turn. 4 rolls too many make 1, 4 too few 0.
    """
    if side.off > 0:
        return 0.0
    needed = pips_to_save_gammon(state, side) / _PIPS_A_ROLL
    left = max(side.their_pips / _PIPS_A_ROLL, (side.total - side.their_off) / _MEN_A_ROLL)
    late = needed - left - side.to_roll + 0.5
    return min(max(late / _ROLLS + 0.5, 0.0), 1.0)


@helper
def backgammon_pips(state: State, side: Side) -> float:
    """Return the pips to leave the other's home board, 0 if a man is off; of 100."""
    if side.off > 0:
        return 0.0
    return pips_home(state, side, POINTS - HOME) / _TO_SAVE
