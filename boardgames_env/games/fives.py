"""Fives: five of one's own in a row on a square of ten by ten cells.

## Rules

Two seats place one of their marks in turn, X first, in any empty cell of a 10×10 grid. The first to hold five
cells in a row, across, down or along a diagonal, wins; more than five are as good. A full grid without such a row is
a draw.

`paired_moves=25` ends a contest in a draw after 25 marks of each seat; with 0 there is no such limit. `opening`, 1 to
10, begins with ten marks on the grid, five of each seat, X to move; 0 begins with an empty grid. Both are as in the
paper, which counts the marks of the opening among the paired moves: `fives(opening=1, paired_moves=25)` lasts at most
40 plies.

## Board

The numbers, row by row, are the actions. There are 192 winning lines.

## Actions

100: action *i* places a mark in cell *i*.

## Observation

201 features, 0 or 1: own marks by cell (0–99), the other seat's marks by cell (100–199), and whether the observer is
to move (200).

## End of the contest

A row of five, a full grid, or the last of the paired moves.

## Known value

Not known: no source that we know of gives one for this board.

## Sources

R. A. Hasson, S. Markovitch and Y. Sella, *Using Filters to Improve the Efficiency of Game-playing Learning
Procedures*, sections 2 and 3. Agrees with OpenSpiel's `gomoku(size=10,connect=5)`.

The paper's openings were data files, which are lost; **those here are our own**. They were drawn at random, each mark
next to an earlier one, among positions in which no row with three marks is open to either seat, the open rows are worth
about the same to both, and a search of 11 plies (the ten likeliest moves against the sixteen likeliest replies) found
no forced win for either seat, whoever is to move.
"""

from dataclasses import replace
from typing import Annotated

from boardgames_env.board import Board, aligned, grid
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import in_a_row
from boardgames_env.history import Limits
from boardgames_env.spec import Label

BOARD = Board(points=grid(10, 10), winning_lines=aligned(10, 10, 5), cells=True)

# the cells in the order in which they are marked, X first
OPENINGS = (
    (),
    (54, 44, 55, 64, 33, 66, 63, 22, 23, 53),
    (54, 45, 35, 36, 34, 24, 46, 43, 26, 64),
    (45, 46, 57, 35, 54, 67, 77, 25, 47, 53),
    (45, 36, 46, 55, 27, 65, 54, 63, 62, 73),
    (44, 33, 53, 35, 32, 54, 46, 63, 72, 55),
    (44, 43, 52, 62, 42, 73, 64, 33, 63, 54),
    (54, 64, 43, 55, 56, 44, 73, 47, 62, 52),
    (45, 56, 57, 47, 65, 44, 33, 55, 23, 74),
    (54, 53, 52, 55, 44, 35, 36, 63, 46, 34),
    (55, 56, 67, 46, 77, 44, 53, 42, 43, 32),
)

_FIVES = in_a_row.row_game("Fives", BOARD, values=(0, 1, 3, 9, 27, 1000))


@game(version=0)
def fives(
    paired_moves: Annotated[int, Label("Marks of each player until a draw; 0 for no limit")] = 0,
    opening: Annotated[int, Label("Opening that is on the grid at first, 1 to 10; 0 for none")] = 0,
) -> Game:
    """Five of one's own in a row on a square of ten by ten cells.

    Args:
        paired_moves: The contest is drawn after this many marks of each seat; 0 for no limit.
        opening: Which of the openings is on the grid at first, 1 to 10; 0 for none.
    """
    require(0, len(OPENINGS) - 1, opening=opening)
    given = OPENINGS[opening]
    if paired_moves and not len(given) < 2 * paired_moves <= BOARD.size:
        least = len(given) // 2 + 1
        raise BadInputError(f"paired_moves={paired_moves} is not allowed; it is 0 (no limit) or {least} to 50")
    return replace(
        _FIVES,
        rules=replace(_FIVES.rules, initial=in_a_row.begin_with(BOARD, given)) if given else _FIVES.rules,
        limits=Limits(plies=2 * paired_moves - len(given)) if paired_moves else Limits(),
    )
