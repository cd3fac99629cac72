"""Positions as arrays of pixels, painted by Pillow."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import require_whole
from boardgames_env.position import Position
from boardgames_env.render.layout import draw
from boardgames_env.render.shapes import BASELINE, CANVAS, LARGEST, Box, Circle, Polygon, Shape, Stroke

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

_FINENESS = 4
"""Pictures are painted this many times too large and averaged, so that edges are smooth, if they fit into `LARGEST`."""


def draw_pixels(
    position: Position, size: int = 480, labels: bool = True, before: Position | None = None
) -> NDArray[np.uint8]:
    """Return a position as red, green and blue: a fresh array, shape ``(size, size, 3)``, dtype uint8.

    The size is from 1 to `LARGEST`; the other options are those of `boardgames_env.render.layout.draw`.
    """
    require_whole(1, LARGEST, size=size)
    return paint(draw(position, labels, before), size, size)


def paint(shapes: Iterable[Shape], width: int, height: int) -> NDArray[np.uint8]:
    """Return shapes as red, green and blue, shape ``(height, width, 3)``; the picture is `CANVAS` wide."""
    from PIL import Image, ImageDraw

    fineness = max(1, min(_FINENESS, LARGEST // max(width, height)))
    image = Image.new("RGB", (int(width) * fineness, int(height) * fineness))
    brush = ImageDraw.Draw(image)
    for shape in shapes:
        _paint(brush, shape, image.width / CANVAS)
    return np.array(image.reduce(fineness))


def _paint(brush: "ImageDraw", shape: Shape, scale: float) -> None:
    if isinstance(shape, Box):
        _paint_box(brush, shape, scale)
    elif isinstance(shape, Stroke):
        _paint_stroke(brush, shape, scale)
    elif isinstance(shape, Polygon):
        brush.polygon([(x * scale, y * scale) for x, y in shape.points], shape.fill)
    elif isinstance(shape, Circle):
        _paint_circle(brush, shape, scale)
    else:
        from PIL import ImageFont

        x, y = shape.centre
        font = ImageFont.load_default(max(1.0, shape.size * scale))
        brush.text((x * scale, (y + BASELINE * shape.size) * scale), shape.text, shape.colour, font, anchor="ms")


def _paint_box(brush: "ImageDraw", box: Box, scale: float) -> None:
    # Pillow draws edges inside, SVG on the middle of the outline
    x, y = (scale * (value - box.edge_width / 2) for value in box.corner)
    far = (x + scale * (box.width + box.edge_width), y + scale * (box.height + box.edge_width))
    brush.rounded_rectangle(
        (x, y, *far), scale * (box.rounding + box.edge_width / 2), box.fill, box.edge, round(scale * box.edge_width)
    )


def _paint_stroke(brush: "ImageDraw", stroke: Stroke, scale: float) -> None:
    points = [(x * scale, y * scale) for x, y in stroke.points]
    brush.line(points, stroke.colour, max(1, round(stroke.width * scale)))
    for x, y in points:
        brush.ellipse(_around(x, y, stroke.width * scale / 2), stroke.colour)


def _paint_circle(brush: "ImageDraw", circle: Circle, scale: float) -> None:
    x, y = (value * scale for value in circle.centre)
    around = _around(x, y, (circle.radius + circle.edge_width / 2) * scale)
    brush.ellipse(around, circle.fill, circle.edge, round(circle.edge_width * scale))


def _around(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    return x - radius, y - radius, x + radius, y + radius
