"""The program that results depend on: packages of games and agents, and their libraries."""

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
"""Libraries whose other versions may draw other random numbers, round or play differently."""


@dataclass(frozen=True)
class Program:
    """What must be the same for results to be the same: digests of packages, and versions of libraries, by name.

    The version of a library that is not installed is empty.
    """

    sources: dict[str, str]
    versions: dict[str, str]

    @property
    def digest(self) -> str:
        """A short digest of sources and versions."""
        parts = sorted(self.sources.items()), sorted(self.versions.items())
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def part(self, *packages: str) -> "Program":
        """Return the program without the sources of all but some packages."""
        return Program({name: self.sources[name] for name in packages}, self.versions)

    def difference(self, other: "Program") -> str:
        """Return how another program differs, in words; empty if it does not."""
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
    """Return the modules that register games and agents: a process that imports them knows all of both."""
    games = [entry.factory.__module__ for entry in registered_games().values()]
    return tuple(dict.fromkeys([*games, *(entry.factory.__module__ for entry in registered_agents().values())]))


def import_all(names: Sequence[str]) -> None:
    """Import the modules of another process, but for its main file."""
    for name in names:
        if name != "__main__":
            import_module(name)


def program() -> Program:
    """Return the program that is installed here.

    Raises:
        BadInputError: If a game or an agent is registered outside a module with a file.
    """
    return _program(modules())


@cache
def _program(names: tuple[str, ...]) -> Program:
    files: dict[str, list[Path]] = {}
    for name in (boardgames_env.__name__, *names):
        file = getattr(sys.modules[name], "__file__", None)
        if name == "__main__" or not file:
            raise BadInputError(
                f"{name} has registered a game or an agent; results are stored by the program that made them, "
                "so put it into a module of its own and import that"
            )
        files.setdefault(name.partition(".")[0], []).extend(sources_of(Path(file)))
    sources = {package: digest(tuple(dict.fromkeys(each))) for package, each in sorted(files.items())}
    return Program(sources, {"Python": platform.python_version(), **{each: _version(each) for each in _COMPUTING}})


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
