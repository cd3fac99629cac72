"""The plain shapes of pictures, which `svg` and `pixels` paint, and the colours they share.

A picture is a square of `CANVAS` units a side, y down, to be painted in the order of its shapes; nothing in it is
transparent.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boardgames_env.board import Man

if TYPE_CHECKING:
    from boardgames_env.game import Game
    from boardgames_env.position import Position

CANVAS = 480.0
"""The side of a picture, in its own units."""

LARGEST = 4096
"""The largest side of a picture, in pixels."""

BASELINE = 0.35
"""The distance of a text's baseline below its centre, in sizes of its font."""

PAGE = "#fdfaf3"
WOOD = "#ecd3a4"
PAPER = "#f4ead3"
FRAME = "#a5773f"
INK = "#5e4427"
FAINT = "#8a6b40"
SHADOW = "#c9a66f"
GLOW = "#f2cd70"
TRACE = "#f9e29c"

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle with rounded corners and an edge."""

    corner: Point
    width: float
    height: float
    rounding: float
    fill: str
    edge: str
    edge_width: float


@dataclass(frozen=True)
class Stroke:
    """A line through points, with round caps and joins."""

    points: tuple[Point, ...]
    width: float
    colour: str


@dataclass(frozen=True)
class Polygon:
    """A filled area with straight sides and no edge."""

    points: tuple[Point, ...]
    fill: str


@dataclass(frozen=True)
class Circle:
    """A disc, or a ring if it has no fill. Half of the edge lies outside the radius."""

    centre: Point
    radius: float
    fill: str | None
    edge: str | None = None
    edge_width: float = 0.0


@dataclass(frozen=True)
class Text:
    """One line of text, centred. Outside of the board it has the class ``words`` in an SVG, for dark pages."""

    centre: Point
    text: str
    size: float
    colour: str
    is_outside: bool = False


Shape = Box | Stroke | Polygon | Circle | Text


@dataclass(frozen=True)
class Area:
    """The part of a picture that belongs to a location: a rectangle with rounded corners."""

    centre: Point
    width: float
    height: float
    rounding: float = 0.0


@dataclass(frozen=True)
class Controls:
    """What can be pressed in a picture besides its locations.

    Attributes:
        buttons: The areas of buttons for actions that move no men.
        preferred: The legal actions, in an order: a click on a man plays the first that begins there. None if a click
            only picks the man up.
        swaps: An area in the picture, a click on which exchanges its left and right half and reverses that order.
        taps: Further areas that stand for actions.
        hint: A sentence about what can be pressed; empty if that is plain to see.
    """

    buttons: "Mapping[int, Area]"
    preferred: "Sequence[int]" = ()
    swaps: "Area | None" = None
    taps: "Mapping[int, Area]" = field(default_factory=dict)
    hint: str = ""


@dataclass(frozen=True)
class Drawing:
    """The drawing of a game whose positions are more than men on the locations of a board.

    Attributes:
        shapes: Function that returns the shapes of the picture; its arguments are those of
            `boardgames_env.render.layout.draw`.
        text: Function that returns a position as lines of characters, without the caption.
        turn: Function that returns the next event of a position in words, such as ``white to roll``.
        areas: Function that returns the area of each location in the picture, for clicks.
        seen_by: Function that returns the shapes as a seat sees them, where locations have other numbers for each; its
            arguments are those of `shapes`, and the seat.
        names: Function that returns the names of all locations as a seat counts them, where each counts in its own way.
        controls: Function that returns what can be pressed in the picture of a position besides its locations.
    """

    shapes: "Callable[[Position, bool, Position | None], Iterable[Shape]]"
    text: "Callable[[Position], str]"
    turn: "Callable[[Position], str]"
    areas: "Callable[[Game], Sequence[Area]] | None" = None
    seen_by: "Callable[[Position, bool, Position | None, int], Iterable[Shape]] | None" = None
    names: "Callable[[int], Sequence[str]] | None" = None
    controls: "Callable[[Position], Controls] | None" = None


def edge_of(man: Man) -> str:
    """Return the colour of a man's edge: grey-brown for a light man, a lighter shade for a dark one."""
    if _is_light(man):
        return FAINT
    return "#" + "".join(f"{channel + (255 - channel) // 5:02x}" for channel in _channels(man.colour))


def ink_on(man: Man) -> str:
    """Return a colour that is readable on a disc of a man's colour."""
    return INK if _is_light(man) else PAGE


def _is_light(man: Man) -> bool:
    red, green, blue = _channels(man.colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140


def _channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
