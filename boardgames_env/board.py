"""Boards as data that drawings, agents and encoders read.

Locations are numbered from 0 and have picture coordinates. Lines are the ones drawn on the board, winning lines those
that decide contests. Adjacency and symmetries follow from them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import dist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError

Line = tuple[int, ...]


@dataclass(frozen=True)
class Man:
    """The name and look of a seat's men."""

    name: str
    letter: str
    shape: Literal["disc", "cross", "ring", "king"]  # (a king is a disc with a crown)
    colour: str


CROSS = Man("X", "X", "cross", "#b3402e")
NOUGHT = Man("O", "O", "ring", "#2b5c8a")
BLACK = Man("black", "B", "disc", "#26221f")
WHITE = Man("white", "W", "disc", "#f7f3ea")
RED = Man("red", "R", "disc", "#c8402f")
YELLOW = Man("yellow", "Y", "disc", "#f0c330")
BLUE = Man("blue", "B", "disc", "#2b5c8a")

_MOST_TRIED = 2000
"""The most permutations of a board's locations that are tried for symmetries; boards of games have up to 192."""


@dataclass(frozen=True)
class Board:
    """A board.

    Attributes:
        points: Picture coordinates of each location, x to the right and y down, in units of one step.
        lines: The predrawn lines, each a tuple of locations in the order in which they lie on it.
        winning_lines: The sets of locations that decide a contest when one seat holds them.
        cells: Whether men stand in cells rather than on points where lines meet. Square cells that touch at their
            corners alone are the dark squares of a chequered board.
        labels: The names of the locations; by default their numbers.
        homes: Sets of locations with a meaning of their own in the rules, such as a seat's home row, the rows of a
            board on which men fall, or where each seat's first men are; every symmetry keeps each of them. Where the
            seats move in opposite directions, the first is the home of seat 0 and the second that of seat 1.
        coordinates: Coordinates of the locations in any number of dimensions; by default those of the picture.
        cell_sides: How many sides a cell has: 4 (squares), or 6 (hexagons with a corner at the top). Around hexagons,
            the two halves of each seat's home are drawn as its sides of the board.

    Raises:
        BadInputError: If a line names a location that does not exist, or a location lies on no line.
    """

    points: tuple[tuple[float, float], ...]
    lines: tuple[Line, ...] = ()
    winning_lines: tuple[Line, ...] = ()
    cells: bool = False
    labels: tuple[str, ...] = ()
    homes: tuple[Line, ...] = ()
    coordinates: tuple[tuple[float, ...], ...] = ()
    cell_sides: Literal[4, 6] = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "coordinates", self.coordinates or self.points)
        if not self.labels:
            object.__setattr__(self, "labels", tuple(str(location) for location in range(len(self.points))))
        if len(set(self.labels)) != len(self.points):
            raise BadInputError(f"a board of {len(self.points)} locations needs as many different labels")
        used = {location for line in self.lines + self.winning_lines for location in line}
        if strange := sorted(used - set(range(self.size))):
            raise BadInputError(f"lines name locations {strange}; this board has 0 to {self.size - 1}")
        if bare := sorted(set(range(self.size)) - used):
            raise BadInputError(f"locations {bare} lie on no line; every location must lie on a line or a winning line")

    @property
    def size(self) -> int:
        """The number of locations."""
        return len(self.points)

    @cached_property
    def spacing(self) -> float:
        """The smallest distance between two locations in the picture; of square cells, the side of one."""
        is_square = self.cells and self.cell_sides == 4
        distances = (
            max(abs(x - to_x), abs(y - to_y)) if is_square else dist((x, y), (to_x, to_y))
            for (x, y), (to_x, to_y) in combinations(self.points, 2)
        )
        return min((distance for distance in distances if distance > 0), default=1.0)

    @cached_property
    def adjacency(self) -> tuple[tuple[int, ...], ...]:
        """For each location, the locations next to it on a predrawn line, in ascending order."""
        neighbours: list[set[int]] = [set() for _ in self.points]
        for line in self.lines:
            for here, there in pairwise(line):
                neighbours[here].add(there)
                neighbours[there].add(here)
        return tuple(tuple(sorted(each)) for each in neighbours)

    @cached_property
    def adjacency_array(self) -> NDArray[np.bool_]:
        """Adjacency as a symmetric matrix, for kernels and networks."""
        joined = np.zeros((self.size, self.size), dtype=np.bool_)
        for location, neighbours in enumerate(self.adjacency):
            joined[location, list(neighbours)] = True
        return joined

    @cached_property
    def winning_slots(self) -> NDArray[np.int64]:
        """The winning lines, all of one length, as slots of a state (see `Game`), for kernels."""
        return np.array(self.winning_lines, dtype=np.int64) + 1

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The rotations and reflections that carry the lines, the winning lines and each home to themselves.

        They are permutations: ``symmetry[location]`` is the location's image. The identity comes first.
        """
        places = np.array(self.coordinates, dtype=float)
        distances = np.linalg.norm(places[:, None] - places[None], axis=2)
        return self._keeping(np.rint(distances * 1e6).astype(np.int64), self.lines, self.winning_lines)

    @cached_property
    def automorphisms(self) -> tuple[tuple[int, ...], ...]:
        """Every permutation that carries the lines, the winning lines and each home to themselves.

        The symmetries are among them. Under the rules of most games such positions are equivalent, even where they look
        different: nine men's morris can be turned inside out. The identity comes first.
        """
        return self._keeping(self._togetherness() + self.adjacency_array, self.lines, self.winning_lines)

    @cached_property
    def flying_automorphisms(self) -> tuple[tuple[int, ...], ...]:
        """Every permutation that carries the winning lines and each home to themselves.

        They apply where men move to any location, so that the predrawn lines do not matter. The identity comes first.
        `BadInputError` is raised if there are thousands, as on a board without winning lines.
        """
        return self._keeping(self._togetherness(), self.winning_lines)

    def _togetherness(self) -> NDArray[np.int64]:
        """Return twice the number of winning lines that two locations lie on together."""
        relation = np.zeros((self.size, self.size), dtype=np.int64)
        for line in self.winning_lines:
            relation[np.ix_(line, line)] += 2
        return relation

    def _keeping(self, relation: NDArray[np.int64], *lines: tuple[Line, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the permutations that keep a relation between locations, sets of lines, and all homes."""
        frames = [*(_as_sets(each) for each in lines), *(_as_sets([home]) for home in self.homes)]
        found = []
        for tried, permutation in enumerate(_relation_keeping(relation)):
            if tried == _MOST_TRIED:
                raise BadInputError(f"too little tells the {self.size} locations of the board apart to find symmetries")
            if all(_as_sets([permutation[each] for each in line] for line in frame) == frame for frame in frames):
                found.append(permutation)
        identity = tuple(range(self.size))
        return (identity, *sorted(set(found) - {identity}))


