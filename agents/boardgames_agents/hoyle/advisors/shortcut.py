"""The Advisor on short paths between men, by spreading activation ("Visual Cues", section 2.2)."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from boardgames_agents.hoyle.advisors import SUPPORT, Advisor, Opinion, advisor
from boardgames_agents.hoyle.advisors.freedom import Cover, union
from boardgames_agents.hoyle.game_frame import Lines, locations_of
from boardgames_agents.hoyle.position_view import Choice, PositionView


@advisor
class Shortcut(Advisor):
    """Move to the middle of a shortest path between men.

    A path leads from one of the mover's men over empty positions, adjacent on predrawn lines, to another or back to the
    same man. Of the shortest paths, those count whose positions are on lines without an enemy's man, at least one of
    them on two such lines. The paper leaves open, and we decide, that

    * adjacent men are no pair: their path has no middle, and the Advisor would hardly ever comment;
    * a path back to the same man is a cycle: it enters no position twice;
    * of the positions on a path, only the empty ones can be the one on two lines: men at its ends would have been named
      among the reasons for Figure 6.

    It comes from Visual Cues and belongs to neither program.
    """

    programs = ()

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves to the one or two middle positions of each such path, all with the same strength."""
        middles = self._middles(case)
        return {option: SUPPORT for option in options if option.own & ~case.own & middles}

    def _middles(self, case: PositionView) -> int:
        """Return the middle positions as a bit mask."""
        neighbours = case.frame.neighbours
        open_lines = union(line for line in case.frame.lines if not line & case.enemy)
        pairs = [pair for pair in _gates(case.own, case.empty, neighbours) if all(pair)]
        spreads = {gate: _Spread(gate, case.empty, neighbours, open_lines) for pair in pairs for gate in pair}
        for steps in range(case.empty.bit_count()):
            met = [(here, there) for here, there in pairs if spreads[here].reached(steps) & there]
            if met:
                return _union_of_middles([(spreads[here], spreads[there]) for here, there in met], steps)
        return 0


def _gates(men: int, empty: int, neighbours: Lines) -> Iterator[tuple[int, int]]:
    """Yield the first and the last empty positions of paths between men, as bit masks."""
    exits = {man: neighbours[man] & empty for man in locations_of(men)}
    for one, other in combinations(exits, 2):
        if not neighbours[one] >> other & 1:
            yield exits[one], exits[other]
    for around in exits.values():
        for first, last in combinations(locations_of(around), 2):
            yield 1 << first, 1 << last


class _Spread:
    """Activation that spreads from some empty positions over the others, computed step by step on demand."""

    def __init__(self, start: int, empty: int, neighbours: Lines, open_lines: Cover) -> None:
        self._left = empty & ~start
        self._neighbours = neighbours
        self._open_lines = open_lines
        self._reached = [start]
        lit = start & open_lines.once
        self._lit = [(lit, lit & open_lines.twice)]

    def reached(self, steps: int) -> int:
        """Return the positions at a distance in steps, as a bit mask."""
        while len(self._reached) <= steps:
            front = _next_to(self._reached[-1], self._neighbours) & self._left
            self._left &= ~front
            self._reached.append(front)
        return self._reached[steps]

    def lit(self, steps: int) -> tuple[int, int]:
        """Return the positions reached by shortest paths on open lines, and those reached over a crossing of two."""
        while len(self._lit) <= steps:
            last, crossed = (_next_to(each, self._neighbours) for each in self._lit[-1])
            lit = last & self.reached(len(self._lit)) & self._open_lines.once
            self._lit.append((lit, lit & (crossed | self._open_lines.twice)))
        return self._lit[steps]


def _next_to(positions: int, neighbours: Lines) -> int:
    """Return the neighbours of some positions."""
    around = 0
    while positions:
        around |= neighbours[(positions & -positions).bit_length() - 1]
        positions &= positions - 1
    return around


def _union_of_middles(spreads: Sequence[tuple[_Spread, _Spread]], steps: int) -> int:
    """Return where activation from both ends meets: the middles of all paths with the given number of steps."""
    middles = 0
    for here, there in spreads:
        for before in {steps // 2, (steps + 1) // 2}:
            (lit, crossed), (lit_back, crossed_back) = here.lit(before), there.lit(steps - before)
            middles |= (crossed & lit_back) | (lit & crossed_back)
    return middles
