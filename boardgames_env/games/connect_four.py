"""Connect four: discs dropped into columns; four of one's own in a row wins.

## Rules

Two seats drop one of their discs in turn, red first, into any column that is not full, where it falls to the lowest
empty cell. The first to hold four cells in a row, across, upright or along a diagonal, wins; more than four are as
good. A full board without such a row is a draw. The game is also called four in a row.

`columns` and `rows`, 7 and 6, are the size of the board, and `in_a_row`, 4, is how many win.

## Board

Cells are named by their column and, from the bottom, their row: `a1` is at the bottom left. There are 69 winning
lines. Discs fall, so that the mirror image is the only symmetry.

## Actions

7: action *i* drops a disc into column *i*, and is written as its letter, `a` to `g`. On the page in a browser, a click
anywhere in a column drops.

## Observation

85 features, 0 or 1: own discs by cell, row by row from the top left (0–41), the other seat's discs by cell (42–83), and
whether the observer is to move (84).

## End of the contest

A row of four, or a full board.

## Known value

The first player wins, with a disc in the middle column (Allen; Allis). 4,531,985,219,092 positions can be reached
(Edelkamp and Kissmann); 1, 7, 49, 238, 1,120, 4,263, 16,422 and 54,859 of them after 0 to 7 plies. Other boards are
solved here, the largest by a search for each position:

| columns × rows | value | positions |
|---|---|---|
| 4 × 4 | a draw | 161,029 |
| 5 × 4 | a draw | 3,945,711 |
| 4 × 5 | a draw | 1,706,255 |
| 6 × 4 | the second player wins | |
| 4 × 6 | a draw | 15,835,683 |
| 5 × 5 | a draw | 69,763,700 |
| 7 × 4, 6 × 5, 5 × 6 | a draw | |

## Sources

Devised by Howard Wexler, and sold as *Connect Four* by Milton Bradley since 1974. First solved by J. D. Allen (*Expert
Play in Connect-Four*, 1990) and, two weeks later, by V. Allis (*A Knowledge-based Approach of Connect-Four*, 1988).
S. Edelkamp and P. Kissmann, *Symbolic Classification of General Two-Player Games* (2008), for the number of positions;
those by ply are sequence A212693 of the *On-Line Encyclopedia of Integer Sequences*. Agrees with OpenSpiel's and pgx's
`connect_four` and PettingZoo's `connect_four_v3`, action for action.
"""

from dataclasses import dataclass, replace
from typing import Annotated

from boardgames_env.board import RED, YELLOW, Board, aligned, grid, squares
from boardgames_env.errors import BadInputError, require_whole
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared.in_a_row import row_game
from boardgames_env.spec import Label

# by columns, rows and discs in a row, the value and, for those that a table can hold, how many positions can be reached
_KNOWN: dict[tuple[int, int, int], tuple[int, int | None]] = {
    (4, 4, 4): (0, 161_029),
    (5, 4, 4): (0, 3_945_711),
    (4, 5, 4): (0, 1_706_255),
    (6, 4, 4): (-1, None),
    (4, 6, 4): (0, None),
    (5, 5, 4): (0, None),
    (7, 4, 4): (0, None),
    (6, 5, 4): (0, None),
    (5, 6, 4): (0, None),
    (7, 6, 4): (1, 4_531_985_219_092),
}


@dataclass(frozen=True)
class FourInColumns:
    """The size of a board on which four in a row win, for the search that solves large ones."""

    columns: Annotated[int, Label("Columns")]
    rows: Annotated[int, Label("Rows")]


@game(version=0, also_called=("four_in_a_row",), is_well_known=True)
def connect_four(
    columns: Annotated[int, Label("Columns")] = 7,
    rows: Annotated[int, Label("Rows")] = 6,
    in_a_row: Annotated[int, Label("Discs in a row that win")] = 4,
) -> Game:
    """Discs dropped into columns; four of one's own in a row wins.

    Args:
        columns: How many columns the board has, 2 to 10.
        rows: How many rows the board has, 2 to 10.
        in_a_row: How many discs in a row win, from 3 to the longer side of the board, at most 8.
    """
    require_whole(2, 10, columns=columns, rows=rows)
    if max(columns, rows) == 2:
        raise BadInputError("columns=2 and rows=2 are not allowed; three in a row need a longer side")
    require_whole(3, min(8, max(columns, rows)), in_a_row=in_a_row)
    cells = range(columns * rows)
    board = Board(
        points=grid(columns, rows),
        winning_lines=aligned(columns, rows, in_a_row),
        cells=True,
        labels=squares(columns, rows),
        homes=tuple(tuple(cells[row * columns : (row + 1) * columns]) for row in range(rows)),
    )
    value, positions = _KNOWN.get((columns, rows, in_a_row), (None, None))
    made = row_game(
        "Connect four",
        board,
        values=(0, *(min(3**marks, 27) for marks in range(in_a_row - 1)), 1000),
        value=value,
        columns=tuple(tuple(cells[column::columns]) for column in range(columns)),
        men=(RED, YELLOW),
    )
    family = FourInColumns(columns, rows) if in_a_row == 4 else None
    return replace(made, positions=positions or made.positions, family=family)