def grid(columns: int, rows: int) -> tuple[tuple[float, float], ...]:
    """Return the points of a grid, row by row from the top left."""
    return tuple((float(x), float(y)) for y in range(rows) for x in range(columns))


def squares(columns: int, rows: int, from_top: bool = False) -> tuple[str, ...]:
    """Return the names of the squares of a grid, as `grid` numbers them: ``a1`` is at the bottom left, or top left."""
    return tuple(f"{chr(ord('a') + x)}{1 + y if from_top else rows - y}" for y in range(rows) for x in range(columns))


def aligned(columns: int, rows: int, length: int, diagonals: bool = True) -> tuple[Line, ...]:
    """Return every straight run of ``length`` locations on a grid, as `grid` numbers them."""
    steps = [(1, 0), (0, 1), (1, 1), (-1, 1)] if diagonals else [(1, 0), (0, 1)]
    lines = []
    for dx, dy in steps:
        for y in range(rows):
            for x in range(columns):
                if 0 <= x + dx * (length - 1) < columns and y + dy * (length - 1) < rows:
                    lines.append(tuple((y + dy * k) * columns + x + dx * k for k in range(length)))
    return tuple(lines)


def from_edge_to_edge(columns: int, rows: int) -> tuple[Line, ...]:
    """Return every whole row, column and diagonal of a grid, as `grid` numbers its locations."""
    lines = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for first in range(columns * rows):
            y, x = divmod(first, columns)
            if not (0 <= x - dx < columns and 0 <= y - dy < rows):
                across = rows if dx == 0 else columns - x if dx > 0 else x + 1
                length = min(across, columns if dy == 0 else rows - y)
                lines.append(tuple(first + place * (dy * columns + dx) for place in range(length)))
    return tuple(lines)


def _as_sets(lines: Iterable[Iterable[int]]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(line) for line in lines)


def _relation_keeping(relation: NDArray[np.int64]) -> Iterator[tuple[int, ...]]:
    """Yield every permutation p with ``relation[p[i], p[j]] == relation[i, j]``, by backtracking."""
    # images[i, j]: whether j may be the image of i; at first, if both are related to the others in the same way
    profiles = np.sort(relation, axis=1)
    unfinished = [(profiles[:, None] == profiles[None]).all(axis=2) & np.equal.outer(*[relation.diagonal()] * 2)]
    while unfinished:
        images = unfinished.pop()
        choices = images.sum(axis=1)
        if choices.min() == 0:
            continue
        if choices.max() == 1:
            permutation = images.argmax(axis=1)
            if (relation[np.ix_(permutation, permutation)] == relation).all():
                yield tuple(permutation.tolist())
            continue
        location = int(np.where(choices > 1, choices, len(relation) + 1).argmin())
        for image in np.flatnonzero(images[location]):
            narrowed = images & (relation[location][:, None] == relation[image][None])
            narrowed[location] = False
            narrowed[:, image] = False
            narrowed[location, image] = True
            unfinished.append(narrowed)
