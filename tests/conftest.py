"""What tests have in common."""

import gc
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from boardgames_cli.main import main
from boardgames_env import Game, make_game


@dataclass(frozen=True)
class Part:
    """One of several parts of the tests; each test is in one of them, which depends on its name alone.

    Attributes:
        number: Which of them, from 1 on.
        of: The number of parts.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Part":
        """Return the part that a text such as ``2/3`` names."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise ArgumentTypeError(f"{text!r} is no part K/N of the tests, such as 2/3")
        return cls(int(number), int(of))

    def has(self, name: str) -> bool:
        """Return whether a test is in this part."""
        return crc32(name.encode()) % self.of == self.number - 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run leave most of the tests to other runs."""
    parser.addoption(
        "--part", type=Part.parse, default=Part(1, 1), metavar="K/N", help="run part K of N, 1/1 by default"
    )
    parser.addoption("--near", action="store_true", help="run what a change since the last commit can reach")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of other parts out, and with ``--near`` those that a change cannot reach."""
    part: Part = config.option.part
    kept = [item for item in items if part.has(item.nodeid)]
    if config.option.near:
        from tests.near import Near, changed_files

        near = Near.of(changed_files())
        kept = [item for item in kept if near.has(item)]
    left = {*items} - {*kept}
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = kept


def pytest_configure(config: pytest.Config) -> None:
    """Let Hypothesis try fewer examples in the fast run."""
    is_fast = config.option.markexpr == "not slow"
    settings.register_profile("boardgames", deadline=None, max_examples=4 if is_fast else 60)
    settings.load_profile("boardgames")


def pytest_collection_finish() -> None:
    """Keep the thousands of collected tests out of Python's garbage collections."""
    gc.freeze()


@pytest.fixture(scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    """The game of the spec that a test is parametrized with, by `tests.variants.over`, or else its module's `GAME`."""
    return make_game(getattr(request, "param", None) or request.module.GAME)


@pytest.fixture(scope="session", autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Leave the folder of the user who runs the tests as it is."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("user"))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


Command = Callable[..., tuple[int, str, str]]
Run = Callable[..., str]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process; return its exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["boardgames", *map(str, words)])
        monkeypatch.setattr("boardgames_agents.experiments.progress.LINE_EVERY", 1e6)  # (machines differ in speed)
        code: str | int | None = 0
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code
        out, err = capfd.readouterr()
        return int(code or 0), out, "".join(line for line in err.splitlines(True) if not line.startswith("Compiling"))

    return run


@pytest.fixture
def boardgames(command: Command) -> Run:
    """Run a command that succeeds; return its output."""

    def run(*words: object) -> str:
        code, out, err = command(*words)
        assert (code, err) == (0, "")
        return out

    return run


@pytest.fixture
def refused(command: Command) -> Run:
    """Run a command that is refused in one sentence, with exit code 2; return the sentence."""

    def run(*words: object) -> str:
        code, out, err = command(*words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("Error: ")
        return err.strip()

    return run
