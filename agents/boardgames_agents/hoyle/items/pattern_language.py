"""BPL, a bounded pattern language: the templates suggested by the picture of a board ("Visual Cues", section 4).

The *metric graph* joins locations that are adjacent on a predrawn line; the length of its shortest edge is
the *metric unit*. A *template* is a small shape of locations in that graph. There are five expressions for shapes, and
no two locations of one are farther apart than the *field of view*, in metric units:

* a *straight line*: the ends of a predrawn segment;
* a *square*: its vertices, where its sides are predrawn, with any orientation;
* a *diagonal*: the ends of a segment of a diagonal of a square, whose sides need not be predrawn;
* an *L*: the three ends of two predrawn segments that meet at a right angle;
* a *triangle*: its vertices, where its sides are predrawn.

(Where the paper leaves something open, we decide: the squares of diagonals are parallel to the axes and lie in the
field of view themselves, which gives the paper's 13 templates. Of two expressions with the same locations, the first
counts. On a board without predrawn lines, the winning lines take their place. For a board in space, the picture is in
space. Large boards would have too many templates, so the field of view narrows; see `templates_of`.)

A *pattern* is a template with its contents. Patterns, what several have in common, and the contents of positions are
bit masks (Epstein 2001, section 4.1).

Source: S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame, locations_of, mask_of, rounded
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_env.board import Board

Shape = Literal["straight line", "square", "diagonal", "L", "triangle"]

MOST_TEMPLATES = 200
"""The largest number of templates. (A board of 25 points has 46 at the usual field of view.)"""

_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Template:
    """A shape on a board, unique up to the symmetries.

    Attributes:
        shape: The expression it is an instance of.
        places: Its different images under the symmetries, as bit masks of locations, ascending.
    """

    shape: Shape
    places: tuple[int, ...]

    @property
    def locations(self) -> tuple[int, ...]:
        """The locations of its first image in ascending order."""
        return locations_of(self.places[0])


@lru_cache(maxsize=64)
def templates_of(frame: GameFrame, field_of_view: int) -> tuple[Template, ...]:
    """Return the templates of a game's board, grouped by shape.

    The field of view, in metric units, is narrowed by one unit while there are more than `MOST_TEMPLATES`.
    """
    found: dict[tuple[int, ...], Template] = {}
    for shape, locations in Picture(frame.game.board, field_of_view).shapes():
        places = tuple(sorted(set(frame.images(mask_of(locations)))))
        found.setdefault(places, Template(shape, places))
    if len(found) > MOST_TEMPLATES and field_of_view > 1:
        return templates_of(frame, field_of_view - 1)
    return tuple(found.values())


class Picture:
    """The picture of a board: its metric graph, and the straight segments along its edges.

    Attributes:
        unit: The metric unit, in units of the board's coordinates.
    """

    def __init__(self, board: Board, field_of_view: int) -> None:
        self._board = board
        places = np.array(board.coordinates, dtype=float)
        self._places = places
        self._named = {rounded(place): location for location, place in enumerate(places)}
        self._distance = np.linalg.norm(places[:, None] - places[None], axis=2)
        edges = [edge for line in board.lines or board.winning_lines for edge in pairwise(line)]
        self.unit = float(min(self._distance[edge] for edge in edges))
        self._near = self._distance <= field_of_view * self.unit + _TOLERANCE
        self._segments = self._straight_on(edges)

    def shapes(self) -> Iterator[tuple[Shape, tuple[int, ...]]]:
        """Yield all instances of the five expressions, some of them more than once."""
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
        """Return, for each location, those in view along straight segments, with their directions."""
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
        """Yield pairs of segments at a right angle: one's end, where they meet, the other's end."""
        for corner, segments in enumerate(self._segments):
            for one, other in combinations(segments, 2):
                legs = self._places[one] - self._places[corner], self._places[other] - self._places[corner]
                if self._near[one, other] and abs(float(legs[0] @ legs[1])) < _TOLERANCE:
                    yield one, corner, other

    def _opposite(self, one: int, corner: int, other: int) -> int | None:
        """Return the fourth vertex of a square if the legs of a corner are equally long and it is a location."""
        if abs(self._distance[corner, one] - self._distance[corner, other]) > _TOLERANCE:
            return None
        return self._named.get(rounded(self._places[one] + self._places[other] - self._places[corner]))

    def _diagonals(self) -> Iterator[tuple[int, int]]:
        """Yield the ends of every segment on a diagonal of a square in view that is parallel to the axes."""
        for here, there in combinations(range(self._board.size), 2):
            if self._near[here, there] and self._spans_square(here, there):
                across = self._distance[here] + self._distance[there] - self._distance[here, there]
                yield from combinations(np.flatnonzero(across < _TOLERANCE).tolist(), 2)

    def _spans_square(self, here: int, there: int) -> bool:
        """Return whether two locations are opposite vertices of a complete square parallel to the axes."""
        apart = self._places[there] - self._places[here]
        axes = np.flatnonzero(np.abs(apart) > _TOLERANCE)
        if len(axes) != 2 or abs(abs(apart[axes[0]]) - abs(apart[axes[1]])) > _TOLERANCE:
            return False
        sides = np.zeros((2, len(apart)))
        sides[[0, 1], axes] = apart[axes]
        return all(rounded(self._places[here] + side) in self._named for side in sides)

    def _aligned(self, *three: int) -> bool:
        """Return whether three locations lie on one straight line, by their distances."""
        shorter, longer, longest = sorted(self._distance[pair] for pair in combinations(three, 2))
        return bool(shorter + longer - longest < _TOLERANCE)

    def _direction(self, here: int, there: int) -> tuple[int, ...]:
        return rounded((self._places[there] - self._places[here]) / self._distance[here, there])


Facts = int
"""A set of facts "this content is at this location" as a bit mask: all facts of a position, or some for a pattern.

