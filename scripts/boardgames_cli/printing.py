"""Tables and progress bars, in one style."""

import json
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich.console import Console

from boardgames_cli.substitutes import spelled

if TYPE_CHECKING:
    from rich.text import Text

    from boardgames_agents.arena.exact_outcomes import Optimum
    from boardgames_agents.arena.score import Score
    from boardgames_agents.experiments.progress import Bar
    from boardgames_agents.experiments.report import Report
    from boardgames_agents.experiments.table import Row, Table


class _Console(Console):
    """A console that lays out what its encoding can write: a substitute may be longer than what it stands for."""

    def render_str(self, text: str, **options: Any) -> "Text":
        """Return a text as Rich prints it."""
        return super().render_str(spelled(text, self.encoding), **options)


# (no markup: specs may contain brackets)
console = _Console(markup=False, emoji=False, highlight=False)


_everything = _Console(width=10_000, markup=False, emoji=False, highlight=False, color_system=None)
"""A console that folds nothing, for files and pipes."""


def print_table(
    title: str, headings: Sequence[str], rows: "Iterable[Row]", figures: Sequence[str] = (), faint: Collection[int] = ()
) -> None:
    """Print a table (see `Table` for the arguments); whole numbers are written as 1,000."""
    from boardgames_agents.experiments.table import Table

    cells = [tuple(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) for row in rows]
    show(Table(title, headings, cells, figures=figures, faint=faint))


def show(table: "Table") -> None:
    """Print a table: in full width to a file or a pipe, otherwise so that it fits the terminal."""
    shown = console if console.is_terminal else _everything
    for part in table.for_terminal(console.width if console.is_terminal else None):
        shown.print(part)


def print_sentence(sentence: str) -> None:
    """Print a sentence: folded between words on a terminal, in one line to a file or a pipe."""
    (console if console.is_terminal else _everything).print(sentence)


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows of a table as a list of objects in JSON; numbers that JSON does not know are null."""
    found = [_finite_values(row) for row in rows]
    escaped = not console.encoding.startswith("utf")  # (names must be the same in every encoding)
    print(json.dumps(found, indent=2, ensure_ascii=escaped, default=lambda number: number.item()))  # (of NumPy)


def _finite_values(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _finite_values(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite_values(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def print_report(report: "Report") -> None:
    """Print the tables, drawings and notes of a report."""
    for table in report.tables:
        show(table)
    for name, drawing in report.drawings.items():
        console.print(f"{name}:\n{drawing}\n")
    for note in report.notes:
        console.print(note)


def with_interval(value: float, interval: tuple[float, float]) -> str:
    """Return a percentage with its 95 % interval."""
    low, high = interval
    return f"{value:.2f} ({low:.1f}–{high:.1f})"


def print_scores(title: str, heading: str, scores: "Sequence[tuple[str, Score]]", can_draw: bool) -> None:
    """Print scores by name, with the intervals of power and of reliability, which is the power if nothing is drawn."""
    columns = {
        "won": [f"{score.wins:,}" for _, score in scores],
        "drawn": [f"{score.draws:,}" for _, score in scores],
        "lost": [f"{score.losses:,}" for _, score in scores],
        "power %": [with_interval(score.power, score.power_interval) for _, score in scores],
        "reliability %": [with_interval(score.reliability, score.reliability_interval) for _, score in scores],
    }
    if not can_draw:
        columns = {name: cells for name, cells in columns.items() if name not in ("drawn", "reliability %")}
    rows = zip([name for name, _ in scores], *columns.values(), strict=True)
    print_table(title, (heading, *columns), rows, figures=tuple(columns))


def duration_text(seconds: float) -> str:
    """Return a time in the unit in which it has one to three digits before the point, or in seconds."""
    if seconds >= 0.9995:
        return f"{seconds:,.2f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 0.9995e-3 else f"{seconds * 1e6:.3g} µs"


def power_text(found: "Optimum") -> str:
    """Return a maximal power, with its interval if it was estimated from contests."""
    power = found.power
    return with_interval(power.value, (power.low, power.high)) if found.contests else f"{power.value:.2f}"


def print_note(text: str) -> None:
    """Print a text on the error stream; lines are folded between words on a terminal."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0
    folded = (textwrap.fill(line, width, break_on_hyphens=False) if width > 0 else line for line in text.split("\n"))
    print(*folded, sep="\n", file=sys.stderr)


def status(what: str) -> AbstractContextManager[object]:
    """Show at a terminal what is being done while the block runs."""
    return console.status(f"{what} ...") if console.is_terminal else nullcontext()


def progress(what: str, total: int | None = None, unit: str = "") -> "AbstractContextManager[Bar]":
    """Show a progress bar while the block runs."""
    from boardgames_agents.experiments.progress import progress_bar

    return progress_bar(what, total, unit)
