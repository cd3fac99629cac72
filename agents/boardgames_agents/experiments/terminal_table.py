"""Tables at a terminal: whole, or in parts, one below the other, that each fit its width."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.table import Table as RichTable
from rich.text import Text

if TYPE_CHECKING:
    from boardgames_agents.experiments.table import Table

_LONGEST_FIGURE = 30
"""Characters; columns with longer cells are folded like those of names."""

_NARROWEST = 16
"""Characters to which columns of names are folded, at most."""

_PADDING = 2
"""Characters between columns."""


def parts_of(table: "Table", width: int | None) -> list[RichTable | Text]:
    """Return a table as its title and tables of Rich that each fit a width.

    Columns of names are folded first. If that is not enough, the table comes in parts, each with the columns of names
    that are left of the first column of figures. Without a width it comes whole.
    """
    cells = [list(map(str, table.headings)), *table.texts]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    figures = [
        table.is_figure(number) and max(map(len, column), default=0) <= _LONGEST_FIGURE
        for number, column in enumerate(zip(*table.texts, strict=True) if table.texts else [()] * len(widths))
    ]
    columns = range(len(widths))
    groups = [[*columns]] if width is None else _groups_within(width, widths, figures)
    # (Rich would fold the title to the width of the table)
    title = Text(table.title, style="bold", overflow="fold")
    return [*[title] * bool(table.title), *(_part_of_table(table, group, figures) for group in groups)]


def _width(cell: str) -> int:
    return max(map(cell_len, cell.splitlines()), default=0)


def _groups_within(width: int, widths: Sequence[int], figures: Sequence[bool]) -> list[list[int]]:
    """Return the columns of each part, among them those of names at the left."""
    sizes = [
        _PADDING + (size if is_figure else min(size, _NARROWEST))
        for size, is_figure in zip(widths, figures, strict=True)
    ]
    names = figures.index(True) if True in figures else len(sizes)
    if sum(sizes) <= width or names == len(sizes):
        return [[*range(len(sizes))]]
    room = max(1, width - sum(sizes[:names]))
    rest = dict(enumerate(sizes[names:], start=names))
    most = len(_groups_that_fit(rest, room))
    # (the parts get about the same width, so that no column is left alone)
    groups = next(found for each in range(1, room + 1) if len(found := _groups_that_fit(rest, each)) <= most)
    return [[*range(names), *group] for group in groups]


def _groups_that_fit(sizes: Mapping[int, int], room: int) -> list[list[int]]:
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


def _part_of_table(table: "Table", columns: Sequence[int], figures: Sequence[bool]) -> RichTable:
    """Return some columns of a table."""
    part = RichTable(box=box.SIMPLE_HEAD, collapse_padding=True, pad_edge=False, show_header=any(table.headings))
    for column in columns:
        # figures are not broken; long names are folded, not cut
        is_figure = figures[column]
        justify = "right" if is_figure else "left"
        part.add_column(table.headings[column], justify=justify, no_wrap=is_figure, overflow="fold")  # type: ignore[arg-type]
    for number, row in enumerate(table.texts):
        part.add_row(*(row[column] for column in columns), style="dim" if number in table.faint else None)
    return part