The bit is ``content * size + location``, where the content is `BLANK`, `FIRST` or `SECOND`, or in a game with several
kinds of men, 2 more for each further kind. A pattern matches a position if its facts are a subset of the position's.
The common facts of two patterns are their ``&``.
"""

BLANK, FIRST, SECOND = 0, 1, 2
"""No man; a man of the contestant that moved first; a man of the other."""

IRRELEVANT = -1
"""The content of a location that does not belong to a pattern."""


@dataclass(frozen=True)
class Pattern:
    """The contents of a few locations and the associated outcome; it represents all its images under the symmetries.

    Attributes:
        facts: The facts.
        response: +1 if the contestant that moved first wins where it is seen, −1 if the other does, 0 for a draw.
    """

    facts: Facts
    response: int


class Contents:
    """The facts of the positions of a game.

    Attributes:
        first: The seat that moves first.
    """

    def __init__(self, frame: GameFrame) -> None:
        self._frame = frame
        self._game = frame.game
        self.size = frame.game.board.size
        self.first = frame.game.initial.seat
        self._all = (1 << self.size) - 1
        self._contents = range(SECOND + 1 + 2 * len(self._game.kinds))
        self._symmetries = [
            tuple(content * self.size + there for content in self._contents for there in symmetry)
            for symmetry in frame.symmetries
        ]
        self.images = lru_cache(maxsize=100_000)(self._images)

    def __reduce__(self) -> "tuple[type[Contents], tuple[GameFrame]]":
        return Contents, (self._frame,)  # without the cached images

    def of(self, men: PositionView | Choice, seat: int) -> Facts:
        """Return all facts of a position, or of that after a move, of a seat."""
        first, second = (men.own, men.enemy) if seat == self.first else (men.enemy, men.own)
        facts = self._all & ~(first | second)
        for kind, there in enumerate(men.kinds, start=1):
            facts |= self._standing(first & there, second & there, kind)
            first, second = first & ~there, second & ~there
        return facts | self._standing(first, second, 0)

    def _standing(self, first: int, second: int, kind: int) -> Facts:
        """Return the facts of the first and the second contestant's men of a kind."""
        return first << (FIRST + 2 * kind) * self.size | second << (SECOND + 2 * kind) * self.size

    def standing_on(self, facts: Facts, place: int) -> Facts:
        """Return the facts about a set of locations, given as a bit mask."""
        return facts & sum(place << content * self.size for content in self._contents)

    def place(self, facts: Facts) -> int:
        """Return the locations of the facts as a bit mask."""
        return sum(self.parts(facts))

    def parts(self, facts: Facts) -> tuple[int, ...]:
        """Return the locations of each content as bit masks: blank, the first contestant's men, the second's."""
        return tuple(facts >> content * self.size & self._all for content in self._contents)

    def slot(self, content: int) -> int:
        """Return the slot of a state, at a location with a content."""
        kind, second = divmod(content - FIRST, 2)
        return 0 if content == BLANK else (1 + kind) * (1 - 2 * (self.first ^ second))

    def _images(self, facts: Facts) -> tuple[Facts, ...]:
        """Return the different images of the facts under the symmetries, ascending: the first represents them."""
        bits = locations_of(facts)
        return tuple(sorted({mask_of(symmetry[bit] for bit in bits) for symmetry in self._symmetries}))

    def text(self, facts: Facts) -> str:
        """Return the facts in words with the board's labels, such as "black on 0 1, white on 4"."""
        men = (self._game.men_at(self.slot(content))[0].name for content in self._contents[FIRST:])
        whats = ("nothing", *men)
        labels = [[self._game.board.labels[at] for at in locations_of(part)] for part in self.parts(facts)]
        return ", ".join(f"{what} on {' '.join(where)}" for what, where in zip(whats, labels, strict=True) if where)

    def as_rows(self, many: Iterable[Facts]) -> NDArray[np.int8]:
        """Return the contents of locations, shape ``(n, size)``, int8; `IRRELEVANT` where there is no fact."""
        many = list(many)
        rows = np.full((len(many), self.size), IRRELEVANT, dtype=np.int8)
        for row, facts in zip(rows, many, strict=True):
            for bit in locations_of(facts):
                row[bit % self.size] = bit // self.size
        return rows

    def from_rows(self, rows: NDArray[np.int8]) -> list[Facts]:
        """Return the facts of rows made by `as_rows`.

        Raises:
            ValueError: If the rows are of another board or have other contents.
        """
        if rows.shape[1:] != (self.size,) or not np.isin(rows, (IRRELEVANT, *self._contents)).all():
            raise ValueError("a pattern is not of this board")
        return [mask_of(int(row[at]) * self.size + int(at) for at in np.flatnonzero(row >= 0)) for row in rows]


