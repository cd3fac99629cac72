"""Solving a morris game class by class: sliding in the order of men left, then placing from its last ply backwards."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from boardgames_env.kernels import announce_compilation
from boardgames_env.kernels.signatures import Int16s, Int64s
from boardgames_env.solve.morris.classes import Classes, PositionClass
from boardgames_env.solve.morris.index import Index
from boardgames_env.solve.morris.kernels import begin_sliding, pass_back, solve_placing
from boardgames_env.solve.morris.moves import make_ground

Known = Callable[[PositionClass], Int16s]
Below = tuple[bool, Index, Int16s]

KERNELS = [begin_sliding, pass_back, solve_placing]
"""The kernels that a table depends on."""

_PARTS = 8  # pieces of work for each thread: the last one is not waited for long
_NONE = np.zeros(0, dtype=np.int16)


class Solver:
    """Solves classes, given those they depend on.

    Args:
        classes: The game's classes.
        known: Looks up the codes of a class that has been solved.
        jobs: Threads to work in.
        on_rows: Told how many rows have been finished.
    """

    def __init__(self, classes: Classes, known: Known, jobs: int = 1, on_rows: Callable[[int], None] | None = None):
        self.classes = classes
        self.ground = make_ground(classes.rules)
        self._known = known
        self._jobs = jobs
        self._on_rows = on_rows or (lambda rows: None)
        announce_compilation("the morris solver", KERNELS)

    def solve(self, each: PositionClass) -> dict[PositionClass, Int16s]:
        """The codes of a class, and of its partner if they can only be solved together."""
        if each.is_sliding:
            return self._solve_sliding(each)
        index = self.classes.index(each)
        codes = np.zeros(index.rows, dtype=np.int16)
        free = self.classes.without_capture(each)
        self._in_parts(
            index, solve_placing.run, index, codes, self.classes.index(free), self._known(free), *self._below(each)
        )
        self._on_rows(len(codes))
        return {each: codes}

    def _solve_sliding(self, each: PositionClass) -> dict[PositionClass, Int16s]:
        """A class in which men slide, with its partner: a move without a capture leads from one to the other.

        First what blocked men and captures decide; then code by code from the smallest, each is passed back to
        the positions that lead there. Whatever has no code in the end is a draw.
        """
        pair = self.classes.partners(each)
        indexes = {one: self.classes.index(one) for one in pair}
        codes = {one: np.zeros(indexes[one].rows, dtype=np.int16) for one in pair}
        below = {one: self._below(one) for one in pair}
        ways = [(one, self.classes.without_capture(one)) for one in pair]
        for one, after in ways:
            there = (indexes[after], codes[after])
            self._in_parts(indexes[one], begin_sliding.run, indexes[one], codes[one], *there, *below[one])
        code = 1
        while code <= max(int(each.max()) for each in codes.values()):
            for one, before in ways:
                here, there = (indexes[one], codes[one]), (indexes[before], codes[before])
                counts = self._in_parts(indexes[one], pass_back.run, *here, *there, *below[before], code=code)
                self._on_rows(sum(counts))
            code += 1
        self._on_rows(sum(int((each == 0).sum()) for each in codes.values()))
        return codes

    def _below(self, each: PositionClass) -> Below:
        """What a capture leads to: whether it wins at once, and if not, the codes it is looked up in."""
        after = self.classes.with_capture(each)
        if after not in self.classes.leads_to(each):
            return self.classes.capture_wins(each), self.classes.index(each), _NONE
        return False, self.classes.index(after), self._known(after)

    def _in_parts(self, index: Index, run: Callable[..., Any], *arguments: Any, code: int | None = None) -> list[Any]:
        """Run a kernel over all orbits of an index, in several threads; what each part returned."""
        begin = (self.ground,) if code is None else (self.ground, code)
        orbits = len(index.representatives)
        parts = min(orbits, self._jobs * _PARTS) if self._jobs > 1 else 1
        bounds: Int64s = np.linspace(0, orbits, parts + 1).astype(np.int64)
        ranges = [(int(first), int(end)) for first, end in pairwise(bounds)]
        if self._jobs == 1:
            return [run(*begin, *arguments, *each) for each in ranges]
        with ThreadPoolExecutor(self._jobs) as pool:
            return list(pool.map(lambda each: run(*begin, *arguments, *each), ranges))
