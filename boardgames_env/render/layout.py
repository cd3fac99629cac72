"""The picture of a position as plain shapes.

It follows from the board's coordinates, the men's looks and the state, unless the game has a drawing of its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, dist, hypot, pi, sin, tan
from typing import TYPE_CHECKING

from boardgames_env.board import Board
from boardgames_env.position import Position
from boardgames_env.render.shapes import (
    CANVAS,
    FAINT,
    FRAME,
    GLOW,
    INK,
    PAGE,
    PAPER,
    SHADOW,
    TRACE,
    WOOD,
    Area,
    Box,
    Circle,
    Point,
    Polygon,
    Shape,
    Stroke,
    Text,
    edge_of,
    ink_on,
)

if TYPE_CHECKING:
    from boardgames_env.game import Game

_MARGIN = 14.0
_CAPTION = 44.0
# (limits the size of men on boards of a few locations)
_LARGEST_STEP = 128.0
# the smallest radius at which a label is readable
_LEGIBLE = 11.0
_SQUARE = re.compile("([a-z])([0-9]+)")
"""The name of a square: the letter of its column, the number of its row."""
_CROWN = ((-0.2, 0.15), (-0.23, -0.12), (-0.1, 0.0), (0.0, -0.19), (0.1, 0.0), (0.23, -0.12), (0.2, 0.15))
"""The corners of a king's crown, from the centre of its location, in units of the step."""

_CAPTION_SIZE = 17.0
"""The size of the caption, if it fits; `_LETTER` is the mean width of a letter of size 1."""
_LETTER = 0.54


def caption(position: Position, is_picture: bool = True) -> str:
    """Return in words whose turn it is and what a picture or a text does not show, or how the contest ended."""
    game, men, points = position.game, position.game.men, position.outcome
    if points is None:
        turn = game.drawing.turn(position) if game.drawing else f"{men[position.seat].name} to move"
        describe = (is_picture and game.note_in_pictures) or game.note
        note = describe(position.state) if describe else ""
        return f"{turn}; {note}" if note else turn
    if points == 0:
        return "a draw"
    winner = men[0 if points > 0 else 1].name
    return f"{winner} has won" if abs(points) == 1 else f"{winner} has won {abs(points)} points"


def neighbouring_cells(board: Board) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells that share a side; the second is to the right in the same row, or below."""
    farthest = 1.01 * board.spacing
    for first, (x, y) in enumerate(board.points):
        for second, (other_x, other_y) in enumerate(board.points):
            if (y, x) < (other_y, other_x) and hypot(other_x - x, other_y - y) < farthest:
                yield first, second


def draw(
    position: Position,
    labels: bool = True,
    before: Position | None = None,
    viewer: int | None = None,
    end: str = "",
) -> list[Shape]:
    """Return the shapes of a position's picture.

    Args:
        position: The position.
        labels: Whether empty locations show their labels.
        before: An earlier position; the locations that have changed since are marked.
        viewer: The seat that looks, by default the one to move: in some games it has its own numbers for locations.
        end: How the contest has ended, where that was not on the board: it is written in place of whose turn it is.
    """
    drawing = position.game.drawing
    if drawing and drawing.seen_by and viewer is not None:
        shapes = list(drawing.seen_by(position, labels, before, viewer))
    else:
        shapes = list(
            drawing.shapes(position, labels, before) if drawing else _Picture(position).shapes(labels, before)
        )
    if end:
        words = caption(position)
        stale = (words, words.partition("; ")[0])
        shapes = [
            replace(shape, text=end) if isinstance(shape, Text) and shape.is_outside and shape.text in stale else shape
            for shape in shapes
        ]
    return shapes


def location_names(game: "Game", viewer: int) -> Sequence[str]:
    """Return the names of a game's locations as a seat counts them: by default the labels of the board."""
    return game.drawing.names(viewer) if game.drawing and game.drawing.names else game.board.labels


def areas(game: "Game") -> tuple[Area, ...]:
    """Return the area of each location in a game's pictures; none if its drawing shows no locations."""
    if game.drawing:
        return tuple(game.drawing.areas(game)) if game.drawing.areas else ()
    picture = _Picture(game.initial)
    in_squares = game.board.cells and game.board.cell_sides == 4
    side = picture.step * (1.0 if in_squares else 0.84)
    return tuple(Area(centre, side, side, 0 if in_squares else side / 2) for centre in picture.at)


