"""What the tests of the command line have in common."""

import sys
from collections.abc import Callable

import pytest

from scripts.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def boardgames(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process; its exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["boardgames", *map(str, words)])
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capfd.readouterr()
        return int(exit_.value.code or 0), out, err

    return run
