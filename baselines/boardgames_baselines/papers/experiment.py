"""The registry of experiments: functions that make the tables and figures of the papers."""

import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_baselines import papers
from boardgames_env.errors import BadInputError, demand_named, did_you_mean, one_of


@dataclass(frozen=True)
class Experiment:
    """A registered experiment.

    Attributes:
        paper: Name of the paper: that of its package.
        summary: Its subject, in one sentence.
        run: Runs its jobs and returns the report.
    """

    paper: str
    name: str
    summary: str
    run: Callable[[Runner], Report]


_entries: dict[str, dict[str, Experiment]] = {}


def experiment(name: str) -> Callable[[Callable[[Runner], Report]], Callable[[Runner], Report]]:
    """Register a function that runs an experiment; the first line of its docstring is the summary."""

    def register(make: Callable[[Runner], Report]) -> Callable[[Runner], Report]:
        paper = make.__module__.removeprefix(f"{papers.__name__}.").partition(".")[0]
        summary = (inspect.getdoc(make) or "").partition("\n")[0]
        _entries.setdefault(paper, {})[name] = Experiment(paper, name, summary, make)
        return make

    return register


def registered_papers() -> dict[str, dict[str, Experiment]]:
    """Return the experiments of each paper by name, in the paper's order."""
    for module in pkgutil.walk_packages(papers.__path__, f"{papers.__name__}."):
        import_module(module.name)
    return dict(sorted(_entries.items()))


def title_of(paper: str) -> str:
    """Return what a registered paper is: the first line of its package's docstring."""
    text = inspect.getdoc(import_module(f"{papers.__name__}.{paper}")) or ""
    return text.partition("\n")[0].replace("*", "")


def experiments_of(paper: str, table: str | None = None) -> list[Experiment]:
    """Return the experiments of a paper, or one of them.

    Raises:
        BadInputError: If there is no such paper or experiment.
    """
    registered = registered_papers()
    demand_named("paper", paper, registered)
    experiments = registered[paper]
    if table is None:
        return list(experiments.values())
    if table not in experiments:
        hint = did_you_mean(table, experiments)
        raise BadInputError(f"{paper} has no {table!r}{hint}; it has: {one_of(experiments)}")
    return [experiments[table]]