def _is_lettered(board: Board) -> bool:
    """Return whether the labels of a board name the column and the row of each location of a whole grid."""
    columns, rows = dict[str, float](), dict[str, float]()
    for label, (x, y) in zip(board.labels, board.points, strict=True):
        found = _SQUARE.fullmatch(label)
        if not found or columns.setdefault(found[1], x) != x or rows.setdefault(found[2], y) != y:
            return False
    return len(columns) * len(rows) == board.size and board.cell_sides == 4


def _scaled(middle: Point, place: Point, factor: float) -> Point:
    """Return a place moved away from the middle, to ``factor`` times its distance."""
    return middle[0] + factor * (place[0] - middle[0]), middle[1] + factor * (place[1] - middle[1])


class _Picture:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.game.board
        self.men = [int(count) for count in position.state[1 : 1 + self.board.size]]
        xs, ys = zip(*self.board.points, strict=True)
        unit = self.board.spacing
        self.is_rack = any(action.kind == "column" for action in position.game.actions)  # (men fall into its holes)
        # from the outermost locations to the frame
        self.in_hexagons = self.board.cells and self.board.cell_sides == 6
        rim_x, rim_y = (unit * (0.62 if self.board.cells else 0.72),) * 2
        if self.in_hexagons:
            rim_x, rim_y = 1.75 * unit, 1.2 * unit
        width, height = max(xs) - min(xs) + 2 * rim_x, max(ys) - min(ys) + 2 * rim_y
        room = CANVAS - 2 * _MARGIN
        scale = min(room / width, (CANVAS - _MARGIN - _CAPTION) / height, _LARGEST_STEP / unit)
        self.step = unit * scale
        self.width, self.height = width * scale, height * scale
        self.left = (CANVAS - self.width) / 2
        self.top = _MARGIN + (CANVAS - _MARGIN - _CAPTION - self.height) / 2
        self.at = [
            (self.left + (x - min(xs) + rim_x) * scale, self.top + (y - min(ys) + rim_y) * scale)
            for x, y in self.board.points
        ]

    def shapes(self, labels: bool, before: Position | None) -> Iterator[Shape]:
        """Yield all shapes, from the back to the front."""
        yield Box((0, 0), CANVAS, CANVAS, 0, PAGE, PAGE, 0)
        surface = PAPER if self.board.cells and not self.is_rack else WOOD
        yield Box((self.left, self.top), self.width, self.height, self.step / 8, surface, FRAME, 2.5)
        if self.in_hexagons:
            yield from self._hexagons()
        else:
            yield from self._dark_squares()
        if self.position.is_over:
            yield from self._whole_lines()
        if before is not None:
            yield from self._changes(before)
        if self.is_rack:
            yield from (Circle(centre, 0.38 * self.step, PAPER, INK, 0.02 * self.step) for centre in self.at)
        else:
            yield from self._cell_sides() if self.board.cells else self._lines()
        is_lettered = _is_lettered(self.board)
        for location, count in enumerate(self.men):
            if count:
                yield from self._pile(location)
            elif not self.is_rack:
                yield from self._empty(location, labels and not is_lettered)
        if labels and is_lettered:
            yield from self._coordinates()
        below = (self.top + self.height + CANVAS) / 2
        words = caption(self.position)
        size = min(_CAPTION_SIZE, (CANVAS - 20) / (_LETTER * max(1, len(words))))
        yield Text((CANVAS / 2, min(below, self.top + self.height + 24)), words, size, INK, is_outside=True)

    def _changes(self, before: Position) -> Iterator[Shape]:
        for location, centre in enumerate(self.at):
            if before.state[1 + location] != self.position.state[1 + location]:
                yield Circle(centre, 0.47 * self.step, TRACE)

    def _whole_lines(self) -> Iterator[Shape]:
        """Return the winning lines that decided a contest that is over; where lines capture, none does."""
        if any(action.kind == "capture" for action in self.position.game.actions):
            return
        last = 2 * self.position.seat - 1
        for line in self.board.winning_lines:
            if all(self.men[location] * last > 0 for location in line):
                places = tuple(self.at[location] for location in line)
                if self.board.cells and any(dist(*ends) > 1.5 * self.step for ends in pairwise(places)):
                    # a line from layer to layer would be drawn across cells that are not on it
                    yield from (Circle(place, 0.43 * self.step, GLOW) for place in places)
                else:
                    yield Stroke(places, 0.86 * self.step, GLOW)

    def _dark_squares(self) -> Iterator[Shape]:
        """Return the cells of a chequered board, which share no sides."""
        if self.board.cells and not any(neighbouring_cells(self.board)):
            for x, y in self.at:
                yield Box((x - self.step / 2, y - self.step / 2), self.step, self.step, 0, WOOD, FRAME, 1)

    def _hexagons(self) -> Iterator[Shape]:
        """Yield the cells, on a ground that has the colour of a seat along its sides of the board."""
        xs, ys = zip(*self.at, strict=True)
        middle = sum(xs) / len(xs), sum(ys) / len(ys)
        for man, home in zip(self.position.game.men, self.board.homes, strict=False):
            for side in (home[: len(home) // 2], home[len(home) // 2 :]):
                (x, y), (to_x, to_y) = self.at[side[0]], self.at[side[-1]]
                reach = 1 + 0.85 * self.step / dist(middle, ((x + to_x) / 2, (y + to_y) / 2))
                yield Polygon(
                    (middle, _scaled(middle, (x, y), reach), _scaled(middle, (to_x, to_y), reach)), man.colour
                )
        radius = self.step / 2 / cos(pi / 6)
        for x, y in self.at:
            angles = [pi / 6 + corner * pi / 3 for corner in range(6)]
            yield Polygon(tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles), PAPER)

    def _cell_sides(self) -> Iterator[Shape]:
        half = self.step / 2 * tan(pi / self.board.cell_sides)
        for first, second in neighbouring_cells(self.board):
            (x, y), (to_x, to_y) = self.at[first], self.at[second]
            middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
            right, down = half * (to_x - x) / self.step, half * (to_y - y) / self.step
            ends = sorted(((middle_x - down, middle_y + right), (middle_x + down, middle_y - right)))
            yield Stroke(tuple(ends), 0.035 * self.step, INK)

    def _lines(self) -> Iterator[Shape]:
        for line in self.board.lines:
            yield Stroke(tuple(self.at[location] for location in line), 0.03 * self.step, INK)

    def _empty(self, location: int, labels: bool) -> Iterator[Shape]:
        label = self.board.labels[location]
        centre = self.at[location]
        # (on a large board labels fill more of their place, to stay readable)
        room = max(0.17 * self.step, min(0.23 * self.step, _LEGIBLE))
        if not self.board.cells:
            yield Circle(centre, room if labels else 0.07 * self.step, WOOD if labels else INK, INK, 0.02 * self.step)
        if labels:
            size = room * (1.5 if self.board.cells else 1.2)
            yield Text(centre, label, size if len(label) < 3 else size * 2.4 / len(label), FAINT)

    def _coordinates(self) -> Iterator[Shape]:
        """Yield the letters of the columns below the board, and the numbers of the rows on its left."""
        size = max(0.2 * self.step, min(0.4 * self.step, _LEGIBLE))
        left, bottom = min(x for x, _ in self.at), max(y for _, y in self.at)
        for label, (x, y) in zip(self.board.labels, self.at, strict=True):
            if y == bottom:
                yield Text((x, y + 0.5 * self.step), label[0], size, FAINT)
            if x == left:
                yield Text((x - 0.5 * self.step, y), label[1:], size, FAINT)

    def _pile(self, location: int) -> Iterator[Shape]:
        """Yield a man, with the number of men if there are several."""
        man, number = self.position.game.men_at(self.men[location])
        x, y = centre = self.at[location]
        step = self.step
        if man.shape in ("disc", "king"):
            yield Circle((x, y + 0.035 * step), 0.36 * step, SHADOW)
            yield Circle(centre, 0.35 * step, man.colour, edge_of(man), 0.025 * step)
            if man.shape == "king":
                yield Polygon(tuple((x + right * step, y + down * step) for right, down in _CROWN), ink_on(man))
        elif man.shape == "ring":
            yield Circle(centre, 0.26 * step, None, man.colour, 0.1 * step)
        else:
            arm = 0.24 * step
            yield Stroke(((x - arm, y - arm), (x + arm, y + arm)), 0.1 * step, man.colour)
            yield Stroke(((x + arm, y - arm), (x - arm, y + arm)), 0.1 * step, man.colour)
        if number > 1:
            if man.shape == "cross":
                yield Circle(centre, 0.24 * step, PAPER if self.board.cells else WOOD)
            ink = man.colour if man.shape != "disc" else ink_on(man)
            yield Text(centre, str(number), 0.3 * step, ink)
