"""The program that results depend on: the sources of every package with games or agents, and what they compute with."""

import hashlib
import platform
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import boardgames_env
from agents.policy import registered_agents
from boardgames_env.cache import digest, sources_of

_COMPUTING = ("numpy", "scipy", "numba", "torch")
"""Libraries of which another version may draw other chances, or round otherwise."""


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
        """Short, and another one for other sources."""
        return hashlib.sha256(repr(sorted(self.sources.items())).encode()).hexdigest()[:16]

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


@cache
def program() -> Program:
    """The program as it is installed here."""
    files: dict[str, list[Path]] = {}
    for name in (boardgames_env.__name__, *(entry.factory.__module__ for entry in registered_agents().values())):
        file = sys.modules[name].__file__
        if file:
            files.setdefault(name.partition(".")[0], []).extend(sources_of(Path(file)))
    sources = {package: digest(tuple(dict.fromkeys(each))) for package, each in sorted(files.items())}
    return Program(sources, {"Python": platform.python_version(), **{each: _version(each) for each in _COMPUTING}})


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
