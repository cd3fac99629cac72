"""The lines of a grid as arrays for kernels, and for every line as it may be filled what it holds.

A line is a whole row, column or diagonal, from edge to edge. What is on it is told by one number, its code: a digit for
each cell, to the base of three (0 empty, 1 seat 0's, 2 seat 1's). A mark changes the codes of the lines through its
cell, at most four, and a table says what each code holds: so features are kept up to date by a few look-ups.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.fives.runs import line_features
from boardgames_env.actions import at_each
from boardgames_env.board import aligned, from_edge_to_edge, grid
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import INDICES, TABLE, kernel

FIVE = 5
"""So many in a row win."""

MOST_CELLS = 12
"""No side is longer: the table has a row for every way to fill a line."""

DIRECTIONS = 4

PACKED = types.Array(types.int64, 2, "C")
"""The type of packed features, a column for each seat; see `boardgames_agents.fives.runs.line_features`."""

_SLOTS = types.Array(types.int64, 1, "C")


class Lines(NamedTuple):
    """The lines of a grid that have five cells or more. One line more, without cells, stands for those that have not.

    Attributes:
        columns: How many columns the grid has,
        rows: and how many rows.
        through: The lines through each cell, shape ``(cells, 4)``.
        steps: How much a mark of seat 0 in a cell adds to the codes of these lines; a mark of seat 1 adds twice that.
        empty: The codes of the lines when they are empty: where each line's part of the table begins.
        slots: The slots of a state that a line's cells are, then zeros; shape ``(lines, longest)``.
        lengths: How many cells a line has.
        table: What both seats hold on a line, by its code, shape ``(codes, 2)``; see `line_features`.
    """

    columns: int
    rows: int
    through: NDArray[np.int32]
    steps: NDArray[np.int32]
    empty: NDArray[np.int32]
    slots: NDArray[np.int64]
    lengths: NDArray[np.int32]
    table: NDArray[np.int64]


LINES = types.NamedTuple(
    (types.int64, types.int64, TABLE, TABLE, INDICES, types.Array(types.int64, 2, "C"), INDICES, PACKED), Lines
)


@cache
def lines_of(game: Game) -> Lines:
    """The lines of a game's board.

    Raises:
        BadInputError: If it is another kind of game: it is asked for its board, its actions, and whether marking five
            cells in a row wins.
    """
    board = game.board
    columns, rows = (1 + int(max(point[axis] for point in board.points)) for axis in (0, 1))
    fits = (
        min(columns, rows) >= FIVE
        and max(columns, rows) <= MOST_CELLS
        and board.points == grid(columns, rows)
        and {frozenset(line) for line in board.winning_lines}
        == {frozenset(line) for line in aligned(columns, rows, FIVE)}
        and game.actions == at_each(board)
        and not game.rules.has_chance
        and _five_wins(game)
    )
    if not fits:
        raise BadInputError(
            f"{game.spec} is another kind of game; this agent plays where one mark is placed at a turn on a grid of at "
            f"most {MOST_CELLS} by {MOST_CELLS} cells, and five in a row win"
        )
    return _lines(columns, rows)


def _five_wins(game: Game) -> bool:
    """Whether a seat that marks the cells of a winning line, one at a turn, wins."""
    for seat, mark in enumerate((1, -1)):
        state = game.initial.state.copy()
        line = next(line for line in game.board.winning_lines if not any(state[1 + cell] for cell in line))
        for cell in line:
            state[0] = seat
            game.rules.play.run(state, cell)
        if any(state[1 + cell] != mark for cell in line) or game.rules.outcome.run(state) != mark:
            return False
    return True


@cache
def _lines(columns: int, rows: int) -> Lines:
    lines = [line for line in from_edge_to_edge(columns, rows) if len(line) >= FIVE]
    lengths = sorted({len(line) for line in lines})
    starts = dict(zip(lengths, np.cumsum([0, *(3**length for length in lengths)]).tolist(), strict=False))
    table = np.zeros((sum(3**length for length in lengths), 2), dtype=np.int64)
    for length, start in starts.items():
        _fill.run(np.arange(length), table[start : start + 3**length])
    through = np.full((columns * rows, DIRECTIONS), len(lines), dtype=np.int32)
    steps = np.zeros((columns * rows, DIRECTIONS), dtype=np.int32)
    slots = np.zeros((len(lines), lengths[-1]), dtype=np.int64)
    used = [0] * (columns * rows)
    for number, line in enumerate(lines):
        slots[number, : len(line)] = np.array(line) + 1
        for place, cell in enumerate(line):
            through[cell, used[cell]], steps[cell, used[cell]] = number, 3**place
            used[cell] += 1
    return Lines(
        columns,
        rows,
        through,
        steps,
        np.array([*(starts[len(line)] for line in lines), 0], dtype=np.int32),
        slots,
        np.array([len(line) for line in lines], dtype=np.int32),
        table,
    )


@kernel(types.void(_SLOTS, PACKED))
def _fill(places: NDArray[np.int64], table: NDArray[np.int64]) -> None:
    """Write what lines of one length hold, by their codes."""
    line = np.zeros(len(places), dtype=np.int8)
    for code in range(len(table)):
        left = code
        for place in range(len(places)):
            digit = left % 3
            line[place] = -1 if digit == 2 else digit
            left //= 3
        table[code, 0] = line_features(line, places, 1)
        table[code, 1] = line_features(line, places, -1)
