"""Marelle, or three men's morris: three men each, placed and then moved along the lines; three in a row wins.

## Rules

Each seat has three men, and black (seat 0) begins. In the *placing stage* a turn puts a man on any empty point.
When all six are on the board, a turn moves one of one's own men along a line to the next point, if that is
empty. The first to hold three points in a line, in either stage, wins.

`first_man_centre=False` forbids the first man of the contest the centre, which takes the win from the first
player. `steps` says how men move: along the drawn `"lines"`, only `"orthogonal"` (not along the diagonals), or
like a chess `"king"` to any of the points around, whether a line leads there or not.

## Actions

41: action *i* below 9 places a man on point *i*. Actions 9 to 40 are the steps, written *from-to*, in the order
of the point they come from and then of the one they go to. (24 steps make 33 actions with `steps="orthogonal"`;
40 make 49 with `steps="king"`.)

## Known value

The first player wins in 9 plies, from the centre; a corner draws, and a side loses. 5,390 positions can be
reached (744 up to symmetry). With `first_man_centre=False` it is a draw; 5,381 positions (741). Orthogonal steps
change neither value; with a king's steps it is a draw either way.

## Sources

H. J. R. Murray, *A History of Board-Games Other Than Chess* (1952), pages 40–41; Ludii's *Three Men's Morris* and
*Tapatan*. S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a
Multiple-Advisor Game-Learning Program*, names marelle among the games on a 3×3 grid. Values and counts are
computed.
"""

from typing import Annotated, Literal

from boardgames_env.board import Board, aligned
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import three_in_a_row
from boardgames_env.games.shared.place_and_move import steps_on
from boardgames_env.games.shared.three_in_a_row import BOARD, POINTS, WITHOUT_DIAGONALS, three_men_game
from boardgames_env.spec import Label

_CENTRE = 4
# by the option `steps`: the steps, and the game's value with and without the centre as first point
_STEPS = {
    "lines": (steps_on(BOARD), 1, 0),
    "orthogonal": (steps_on(WITHOUT_DIAGONALS), 1, 0),
    "king": (steps_on(Board(points=POINTS, lines=aligned(3, 3, 2))), 0, 0),
}


@game(version=0, family=three_in_a_row, also_called=("tapatan", "three_mens_morris"))
def marelle(
    first_man_centre: Annotated[bool, Label("The first man may be placed in the centre")] = True,
    steps: Annotated[
        Literal["lines", "orthogonal", "king"],
        Label("Men move", ("along the lines", "not along the diagonals", "like a chess king")),
    ] = "lines",
    recurrences: int = 3,
) -> Game:
    """Three men each, placed and then moved along the lines; three in a row wins.

    Args:
        first_man_centre: Whether the first man of the contest may be placed in the centre.
        steps: How men move: along the drawn lines, not along the diagonals, or like a chess king.
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    pairs, value, value_without_centre = _STEPS[steps]
    if first_man_centre:
        return three_men_game("Marelle", BOARD, pairs, recurrences, value, positions=5390)
    return three_men_game("Marelle", BOARD, pairs, recurrences, value_without_centre, 5381, barred=_CENTRE)
