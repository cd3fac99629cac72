"""Sheets to print with the matchboxes of MENACE for a small game, as shapes, SVG and PDF."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import hypot

from boardgames_agents.policy.explanation import counted
from boardgames_agents.tabular import face_of
from boardgames_cli.shared_options import Paper
from boardgames_env import BadInputError, Game, Position
from boardgames_env.chance import refuse_chance
from boardgames_env.moves import locations_of
from boardgames_env.render.layout import areas, draw
from boardgames_env.render.shapes import BASELINE, CANVAS, Box, Circle, Point, Polygon, Shape, Stroke, Text
from boardgames_env.render.svg import element

SIZES: Mapping[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The width and height of each paper, in millimetres, the unit of all sheets."""

_POINTS = 72 / 25.4
"""The points of a millimetre."""

MOST_BOXES = 2_000
"""The most boxes of a game whose sheets are made."""

_COLUMNS, _ROWS, _MARGIN = 4, 5, 10.0
_BEADS = 4
"""The beads of each colour in a box of a player's first turn; one less at each later turn, and at least one."""

_COLOURS = {
    "red": "#d7263d", "blue": "#1b6fb5", "green": "#2e9e4f", "yellow": "#f2c230", "purple": "#7a4fa3",
    "orange": "#f08a24", "pink": "#ee9cc0", "brown": "#7a5230", "grey": "#8a8a8a", "turquoise": "#35b6b4",
    "black": "#222222", "white": "#ffffff",
}  # fmt: skip
"""The colours of beads; each has a letter as well, so that sheets printed in grey can be used."""

_SIDE = 40.0
"""The side of the picture of a box, in millimetres."""

_INK, _QUIET, _LINE = "#222222", "#555555", "#999999"


@dataclass(frozen=True)
class Matchbox:
    """A box: a position up to symmetry in which the first player has a choice.

    Attributes:
        number: Its number, from 1, in the order of turns.
        turn: The number of turns that the player has had before.
        position: The position, the first of its images.
        moves: By the number of each colour, an action that its bead stands for, in the position of the box.
    """

    number: int
    turn: int
    position: Position
    moves: Mapping[int, int]

    @property
    def beads(self) -> int:
        """The beads of each colour with which it begins."""
        return max(1, _BEADS - self.turn)


