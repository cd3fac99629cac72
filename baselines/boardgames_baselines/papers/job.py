"""The jobs of the papers' experiments; among them matches, exact where that is possible."""

import hashlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import boardgames_baselines
from boardgames_agents.arena.exact_outcomes import Optimum, optimum
from boardgames_agents.backgammon.gnubg_engine import gnubg_program
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import JsonResult
from boardgames_env import make_game
from boardgames_env.files import digest

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class PaperJob(ABC):
    """A job of a paper's experiment; see `boardgames_agents.experiments.job.Job`.

    Attributes:
        number: Index among the jobs that differ in their seeds alone.
        seed: Base seed of the experiment.
    """

    number: int = field(default=0, kw_only=True)
    seed: int = field(default=0, kw_only=True)

    def description(self) -> dict[str, Any]:
        """Return all fields, the class and digests of its sources and of the program that an agent in it starts."""
        fields = _described_fields(self)
        program = gnubg_program() if "gnubg_engine" in str(fields) else None
        started = {"program": digest((Path(program),))} if program else {}
        return {"sources": _digest_of_sources(self.source_modules()), **started, **fields}

    def source_modules(self) -> tuple[str, ...]:
        """Return the names of the modules that results depend on, for `source_files`."""
        return (type(self).__module__,)

    @abstractmethod
    def run(self) -> JsonResult:
        """Do the work and return the result."""


@cache
def _digest_of_sources(modules: tuple[str, ...]) -> str:
    return digest(source_files(*modules))


def source_files(*modules: str) -> tuple[Path, ...]:
    """Return the files of this package among modules, and of those whose functions and classes they use.

    A module that is a package stands for all modules in its folder.
    """
    left, found = [*modules], dict[str, Path]()
    while left:
        name = left.pop()
        if name in found or not name.startswith(f"{boardgames_baselines.__name__}."):
            continue
        found[name] = Path(sys.modules[name].__file__ or "")
        left += {getattr(value, "__module__", None) or "" for value in vars(sys.modules[name]).values()}
    whole = [file.parent.glob("*.py") if file.stem == "__init__" else [file] for file in found.values()]
    return tuple(sorted({file for files in whole for file in files}))


def _described(value: Any) -> Any:
    """Return a value as JSON can hold it, in short where it can be long."""
    if hasattr(value, "description"):
        return value.description()
    if isinstance(value, (tuple, list)):
        return [_described(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return _described_fields(value)
    return value.__name__ if callable(value) else value


def _described_fields(value: Any) -> dict[str, Any]:
    return {
        "kind": type(value).__name__,
        **{each.name: _described(getattr(value, each.name)) for each in fields(value)},
    }


def number_of(*texts: str) -> int:
    """Return a number for seeds, which is another one for other texts."""
    return int(hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8], 16)


def repeated(runner: Runner, what: str, jobs: Mapping[Key, PaperJob], runs: int) -> dict[Key, list[JsonResult]]:
    """Run each job ``runs`` times, with numbers from 0, unless the runner's options set another number of runs."""
    numbers, seed = range(runner.options.runs or runs), runner.options.seed
    every = {(key, number): replace(job, number=number, seed=seed) for key, job in jobs.items() for number in numbers}
    found = runner.results(what, every)
    return {key: [found[key, number] for number in numbers] for key in jobs}


@dataclass(frozen=True)
class MatchJob(PaperJob):
    """A match between two agents that do not learn.

    Attributes:
        player: Spec of the agent that is scored.
        challenger: Spec of its opponent.
        contests: Number of contests, where the result is not exact.
    """

    game: str
    player: str
    challenger: str
    contests: int

    def run(self) -> JsonResult:
        """Return power and reliability of the player with their intervals."""
        found = optimum(make_game(self.game), self.player, self.challenger, self.contests, self.seed)
        return {"power": asdict(found.power), "reliability": asdict(found.reliability)}


def play_matches(
    runner: Runner, game: str, pairs: Mapping[Key, tuple[str, str]], contests: int = 10_000
) -> dict[Key, Optimum]:
    """Return power and reliability of the first agent of each pair against the second."""
    jobs = {name: MatchJob(game, *pair, contests, seed=runner.options.seed) for name, pair in pairs.items()}
    found = runner.results(f"matches at {game}", jobs)
    return {name: Optimum(Estimate(**each["power"]), Estimate(**each["reliability"])) for name, each in found.items()}
