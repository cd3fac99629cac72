"""Tables and progress bars, in one style."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

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
    made = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    for column in columns:
        # numbers are not broken; long names are folded, not cut
        is_number = column in right
        made.add_column(column, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def print_wide(rows: Table) -> None:
    """Print a table in full width, even where the terminal is narrower."""
    Console(width=max(console.width, 140), markup=False).print(rows)


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
        print_wide(table(each.title, each.headings, cells, figures))
    for name, drawing in report.drawings.items():
        console.print(f"{name}:\n{drawing}\n")
    for note in report.notes:
        console.print(note)


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
