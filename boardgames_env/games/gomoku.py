"""Gomoku: five of one's own in a row on the points of a square board.

## Rules

Two seats place one of their stones in turn, black first, on any empty point. The first to hold five points in a row,
across, upright or along a diagonal, wins. A full board without such a row is a draw. The game is also called five in a
row; renju is gomoku with moves that are forbidden to black, and is not here.

`overline` is what a row of six or more does that a stone makes: it `'wins'` like a row of five (free-style gomoku), it
is `'nothing'` (standard gomoku, where a row of exactly five wins), or it `'loses'`, for either seat; a row of exactly
five that is made by the same stone wins all the same. `size`, 15, is how many points a side of the board has.

## Board

Points are named by their column and, from the bottom, their row: `a1` is at the bottom left, `h8` the middle. There are
572 winning lines, and eight symmetries.

## Actions

225: action *i* places a stone on point *i*, counted row by row from the top left.

## Observation

451 features, 0 or 1: own stones by point (0–224), the other seat's stones by point (225–449), and whether the observer
is to move (450).

## End of the contest

A row of five, with `overline='loses'` a longer row, or a full board.

## Known value

The first player wins on 15 × 15 points, whether longer rows win or are nothing (Allis, van den Herik and Huntjens).
None is known to us for other sizes, or where longer rows lose. Where they win, the second player cannot win on any
board: a stone more never harms the first.

## Sources

L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, *Go-Moku Solved by New Search Techniques*, Computational
Intelligence 12 (1996), for the rules and the value. Agrees with OpenSpiel's `gomoku`, action for action.
"""

from typing import Annotated

from boardgames_env.board import BLACK, WHITE, Board, aligned, grid, squares
from boardgames_env.errors import require_whole
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared.in_a_row import Overline, row_game
from boardgames_env.spec import Label


@game(version=0, also_called=("five_in_a_row",), is_well_known=True)
def gomoku(
    size: Annotated[int, Label("Points on a side")] = 15,
    overline: Annotated[Overline, Label("A row of more than five", ("wins", "is nothing", "loses"))] = "wins",
) -> Game:
    """Five of one's own in a row on the points of a square board.

    Args:
        size: How many points a side of the board has, 5 to 15.
        overline: What a row of more than five does.
    """
    require_whole(5, 15, size=size)
    board = Board(
        points=grid(size, size),
        lines=aligned(size, size, size, diagonals=False),
        winning_lines=aligned(size, size, 5),
        labels=squares(size, size),
    )
    # (rows of five that are nothing stay on the board: all lines of the board together are worth less than 10,000)
    complete = 17 if overline == "nothing" else 1000
    value = 1 if size == 15 and overline != "loses" else None
    return row_game("Gomoku", board, (0, 1, 3, 8, 17, complete), value, men=(BLACK, WHITE), overline=overline)
