"""Tables and progress bars, in one style."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

if TYPE_CHECKING:
    from boardgames_agents.arena.optima import Optimum
    from boardgames_agents.arena.score import Score
    from boardgames_agents.experiments.progress import Bar
    from boardgames_agents.experiments.report import Report

_LONGEST_FIGURE = 30
"""Characters; columns with longer cells are not aligned to the right."""

# (no markup: specs may contain brackets)
console = Console(markup=False, highlight=False)


def table(title: str, columns: Sequence[str], rows: Iterable[Iterable[str]], right: Sequence[str] = ()) -> Table:
    """Return a table; the columns in ``right`` hold numbers."""
    made = _empty(title)
    for column in columns:
        # numbers are not broken; long names are folded, not cut
        is_number = column in right
        made.add_column(column, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def print_table(whole: Table) -> None:
    """Print a table: in full width to a file or a pipe, otherwise so that it fits the terminal.

    Columns of text are folded first. If that is not enough, the table is printed in parts, one below the other, each
    with the columns of text that are left of the first column of numbers.
    """
    if not console.is_terminal:
        _everything.print(whole)
        return
    for part in _parts(whole, console.width):
        console.print(part)


_everything = Console(width=10_000, markup=False, highlight=False, color_system=None)
"""A console that folds nothing."""

_NARROWEST = 16
"""Characters to which columns of text are folded, at most."""

_PADDING = 2
"""Characters between columns."""


def _parts(whole: Table, width: int) -> list[Table]:
    """Return tables that each fit a width, with all columns of a table between them."""
    natural = [_natural_width(column) for column in whole.columns]
    narrow = [
        size if column.no_wrap else min(size, _NARROWEST) for column, size in zip(whole.columns, natural, strict=True)
    ]
    is_number = [column.no_wrap for column in whole.columns]
    names = is_number.index(True) if True in is_number else len(natural)
    room = max(1, width - sum(each + _PADDING for each in narrow[:names]))
    if sum(each + _PADDING for each in narrow) <= width or names == len(natural):
        return [whole]
    sizes = {column: narrow[column] + _PADDING for column in range(names, len(natural))}
    parts = _groups(sizes, room)
    # (the parts get about the same width, so that no column is left alone)
    parts = next(groups for each in range(1, room + 1) if len(groups := _groups(sizes, each)) <= len(parts))
    return [_with_columns(whole, [*range(names), *part], first=part is parts[0]) for part in parts]


def _groups(sizes: Mapping[int, int], room: int) -> list[list[int]]:
    """Return things in order, in groups that are each no larger than the room, if none of the things is."""
    groups: list[list[int]] = [[]]
    left = room
    for thing, size in sizes.items():
        if groups[-1] and size > left:
            groups.append([])
            left = room
        groups[-1].append(thing)
        left -= size
    return groups


def _natural_width(column: Column) -> int:
    """Return the width of a column whose cells are not folded."""
    cells = (str(column.header), *map(str, column.cells))
    return max((cell_len(line) for cell in cells for line in cell.splitlines()), default=0)


def _with_columns(whole: Table, columns: Sequence[int], first: bool) -> Table:
    """Return a table with some columns of another, and with its title if it is the first part."""
    part = _empty(str(whole.title) if first else None)
    chosen = [whole.columns[column] for column in columns]
    for column in chosen:
        part.add_column(column.header, justify=column.justify, no_wrap=column.no_wrap, overflow="fold")
    for row, cells in zip(whole.rows, zip(*(column.cells for column in chosen), strict=True), strict=True):
        part.add_row(*cells, style=row.style)
    return part


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows of a table as a list of objects in JSON; numbers that JSON does not know are null."""
    print(json.dumps([_finite(row) for row in rows], indent=2, ensure_ascii=False, default=_python_number))


def _python_number(number: Any) -> Any:
    return number.item()  # (of NumPy)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _empty(title: str | None) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )


def print_report(report: "Report") -> None:
    """Print the tables, drawings and notes of a report."""
    from boardgames_agents.experiments.table import text_of

    for each in report.tables:
        cells = [[text_of(cell) for cell in row] for row in each.rows]
        figures = [
            heading
            for column, heading in enumerate(each.headings)
            if column >= each.names and all(len(row[column]) <= _LONGEST_FIGURE for row in cells)
        ]
        print_table(table(each.title, each.headings, cells, figures))
    for name, drawing in report.drawings.items():
        console.print(f"{name}:\n{drawing}\n")
    for note in report.notes:
        console.print(note)


def report_rows(report: "Report") -> "Iterator[dict[str, Any]]":
    """Yield the rows of a report's tables: the table's title, and the cells by heading.

    A heading that is empty is called ``name``; an estimate is its value, with its interval under ``... interval``.
    """
    from boardgames_agents.experiments.estimate import Estimate

    for each in report.tables:
        for row in each.rows:
            cells: dict[str, Any] = {"table": each.title}
            for heading, cell in zip((heading or "name" for heading in each.headings), row, strict=True):
                if isinstance(cell, Estimate):
                    cells |= {heading: cell.value, f"{heading} interval": [cell.low, cell.high]}
                else:
                    cells[heading] = cell
            yield cells


def with_interval(value: float, interval: tuple[float, float]) -> str:
    """Return a percentage with its 95 % interval."""
    low, high = interval
    return f"{value:.2f} ({low:.1f}–{high:.1f})"


def score_cells(score: "Score") -> tuple[str, ...]:
    """Return the counts of a score, and its power and reliability with their intervals."""
    return (
        *(f"{count:,}" for count in (score.wins, score.draws, score.losses)),
        with_interval(score.power, score.power_interval),
        with_interval(score.reliability, score.reliability_interval),
    )


def duration_text(seconds: float) -> str:
    """Return a time in the unit in which it has one to three digits before the point, or in seconds."""
    if seconds >= 0.9995:
        return f"{seconds:,.2f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 0.9995e-3 else f"{seconds * 1e6:.3g} µs"


def power_text(found: "Optimum") -> str:
    """Return a maximal power, with its interval if it was estimated from contests."""
    power = found.power
    return with_interval(power.value, (power.low, power.high)) if found.contests else f"{power.value:.2f}"


@contextmanager
def progress(what: str, total: int | None = None, unit: str = "") -> "Iterator[Bar]":
    """Show a progress bar while the block runs."""
    from boardgames_agents.experiments.progress import progress_bar

    with progress_bar(what, total, unit) as bar:
        yield bar
