"""Qubic: four of one's own in a row in a cube of four by four by four cells.

## Rules

Two seats place one of their marks in turn, X first, in any empty cell of a 4×4×4 cube. The first to hold four cells
in a straight row wins, whether the row runs along an edge, along a diagonal of a layer, upright or not, or along a
diagonal of the cube. A full cube without such a row is a draw.

## Board

The four layers of the cube, from the top, are drawn two by two. The numbers are the actions. There are 76 winning
lines: 48 along the edges, 24 diagonals of layers and 4 diagonals of the cube. The eight corners and the eight inner
cells lie on seven of them each, all others on four. The cube has 48 symmetries in space, and the lines 192.

## Actions

64: action *i* places a mark in cell *i*.

## Observation

129 features, 0 or 1: own marks by cell (0–63), the other seat's marks by cell (64–127), and whether the observer is
to move (128).

## End of the contest

A row of four, or 64 marks.

## Known value

The first player wins (Patashnik).

## Sources

O. Patashnik, *Qubic: 4×4×4 Tic-Tac-Toe*, Mathematics Magazine 53 (1980), for the rules and the value. The counts
of lines and symmetries are computed. Agrees with OpenSpiel's `gomoku(size=4,dims=3,connect=4)`.
"""

from collections.abc import Iterator
from itertools import product

from boardgames_env.board import Board, Line
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import in_a_row

SIDE = 4
CELLS = tuple((x, y, z) for z, y, x in product(range(SIDE), repeat=3))


def _straight_rows() -> Iterator[Line]:
    """Return every straight row of four cells, once."""
    number: dict[tuple[int, ...], int] = {cell: location for location, cell in enumerate(CELLS)}
    for step in product((-1, 0, 1), repeat=3):
        # (of a direction and its opposite, one)
        for cell in CELLS if step > (0, 0, 0) else ():
            row = [tuple(at + k * along for at, along in zip(cell, step, strict=True)) for k in range(SIDE)]
            if row[-1] in number:
                yield tuple(number[each] for each in row)


# drawn as four layers, two by two, a cell apart
BOARD = Board(
    points=tuple((x + (SIDE + 1.0) * (z % 2), y + (SIDE + 1.0) * (z // 2)) for x, y, z in CELLS),
    winning_lines=tuple(_straight_rows()),
    cells=True,
    coordinates=CELLS,
)


@game(version=0)
def qubic() -> Game:
    """Four of one's own in a row in a cube of four by four by four cells."""
    return in_a_row.row_game("Qubic", BOARD, values=(0, 1, 4, 16, 1000), value=1)
