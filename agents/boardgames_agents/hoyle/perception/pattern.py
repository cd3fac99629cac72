"""Patterns, what several have in common, and the contents of positions, as bit masks (Epstein 2001, section 4.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame, locations_of, mask_of
from boardgames_agents.hoyle.position_view import Choice, PositionView

Facts = int
"""A set of facts "this content is at this location" as a bit mask: all facts of a position, or some for a pattern.

The bit is ``content * size + location``, where the content is `BLANK`, `FIRST` or `SECOND`. A pattern matches a
position if its facts are a subset of the position's. The common facts of two patterns are their ``&``.
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
        self._symmetries = [
            tuple(content * self.size + there for content in (BLANK, FIRST, SECOND) for there in symmetry)
            for symmetry in frame.symmetries
        ]
        self.images = lru_cache(maxsize=100_000)(self._images)

    def __reduce__(self) -> "tuple[type[Contents], tuple[GameFrame]]":
        return Contents, (self._frame,)  # without the cached images

    def before(self, view: PositionView) -> Facts:
        """Return all facts of a position."""
        return self._of(view.own, view.enemy, view.seat)

    def after(self, view: PositionView, choice: Choice) -> Facts:
        """Return all facts of the position after a move."""
        return self._of(choice.own, choice.enemy, view.seat)

    def _of(self, own: int, enemy: int, seat: int) -> Facts:
        first, second = (own, enemy) if seat == self.first else (enemy, own)
        return self._all & ~(own | enemy) | first << self.size | second << 2 * self.size

    def standing_on(self, facts: Facts, place: int) -> Facts:
        """Return the facts about a set of locations, given as a bit mask."""
        return facts & (place | place << self.size | place << 2 * self.size)

    def place(self, facts: Facts) -> int:
        """Return the locations of the facts as a bit mask."""
        return sum(self.parts(facts))

    def parts(self, facts: Facts) -> tuple[int, int, int]:
        """Return the blank locations, and those of the first and of the second contestant's men, as bit masks."""
        return facts & self._all, facts >> self.size & self._all, facts >> 2 * self.size

    def _images(self, facts: Facts) -> tuple[Facts, ...]:
        """Return the different images of the facts under the symmetries, ascending: the first represents them."""
        bits = locations_of(facts)
        return tuple(sorted({mask_of(symmetry[bit] for bit in bits) for symmetry in self._symmetries}))

    def text(self, facts: Facts) -> str:
        """Return the facts in words with the board's labels, such as "black on 0 1, white on 4"."""
        men = self._game.men if self.first == 0 else self._game.men[::-1]
        whats = ("nothing", men[0].name, men[1].name)
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
        if rows.shape[1:] != (self.size,) or not np.isin(rows, (IRRELEVANT, BLANK, FIRST, SECOND)).all():
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