def boxes_of(game: Game) -> list[Matchbox]:
    """Return the boxes of the first player: its positions up to symmetry in which moves differ, in the order of turns.

    Raises:
        BadInputError: If dice are rolled in the game, or it has too many positions.
    """
    refuse_chance(game, "it would need a box for every roll of every position")
    found: list[Matchbox] = []
    seen, reached, turn = {game.initial.canonical}, [game.initial], 0
    while reached:
        following: dict[bytes, Position] = {}
        for position in reached:
            if position.seat == 0 and len(face_of(position).colours) > 1:
                if len(found) == MOST_BOXES:
                    raise BadInputError(
                        f"{game.spec} has more than {MOST_BOXES:,} matchboxes; choose a smaller game, such as hexapawn"
                    )
                moves = {colour: actions[0] for colour, actions in face_of(position).colours.items()}
                found.append(Matchbox(len(found) + 1, turn // 2, position, moves))
            for action in position.legal_actions:
                after = position.after(action)
                if after.canonical not in seen and not after.is_over:
                    seen.add(after.canonical)
                    image = min(after.images(), key=lambda each: each.key)
                    following[image.key] = image
        if len(seen) > 20 * MOST_BOXES:
            raise BadInputError(f"{game.spec} has too many positions for matchboxes; choose a smaller game")
        reached = [following[key] for key in sorted(following)]
        turn += 1
    return found


def sheets(game: Game, boxes: Sequence[Matchbox], paper: Paper) -> Iterator[list[Shape]]:
    """Yield the shapes of each sheet: the instructions, and then the boxes, a label for each."""
    width, height = SIZES[paper]
    yield list(_instructions(game, boxes, width))
    across, down = (width - 2 * _MARGIN) / _COLUMNS, (height - 2 * _MARGIN) / _ROWS
    for first in range(0, len(boxes), _COLUMNS * _ROWS):
        shapes: list[Shape] = []
        for place, box in enumerate(boxes[first : first + _COLUMNS * _ROWS]):
            row, column = divmod(place, _COLUMNS)
            shapes += _label(box, (_MARGIN + column * across, _MARGIN + row * down), across, down)
        yield shapes


def _instructions(game: Game, boxes: Sequence[Matchbox], width: float) -> Iterator[Shape]:
    """Yield the page for the class: what is needed, how the machine plays, and how it learns."""
    first, other = (man.name for man in game.men)
    needed = Counter[tuple[str, str]]()
    for box in boxes:
        for rank, colour in enumerate(box.moves):
            needed[_colour_of(game, rank, colour)] += box.beads
    beads = ", ".join(f"{letter} {name} {count:,}" for (name, letter), count in sorted(needed.items(), key=_by_letter))
    lines = (
        f"Needed: {len(boxes):,} matchboxes with these labels; {needed.total():,} beads of {len(needed)} colours:",
        beads + ".",
        "",
        f"The matchboxes play {first}, who goes first; you play {other}.",
        "Before the first contest, put into each box the beads that its label names.",
        "",
        "A turn of the matchboxes:",
        "1. Find the box whose label shows the board, perhaps turned round or as in a mirror.",
        "2. Shake it, and take out a bead without looking.",
        "3. Play the move that has the bead's colour, and leave the bead on the open box.",
        "(If there is no such box, only one kind of move is left: play it.)",
        "",
        "After a contest, go to each box that was used:",
        f"{first[:1].upper()}{first[1:]} has won: put the bead back, and three more of its colour.",
        "A draw: put the bead back, and one more of its colour.",
        f"{other[:1].upper()}{other[1:]} has won: do not put the bead back.",
        "A box that is empty is filled again as at the beginning.",
        "",
        "Write down after each contest who has won. After how many contests do the matchboxes hardly lose?",
        "Which box has lost most beads, and why? Does it matter whether you play well against them?",
        "",
        "Donald Michie built this machine in 1961 and called it MENACE;",
        "in a browser, the same program is the learner menace.",
    )
    yield Text((width / 2, 22.0), f"Matchboxes that learn: {game.title}", 8.0, _INK)
    for number, line in enumerate(lines):
        yield Text((width / 2, 40.0 + 9.0 * number), line, 3.7 if len(line) < 92 else 340 / len(line), _INK)


def _by_letter(bead: tuple[tuple[str, str], int]) -> tuple[int, str]:
    (_, letter), _ = bead
    return len(letter), letter


def _colour_of(game: Game, rank: int, colour: int) -> tuple[str, str]:
    """Return the name of the bead of a move and its letter: the same in all boxes if there are enough."""
    names = list(_COLOURS)
    number = colour if game.num_actions <= len(names) else rank
    letter = chr(ord("a") + number % 26)
    return names[number % len(names)], letter if number < 26 else letter * 2


def _label(box: Matchbox, corner: Point, across: float, down: float) -> Iterator[Shape]:
    """Yield the label of a box: its number, the board with the beads of its moves, and how many of each there are."""
    (x, y), side = corner, min(across - 6.0, down - 15.0)
    yield Box((x, y), across, down, 0, "#ffffff", _LINE, 0.2)
    yield Text((x + across / 2, y + 3.5), f"box {box.number}, turn {box.turn + 1}", 3.0, _QUIET)
    yield from _board(box, (x + (across - side) / 2, y + 6.0), side)
    game, texts = box.position.game, list[str]()
    for rank, (colour, action) in enumerate(box.moves.items()):
        letter, _ = bead_of(game, rank, colour)
        texts.append(letter if _path(box, action) else f"{letter}: {game.action_text(action)}")
    shown = f"{' '.join(texts)}: {counted(box.beads, 'bead')} each"
    size = min(3.2, 1.7 * (across - 4.0) / len(shown))
    yield Text((x + across / 2, y + down - 4.5), shown, size, _INK)


def _board(box: Matchbox, corner: Point, side: float) -> Iterator[Shape]:
    """Yield the board of a box with the beads of its moves."""
    (left, top), scale, spots = corner, side / CANVAS, areas(box.position.game)
    for shape in draw(box.position, labels=False):
        yield _moved(shape, scale, corner)
    for rank, (colour, action) in enumerate(box.moves.items()):
        points = [(left + scale * px, top + scale * py) for px, py in _path(box, action)]
        if points:
            name, letter = _colour_of(box.position.game, rank, colour)
            yield from _bead(points, min(spot.width for spot in spots) * scale, name, letter)


def _path(box: Matchbox, action: int) -> list[Point]:
    """Return the places on the board that an action goes through; none if it has none."""
    spots = areas(box.position.game)
    return [spots[location].centre for location in locations_of(box.position, action) if location < len(spots)]


def bead_of(game: Game, rank: int, colour: int) -> tuple[str, str]:
    """Return the letter and the colour of the bead of a move, the one of some rank in its box."""
    name, letter = _colour_of(game, rank, colour)
    return letter, _COLOURS[name]


def _bead(points: Sequence[Point], room: float, name: str, letter: str) -> Iterator[Shape]:
    """Yield the bead of a move: on its location, or on the way of a man, near its end."""
    for one, other in pairwise(points):
        yield Stroke((one, other), 0.5, _COLOURS[name] if name != "white" else _LINE)
    (x, y), (to_x, to_y) = points[0], points[-1]
    length = hypot(to_x - x, to_y - y)
    share = 1 - 0.25 * room / length if length else 1.0
    radius = min(2.6, 0.3 * room)
    centre = (x + share * (to_x - x), y + share * (to_y - y))
    ink = "#222222" if name in ("yellow", "pink", "white", "turquoise", "orange") else "#ffffff"
    yield Circle(centre, radius, _COLOURS[name], _INK, 0.15)
    yield Text(centre, letter, 1.4 * radius / max(1.0, 0.7 * len(letter)), ink)


def _moved(shape: Shape, scale: float, by: Point) -> Shape:
    """Return a shape in another size, and moved."""

    def there(point: Point) -> Point:
        return by[0] + scale * point[0], by[1] + scale * point[1]

    if isinstance(shape, Box):
        sizes = {name: scale * getattr(shape, name) for name in ("width", "height", "rounding", "edge_width")}
        return replace(shape, corner=there(shape.corner), **sizes)
    if isinstance(shape, Stroke):
        return replace(shape, points=tuple(map(there, shape.points)), width=scale * shape.width)
    if isinstance(shape, Polygon):
        return replace(shape, points=tuple(map(there, shape.points)))
    if isinstance(shape, Circle):
        radius, edge = scale * shape.radius, scale * shape.edge_width
        return replace(shape, centre=there(shape.centre), radius=radius, edge_width=edge)
    return replace(shape, centre=there(shape.centre), size=scale * shape.size)


def svg_of_box(box: Matchbox) -> str:
    """Return the board of a box with its beads as an SVG document."""
    shapes = map(element, _board(box, (0.0, 0.0), _SIDE))
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIDE} {_SIDE}">', *shapes, "</svg>"])


def svg_of(shapes: Sequence[Shape], paper: Paper) -> str:
    """Return a sheet as an SVG document of its paper's size."""
    width, height = SIZES[paper]
    size = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *map(element, shapes), "</svg>", ""])


