"""What lies over the picture of a board: places to click with the actions they make, and marks of explanations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from boardgames_agents.people.judging.valued_moves import BestMoves
from boardgames_agents.policy.explanation import Mark, Region
from boardgames_env.board import Line
from boardgames_env.contest import is_same_turn, turn_text
from boardgames_env.game import Game
from boardgames_env.moves import locations_of
from boardgames_env.position import Position
from boardgames_env.render.layout import areas, location_names
from boardgames_env.render.shapes import Area, Point

PLAYED, BETTER, REPLY = "×", "✓", "!"
"""The texts of the marks of a move that was played, of a better one, and of the answer that refutes it."""

_MOST_ARROWS = 12
"""The largest number of moves that are drawn as arrows; more would hide one another."""

_LARGEST_FONT, _SMALLEST_FONT = 19.0, 9.0

_SMALL_PICTURES_FONT = 30.0

_LARGEST_NAME = 26.0
"""The largest size of the name of a location in a small picture."""

_CHARACTER = 0.6
"""The width of a character in sizes of its font."""

_ALONG = (0.62, 0.4, 0.8, 0.5, 0.25)
"""The places of a text on an arrow that are tried, as parts of its length; the first where there is room is taken."""

_SHADES = 4
"""The number of shades of marks."""


@dataclass(frozen=True)
class Spot:
    """A location that can be clicked."""

    location: int
    area: Area  # its place in the picture
    label: str  # its name and the men on it, for screen readers
    stands_for: int  # the location that a click here is meant for: in a column, where a man would fall


@dataclass(frozen=True)
class LegalAction:
    """A legal action."""

    action: int
    text: str
    path: str  # the locations that are clicked for it, in order, as text; empty if it is a button


def spots(position: Position, viewer: int) -> list[Spot]:
    """Return the locations of a position that are drawn, named as a seat counts them."""
    names = location_names(position.game, viewer)
    meant = {
        location: locations_of(position, action)[0]
        for action in position.legal_actions
        if position.game.actions[action].kind == "column"
        for location in position.game.actions[action].locations
    }
    found = []
    for location, area in enumerate(areas(position.game)):
        men = _men_text(position.game, int(position.state[1 + location]))
        found.append(Spot(location, area, f"{names[location]}, {men}", meant.get(location, location)))
    return found


def _men_text(game: Game, slot: int) -> str:
    """Return the men on a location in words, by its slot of a state: ``2 white``, ``black king``, ``empty``."""
    if not slot:
        return "empty"
    man, number = game.men_at(slot)
    return man.name if number == 1 else f"{number} {man.name}"


def choices(position: Position) -> list[LegalAction]:
    """Return the legal actions."""
    found, has_areas = [], len(areas(position.game)) > 0
    for action in position.legal_actions:
        path = locations_of(position, action) if has_areas else ()
        found.append(LegalAction(action, position.game.action_text(action), " ".join(map(str, path))))
    return found


class Journey(NamedTuple):
    """Several actions of a turn that move one man."""

    actions: str
    text: str
    path: str  # where the man stands, and where it goes, as text


def journeys(position: Position) -> list[Journey]:
    """Return the ways of one man by several actions to where no single one leads.

    Of those that make the same position only the first is there: others hit on the way, say.
    """
    begun = [((action,), locations_of(position, action)) for action in position.legal_actions]
    single, found = {path for _, path in begun}, dict[tuple[bytes, Line], tuple[int, ...]]()
    ways: list[tuple[tuple[int, ...], Line]] = [*begun]
    for actions, path in ways:  # (to which those that go on are added)
        reached = position.after(*actions)
        if len(path) != 2 or not is_same_turn(position.seat, reached):
            continue
        for action in reached.legal_actions:
            onward = locations_of(reached, action)
            if len(onward) == 2 and onward[0] == path[1]:
                way = ((*actions, action), (path[0], onward[1]))
                ways.append(way)
                if way[1] not in single and path[0] != onward[1]:
                    found.setdefault((reached.after(action).key, way[1]), way[0])
    return [
        Journey("-".join(map(str, actions)), turn_text(position, actions), " ".join(map(str, path)))
        for (_, path), actions in found.items()
    ]


@dataclass(frozen=True)
class Arrow:
    """A line with a head: the ends of the line, and the corners of the head."""

    start: Point
    end: Point
    head: tuple[Point, Point, Point]


@dataclass(frozen=True)
class DrawnMark:
    """A mark in the picture."""

    text: str
    centre: Point  # the centre of the text
    width: float  # the width of the box around the text
    height: float  # the height of that box
    font: float  # the size of the text
    arrows: tuple[Arrow, ...]  # the arrows along which men move
    rings: tuple[Area, ...]  # further locations that the move is about, such as those of captured men
    shade: int  # how much it stands out, from 0 to 3
    is_chosen: bool  # whether it is the move that is chosen


class PlacedName(NamedTuple):
    """The name of a location, at the upper left of it."""

    text: str
    centre: Point
    font: float


@dataclass(frozen=True)
class BoardMarks:
    """What is drawn over a board: marks, from the back to the front, areas that stand out, and names of locations."""

    marks: tuple[DrawnMark, ...] = ()
    areas: tuple[Area, ...] = ()
    names: tuple[PlacedName, ...] = ()


def drawing_of(position: Position, marks: Sequence[Mark], shows_names: bool = False) -> BoardMarks:
    """Return the drawing of marks: moves that are chosen are drawn whole, others by their first action.

    Marks of single locations cover their names, unless those are to be shown: then a ring is round the location, and
    the mark above it on the right.

    Of marks that begin with the same action only the first is drawn, or the chosen one.
    """
    first: dict[int, Mark] = {}
    for mark in sorted(marks, key=lambda mark: not mark.is_chosen):
        first.setdefault(mark.actions[0], mark)
    drawn: list[DrawnMark] = []
    arrows = 0
    for mark in first.values():
        made = _placed_mark(position, mark, mark.actions if mark.is_chosen else mark.actions[:1], drawn, shows_names)
        if made is not None and (not made.arrows or arrows < _MOST_ARROWS):
            arrows += bool(made.arrows)
            drawn.append(made)
    return BoardMarks(tuple(reversed(drawn)))


def drawing_of_hints(position: Position, hints: BestMoves) -> BoardMarks:
    """Return the drawing of hinted moves, numbered from the best; none if all are as good."""
    if hints.are_all_alike(position):
        return BoardMarks()
    ranked = zip(hints.ranks, hints.moves, strict=True)
    marks = [Mark(hint.actions, str(rank), 1 / rank, rank == 1) for rank, hint in ranked]
    return drawing_of(position, marks, shows_names=True)


def drawing_of_mistake(
    position: Position, played: Sequence[int], better: Sequence[int], reply: Sequence[int] = ()
) -> BoardMarks:
    """Return the drawing of a move that was played, of a better one and of the answer to it, for a small picture.

    An answer where the better move goes itself shares its mark.
    """
    after = position
    for action in played:
        after = after.after(action)
    is_shared = bool(reply) and [*_touched(after, reply)] == [*_touched(position, better)]
    drawn = [
        (position, played, PLAYED),
        *([] if is_shared else [(after, reply, REPLY)]),
        (position, better, f"{BETTER}{REPLY}" if is_shared else BETTER),
    ]
    marks: list[DrawnMark] = []
    for start, actions, text in drawn:
        if not actions:
            continue
        mark = Mark(tuple(actions), text, 0.5 if text == REPLY else 1.0, is_chosen=text.startswith(BETTER))
        made = _placed_mark(start, mark, mark.actions, marks, font=_SMALL_PICTURES_FONT)
        if made is not None:
            marks.append(made)
    touched = [location for start, actions, _ in drawn for location in _touched(start, actions)]
    return BoardMarks(tuple(marks), names=names_of(position, touched))


def _touched(position: Position, actions: Sequence[int]) -> Iterator[int]:
    for action in actions:
        yield from locations_of(position, action)
        position = position.after(action)


def names_of(position: Position, hidden: Iterable[int] = ()) -> tuple[PlacedName, ...]:
    """Return the names of the locations whose names a picture does not show: those with men, and others hidden."""
    game, others = position.game, set(hidden)
    if game.drawing:  # (which has the numbers beside the locations)
        return ()
    return tuple(
        PlacedName(
            game.board.labels[location],
            (area.centre[0] - 0.36 * area.width, area.centre[1] - 0.34 * area.height),
            min(_LARGEST_NAME, 0.4 * area.width),
        )
        for location, area in enumerate(areas(game))
        if position.state[1 + location] or location in others
    )


def drawing_of_region(position: Position, region: Region) -> BoardMarks:
    """Return the drawing of a region."""
    found = areas(position.game)
    return BoardMarks(areas=tuple(found[location] for location in region.locations if location < len(found)))


def _placed_mark(
    position: Position,
    mark: Mark,
    actions: Sequence[int],
    others: Sequence[DrawnMark],
    shows_names: bool = False,
    font: float = 0.0,
) -> DrawnMark | None:
    """Return a mark in the picture, beside others; ``None`` if its first action is not on the board.

    The size of the text is by the size of the locations, unless it is given.
    """
    found = areas(position.game)
    paths: list[list[Area]] = []
    for action in actions:
        path = [found[location] for location in locations_of(position, action) if location < len(found)]
        if not path and not paths:
            return None
        paths.append(path)
        position = position.after(action)
    first = paths[0]
    room = min(min(each.width, each.height) for each in first)
    font = font or min(_LARGEST_FONT, max(_SMALLEST_FONT, 0.4 * room))
    width, height = font * (_CHARACTER * len(mark.text) + 0.7), 1.45 * font
    start, is_aside = first[0].centre, shows_names and len(first) == 1
    if is_aside:
        start = start[0] + 0.25 * room, start[1] - 0.2 * room - height / 2
    return DrawnMark(
        text=mark.text,
        centre=_centre_of_text(start, start if len(first) == 1 else first[-1].centre, width, height, others),
        width=width,
        height=height,
        font=font,
        arrows=tuple(_arrow(one, other) for path in paths for one, other in pairwise(path)),
        rings=tuple(path[0] for path in paths[0 if is_aside else 1 :] if len(path) == 1),
        shade=min(_SHADES - 1, int(_SHADES * mark.weight)),
        is_chosen=mark.is_chosen,
    )


def _centre_of_text(start: Point, end: Point, width: float, height: float, others: Sequence[DrawnMark]) -> Point:
    """Return the centre of a text: at a location, on either side of a short arrow, or on a long one; off others."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    aside = 0.5 * (width + height)
    sides: tuple[float, ...]
    if length == 0:
        along, sides = (0.0, 1.0), (0.0, -1.05 * height, 1.05 * height)
    else:
        along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        sides = (aside, -aside, 2 * aside, -2 * aside) if length < 2 * aside else (0.0, aside, -aside)
    places = [
        (
            start[0] + part * length * along[0] + side * along[1],
            start[1] + part * length * along[1] - side * along[0],
        )
        for side in sides
        for part in _ALONG
    ]

    def is_free(place: Point) -> bool:
        return all(
            abs(place[0] - other.centre[0]) >= (width + other.width) / 2
            or abs(place[1] - other.centre[1]) >= (height + other.height) / 2
            for other in others
        )

    return next(filter(is_free, places), places[0])


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
