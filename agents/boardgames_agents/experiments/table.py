"""Tables and charts of results: for terminals and pages, and in files."""

import csv
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

from boardgames_agents.experiments.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table as RichTable
    from rich.text import Text

Cell = str | int | float | Estimate | None
Row = tuple[Cell, ...]

_MARKUP = re.compile(r"[\\`*<\[\]|]|\b_|_\b")
"""What Markdown would take for markup; it takes no underscore within a word for it."""

_WIDTH = 100
"""Characters of a line of plain text."""

_INCHES = (8.0, 5.0)
_DOTS = 110


@dataclass(frozen=True)
class Table:
    """A table, which writes itself for a terminal and as Markdown, HTML, CSV or plain data for JSON.

    Attributes:
        rows: The cells of each row.
        names: The number of columns, from the left, that hold names; the others hold figures.
        figures: The headings of the columns of figures, where names stand between them.
        shades: Background of cells by row and column, from 0 for red to 1 for green.
        faint: The numbers of rows that matter less.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Row]
    names: int = 1
    figures: Sequence[str] | None = None
    shades: Mapping[tuple[int, int], float] = field(default_factory=dict)
    faint: Collection[int] = ()

    @cached_property
    def texts(self) -> list[list[str]]:
        """The cells of each row as people read them."""
        return [list(map(text_of, row)) for row in self.rows]

    def is_figure(self, column: int) -> bool:
        """Return whether a column holds figures."""
        return column >= self.names if self.figures is None else self.headings[column] in self.figures

    def for_terminal(self, width: int | None = None) -> "list[RichTable | Text]":
        """Return the title and tables of Rich, parts of this one that each fit a width; without one, it is whole."""
        from boardgames_agents.experiments.terminal_table import parts_of

        return parts_of(self, width)

    def __str__(self) -> str:
        """Return the table as plain text, in parts that each fit 100 columns."""
        from rich.console import Console

        text = io.StringIO()
        console = Console(file=text, width=_WIDTH, markup=False, emoji=False, highlight=False, color_system=None)
        for part in self.for_terminal(_WIDTH):
            console.print(part)
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())

    def markdown(self) -> str:
        """Return the table in Markdown."""
        alignment = ["---:" if self.is_figure(column) else "---" for column in range(len(self.headings))]
        lines = [[_escaped(each) for each in self.headings], alignment, *([*map(_escaped, row)] for row in self.texts)]
        return "\n".join([f"**{self.title}**", "", *("| " + " | ".join(line) + " |" for line in lines)])

    def html(self) -> str:
        """Return the table in HTML; cells of figures are of the class ``figure``."""
        rows = "".join(f"<tr>{self._cells('td', row, number)}</tr>\n" for number, row in enumerate(self.texts))
        return (
            f"<table>\n<caption>{escape(self.title)}</caption>\n"
            f"<thead><tr>{self._cells('th', self.headings)}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"
        )

    def _cells(self, tag: str, cells: Sequence[str], row: int = -1) -> str:
        parts = []
        for column, cell in enumerate(cells):
            look = ' class="figure"' if self.is_figure(column) else ""
            if (shade := self.shades.get((row, column))) is not None:
                look += f' style="background: hsl({120 * shade:.0f} 60% 85%)"'
            parts.append(f"<{tag}{look}>{escape(cell)}</{tag}>")
        return "".join(parts)

    def csv(self) -> str:
        """Return the headings and rows as CSV."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.headings, *self.rows])
        return text.getvalue()

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return the rows for JSON: the table's title, and the cells by heading.

        A heading that is empty is called ``name``; an estimate is its value, with its interval under ``... interval``.
        """
        return [{"table": self.title, **self._as_dict(row)} for row in self.rows]

    def _as_dict(self, row: Row) -> dict[str, Any]:
        cells: dict[str, Any] = {}
        for heading, cell in zip((heading or "name" for heading in self.headings), row, strict=True):
            if isinstance(cell, Estimate):
                cells |= {heading: cell.value, f"{heading} interval": [cell.low, cell.high]}
            else:
                cells[heading] = cell
        return cells


Thing = TypeVar("Thing")


def table_of(
    title: str, things: Mapping[str, Thing], columns: Mapping[str, Callable[[Thing], Cell]], corner: str = ""
) -> Table:
    """Return a table with a row for each thing, by name, and a column for each function of things, by heading."""
    rows = [(name, *(cell(thing) for cell in columns.values())) for name, thing in things.items()]
    return Table(title, (corner, *columns), rows)


def text_of(cell: Cell) -> str:
    """Return a cell as people read it."""
    if cell is None:
        return ""
    if isinstance(cell, Estimate):
        if cell.low == cell.high:
            return text_of(float(cell.value))
        interval = f" ({_short(cell.low)} to {_short(cell.high)})" if isfinite(cell.low) else ""
        return f"{_short(cell.value)}{interval}"
    return f"{cell + 0.0:.4g}" if isinstance(cell, float) else str(cell)


def _short(number: float) -> str:
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", text.replace("\n", " "))


@dataclass(frozen=True)
class Chart:
    """A figure of curves.

    Attributes:
        curves: Points (x, y) by the name of the curve.
        points: Values without an x by name, drawn at the right edge.
        bounds: Horizontal lines by the name of the curve they belong to.
        printed: Points (x, y) printed in the paper, by the name of the curve.
        emphasized: The x of an emphasized point by the name of the curve.
        logarithmic: Whether the horizontal axis is logarithmic.
        halves: Half the length of the interval around each point, by the name of the curve. The curves then also differ
            in marks and dashes, for readers and printers without colours.
        bands: The ends of the interval around each point, drawn as a band, by the name of the curve.
    """

    title: str
    x: str
    y: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    points: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    printed: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    emphasized: Mapping[str, float] = field(default_factory=dict)
    logarithmic: bool = False
    halves: Mapping[str, Sequence[float]] = field(default_factory=dict)
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)


@dataclass(frozen=True)
class HeatMap:
    """A figure of shaded cells, each with its value.

    Attributes:
        rows: The names of the rows, from the top.
        columns: The names of the columns.
        values: The value of each cell, a row for each row; NaN for an empty cell.
        highest: The value of the lightest shade; the darkest is 0.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    highest: float = 100.0


