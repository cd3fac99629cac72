"""Experiments: what makes the tables and figures of the papers, each a function that is registered under its name."""

import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import isfinite

import boardgames_baselines.papers
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.runner import Lab, Outcome
from boardgames_env.errors import BadInputError, one_of

Cell = str | int | float | Estimate | None
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        title: What it shows.
        headings: The columns' headings, the first that of the rows' names.
        rows: The cells of each row, the name first.
    """

    title: str
    headings: tuple[str, ...]
    rows: Sequence[Row]


@dataclass(frozen=True)
class Chart:
    """A figure of curves.

    Attributes:
        title: What it shows.
        x: What the horizontal axis measures.
        y: What the vertical axis measures.
        curves: Points (x, y) by the curve's name.
        points: Single values by name, drawn at the chart's right edge: those that have no place on the x axis.
        bounds: Horizontal lines, by the name of the curve they belong to.
        printed: Points (x, y) that the paper prints, by the curve's name.
        emphasized: The x of a point that is to be emphasized, by the curve's name.
        logarithmic: Whether the horizontal axis is.
    """

    title: str
    x: str
    y: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    points: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    printed: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    emphasized: Mapping[str, float] = field(default_factory=dict)
    logarithmic: bool = False


@dataclass(frozen=True)
class Findings:
    """What an experiment has shown.

    Attributes:
        tables: Its tables.
        charts: Its figures.
        outcomes: The trials behind it, by name.
        notes: What a reader must know beside them, a sentence or two each.
        drawings: Drawings made of characters, by name.
        data: What the tables are made from, if not from trials: a row for each figure, written as it is.
    """

    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    drawings: Mapping[str, str] = field(default_factory=dict)
    data: Table | None = None


@dataclass(frozen=True)
class Experiment:
    """A registered experiment, not carried out yet.

    Attributes:
        paper: The paper: the name of its package.
        name: What it is called on the command line.
        summary: What it shows, in one sentence.
        carry_out: Carries it out in a laboratory.
    """

    paper: str
    name: str
    summary: str
    carry_out: Callable[[Lab], Findings]


_entries: dict[str, dict[str, Experiment]] = {}


def experiment(name: str) -> Callable[[Callable[[Lab], Findings]], Callable[[Lab], Findings]]:
    """Register the function that carries out an experiment; the first line of its docstring says what that shows."""

    def register(make: Callable[[Lab], Findings]) -> Callable[[Lab], Findings]:
        paper = make.__module__.removeprefix(f"{boardgames_baselines.papers.__name__}.").partition(".")[0]
        summary = (inspect.getdoc(make) or "").partition("\n")[0]
        _entries.setdefault(paper, {})[name] = Experiment(paper, name, summary, make)
        return make

    return register


@cache
def _import_all() -> None:
    for module in pkgutil.walk_packages(
        boardgames_baselines.papers.__path__, f"{boardgames_baselines.papers.__name__}."
    ):
        import_module(module.name)


def registered_papers() -> dict[str, dict[str, Experiment]]:
    """The experiments of each paper, by their names, in the paper's order."""
    _import_all()
    return {paper: dict(entries) for paper, entries in sorted(_entries.items())}


def experiments_of(paper: str, table: str | None = None) -> list[Experiment]:
    """The experiments of a paper, or the one that is asked for.

    Raises:
        BadInputError: For a paper or an experiment that is not there.
    """
    papers = registered_papers()
    if paper not in papers:
        raise BadInputError(f"there is no paper {paper!r}; the papers are: {one_of(papers)}")
    if table is None:
        return list(papers[paper].values())
    if table not in papers[paper]:
        raise BadInputError(f"{paper} has no {table!r}; it has: {one_of(papers[paper])}")
    return [papers[paper][table]]


def text_of(cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None:
        return ""
    if isinstance(cell, Estimate):
        if cell.low == cell.high:
            return text_of(float(cell.value))
        interval = f" ({_short(cell.low)} to {_short(cell.high)})" if isfinite(cell.low) else ""
        return f"{_short(cell.value)}{interval}"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def sample_note(outcome: Outcome) -> str:
    """Says how large the samples are that trials like this one have."""
    runs = len(outcome.runs)
    return (
        f"{runs} runs of each trial, {runs * outcome.trial.testing} contests against each challenger. "
        "Intervals of 95 %: the wider of Wilson's over contests and Student's over runs."
    )