_LEAST = 2
"""The smallest number of locations of a generalization, as of templates."""


def generalizations(patterns: Sequence[Pattern], known: Sequence[Pattern], contents: Contents) -> list[Pattern]:
    """Return generalizations of patterns on the same template with the same response.

    The generalization of the most patterns comes first, and each pattern is generalized only once. Patterns of earlier
    generalizations, those ``known``, are skipped.
    """
    templates: dict[int, list[Pattern]] = {}
    for pattern in patterns:
        templates.setdefault(contents.images(contents.place(pattern.facts))[0], []).append(pattern)
    found: list[Pattern] = []
    for group in templates.values():
        left = group
        while True:
            left = [each for each in left if not any(_holds_for(each, one, contents) for one in (*known, *found))]
            common = {
                general: sum(_holds_for(each, general, contents) for each in left)
                for general in _common(left, contents)
                if all(each.response == general.response or not _is_part(general, each, contents) for each in group)
            }
            if not common:
                break
            found.append(max(common, key=lambda general: (common[general], -general.facts)))
    return found


def _common(patterns: Sequence[Pattern], contents: Contents) -> list[Pattern]:
    """Return the common facts of any two patterns on one template with the same response."""
    found: dict[Pattern, None] = {}
    for one, other in combinations(patterns, 2):
        if one.response != other.response:
            continue
        place = contents.place(one.facts)
        for image in contents.images(other.facts):
            common = one.facts & image
            if contents.place(image) == place and common.bit_count() >= _LEAST:
                found[Pattern(contents.images(common)[0], one.response)] = None
    return list(found)


def _holds_for(pattern: Pattern, general: Pattern, contents: Contents) -> bool:
    """Return whether a generalization has the response of a pattern and a part of its facts."""
    return pattern.response == general.response and _is_part(general, pattern, contents)


def _is_part(general: Pattern, pattern: Pattern, contents: Contents) -> bool:
    return any(pattern.facts & image == image for image in contents.images(general.facts))