def picture_of(chart: Chart | HeatMap) -> bytes:
    """Return a chart or a heat map as PNG."""
    return _picture_of_cells(chart) if isinstance(chart, HeatMap) else _picture_of_curves(chart)


def _picture_of_cells(chart: HeatMap) -> bytes:
    figure = new_figure((2.6 + 0.85 * len(chart.columns), 1.6 + 0.3 * len(chart.rows)))
    axes = figure.add_subplot()
    axes.imshow(chart.values, cmap="gray", vmin=0, vmax=chart.highest, aspect="auto")
    for row, values in enumerate(chart.values):
        for column, value in enumerate(values):
            if isfinite(value):
                color = "black" if value > chart.highest / 2 else "white"
                axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=color, fontsize="small")
    axes.set_xticks(range(len(chart.columns)), chart.columns, rotation=30, ha="right")
    axes.set_yticks(range(len(chart.rows)), chart.rows)
    axes.set_title(chart.title)
    return png_of(figure)


_DASHES = ("-", "--", "-.", ":")
_MARKS = "os^vDPX*"


def _picture_of_curves(chart: Chart) -> bytes:
    figure = new_figure(_INCHES)
    axes = figure.add_subplot()
    colors: dict[str, Any] = {}
    shown: dict[str, Any] = {}
    for number, (name, points) in enumerate(chart.curves.items()):
        xs, ys = zip(*points, strict=True)
        if halves := chart.halves.get(name):
            dashes, mark = _DASHES[number % len(_DASHES)], _MARKS[number % len(_MARKS)]
            shown[name] = axes.errorbar(xs, ys, halves, linestyle=dashes, marker=mark, capsize=3)
            colors[name] = shown[name][0].get_color()
            continue
        (shown[name],) = axes.plot(xs, ys, marker="." if len(points) < 60 else "")
        colors[name] = shown[name].get_color()
        if name in chart.bands:
            axes.fill_between(xs, *chart.bands[name], color=colors[name], alpha=0.13, linewidth=0)
        if name in chart.emphasized:
            x = chart.emphasized[name]
            axes.plot([x], [dict(points)[x]], "o", color=colors[name])
    for name, points in chart.printed.items():
        xs, ys = zip(*points, strict=True)
        (shown[f"{name} (paper)"],) = axes.plot(xs, ys, "x", color=colors.get(name))
    right = max(x for points in chart.curves.values() for x, _ in points) * 1.05
    for name, value in chart.points.items():
        axes.plot([right], [value], "o", fillstyle="none", color=colors.get(name))
    for name, value in chart.bounds.items():
        axes.axhline(value, color=colors.get(name), linewidth=0.8, linestyle=":")
    axes.set_xlabel(chart.x, parse_math=False)
    axes.set_ylabel(chart.y, parse_math=False)
    axes.set_title(chart.title, parse_math=False)
    if chart.logarithmic:
        axes.set_xscale("log")
    axes.grid(alpha=0.3)
    # names may begin with an underscore, for which Matplotlib leaves them out, or have dollar signs
    handles, numbers = list(shown.values()), [str(number) for number in range(len(shown))]
    if chart.halves:  # beside the curves, which leave no room
        legend = figure.legend(handles, numbers, fontsize="small", loc="outside right upper")
    else:
        legend = axes.legend(handles, numbers, fontsize="small")
    for text, name in zip(legend.get_texts(), shown, strict=True):
        text.set_parse_math(False)
        text.set_text(name)
    return png_of(figure)


def new_figure(inches: tuple[float, float]) -> "Figure":
    """Return an empty figure of Matplotlib that needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=inches, dpi=_DOTS, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def png_of(figure: "Figure") -> bytes:
    """Return a figure as PNG, the same bytes whenever it is drawn."""
    png = io.BytesIO()
    figure.savefig(png, format="png", metadata={"Software": None})
    return png.getvalue()
