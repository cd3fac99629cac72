"""The kernels that work through a class of positions, orbit by orbit.

Two threads may write the same row, but only ever the same code: a code depends on rows that no thread writes in the
same pass. So the codes do not depend on the number of threads.
"""

from numba import types

from boardgames_env.games.morris.mills import count, men_on, mills_closed
from boardgames_env.kernels import READ_ONLY_STATE, State, kernel
from boardgames_env.kernels.signatures import INT64_1D, Int16s, Int64s
from boardgames_env.solve.morris.codes import (
    CAPTURES,
    GROUND,
    KNOWN_ROWS,
    ROWS,
    Captures,
    Ground,
    Rows,
    code_after_capture,
    placing_code,
    point_of,
    sliding_code,
    targets,
)
from boardgames_env.solve.morris.index import Index, row_of, spread_out, write_row


@kernel(types.void(GROUND, ROWS, ROWS, CAPTURES, types.int64, types.int64))
def begin_sliding(ground: Ground, rows: Rows, quiet: Rows, captures: Captures, first: int, end: int) -> None:
    """Write the codes that blocked men and captures alone decide, of orbits ``first`` to ``end - 1``."""
    index, codes = rows
    size = len(index.others)
    for orbit in range(first, end):
        own = int(index.representatives[orbit])
        for beside in range(size):
            other = spread_out(own, int(index.others[beside]))
            codes[orbit * size + beside] = sliding_code(ground, own, other, quiet, captures, 0, True)


@kernel(types.int64(GROUND, types.int64, ROWS, ROWS, CAPTURES, types.int64, types.int64))
def pass_back(ground: Ground, code: int, rows: Rows, before: Rows, captures: Captures, first: int, end: int) -> int:
    """Pass a code back from the orbits ``first`` to ``end - 1`` of a class to positions of ``before``.

    That is the class which leads there without a capture; ``captures`` is what captures lead to from it. All smaller
    codes have been passed back.

    Returns:
        The number of rows that have the code.
    """
    index, codes = rows
    from_index, from_codes = before
    size = len(index.others)
    count = 0
    for orbit in range(first, end):
        own = int(index.representatives[orbit])
        for beside in range(size):
            if codes[orbit * size + beside] != code:
                continue
            count += 1
            other = spread_out(own, int(index.others[beside]))
            men = other
            while men:
                man = men & -men
                men ^= man
                if mills_closed(ground.bitboard, other, point_of(man)):
                    continue  # a move there would have captured
                rest = targets(ground, other, own, point_of(man))
                while rest:
                    source = rest & -rest
                    rest ^= source
                    mover = other ^ man ^ source
                    earlier = int(from_codes[row_of(from_index, mover, own)])
                    if code & 1:
                        if earlier == 0 or earlier > code + 1:
                            write_row(from_index, from_codes, mover, own, code + 1)
                    elif earlier == 0:
                        found = sliding_code(ground, mover, own, rows, captures, code, False)
                        if found:
                            write_row(from_index, from_codes, mover, own, found)
    return count


@kernel(types.void(GROUND, ROWS, KNOWN_ROWS, CAPTURES, types.int64, types.int64))
def solve_placing(ground: Ground, rows: Rows, quiet: Rows, captures: Captures, first: int, end: int) -> None:
    """Write the codes of a class in which men are placed, of orbits ``first`` to ``end - 1``."""
    index, codes = rows
    size = len(index.others)
    for orbit in range(first, end):
        own = int(index.representatives[orbit])
        for beside in range(size):
            other = spread_out(own, int(index.others[beside]))
            codes[orbit * size + beside] = placing_code(ground, own, other, quiet, captures)


SOLVER_KERNELS = [begin_sliding, pass_back, solve_placing]
"""The kernels that tables depend on."""


@kernel(types.void(KNOWN_ROWS, INT64_1D, INT64_1D))
def count_codes(rows: Rows, weights: Int64s, counts: Int64s) -> None:
    """Add up the positions of a class by code; ``weights`` are `Index.weights`."""
    size = len(rows.numbering.others)
    for orbit in range(len(rows.numbering.representatives)):
        for beside in range(size):
            counts[rows.codes[orbit * size + beside]] += weights[orbit]


@kernel(types.int64(READ_ONLY_STATE, *KNOWN_ROWS))
def read_code(state: State, index: Index, codes: Int16s) -> int:
    """Return the code of a position in which a turn begins."""
    own, other = men_on(state)
    return int(codes[row_of(index, own, other)])


@kernel(types.int64(GROUND, READ_ONLY_STATE, *KNOWN_ROWS))
def read_capture_code(ground: Ground, state: State, index: Index, codes: Int16s) -> int:
    """Return the code of a position in which a man is to be captured."""
    own, other = men_on(state)
    return code_after_capture(ground, own, other, Captures(False, Rows(index, codes)))


@kernel(types.int64(READ_ONLY_STATE))
def count_men(state: State) -> int:
    """Return one number for men on the board and in hand, seat and capture."""
    own, other = men_on(state)
    key = (int(state[0]) << 5 | count(own)) << 5 | count(other)
    for slot in range(len(state) - 3, len(state)):
        key = key << 5 | int(state[slot])
    return key
