"""Marks and regions of explanations, as they are drawn over the picture of a board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

from boardgames_agents.explanation import Mark, Region
from boardgames_agents.interactive.clicks import locations_of
from boardgames_agents.interactive.hints import Hints
from boardgames_env.position import Position
from boardgames_env.render.layout import areas
from boardgames_env.render.shapes import Area, Point

_MOST_ARROWS = 12
"""The most moves that are drawn as arrows; more could not be told apart."""

_LARGEST_FONT, _SMALLEST_FONT = 19.0, 9.0
_SMALL_PICTURES_FONT = 32.0
_CHARACTER = 0.6
"""The width of a character in sizes of its font."""

_ALONG = 0.62
"""The place of a text on an arrow, as a part of its length."""


@dataclass(frozen=True)
class Arrow:
    """A line with a head: the ends of the line, and the corners of the head."""

    start: Point
    end: Point
    head: tuple[Point, Point, Point]


@dataclass(frozen=True)
class DrawnMark:
    """A mark in the picture.

    Attributes:
        text: Its text.
        centre: The centre of the text.
        width: The width of the box around the text.
        height: The height of that box.
        font: The size of the text.
        arrows: The arrows along which men move.
        rings: Further locations that the move is about, such as those of captured men.
        strength: How much it stands out, from 0 to 1.
        is_chosen: Whether it is the move that is chosen.
    """

    text: str
    centre: Point
    width: float
    height: float
    font: float
    arrows: tuple[Arrow, ...]
    rings: tuple[Area, ...]
    strength: float
    is_chosen: bool


@dataclass(frozen=True)
class Drawing:
    """What is drawn over a board: marks, from the back to the front, and areas that stand out."""

    marks: tuple[DrawnMark, ...] = ()
    areas: tuple[Area, ...] = ()


def drawing_of(position: Position, marks: Sequence[Mark]) -> Drawing:
    """Return the drawing of marks: moves that are chosen are drawn whole, others by their first action.

    Of marks that begin with the same action only the first is drawn, or the chosen one.
    """
    first: dict[int, Mark] = {}
    for mark in sorted(marks, key=lambda mark: not mark.is_chosen):
        first.setdefault(mark.actions[0], mark)
    drawn, arrows = [], 0
    for mark in first.values():
        made = _drawn(position, mark, mark.actions if mark.is_chosen else mark.actions[:1])
        if made is not None and (not made.arrows or arrows < _MOST_ARROWS):
            arrows += bool(made.arrows)
            drawn.append(made)
    return Drawing(tuple(reversed(drawn)))


def drawing_of_hints(position: Position, hints: Hints) -> Drawing:
    """Return the drawing of hinted moves, numbered from the best."""
    marks = [Mark(hint.actions, str(rank), 1 / rank, rank == 1) for rank, hint in enumerate(hints.moves, start=1)]
    return drawing_of(position, marks)


def drawing_of_mistake(position: Position, played: Sequence[int], better: Sequence[int]) -> Drawing:
    """Return the drawing of a move that was played and of a better one, both whole, for a small picture."""
    marks = []
    for actions, text, is_chosen in ((played, "played", False), (better, "better", True)):
        made = _drawn(position, Mark(tuple(actions), text, 1.0, is_chosen), actions)
        if made is not None:
            marks.append(_enlarged(made))
    return Drawing(tuple(marks))


def drawing_of_region(position: Position, region: Region) -> Drawing:
    """Return the drawing of a region."""
    found = areas(position.game)
    return Drawing(areas=tuple(found[location] for location in region.locations if location < len(found)))


def _drawn(position: Position, mark: Mark, actions: Sequence[int]) -> DrawnMark | None:
    """Return a mark in the picture; ``None`` if its first action is not on the board."""
    found = areas(position.game)
    arrows: list[Arrow] = []
    rings: list[Area] = []
    place: Point | None = None
    room = _LARGEST_FONT / _CHARACTER
    for action in actions:
        path = [found[location] for location in locations_of(position, action) if location < len(found)]
        for one, other in pairwise(path):
            arrows.append(_arrow(one, other))
        if place is not None and len(path) == 1:
            rings += path
        if path and place is None:
            room = min(min(each.width, each.height) for each in path)
            place = path[0].centre if len(path) == 1 else _between(path[0].centre, path[-1].centre)
        position = position.after(action)
    if place is None:
        return None
    font = min(_LARGEST_FONT, max(_SMALLEST_FONT, 0.4 * room))
    return DrawnMark(
        text=mark.text,
        centre=place,
        width=font * (_CHARACTER * len(mark.text) + 0.7),
        height=1.45 * font,
        font=font,
        arrows=tuple(arrows),
        rings=tuple(rings),
        strength=mark.weight,
        is_chosen=mark.is_chosen,
    )


def _enlarged(mark: DrawnMark) -> DrawnMark:
    factor = _SMALL_PICTURES_FONT / mark.font
    return replace(mark, font=_SMALL_PICTURES_FONT, width=factor * mark.width, height=factor * mark.height)


def _between(one: Point, other: Point) -> Point:
    return one[0] + _ALONG * (other[0] - one[0]), one[1] + _ALONG * (other[1] - one[1])


def _arrow(one: Area, other: Area) -> Arrow:
    (x, y), (tip_x, tip_y) = one.centre, other.centre
    length = hypot(tip_x - x, tip_y - y) or 1.0
    along_x, along_y = (tip_x - x) / length, (tip_y - y) / length
    head = min(14.0, 0.5 * length)
    base_x, base_y = tip_x - head * along_x, tip_y - head * along_y
    side = 0.5 * head
    corners = (
        (tip_x, tip_y),
        (base_x - side * along_y, base_y + side * along_x),
        (base_x + side * along_y, base_y - side * along_x),
    )
    return Arrow((x, y), (base_x, base_y), corners)
