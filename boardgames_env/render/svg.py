"""Positions as SVG pictures."""

from xml.sax.saxutils import escape

from boardgames_env.errors import require_whole
from boardgames_env.position import Position
from boardgames_env.render.layout import draw
from boardgames_env.render.shapes import BASELINE, CANVAS, LARGEST, Box, Circle, Point, Polygon, Shape, Stroke


def draw_svg(
    position: Position,
    size: int = 480,
    labels: bool = True,
    before: Position | None = None,
    viewer: int | None = None,
    end: str = "",
) -> str:
    """Return a position as a standalone SVG document; the same position gives the same text.

    The size is in pixels, from 1 to `LARGEST`; the other options are those of `boardgames_env.render.layout.draw`.
    """
    require_whole(1, LARGEST, size=size)
    side = _svg_number(CANVAS)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {side} {side}">',
        f"<title>{escape(position.game.title)}</title>",
        *(element(shape) for shape in draw(position, labels, before, viewer, end)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def element(shape: Shape) -> str:
    """Return the element of a shape."""
    if isinstance(shape, Box):
        x, y = shape.corner
        return _tag(
            "rect", x=x, y=y, width=shape.width, height=shape.height, rx=shape.rounding,
            fill=shape.fill, stroke=shape.edge, stroke_width=shape.edge_width,
        )  # fmt: skip
    if isinstance(shape, Stroke):
        return _tag(
            "polyline", points=_svg_places(shape.points), fill="none",
            stroke=shape.colour, stroke_width=shape.width, stroke_linecap="round", stroke_linejoin="round",
        )  # fmt: skip
    if isinstance(shape, Polygon):
        return _tag("polygon", points=_svg_places(shape.points), fill=shape.fill)
    if isinstance(shape, Circle):
        x, y = shape.centre
        edge: dict[str, float | str] = {"stroke": shape.edge, "stroke_width": shape.edge_width} if shape.edge else {}
        return _tag("circle", cx=x, cy=y, r=shape.radius, fill=shape.fill or "none", **edge)
    x, y = shape.centre
    opened = _tag(
        "text", x=x, y=y + BASELINE * shape.size, font_size=shape.size, fill=shape.colour,
        font_family="Aileron, Helvetica, Arial, sans-serif", text_anchor="middle",
        **({"class": "words"} if shape.is_outside else {}),
    )  # fmt: skip
    return f"{opened[:-2]}>{escape(shape.text)}</text>"


def _svg_places(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_svg_number(x)},{_svg_number(y)}" for x, y in points)


def _tag(name: str, **attributes: float | str) -> str:
    written = (
        f'{key.replace("_", "-")}="{value if isinstance(value, str) else _svg_number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name} {' '.join(written)}/>"


def _svg_number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
