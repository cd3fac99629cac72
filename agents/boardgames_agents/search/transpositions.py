"""A transposition table of a fixed size, and the codes of positions."""

import numpy as np
from numba import types

from boardgames_env.kernels import READ_ONLY_STATE, State, helper, kernel
from boardgames_env.kernels.signatures import INT64_1D, INT64_2D, Int64s

# the columns of a table
CODE, VALUE, DEPTH, BOUND, ACTION = range(5)
COLUMNS = 5

# the relation of the true value to a stored one
EXACT, AT_LEAST, AT_MOST = range(3)

EXHAUSTED = 1 << 20
"""The depth of a value that no deeper search can change."""

NO_ACTION = -1


def empty_table(entries: int) -> Int64s:
    """Return a table with at least ``entries`` rows; a power of two, at most 2²²."""
    table = np.zeros((1 << min(22, entries.bit_length()), COLUMNS), dtype=np.int64)
    clear(table)
    return table


def clear(table: Int64s) -> None:
    """Empty a table."""
    table[:] = (0, 0, -EXHAUSTED, EXACT, NO_ACTION)


def multipliers(slots: int) -> Int64s:
    """Return the factors of the slots of a state in `code_of`: fixed odd random numbers.

    They are below 2⁴⁷, so that no sum overflows: a state has at most 2⁸ slots of at most 2⁷.
    """
    return np.random.default_rng(47).integers(1 << 46, size=slots + 1, dtype=np.int64) * 2 + 1


@helper
def code_of(state: State, multiplier: Int64s, ply: int) -> int:
    """Return a code of a state at a ply. Two states have the same code with a probability of about 1 in 2⁴⁶."""
    code = ply * multiplier[len(state)]
    for slot in range(len(state)):
        code += state[slot] * multiplier[slot]
    return int(code)


@helper
def row_of(table: Int64s, code: int) -> int:
    """Return the row of a code."""
    return int((code ^ (code >> 23)) & (len(table) - 1))


@helper
def store(table: Int64s, code: int, value: int, depth: int, bound: int, action: int) -> None:
    """Store a position in its row, in the place of any other."""
    row = row_of(table, code)
    table[row, CODE] = code
    table[row, VALUE] = value
    table[row, DEPTH] = depth
    table[row, BOUND] = bound
    table[row, ACTION] = action


@kernel(types.int64(INT64_2D, INT64_1D, READ_ONLY_STATE, types.int64))
def best_known(table: Int64s, multiplier: Int64s, state: State, ply: int) -> int:
    """Return the best action of a state at a ply by the table, or `NO_ACTION`."""
    code = code_of(state, multiplier, ply)
    row = row_of(table, code)
    return int(table[row, ACTION]) if table[row, CODE] == code else NO_ACTION
