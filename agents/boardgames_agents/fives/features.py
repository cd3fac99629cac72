"""The features of a board, by which positions are evaluated: those of all its lines, added up.

What they are is defined in `fives.runs`. The *contents* of a board (section 2.2 of the paper) are the numbers of
seat 0's features less those of seat 1's; fives are not among them.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.fives.grid_lines import DIRECTIONS, LINES, PACKED, Lines, lines_of
from boardgames_agents.fives.runs import A_FIVE, line_features
from boardgames_env.kernels import INDICES, READ_ONLY_STATE, Actions, State, helper, kernel
from boardgames_env.position import Position

PAPER = ("full open four", "half open four", "full open three", "half open three", "quarter open three")
"""The features with coefficients in the paper, in its order: ``contents[:5]``."""

BROKEN = ("broken four", "broken three")
"""The features that it leaves to future work: ``contents[5:]``."""

CONTENTS = (*PAPER, *BROKEN)
"""What contents are made of, in this order."""

Codes = NDArray[np.int32]


def counts(position: Position) -> NDArray[np.int64]:
    """How many of each feature both seats have.

    Returns:
        A row for each seat with the features of `CONTENTS`, and last the fives: shape ``(2, 8)``, dtype int64.

    Raises:
        BadInputError: If it is a position of another kind of game; see `lines_of`.
    """
    return unpacked(np.array(recount.run(lines_of(position.game), position.state)))


def contents(position: Position) -> NDArray[np.int64]:
    """Seat 0's features less seat 1's, in the order of `CONTENTS`: shape ``(7,)``, dtype int64.

    Raises:
        BadInputError: As `counts` does.
    """
    of_seats = counts(position)
    return of_seats[0, :A_FIVE] - of_seats[1, :A_FIVE]


def unpacked(packed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Packed features as numbers of each: one more axis, of length 8, with `CONTENTS` and then fives."""
    return (packed[..., None] >> 8 * np.arange(A_FIVE + 1)) & 0xFF


@helper
def recounted(lines: Lines, state: State) -> tuple[int, int]:
    """Both seats' packed features, by looking at every line cell by cell."""
    first, second = 0, 0
    for number in range(len(lines.lengths)):
        slots = lines.slots[number, : lines.lengths[number]]
        first += line_features(state, slots, 1)
        second += line_features(state, slots, -1)
    return first, second


@kernel(types.UniTuple(types.int64, 2)(LINES, READ_ONLY_STATE))
def recount(lines: Lines, state: State) -> tuple[int, int]:
    """`recounted`, called from Python."""
    return recounted(lines, state)


@kernel(types.void(LINES, READ_ONLY_STATE, INDICES, PACKED))
def follow(lines: Lines, state: State, actions: Actions, totals: NDArray[np.int64]) -> None:
    """Write both seats' packed features after each of some actions, one after another; shape ``(actions, 2)``."""
    codes = lines.empty.copy()
    both = read(lines, state, codes)
    seat = int(state[0])
    for ply in range(len(actions)):
        both = after_mark(lines, codes, actions[ply], seat, both)
        put(lines, codes, actions[ply], 1 + seat)
        totals[ply, 0], totals[ply, 1] = both
        seat = 1 - seat


@helper
def read(lines: Lines, state: State, codes: Codes) -> tuple[int, int]:
    """Write the codes of all lines in a state; both seats' packed features."""
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
def put(lines: Lines, codes: Codes, cell: int, digit: int) -> None:
    """Put a seat's digit (1 for seat 0, 2 for seat 1) into an empty cell; or take it out again, with its negative."""
    for direction in range(DIRECTIONS):
        codes[lines.through[cell, direction]] += digit * lines.steps[cell, direction]


@helper
def after_mark(lines: Lines, codes: Codes, cell: int, seat: int, both: tuple[int, int]) -> tuple[int, int]:
    """Both seats' packed features if a seat marked a cell, given those without that mark."""
    first, second = both
    for direction in range(DIRECTIONS):
        code = codes[lines.through[cell, direction]]
        changed = code + (1 + seat) * lines.steps[cell, direction]
        first += lines.table[changed, 0] - lines.table[code, 0]
        second += lines.table[changed, 1] - lines.table[code, 1]
    return first, second
