"""Charts of curves, as what a template needs to draw them: points, ticks and names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from types import MappingProxyType
from typing import NamedTuple

WIDTH, HEIGHT = 560.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 12.0, 12.0, 40.0
_MOST_POINTS = 280
_TICKS = 5

_DASHES = ("none", "7 4", "2 3", "10 3 2 3", "14 4", "1 5")
"""The strokes of curves, so that they differ in grey, too."""

Points = tuple[Sequence[float], Sequence[float]]
"""The places of points on both axes; those on the first are in order."""


@dataclass(frozen=True)
class Line:
    """A curve of a chart."""

    name: str
    number: int  # its number in the chart, for its colour
    dash: str  # the pattern of its stroke
    points: str  # its points in the drawing, as SVG has them
    last: str  # its last value, as text
    is_dot: bool  # whether it is a single point
    band: str = ""  # the corners of its interval in the drawing; empty without one


class Tick(NamedTuple):
    """A mark of an axis: its place in the drawing, and its text."""

    place: float
    text: str


@dataclass(frozen=True)
class LineChart:
    """A chart of curves over one axis."""

    title: str  # what it shows
    x: str  # the name of the horizontal axis
    lines: tuple[Line, ...]  # the curves
    x_ticks: tuple[Tick, ...]  # the marks of the horizontal axis
    y_ticks: tuple[Tick, ...]  # the marks of the vertical axis

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = _LEFT, WIDTH - _RIGHT, _TOP, HEIGHT - _BOTTOM


def line_chart(
    title: str,
    x: str,
    curves: Mapping[str, Points],
    x_end: float = 0.0,
    y_range: Sequence[float] = (),
    bounds: Mapping[str, tuple[Points, Points]] = MappingProxyType({}),
) -> LineChart:
    """Return a chart of curves by name; points that are no finite numbers are left out.

    The axes reach to ``x_end`` and over ``y_range`` at least. ``bounds`` are the lower and upper bounds of curves.
    Curves over whole numbers from 1 on begin at the left edge, with the first and the last number below it.
    """
    thinned = {name: _thinned(*points) for name, points in curves.items()}
    xs = [each for points in thinned.values() for each in points[0]]
    x_end, is_counted = max([x_end, *xs]) or 1.0, bool(xs) and min(xs) == 1.0
    x_begin = 1.0 if is_counted and x_end > 1.0 else 0.0
    ys = [*y_range, *(each for points in thinned.values() for each in points[1])] or [0.0, 1.0]
    x_marks, y_marks = _marks_of_axis(0.0, x_end), _marks_of_axis(min(ys), max(ys))
    if is_counted:
        step = max(1.0, x_marks[1] - x_marks[0])
        inner = [mark for mark in x_marks if mark % 1 == 0 and 1.0 + step / 2 < mark < x_end - step / 2]
        x_marks = [*dict.fromkeys([1.0, *inner, x_end])]

    def across(value: float) -> float:
        return _LEFT + (WIDTH - _RIGHT - _LEFT) * (value - x_begin) / (x_end - x_begin)

    def up(value: float) -> float:
        share = min(max((value - y_marks[0]) / (y_marks[-1] - y_marks[0]), 0.0), 1.0)
        return HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _TOP) * share

    def places_of(xs: Sequence[float], ys: Sequence[float]) -> list[str]:
        return [f"{across(each):.1f},{up(value):.1f}" for each, value in zip(xs, ys, strict=True)]

    lines = []
    for number, (name, (xs, ys)) in enumerate(thinned.items()):
        places = places_of(xs, ys)
        drawn = " ".join(places if len(places) > 1 else 2 * places)  # (one alone is drawn as a dot)
        last = number_text(ys[-1]) if ys else "none"
        band = [places_of(*_thinned(*bound)) for bound in bounds.get(name, ())]
        corners = " ".join(band[0] + band[1][::-1]) if band else ""
        lines.append(Line(name, number, _DASHES[number % len(_DASHES)], drawn, last, len(xs) == 1, corners))
    x_ticks = tuple(Tick(across(mark), number_text(mark)) for mark in x_marks if mark <= x_end)
    return LineChart(title, x, tuple(lines), x_ticks, tuple(Tick(up(mark), number_text(mark)) for mark in y_marks))


def number_text(value: float) -> str:
    """Return a number as people read it."""
    if value == int(value) and abs(value) < 1e12:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1e6 else f"{value:.3g}"


def _thinned(xs: Sequence[float], ys: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return points, of many only means of neighbours, and the last."""
    points = [(x, y) for x, y in zip(xs, ys, strict=True) if isfinite(x) and isfinite(y)]
    size = -(-len(points) // _MOST_POINTS)
    if size > 1:
        groups = [points[first : first + size] for first in range(0, len(points), size)]
        points = [(group[-1][0], sum(y for _, y in group) / len(group)) for group in groups]
    return [x for x, _ in points], [y for _, y in points]


def _marks_of_axis(low: float, high: float) -> list[float]:
    """Return round numbers at equal distances, of which the first and last enclose a range."""
    if high <= low:
        low, high = low - 0.5 * (low != 0), low + 0.5 + 0.5 * (low == 0)
    raw = (high - low) / _TICKS
    unit = 10.0 ** floor(log10(raw))
    step = next(factor * unit for factor in (1, 2, 2.5, 5, 10) if factor * unit >= raw)
    first, last = floor(low / step + 1e-9), -floor(-(high / step - 1e-9))
    return [step * number for number in range(first, max(last, first + 1) + 1)]
