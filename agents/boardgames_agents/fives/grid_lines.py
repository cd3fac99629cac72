"""The lines of a grid, and their features (Hasson, Markovitch and Sella).

The paper's section 2.2 defines its six features by pictures. Read as rules, for one seat's marks on a line, with
``s`` for such a mark and ``_`` for an empty cell:

* A *run* is a maximal sequence of marks. On either side of it up to two empty cells are counted, up to the first edge
  or mark of either seat; cells beyond two empty ones do not matter.
* A *five* is a run of five or more.
* A run of four is a *full open four* with an empty cell on both sides (``_ssss_``), a *half open four* with one
  (``_ssss``), and nothing with none.
* A run of three is by the empty cells on both sides a *full open three* (2 and 2: ``__sss__``), a *half open three* (1
  and 2: ``_sss__``), a *quarter open three* (1 and 1, or 2 and 0: ``_sss_``, ``__sss``), and otherwise nothing.

The authors plan more features for future versions, such as ``_s_ss_``. We add two, with one gap:

* A *broken four* is one empty cell between two runs, neither longer than three, that make five or more with the gap
  (``s_sss``, ``ss_ss``, ``sss_ss``). (A run of four at the gap is a four already.)
* A *broken three* is one empty cell between a run of one and a run of two, and an empty cell on both sides of them
  (``_s_ss_``, ``_ss_s_``).

A line is a whole row, column or diagonal, from edge to edge. Its code is a number with one digit per cell in base three
(0 empty, 1 seat 0's, 2 seat 1's). A mark changes the codes of at most four lines, those through its cell, and a table
contains the features of every code. Features are therefore updated by a few look-ups.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.actions import at_each
from boardgames_env.board import aligned, from_edge_to_edge, grid
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import State, helper, kernel
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


# The byte of each feature in a packed number.
FULL_FOUR, HALF_FOUR, FULL_THREE, HALF_THREE, QUARTER_THREE, BROKEN_FOUR, BROKEN_THREE, A_FIVE = range(8)

NO_FIVE = 1 << 8 * A_FIVE
"""Packed features are smaller than this if they include no five."""


@helper
def line_features(state: State, slots: NDArray[np.int64], mark: int) -> int:
    """Return the packed features of a line: a byte for the count of each feature.

    Packed features are summed over the lines of a board. No byte overflows: with m marks and e empty cells there are at
    most 4e broken threes, one at a gap in each direction, and at most 8m/3, because each takes three marks and a run is
    part of at most two; on 144 cells that is less than 256. The other features are rarer.
    ``slots`` are those of the line's cells in the state, and ``mark`` is that of the seat: +1 or -1.
    """
    packed = 0
    at = 0
    while at < len(slots):
        start = at
        while at < len(slots) and state[slots[at]] == mark:
            at += 1
        if at == start:
            at += 1
            continue
        packed += run_features(state, slots, mark, start, at)
    return packed


@helper
def run_features(state: State, slots: NDArray[np.int64], mark: int, start: int, end: int) -> int:
    """Return the packed features of a run from ``start`` up to ``end``, and of the run and what follows after a gap."""
    before, after = _empty_cells(state, slots, start - 1, -1), _empty_cells(state, slots, end, 1)
    packed = _open_run(end - start, before, after)
    if after == 1:
        packed += _broken(state, slots, mark, start, end, before)
    return packed


@helper
def _empty_cells(state: State, slots: NDArray[np.int64], at: int, step: int) -> int:
    """Return the number of consecutive empty cells from a place on, at most two."""
    count = 0
    while count < 2 and 0 <= at < len(slots) and state[slots[at]] == 0:
        count += 1
        at += step
    return count


@helper
def _open_run(run: int, before: int, after: int) -> int:
    """Return the packed feature of a run; 0 if it is none."""
    if run >= 5:
        return NO_FIVE
    if run == 4:
        sides = min(before, 1) + min(after, 1)
        return 1 << 8 * (FULL_FOUR if sides == 2 else HALF_FOUR) if sides > 0 else 0
    if run == 3 and before + after >= 2:
        return 1 << 8 * (FULL_THREE + 4 - before - after)
    return 0


@helper
def _broken(state: State, slots: NDArray[np.int64], mark: int, start: int, gap: int, before: int) -> int:
    """Return the packed feature of a run and its continuation after one empty cell; 0 if it is none."""
    end = gap + 1
    while end < len(slots) and state[slots[end]] == mark:
        end += 1
    one, other = gap - start, end - gap - 1
    if other > 0 and one <= 3 and other <= 3 and one + other >= 4:
        return 1 << 8 * BROKEN_FOUR
    if min(one, other) == 1 and one + other == 3 and before > 0 and _empty_cells(state, slots, end, 1) > 0:
        return 1 << 8 * BROKEN_THREE
    return 0


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
    return _lines_of_grid(columns, rows)


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
def _lines_of_grid(columns: int, rows: int) -> Lines:
    lines = [line for line in from_edge_to_edge(columns, rows) if len(line) >= FIVE]
    lengths = sorted({len(line) for line in lines})
    starts = dict(zip(lengths, np.cumsum([0, *(3**length for length in lengths)]).tolist(), strict=False))
    table = np.zeros((sum(3**length for length in lengths), 2), dtype=np.int64)
    for length, start in starts.items():
        _fill_table.run(np.arange(length), table[start : start + 3**length])
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


@kernel(types.void(INT64_1D, INT64_2D), compiled_first=True)
def _fill_table(places: Int64s, table: Int64s) -> None:
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
