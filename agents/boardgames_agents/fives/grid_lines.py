"""The lines of a grid as arrays for kernels, and a table of the features of every filling of a line.

A line is a whole row, column or diagonal, from edge to edge. Its code is a number with one digit per cell in base three
(0 empty, 1 seat 0's, 2 seat 1's). A mark changes the codes of at most four lines, those through its cell, and a table
contains the features of every code. Features are therefore updated by a few look-ups.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.fives.runs import line_features
from boardgames_env.actions import at_each
from boardgames_env.board import aligned, from_edge_to_edge, grid
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import INT32_1D, INT32_2D, INT64_1D, INT64_2D, Int32s, Int64s

FIVE = 5
"""The number of marks in a row that wins."""

MOST_CELLS = 12
"""The longest side allowed: the table has a row for every filling of a line."""

DIRECTIONS = 4


class Lines(NamedTuple):
    """The lines of a grid that have at least five cells, and one line without cells that stands for all others.

    Attributes:
        through: The lines through each cell, shape ``(cells, 4)``.
        steps: The amount that a mark of seat 0 in a cell adds to the codes of these lines; seat 1 adds twice as much.
        empty: The codes of the empty lines, which are the offsets of their parts of the table.
        slots: The slots of each line's cells in a state, then zeros; shape ``(lines, longest)``.
        lengths: The number of cells of each line.
        table: Both seats' packed features of a line, by its code, shape ``(codes, 2)``; see `line_features`.
    """

    columns: int
    rows: int
    through: Int32s
    steps: Int32s
    empty: Int32s
    slots: Int64s
    lengths: Int32s
    table: Int64s


LINES = named_tuple_type(Lines, types.int64, types.int64, INT32_2D, INT32_2D, INT32_1D, INT64_2D, INT32_1D, INT64_2D)


@cache
def lines_of(game: Game) -> Lines:
    """Return the lines of a game's board.

    Raises:
        BadInputError: If the game is of another kind, judged by its board, its actions, and whether marking five cells
            in a row wins.
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
    """Return whether a seat wins by marking the cells of a winning line, one a turn."""
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


@kernel(types.void(INT64_1D, INT64_2D))
def _fill(places: Int64s, table: Int64s) -> None:
    """Write the packed features of all fillings of a line, by code."""
    line = np.zeros(len(places), dtype=np.int8)
    for code in range(len(table)):
        left = code
        for place in range(len(places)):
            digit = left % 3
            line[place] = -1 if digit == 2 else digit
            left //= 3
        table[code, 0] = line_features(line, places, 1)
        table[code, 1] = line_features(line, places, -1)
