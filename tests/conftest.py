"""What tests have in common."""

import os
import sys
from collections.abc import Callable

import pytest

from boardgames_cli.main import main
from boardgames_env import make_game, registered_games


def pytest_configure(config: pytest.Config) -> None:
    """Compile the games at the beginning of a run of all tests: every worker needs them all to collect the tests.

    Each would wait for the other to compile one game after the other; so one begins at the other end.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and config.args_source is not pytest.Config.ArgsSource.ARGS:
        names = list(registered_games())
        for name in names if worker == "gw0" else reversed(names):
            _ = make_game(name).initial


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
