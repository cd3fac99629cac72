"""What tests have in common."""

import gc
import sys
from collections.abc import Callable

import pytest
from hypothesis import settings

from boardgames_cli.main import main
from boardgames_env import Game, make_game


def pytest_configure(config: pytest.Config) -> None:
    """Let Hypothesis try fewer examples in the fast run."""
    is_fast = config.option.markexpr == "not slow"
    settings.register_profile("boardgames", deadline=None, max_examples=15 if is_fast else 60)
    settings.load_profile("boardgames")


def pytest_collection_finish() -> None:
    """Keep the thousands of collected tests out of Python's garbage collections."""
    gc.freeze()


@pytest.fixture(scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    """The game of the spec that a test is parametrized with, by `tests.variants.over`."""
    return make_game(request.param)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def boardgames(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process; its exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["boardgames", *map(str, words)])
        code: str | int | None = 0
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code
        out, err = capfd.readouterr()
        return int(code or 0), out, err

    return run


@pytest.fixture
def refused(boardgames: Run) -> Callable[..., str]:
    """Run a command that is refused in one sentence, with exit code 2; return the sentence."""

    def run(*words: object) -> str:
        code, out, err = boardgames(*words)
        assert (code, out) == (2, "")
        (line,) = (line for line in err.splitlines() if not line.startswith("Compiling"))
        assert line.startswith("Error: ")
        return line

    return run
