"""BPL, a bounded pattern language: the templates that the picture of a board suggests ("Visual Cues", section 4).

The *metric graph* joins locations that are next to each other on a predrawn line; the length of its shortest edge is
the *metric unit*. A *template* is a small shape of locations in that graph. There are five expressions for shapes, and
no two locations of one are farther apart than the *field of view*, in metric units:

* a *straight line*: the ends of a predrawn segment;
* a *square*: its vertices, where its sides are predrawn, with any orientation;
* a *diagonal*: the ends of a segment of a diagonal of a square, whose sides need not be predrawn;
* an *L*: the three ends of two predrawn segments that meet at a right angle;
* a *triangle*: its vertices, where its sides are predrawn.

Where the paper leaves something open: the squares of diagonals are parallel to the axes, and lie in the field of view
themselves (so the paper's 13 templates come out). Of two expressions that say the same locations, the first counts. On
a board without predrawn lines, the winning lines are the ones that a player sees. For a board in space, space is the
picture. On large boards there would be too many templates, so the field of view narrows (`templates_of`).

Source: S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame, locations_of, mask_of
from boardgames_env.board import Board

Shape = Literal["straight line", "square", "diagonal", "L", "triangle"]

MOST_TEMPLATES = 200
"""The field of view narrows until there are no more. (A board of 25 points has 46 at the usual field of view.)"""

_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Template:
    """A shape on a board, unique up to the symmetries.

    Attributes:
        shape: The expression it is an instance of.
        places: Where it may lie, one for each different image under the symmetries: bit masks of locations, ascending.
    """

    shape: Shape
    places: tuple[int, ...]

    @property
    def locations(self) -> tuple[int, ...]:
        """The locations of its first image, in ascending order."""
        return locations_of(self.places[0])


@lru_cache(maxsize=64)
def templates_of(frame: GameFrame, field_of_view: int) -> tuple[Template, ...]:
    """The templates of a game's board, those of one shape together.

    Args:
        frame: The game's frame.
        field_of_view: How far apart two locations of a template may be, in metric units. While there would be more than
            `MOST_TEMPLATES`, it is narrowed by one unit.
    """
    found: dict[tuple[int, ...], Template] = {}
    for shape, locations in Picture(frame.game.board, field_of_view).shapes():
        places = tuple(sorted(set(frame.images(mask_of(locations)))))
        found.setdefault(places, Template(shape, places))
    if len(found) > MOST_TEMPLATES and field_of_view > 1:
        return templates_of(frame, field_of_view - 1)
    return tuple(found.values())


class Picture:
    """A board as the eye sees it: its metric graph, and the straight segments along its edges.

    Args:
        board: The board.
        field_of_view: How far the eye sees, in metric units.

    Attributes:
        unit: The metric unit, in units of the board's coordinates.
    """

    def __init__(self, board: Board, field_of_view: int) -> None:
        self._board = board
        places = np.array(board.coordinates, dtype=float)
        self._places = places
        self._named = {_rounded(place): location for location, place in enumerate(places)}
        self._distance = np.linalg.norm(places[:, None] - places[None], axis=2)
        edges = [edge for line in board.lines or board.winning_lines for edge in pairwise(line)]
        self.unit = float(min(self._distance[edge] for edge in edges))
        self._near = self._distance <= field_of_view * self.unit + _TOLERANCE
        self._segments = self._straight_on(edges)

    def shapes(self) -> Iterator[tuple[Shape, tuple[int, ...]]]:
        """All instances of the five expressions, some of them more than once."""
        for here, segments in enumerate(self._segments):
            yield from (("straight line", (here, there)) for there in segments)
        corners = list(self._corners())
        for one, corner, other in corners:
            opposite = self._opposite(one, corner, other)
            if opposite in self._segments[one] and opposite in self._segments[other]:
                yield "square", (one, corner, other, opposite)
        yield from (("diagonal", ends) for ends in self._diagonals())
        yield from (("L", corner) for corner in corners)
        for here, segments in enumerate(self._segments):
            for one, other in combinations(segments, 2):
                if other in self._segments[one] and not self._aligned(here, one, other):
                    yield "triangle", (here, one, other)

    def _straight_on(self, edges: list[tuple[int, int]]) -> list[dict[int, tuple[int, ...]]]:
        """For each location, those within sight along straight segments, each with its direction."""
        steps: list[dict[tuple[int, ...], int]] = [{} for _ in self._places]
        for here, there in edges:
            steps[here][self._direction(here, there)] = there
            steps[there][self._direction(there, here)] = here
        segments: list[dict[int, tuple[int, ...]]] = [{} for _ in self._places]
        for start, found in enumerate(segments):
            for direction, there in sorted(steps[start].items()):
                reached: int | None = there
                while reached is not None and self._near[start, reached]:
                    found[reached] = direction
                    reached = steps[reached].get(direction)
        return segments

    def _corners(self) -> Iterator[tuple[int, int, int]]:
        """Two segments at a right angle: one's end, where they meet, the other's end."""
        for corner, segments in enumerate(self._segments):
            for one, other in combinations(segments, 2):
                legs = self._places[one] - self._places[corner], self._places[other] - self._places[corner]
                if self._near[one, other] and abs(float(legs[0] @ legs[1])) < _TOLERANCE:
                    yield one, corner, other

    def _opposite(self, one: int, corner: int, other: int) -> int | None:
        """The fourth vertex of a square, if the legs of a corner are equally long and it is a location."""
        if abs(self._distance[corner, one] - self._distance[corner, other]) > _TOLERANCE:
            return None
        return self._named.get(_rounded(self._places[one] + self._places[other] - self._places[corner]))

    def _diagonals(self) -> Iterator[tuple[int, int]]:
        """The ends of every segment on a diagonal of a square that is parallel to the axes and within sight."""
        for here, there in combinations(range(self._board.size), 2):
            if self._near[here, there] and self._spans_square(here, there):
                across = self._distance[here] + self._distance[there] - self._distance[here, there]
                yield from combinations(np.flatnonzero(across < _TOLERANCE).tolist(), 2)

    def _spans_square(self, here: int, there: int) -> bool:
        """Whether two locations are opposite vertices of a square parallel to the axes that has all its vertices."""
        apart = self._places[there] - self._places[here]
        axes = np.flatnonzero(np.abs(apart) > _TOLERANCE)
        if len(axes) != 2 or abs(abs(apart[axes[0]]) - abs(apart[axes[1]])) > _TOLERANCE:
            return False
        sides = np.zeros((2, len(apart)))
        sides[[0, 1], axes] = apart[axes]
        return all(_rounded(self._places[here] + side) in self._named for side in sides)

    def _aligned(self, *three: int) -> bool:
        """Whether three locations lie on one straight line: the way through all is no longer than the direct one."""
        shorter, longer, longest = sorted(self._distance[pair] for pair in combinations(three, 2))
        return bool(shorter + longer - longest < _TOLERANCE)

    def _direction(self, here: int, there: int) -> tuple[int, ...]:
        return _rounded((self._places[there] - self._places[here]) / self._distance[here, there])


def _rounded(vector: NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(np.rint(vector * 1e6).astype(int).tolist())
