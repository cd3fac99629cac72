"""Men back: those in the other's home board, and the anchors there."""

from boardgames_env.games.backgammon.backgammon_board import BAR, HOME, POINTS
from boardgames_env.games.backgammon.features.side import BOARD_BITS, HOME_BITS, Side, lowest, size
from boardgames_env.games.backgammon.steps import count
from boardgames_env.kernels import State, helper

_THEIR_HOME_BITS = HOME_BITS << (POINTS - HOME)
_ANCHOR_BITS = BOARD_BITS & -(1 << (POINTS - HOME))  # their home board and bar point


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
    """Return the advance of the seat's foremost anchor: 1 on point 18, 1/7 on 24; 0 if it has none there."""
    held = side.made & _ANCHOR_BITS
    return (BAR - lowest(held)) / (HOME + 1) if held else 0.0
