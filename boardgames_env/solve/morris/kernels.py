"""The kernels that work through a class of positions, orbit by orbit, so that threads may share it.

Two threads may write the same row, but only ever the same code: what is written depends on codes that no thread
writes in the same pass. So the codes do not depend on how many threads there are.
"""

from numba import types

from boardgames_env.games.morris.bitboards import count, men_on, mills_closed
from boardgames_env.kernels import READ_ONLY_STATE, State, kernel
from boardgames_env.kernels.signatures import INT16_1D, INT16_1D_READONLY, INT64_1D, Int16s, Int64s
from boardgames_env.solve.morris.index import INDEX, Index, row_of, spread_out, write_row
from boardgames_env.solve.morris.moves import (
    GROUND,
    Ground,
    code_after_capture,
    placing_code,
    point_of,
    sliding_code,
    targets,
)

_RANGE = (types.int64, types.int64)
_BELOW = (types.boolean, INDEX, INT16_1D_READONLY)


@kernel(types.void(GROUND, INDEX, INT16_1D, INDEX, INT16_1D, *_BELOW, *_RANGE))
def begin_sliding(
    ground: Ground,
    index: Index,
    codes: Int16s,
    next_index: Index,
    next_codes: Int16s,
    loses: bool,
    below_index: Index,
    below: Int16s,
    first: int,
    end: int,
) -> None:
    """Write the code of every position that blocked men or captures alone decide."""
    size = len(index.others)
    for orbit in range(first, end):
        own = int(index.representatives[orbit])
        for beside in range(size):
            other = spread_out(own, int(index.others[beside]))
            codes[orbit * size + beside] = sliding_code(
                ground, own, other, loses, next_index, next_codes, below_index, below, 0, True
            )


@kernel(types.int64(GROUND, types.int64, INDEX, INT16_1D, INDEX, INT16_1D, *_BELOW, *_RANGE))
def pass_back(
    ground: Ground,
    code: int,
    index: Index,
    codes: Int16s,
    from_index: Index,
    from_codes: Int16s,
    loses: bool,
    below_index: Index,
    below: Int16s,
    first: int,
    end: int,
) -> int:
    """Pass a code from the positions that have it to those that lead to them without a capture.

    Args:
        ground: The board and rules.
        code: The code; all smaller ones have been passed back.
        index: The index of the class.
        codes: Its codes.
        from_index: The index of the positions that lead there.
        from_codes: Their codes.
        loses: Whether the other seat has lost there with one man less.
        below_index: The index of the positions that captures lead to from those.
        below: Their codes.
        first: The first orbit to look at.
        end: The one after the last.

    Returns:
        How many rows have the code.
    """
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
                if mills_closed(ground.frame, other, point_of(man)):
                    continue  # whoever moved there has captured
                rest = targets(ground, other, own, point_of(man))
                while rest:
                    source = rest & -rest
                    rest ^= source
                    mover = other ^ man ^ source
                    before = int(from_codes[row_of(from_index, mover, own)])
                    if code & 1:
                        if before == 0 or before > code + 1:
                            write_row(from_index, from_codes, mover, own, code + 1)
                    elif before == 0:
                        found = sliding_code(ground, mover, own, loses, index, codes, below_index, below, code, False)
                        if found:
                            write_row(from_index, from_codes, mover, own, found)
    return count


@kernel(types.void(GROUND, INDEX, INT16_1D, INDEX, INT16_1D_READONLY, *_BELOW, *_RANGE))
def solve_placing(
    ground: Ground,
    index: Index,
    codes: Int16s,
    next_index: Index,
    next_codes: Int16s,
    loses: bool,
    below_index: Index,
    below: Int16s,
    first: int,
    end: int,
) -> None:
    """Write the code of every position of a placing class."""
    size = len(index.others)
    for orbit in range(first, end):
        own = int(index.representatives[orbit])
        for beside in range(size):
            other = spread_out(own, int(index.others[beside]))
            codes[orbit * size + beside] = placing_code(
                ground, own, other, loses, next_index, next_codes, below_index, below
            )


@kernel(types.void(INDEX, INT16_1D_READONLY, INT64_1D, INT64_1D))
def count_codes(index: Index, codes: Int16s, weights: Int64s, counts: Int64s) -> None:
    """Add up the positions of a class by code; ``weights`` are `Index.weights`."""
    size = len(index.others)
    for orbit in range(len(index.representatives)):
        for beside in range(size):
            counts[codes[orbit * size + beside]] += weights[orbit]


@kernel(types.int64(READ_ONLY_STATE, INDEX, INT16_1D_READONLY))
def read_code(state: State, index: Index, codes: Int16s) -> int:
    """The code of a position in which a turn begins."""
    own, other = men_on(state)
    return int(codes[row_of(index, own, other)])


@kernel(types.int64(GROUND, READ_ONLY_STATE, INDEX, INT16_1D_READONLY))
def read_capture_code(ground: Ground, state: State, index: Index, codes: Int16s) -> int:
    """The code of a position in which a mill has been closed and a man is to be captured, from what that leads to."""
    own, other = men_on(state)
    return code_after_capture(ground, own, other, False, index, codes)


@kernel(types.int64(READ_ONLY_STATE))
def count_men(state: State) -> int:
    """How many men the seats have on the board and in hand, whose turn it is and what is to capture, as one number."""
    own, other = men_on(state)
    key = (int(state[0]) << 5 | count(own)) << 5 | count(other)
    for slot in range(len(state) - 3, len(state)):
        key = key << 5 | int(state[slot])
    return key
