"""Progress of long work: a bar on a terminal or in a notebook, a line every ten seconds elsewhere."""

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from threading import Event, Thread
from time import perf_counter

from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task
from rich.progress_bar import ProgressBar
from rich.table import Column
from rich.text import Text

from boardgames_env.kernels.background import being_compiled, shown_elsewhere

LINE_EVERY = 10.0
"""Seconds between two lines where there is no terminal."""

_PATIENCE = 0.5
"""Seconds after which work is shown that has reported nothing: what is refused before that never has a bar."""

_RATE_OVER = 30.0
"""Seconds over which the rate is measured, or since the last report but one."""

_REFRESHED_EVERY = 0.1
"""Seconds between two pictures of a bar."""

_WIDTH = 12
"""Characters of the bar itself."""


class Bar:
    """The progress of work whose size may not be known at first: count, rate and time left.

    Nothing is counted until the size is known or something is reported, so that input can be checked before.
    """

    def __init__(self, what: str, total: int | None = None, unit: str = "") -> None:
        self._what, self._unit, self._total = what, unit, total
        self._done = 0
        self._marks: deque[tuple[float, int]] = deque()
        self.is_counted, self.is_reported, self.awaited = total is not None, False, Event()
        if self.is_counted:
            self._mark()

    def to(self, done: int, total: int | None = None) -> None:
        """Set how much is done, and of how much."""
        self._done, self._total = done, self._total if total is None else total
        self._mark()
        self.is_counted = self.is_reported = True
        self.awaited.set()

    def step(self, *_: object) -> None:
        """Add one."""
        self.to(self._done + 1)

    def _mark(self) -> None:
        now = perf_counter()
        self._marks.append((now, self._done))
        while len(self._marks) > 2 and self._marks[1][0] < now - _RATE_OVER:
            self._marks.popleft()

    @property
    def part(self) -> tuple[int, int | None]:
        """How much is done, and of how much, if that is known."""
        return self._done, self._total

    @property
    def title(self) -> str:
        """What is done: the work, or what is compiled for it."""
        compiled = being_compiled()
        return f"{self._what}: compiling {compiled[-1]}" if compiled else self._what

    @property
    def figures(self) -> tuple[str, str, str]:
        """Count, rate and time left, such as ``1,000/20,000``, ``25 contests/s`` and ``0:12:40``, as far as known."""
        if not self.is_counted:
            return "", "", ""
        (began, before), (now, done) = self._marks[0], self._marks[-1]
        speed = (done - before) / (now - began) if now > began else 0.0
        rate = left = ""
        if speed > 0:
            per, name = (speed, "s") if speed >= 0.95 else (60 * speed, "min")
            rate = f"{per:,.{int(per < 9.95)}f}{self._unit}/{name}"
        if self._total is not None:
            rest = max(0, self._total - self._done)
            left = str(timedelta(seconds=round(rest / speed))) if speed > 0 else "-:--:--"
        return f"{self._done:,}" if self._total is None else f"{self._done:,}/{self._total:,}", rate, left

    def __str__(self) -> str:
        count, rate, left = self.figures
        parts = (f"{count}{self._unit}" if count else "", rate, f"{left} left" if left else "")
        figures = ", ".join(filter(None, parts))
        return f"{self.title}: {figures}" if figures else f"{self.title} ..."


class _Words(ProgressColumn):
    """A column of text; only the title gives way where a line is too long."""

    max_refresh = None

    def __init__(self, text: Callable[[], str], is_title: bool = False) -> None:
        super().__init__(Column(no_wrap=not is_title, overflow="ellipsis"))
        self._text = text

    def render(self, task: Task) -> Text:
        """Return the text now."""
        return Text(self._text(), no_wrap=True, overflow="ellipsis")


class _View:
    """Shows a bar from a thread of its own, because the work may take long between two reports."""

    def __init__(self, bar: Bar) -> None:
        self._bar, self._ended = bar, Event()
        console = Console(stderr=True, emoji=False)
        self._console, is_shown = console, console.is_terminal and not console.is_dumb_terminal
        self._bars = self._progress() if is_shown or console.is_jupyter else None
        if self._bars and console.is_jupyter:
            self._bars.start()  # (a cell shows what its own thread starts)
        self._thread = Thread(target=self._show if self._bars else self._print_lines, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Remove the bar."""
        self._ended.set()
        self._bar.awaited.set()
        self._thread.join()

    def _progress(self) -> Progress:
        bar = self._bar
        words = [_Words(partial(lambda place: bar.figures[place], place)) for place in range(3)]
        title = _Words(lambda: bar.title if bar.is_counted else str(bar), is_title=True)
        return Progress(title, _Line(bar), *words, console=self._console, transient=True, auto_refresh=False)

    def _print_lines(self) -> None:
        while not self._ended.wait(LINE_EVERY):
            print(self._bar, file=sys.stderr, flush=True)

    def _show(self) -> None:
        bar, bars = self._bar, self._bars
        assert bars is not None
        bar.awaited.wait(_PATIENCE)
        if self._ended.is_set() and not bar.is_reported and not bars.live.is_started:
            return
        with bars, shown_elsewhere():
            bars.add_task("")
            while not self._ended.wait(_REFRESHED_EVERY):
                bars.refresh()


class _Line(ProgressColumn):
    """The bar itself, which is blank before anything is counted."""

    max_refresh = None

    def __init__(self, bar: Bar) -> None:
        super().__init__(Column(no_wrap=True))
        self._bar = bar

    def render(self, task: Task) -> ProgressBar | Text:
        """Return the bar now."""
        done, total = self._bar.part
        return ProgressBar(total, done, _WIDTH, animation_time=task.get_time()) if self._bar.is_counted else Text()


@contextmanager
def progress_bar(what: str, total: int | None = None, unit: str = "") -> Iterator[Bar]:
    """Show progress on the error stream: a bar on a terminal or in a notebook, a line every ten seconds elsewhere.

    It is shown at the first report, or after half a second; counts, once the total is known or something is reported.
    """
    bar = Bar(what, total, unit)
    view = _View(bar)
    try:
        yield bar
    finally:
        view.end()
