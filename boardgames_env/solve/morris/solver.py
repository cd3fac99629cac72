"""Solving a morris game class by class, those with the fewest men first.

Sliding is solved before placing, and placing from its last ply backwards.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from boardgames_env.kernels import announce_compilation
from boardgames_env.kernels.signatures import Int16s, Int64s
from boardgames_env.solve.morris.class_kernels import SOLVER_KERNELS, begin_sliding, pass_back, solve_placing
from boardgames_env.solve.morris.classes import Classes, PositionClass
from boardgames_env.solve.morris.codes import Captures, Rows, known_rows, make_ground

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
