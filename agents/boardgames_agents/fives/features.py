"""The features of a board, by which positions are evaluated: the sums of the features of its lines.

`fives.grid_lines` defines the features of a line. The *contents* of a board (section 2.2 of the paper) are the numbers
of seat 0's features less those of seat 1's, without fives.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numba import types

from boardgames_agents.fives.grid_lines import A_FIVE, DIRECTIONS, LINES, Lines, line_features, lines_of, run_features
from boardgames_env.board import Line
from boardgames_env.kernels import READ_ONLY_STATE, State, helper, kernel
from boardgames_env.kernels.signatures import INT64_1D, Int8s, Int32s, Int64s
from boardgames_env.position import Position

PAPER = ("full open four", "half open four", "full open three", "half open three", "quarter open three")
"""The features with coefficients in the paper, in its order: ``contents[:5]``."""

BROKEN = ("broken four", "broken three")
"""The features that the paper leaves to future work: ``contents[5:]``."""

CONTENTS = (*PAPER, *BROKEN)
"""The features in contents, in order."""


def counts(position: Position) -> Int64s:
    """Return the number of each feature of both seats, those of `CONTENTS` and then the fives; shape ``(2, 8)``.

    Raises:
        BadInputError: If it is a position of another kind of game; see `lines_of`.
    """
    packed = np.array(recount.run(lines_of(position.game), position.state))
    return (packed[:, None] >> 8 * np.arange(A_FIVE + 1)) & 0xFF


def contents(position: Position) -> Int64s:
    """Return seat 0's features less seat 1's, in the order of `CONTENTS`; shape ``(7,)``."""
    of_seats = counts(position)
    return of_seats[0, :A_FIVE] - of_seats[1, :A_FIVE]


@dataclass(frozen=True)
class Place:
    """A feature on the board.

    Attributes:
        feature: Its number in `CONTENTS`.
        seat: The seat whose marks make it.
        locations: Their locations, with the empty one between them in a broken feature.
    """

    feature: int
    seat: int
    locations: Line


def places(position: Position) -> Iterator[Place]:
    """Yield every feature on the board, those that `counts` counts without fives.

    Raises:
        BadInputError: If it is a position of another kind of game; see `lines_of`.
    """
    lines = lines_of(position.game)
    for row, length in zip(lines.slots, lines.lengths, strict=True):
        slots = row[:length]
        at = 0
        for mark, run in groupby(np.sign(position.state[slots]).tolist()):
            start, at = at, at + len(list(run))
            packed = _features_of_run.run(position.state, slots, mark, start, at) if mark else 0
            for feature in range(A_FIVE):
                if packed >> 8 * feature & 0xFF:
                    end = at if feature < len(PAPER) else _end_of_next(position.state[slots], mark, at + 1)
                    yield Place(feature, int(mark < 0), tuple((slots[start:end] - 1).tolist()))


def _end_of_next(cells: Int8s, mark: int, start: int) -> int:
    """Return the end of the run of a mark that begins in a cell."""
    return next((at for at in range(start, len(cells)) if cells[at] != mark), len(cells))


_features_of_run = kernel(types.int64(READ_ONLY_STATE, INT64_1D, types.int64, types.int64, types.int64))(run_features)


@helper
def recounted(lines: Lines, state: State) -> tuple[int, int]:
    """Return both seats' packed features, counted anew from every cell of every line."""
    first, second = 0, 0
    for number in range(len(lines.lengths)):
        slots = lines.slots[number, : lines.lengths[number]]
        first += line_features(state, slots, 1)
        second += line_features(state, slots, -1)
    return first, second


@kernel(types.UniTuple(types.int64, 2)(LINES, READ_ONLY_STATE))
def recount(lines: Lines, state: State) -> tuple[int, int]:
    """Return `recounted`, from Python."""
    return recounted(lines, state)


@helper
def read(lines: Lines, state: State, codes: Int32s) -> tuple[int, int]:
    """Write the codes of all lines in a state. Return both seats' packed features."""
    codes[:] = lines.empty
    for cell in range(len(lines.through)):
        if state[1 + cell] != 0:
            put(lines, codes, cell, 1 if state[1 + cell] > 0 else 2)
    own, other = 0, 0
    for number in range(len(lines.lengths)):
        own += lines.table[codes[number], 0]
        other += lines.table[codes[number], 1]
    return own, other


@helper
def put(lines: Lines, codes: Int32s, cell: int, digit: int) -> None:
    """Add a seat's digit (1 for seat 0, 2 for seat 1) to the codes of a cell's lines, or remove it if negative."""
    for direction in range(DIRECTIONS):
        codes[lines.through[cell, direction]] += digit * lines.steps[cell, direction]


@helper
def after_mark(lines: Lines, codes: Int32s, cell: int, seat: int, both: tuple[int, int]) -> tuple[int, int]:
    """Return both seats' packed features after a mark, given those before it."""
    first, second = both
    for direction in range(DIRECTIONS):
        code = codes[lines.through[cell, direction]]
        changed = code + (1 + seat) * lines.steps[cell, direction]
        first += lines.table[changed, 0] - lines.table[code, 0]
        second += lines.table[changed, 1] - lines.table[code, 1]
    return first, second
