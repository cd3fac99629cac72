"""What is shown of long work, on a terminal and elsewhere."""

import io
import sys
import time

import pytest

from boardgames_agents.experiments import progress
from boardgames_agents.experiments.progress import Bar, progress_bar


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of bars, which tests set."""
    now = [0.0]
    monkeypatch.setattr(progress, "perf_counter", lambda: now[0])
    return now


def test_count_rate_and_time_left(clock: list[float]) -> None:
    bar = Bar("training", 20_000, " contests")
    assert bar.figures == ("0/20,000", "", "-:--:--")
    clock[0] = 4.0
    bar.to(1000)
    assert bar.figures == ("1,000/20,000", "250 contests/s", "0:01:16")
    assert str(bar) == "training: 1,000/20,000 contests, 250 contests/s, 0:01:16 left"


@pytest.mark.parametrize(
    ("seconds", "rate", "left"),
    [(0.001, "1,000/s", "0:00:00"), (1, "1.0/s", "0:00:01"), (8, "7.5/min", "0:00:08"), (600, "0.1/min", "0:10:00")],
)
def test_slow_steps_have_a_rate(clock: list[float], seconds: float, rate: str, left: str) -> None:
    bar = Bar("steps", 2)
    clock[0] = seconds
    bar.step()
    assert bar.figures == ("1/2", rate, left)
    clock[0] += 1000  # (nothing is done since)
    assert bar.figures == ("1/2", rate, left)


def test_what_was_done_before_has_no_rate(clock: list[float]) -> None:
    bar = Bar("training")
    assert (bar.figures, str(bar)) == (("", "", ""), "training ...")
    bar.to(15_000, 20_000)
    assert bar.figures == ("15,000/20,000", "", "-:--:--")
    clock[0] = 1.0
    bar.to(16_000)
    assert bar.figures == ("16,000/20,000", "1,000/s", "0:00:04")


def test_the_rate_is_that_of_the_last_half_minute(clock: list[float]) -> None:
    bar = Bar("training", 1000)
    for done in range(1, 101):
        clock[0] += 1.0 if done <= 50 else 0.1
        bar.to(done)
    clock[0] += 40.0
    bar.to(500)
    assert bar.figures[1] == "10/s"


def test_a_size_may_never_be_known(clock: list[float]) -> None:
    bar = Bar("positions")
    bar.to(10)
    clock[0] = 1.0
    bar.to(30)
    assert bar.figures == ("30", "20/s", "")


def test_elsewhere_than_on_a_terminal_there_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = ErrorStream()
    monkeypatch.setattr(stream, "isatty", lambda: False)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "LINE_EVERY", 0.02)
    with progress_bar("training", 20, " contests") as bar:
        bar.to(5)
        stream.awaited("left")
    lines = stream.getvalue().splitlines()
    assert lines
    assert all(line.startswith("training: 5/20 contests, ") and line.endswith(" left") for line in lines)


class ErrorStream(io.StringIO):
    """The error stream of a terminal."""

    def isatty(self) -> bool:
        return True

    def awaited(self, text: str) -> str:
        """Return what is written, once a text is."""
        end = time.monotonic() + 20
        while text not in self.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        return self.getvalue()


def terminal_at(monkeypatch: pytest.MonkeyPatch, kind: str = "xterm") -> ErrorStream:
    """Set a terminal as the error stream, and return it. (What a fixture would set, pytest replaces.)"""
    for name, value in {"TERM": kind, "COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)
    stream = ErrorStream()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_what_is_refused_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_at(monkeypatch)
    for total in (None, 100):
        with pytest.raises(ValueError, match="wrong"), progress_bar("training", total):
            raise ValueError("wrong")
    assert not terminal.getvalue()


def test_a_bar_without_figures_is_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_at(monkeypatch)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with progress_bar("training") as bar:
        assert "training ..." in terminal.awaited("training ...")
        assert "━" not in terminal.getvalue()
        bar.to(5, 20)
    assert "━" in terminal.getvalue()
    assert " 5/20 " in terminal.getvalue()


def test_a_dumb_terminal_has_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_at(monkeypatch, "dumb")
    monkeypatch.setattr(progress, "LINE_EVERY", 0.02)
    with progress_bar("training", 20) as bar:
        bar.to(5)
        assert "training: 5/20, " in terminal.awaited("training: 5/20, ")
    assert "\x1b" not in terminal.getvalue()
