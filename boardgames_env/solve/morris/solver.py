"""Solving a morris game class by class, those with the fewest men first.

Sliding is solved before placing, and placing from its last ply backwards. The kernels work through a class orbit by
orbit. Two threads may write the same row, but only ever the same code: a code depends on rows that no thread writes in
the same pass. So the codes do not depend on the number of threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numba import types

from boardgames_env.games.morris.mills import count, men_on, mills_closed
from boardgames_env.kernels import READ_ONLY_STATE, State, announce_compilation, kernel
from boardgames_env.kernels.signatures import INT64_1D, Int16s, Int64s
from boardgames_env.solve.morris.classes import Classes, PositionClass
from boardgames_env.solve.morris.codes import (
    CAPTURES,
    GROUND,
    KNOWN_ROWS,
    ROWS,
    Captures,
    Ground,
    Rows,
    code_after_capture,
    known_rows,
    make_ground,
    placing_code,
    point_of,
    sliding_code,
    targets,
)
from boardgames_env.solve.morris.index import Index, row_of, spread_out, write_row


@kernel(types.void(GROUND, ROWS, ROWS, CAPTURES, types.int64, types.int64), compiled_first=True)
def begin_sliding(ground: Ground, rows: Rows, quiet: Rows, captures: Captures, first: int, end: int) -> None:
    """Write the codes that blocked men and captures alone decide, of orbits ``first`` to ``end - 1``."""
    index, codes = rows
    size = len(index.others)
    for orbit in range(first, end):
        own = int(index.representatives[orbit])
        for beside in range(size):
            other = spread_out(own, int(index.others[beside]))
            codes[orbit * size + beside] = sliding_code(ground, own, other, quiet, captures, 0, True)


@kernel(types.int64(GROUND, types.int64, ROWS, ROWS, CAPTURES, types.int64, types.int64), compiled_first=True)
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


@kernel(types.void(GROUND, ROWS, KNOWN_ROWS, CAPTURES, types.int64, types.int64), compiled_first=True)
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


@kernel(types.void(KNOWN_ROWS, INT64_1D, INT64_1D), compiled_first=True)
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


_PARTS = 8  # parts of a class for each thread, so that all threads finish at about the same time
_NONE = np.zeros(0, dtype=np.int16)


class Solver:
    """Solves classes, given the codes of those they depend on.

    ``on_rows`` is called with the number of rows that have been finished since the last call.
    """

    def __init__(
        self,
        classes: Classes,
        known: Callable[[PositionClass], Int16s],
        jobs: int = 1,
        on_rows: Callable[[int], None] | None = None,
    ) -> None:
        self.classes = classes
        self.ground = make_ground(classes.rules)
        self._known = known
        self._jobs = jobs
        self._on_rows = on_rows or (lambda rows: None)
        announce_compilation("the morris solver", SOLVER_KERNELS)

    def solve(self, each: PositionClass) -> dict[PositionClass, Int16s]:
        """Return the codes of a class, and of its partner if they can only be solved together."""
        if each.is_sliding:
            return self._solve_sliding(each)
        rows = self._new_rows(each)
        quiet = self._known_rows(self.classes.without_capture(each))
        self._in_parts(rows, solve_placing.run, rows, quiet, self._captures(each))
        self._on_rows(len(rows.codes))
        return {each: rows.codes}

    def _solve_sliding(self, each: PositionClass) -> dict[PositionClass, Int16s]:
        """Solve a class in which men slide, with its partner.

        Blocked men and captures decide the first positions. Then code by code, from the smallest, each is passed back
        to the positions that lead there. A row that has no code in the end is a draw.
        """
        rows = {one: self._new_rows(one) for one in self.classes.partners(each)}
        captures = {one: self._captures(one) for one in rows}
        quiet = {one: rows[self.classes.without_capture(one)] for one in rows}
        for one, own in rows.items():
            self._in_parts(own, begin_sliding.run, own, quiet[one], captures[one])
        code = 1
        while code <= max(int(own.codes.max()) for own in rows.values()):
            for one, own in rows.items():
                before = captures[self.classes.without_capture(one)]
                counts = self._in_parts(own, pass_back.run, own, quiet[one], before, code=code)
                self._on_rows(sum(counts))
            code += 1
        self._on_rows(sum(int((own.codes == 0).sum()) for own in rows.values()))
        return {one: own.codes for one, own in rows.items()}

    def _new_rows(self, each: PositionClass) -> Rows:
        index = self.classes.index(each)
        return Rows(index, np.zeros(index.rows, dtype=np.int16))

    def _known_rows(self, each: PositionClass) -> Rows:
        return known_rows(self.classes.index(each), self._known(each))

    def _captures(self, each: PositionClass) -> Captures:
        after = self.classes.with_capture(each)
        if after in self.classes.leads_to(each):
            return Captures(False, self._known_rows(after))
        return Captures(self.classes.capture_wins(each), known_rows(self.classes.index(each), _NONE))

    def _in_parts(self, rows: Rows, run: Callable[..., Any], *arguments: Any, code: int | None = None) -> list[Any]:
        """Run a kernel over all orbits in several threads; return the result of each part."""
        begin = (self.ground,) if code is None else (self.ground, code)
        orbits = len(rows.numbering.representatives)
        parts = min(orbits, self._jobs * _PARTS) if self._jobs > 1 else 1
        bounds: Int64s = np.linspace(0, orbits, parts + 1).astype(np.int64)
        ranges = [(int(first), int(end)) for first, end in pairwise(bounds)]
        if self._jobs == 1:
            return [run(*begin, *arguments, *each) for each in ranges]
        with ThreadPoolExecutor(self._jobs) as pool:
            return list(pool.map(lambda each: run(*begin, *arguments, *each), ranges))
