"""The features of a line: fives, open fours and open threes (Hasson, Markovitch and Sella).

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
"""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.kernels import State, helper

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
    packed = _open(end - start, before, after)
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
def _open(run: int, before: int, after: int) -> int:
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
