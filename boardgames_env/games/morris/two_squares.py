"""Five, six and seven men's morris: two squares, sixteen points.

## Board

The numbers, row by row, are points. Black is seat 0. The eight lines of three points are the mills; the four short
ones only join the squares. The rules cannot tell the two squares apart: there are 16 automorphisms, 8 of them
symmetries of the plane.

## Actions

72: action *i* below 16 places a man on point *i*. Actions 16 to 55 are the slides, written *from-to*, in the order of
the point they come from and then of the one they go to. Action 56 + *i* captures the man on point *i*, written *xi*: an
action of its own, by the seat that has made a mill. With flying there are 240 moves, from any point to any other, and
272 actions in all.

## Observation

36 features from 0 to 1: own men by point (0–15), the other seat's men by point (16–31), own men in hand (32) and the
other seat's (33) as parts of all its men, captures still to make as a part of the most there can be (34), and
whether the observer is to move (35).
"""

from collections.abc import Collection
from dataclasses import dataclass

from boardgames_env.game import Game
from boardgames_env.games.morris.morris_game import MorrisOptions, morris_game
from boardgames_env.games.morris.morris_rules import morris_board

BOARD = morris_board(squares=2)


@dataclass(frozen=True, kw_only=True)
class TwoSquaresOptions(MorrisOptions):
    """The options of the games on two squares."""

    plies: int = 80


def two_squares_game(title: str, men: int, options: TwoSquaresOptions, drawn: Collection[tuple[int, bool]]) -> Game:
    """Return a game on two squares, known to be a draw with the pairs ``drawn`` of ``fly_at`` and ``any_capture``."""
    is_drawn = (options.fly_at, options.any_capture) in drawn and not options.capture_each_mill
    rules = options.rules(BOARD, men)
    return morris_game(title, rules, options, value=0 if is_drawn else None, plies_draw=True)
