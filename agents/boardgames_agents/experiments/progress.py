"""Progress bars, on a terminal or in a notebook."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

T = TypeVar("T")


class Bar:
    """A progress bar for work whose size may not be known at first."""

    def __init__(self, bars: Progress, what: str, total: int | None) -> None:
        self._bars = bars
        self._task = bars.add_task(what, total=total)

    def to(self, done: int, total: int | None = None) -> None:
        """Set how much is done, and of how much."""
        self._bars.update(self._task, completed=done, total=total)

    def step(self, *_: object) -> None:
        """Add one."""
        self._bars.advance(self._task)

    @staticmethod
    def both(first: Callable[[T], object] | None, second: Callable[[T], object]) -> Callable[[T], object]:
        """Return a function that calls the first, if there is one, and then the second."""
        return second if first is None else lambda value: (first(value), second(value))


class _Rate(ProgressColumn):
    """The speed of a progress bar, in units such as ``" contests"``."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the text of the column."""
        return Text(f"{task.speed:,.0f}{self._unit}/s" if task.speed else "")


@contextmanager
def progress_bar(what: str, total: int | None = None, unit: str = "") -> Iterator[Bar]:
    """Show a progress bar with rate and time left, on a terminal's error stream or in a notebook."""
    description = TextColumn("{task.description}", markup=False)
    columns = (description, BarColumn(), MofNCompleteColumn(), _Rate(unit), TimeRemainingColumn())
    shown = Console(stderr=True)
    shown.quiet = not (shown.is_terminal or shown.is_jupyter)  # (Rich 13 and 14 write an empty line there)
    with Progress(*columns, console=shown, transient=True, disable=shown.quiet) as bars:
        yield Bar(bars, what, total)