def pdf_of(pages: Sequence[Sequence[Shape]], paper: Paper) -> bytes:
    """Return sheets as a PDF document; the same sheets give the same bytes."""
    width, height = (_POINTS * side for side in SIZES[paper])
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, shapes in enumerate(pages):
        # (millimetres, with y down, as in the shapes)
        upright = f"{_POINTS:.5f} 0 0 {-_POINTS:.5f} 0 {height:.3f} cm"
        content = zlib.compress("\n".join([upright, *map(_painted, shapes)]).encode("cp1252", "replace"), 9)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] "
            f"/Resources << /Font << /F 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>".encode(),
            f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode() + content + b"\nendstream",
        ]
    written, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, each in enumerate(objects, start=1):
        places.append(len(written))
        written += f"{number} 0 obj\n".encode() + each + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    return bytes(written) + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def _painted(shape: Shape) -> str:
    """Return what paints a shape in a PDF document."""
    if isinstance(shape, Text):
        x, y = shape.centre
        left, base = x - _length_of(shape.text) * shape.size / 2, y + BASELINE * shape.size
        text = re.sub(r"([\\()])", r"\\\1", shape.text)
        return f"{_rgb(shape.colour)} rg BT /F {shape.size:.3f} Tf 1 0 0 -1 {left:.3f} {base:.3f} Tm ({text}) Tj ET"
    if isinstance(shape, Stroke):
        path = " ".join(f"{x:.3f} {y:.3f} {'l' if number else 'm'}" for number, (x, y) in enumerate(shape.points))
        return f"{_rgb(shape.colour)} RG {shape.width:.3f} w 1 J 1 j {path} S"
    if isinstance(shape, Polygon):
        path = " ".join(f"{x:.3f} {y:.3f} {'l' if number else 'm'}" for number, (x, y) in enumerate(shape.points))
        return f"{_rgb(shape.fill)} rg {path} f"
    if isinstance(shape, Box):
        (x, y), fill, path = shape.corner, shape.fill, ""
        path = f"{x:.3f} {y:.3f} {shape.width:.3f} {shape.height:.3f} re"
    else:
        (x, y), radius, fill = shape.centre, shape.radius, shape.fill or ""
        path, bend = f"{x + radius:.3f} {y:.3f} m", 0.5523 * radius
        for right, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):  # a quarter each, from the right by the bottom
            corners = (
                (radius * right - bend * down, radius * down + bend * right),
                (bend * right - radius * down, bend * down + radius * right),
                (-radius * down, radius * right),
            )
            path += " " + " ".join(f"{x + dx:.3f} {y + dy:.3f}" for dx, dy in corners) + " c"
    edge = f"{_rgb(shape.edge)} RG {shape.edge_width:.3f} w " if shape.edge and shape.edge_width else ""
    inside = f"{_rgb(fill)} rg " if fill else ""
    return f"{inside}{edge}{path} {'B' if fill and edge else 'f' if fill else 'S'}"


def _rgb(colour: str) -> str:
    """Return a colour such as ``#f2c230`` as PDF has it."""
    return " ".join(f"{int(colour[start : start + 2], 16) / 255:.3f}" for start in (1, 3, 5))


@cache
def _length_of(text: str) -> float:
    """Return about how long a text is, in sizes of its letters."""
    from PIL import ImageFont

    return ImageFont.load_default(100.0).getlength(text) / 100
