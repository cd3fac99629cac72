"""A table of what a search has found out about positions, of a fixed size, and the codes they are known by."""

import numpy as np

from boardgames_env.kernels import State, helper
from boardgames_env.kernels.signatures import Int64s

# the columns of a table
CODE, VALUE, DEPTH, BOUND, ACTION = range(5)
COLUMNS = 5

# what a stored value says of the true one
EXACT, AT_LEAST, AT_MOST = range(3)

EXHAUSTED = 1 << 20
"""The depth of a value that no deeper search can change."""

NO_ACTION = -1


def empty_table(entries: int) -> Int64s:
    """A table with room for at least so many positions; a power of two, at most 2²²."""
    table = np.zeros((1 << min(22, entries.bit_length()), COLUMNS), dtype=np.int64)
    clear(table)
    return table


def clear(table: Int64s) -> None:
    """Forget everything."""
    table[:] = (0, 0, -EXHAUSTED, EXACT, NO_ACTION)


def multipliers(slots: int) -> Int64s:
    """What `code_of` multiplies the slots of a state by: odd numbers drawn once and for all.

    They are below 2⁴⁷, so that no sum overflows: a state has at most 2⁸ slots of at most 2⁷.
    """
    return np.random.default_rng(47).integers(1 << 46, size=slots + 1, dtype=np.int64) * 2 + 1


@helper
def code_of(state: State, multiplier: Int64s, ply: int) -> int:
    """A number by which a state is known at a ply. Others have the same only by a chance of about 1 in 2⁴⁶."""
    code = ply * multiplier[len(state)]
    for slot in range(len(state)):
        code += state[slot] * multiplier[slot]
    return int(code)


@helper
def row_of(table: Int64s, code: int) -> int:
    """The row where a position is kept, if it is."""
    return int((code ^ (code >> 23)) & (len(table) - 1))


@helper
def store(table: Int64s, code: int, value: int, depth: int, bound: int, action: int) -> None:
    """Keep what was found about a position, in the place of whatever was there."""
    row = row_of(table, code)
    table[row, CODE] = code
    table[row, VALUE] = value
    table[row, DEPTH] = depth
    table[row, BOUND] = bound
    table[row, ACTION] = action
