"""The program that results depend on: the sources of every package with games or agents, and what they compute with."""

import hashlib
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import boardgames_env
from boardgames_agents.registry import registered_agents
from boardgames_env.errors import BadInputError
from boardgames_env.files import digest, sources_of
from boardgames_env.games import registered_games

_COMPUTING = ("numpy", "scipy", "numba", "torch", "stable-baselines3", "sb3-contrib", "open-spiel", "gnubg-nn")
"""Libraries of which another version may draw other chances, round otherwise, or play otherwise."""


@dataclass(frozen=True)
class Program:
    """What must be the same for results to be the same.

    Attributes:
        sources: A digest of the sources of every package, by its name.
        versions: The versions of what they compute with; empty for what is not installed.
    """

    sources: dict[str, str]
    versions: dict[str, str]

    @property
    def digest(self) -> str:
        """Short, and another one for other sources or versions."""
        told = sorted(self.sources.items()), sorted(self.versions.items())
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    def difference(self, other: "Program") -> str:
        """What the other has that is not the same, in words; empty if all is."""
        for package in sorted({*self.sources, *other.sources}):
            if package not in other.sources:
                return f"no package {package}"
            if self.sources.get(package) != other.sources[package]:
                return f"another version of the package {package}"
        for library, own in self.versions.items():
            if own != other.versions.get(library):
                return f"{library} {other.versions.get(library) or '(none)'} and not {own or '(none)'}"
        return ""


def modules() -> tuple[str, ...]:
    """The modules that have registered games and agents: what a process must import to know them all."""
    games = [entry.factory.__module__ for entry in registered_games().values()]
    return tuple(dict.fromkeys([*games, *(entry.factory.__module__ for entry in registered_agents().values())]))


def import_all(names: Sequence[str]) -> None:
    """Import modules that another process named; its main file stays with it."""
    for name in names:
        if name != "__main__":
            import_module(name)


def program() -> Program:
    """The program as it is installed here.

    Raises:
        BadInputError: If a game or an agent is registered by something that is no module with a file.
    """
    return _program(modules())


@cache
def _program(names: tuple[str, ...]) -> Program:
    files: dict[str, list[Path]] = {}
    for name in (boardgames_env.__name__, *names):
        file = getattr(sys.modules[name], "__file__", None)
        if name == "__main__" or not file:
            raise BadInputError(
                f"{name} has registered a game or an agent; leagues and sweeps keep results by the program that made "
                "them, so put it into a module of its own and import that"
            )
        files.setdefault(name.partition(".")[0], []).extend(sources_of(Path(file)))
    sources = {package: digest(tuple(dict.fromkeys(each))) for package, each in sorted(files.items())}
    return Program(sources, {"Python": platform.python_version(), **{each: _version(each) for each in _COMPUTING}})


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
