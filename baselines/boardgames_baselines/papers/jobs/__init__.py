"""The jobs of the papers' experiments."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import JsonResult
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
        """Return all fields, the class and a digest of its sources."""
        values = {each.name: _described(getattr(self, each.name)) for each in fields(self)}
        return {"kind": type(self).__name__, "sources": digest(self.source_files()), **values}

    @classmethod
    def source_files(cls) -> tuple[Path, ...]:
        """Return the files of this package that results depend on: all modules in the folder of the class."""
        return tuple(sorted(Path(sys.modules[cls.__module__].__file__ or "").parent.glob("*.py")))

    @abstractmethod
    def run(self) -> JsonResult:
        """Do the work and return the result."""


def _described(value: Any) -> Any:
    """Return a value as JSON can hold it, in short where it can be long."""
    if hasattr(value, "description"):
        return value.description()
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def repeated(runner: Runner, what: str, jobs: Mapping[Key, PaperJob], runs: int) -> dict[Key, list[JsonResult]]:
    """Run each job ``runs`` times, with numbers from 0, unless the runner's options set another number of runs."""
    numbers, seed = range(runner.options.runs or runs), runner.options.seed
    every = {(key, number): replace(job, number=number, seed=seed) for key, job in jobs.items() for number in numbers}
    found = runner.results(what, every)
    return {key: [found[key, number] for number in numbers] for key in jobs}
