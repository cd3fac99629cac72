"""Tesauro, *Temporal Difference Learning and TD-Gammon*, Communications of the ACM 38 (1995).

The paper does not number its sections; they are counted from 1 after its introduction. The figures and tables are in
`experiments`; these are their trainings, and tables and charts of results.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from boardgames_agents.backgammon.td_gammon import NETS
from boardgames_agents.experiments.estimate import Estimate, mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_agents.policy.explanation import counted
from boardgames_agents.td.network_file import load_network
from boardgames_baselines.papers.job import repeated
from boardgames_baselines.papers.td_gammon.fits import LinearFits
from boardgames_baselines.papers.td_gammon.networks import (
    GAME,
    REPORTING,
    Net,
    NetworkTraining,
    PointsPerGame,
    net,
    plies,
)
from boardgames_env import make_game
from boardgames_env.spec import Spec

RUNS = 3

LEARNER = {
    "inputs": "raw",
    "hidden": 40,
    "outputs": 4,
    "units": "sigmoid",
    "viewer": "move",
    "alpha": 0.1,
    "decay": 0,
    "lam": 0.7,
    "error": "squared",
    "epsilon": 0,
    "average": 0,
}
"""The paper's 198–40–4 network and rule, except for the viewer; α and λ are those of Tesauro 1992."""

LONG = (0, 200, 1_000, 5_000, 20_000, 50_000, 100_000, 200_000)
"""The numbers of games after which networks are measured."""

TESTING = 2_000
"""Contests against pubeval at each measurement."""

FITTING = 3_000
"""Decisions of self-play that a linear function is fitted to, at each measurement."""


JUDGE = "td_gammon_1995"
"""The network of the package that plays rollouts."""


def learner(**changed: Any) -> str:
    """Return the spec of a learner that differs from `LEARNER`."""
    return str(Spec("td", {**LEARNER, **changed}))


def scaled(runner: Runner, milestones: Iterable[int]) -> tuple[int, ...]:
    """Return milestones times the runner's scale, each once."""
    return tuple(dict.fromkeys(round(runner.options.scale * each) for each in milestones))


@dataclass(frozen=True)
class Trained:
    """The results of all runs of a training.

    Attributes:
        milestones: The numbers of contests after which they were measured.
        runs: The results of `NetworkTraining`, in order.
    """

    milestones: tuple[int, ...]
    runs: Sequence[Mapping[str, Any]]

    def points(self, which: int) -> Estimate:
        """Return the points per game against pubeval at a milestone."""
        return pooled([run["tests"][which]["points"] for run in self.runs])

    def wins(self, which: int) -> Estimate:
        """Return the percentage of contests won at a milestone."""
        return mean_of([100 * run["tests"][which]["points"][2] for run in self.runs])

    def linear(self, which: int, name: str) -> Estimate:
        """Return the mean of a figure of `linear_fit` at a milestone."""
        return mean_of([run["tests"][which]["linear"][name] for run in self.runs])

    def at(self, milestones: tuple[int, ...]) -> "Trained":
        """Return the results at some of the milestones."""
        rows = [self.milestones.index(end) for end in milestones]
        return Trained(milestones, [{**run, "tests": [run["tests"][row] for row in rows]} for run in self.runs])

    @property
    def nets(self) -> list[Net]:
        """The networks at the end."""
        return [Net.from_dict(run["net"]) for run in self.runs]


def tests(runner: Runner) -> int:
    """Return the number of contests against pubeval at each measurement."""
    return max(20, round(runner.options.scale * TESTING))


def decisions_fitted(runner: Runner) -> int:
    """Return the number of decisions that a linear function is fitted to."""
    return max(300, round(runner.options.scale * FITTING))


def pooled(found: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean of runs, given their points and standard errors.

    Contests of one network are not an independent sample of networks: the interval is the wider of Student's over runs
    and the normal one over all contests.
    """
    over_runs = mean_of([each[0] for each in found])
    half = 1.96 * hypot(*(each[1] for each in found)) / len(found)
    if len(found) > 1:
        half = max(half, over_runs.high - over_runs.value)
    return Estimate.around(over_runs.value, half)


def trained(
    runner: Runner, what: str, learners: Mapping[str, str], milestones: Sequence[int], runs: int = RUNS, **settings: Any
) -> dict[str, Trained]:
    """Train learners, given as specs by name, and return the results.

    ``milestones`` are before scaling. ``settings`` are arguments of `training`; a mapping gives a value for each
    learner's name.
    """
    ends = scaled(runner, milestones)
    settings = {"testing": tests(runner), **settings}
    jobs = {}
    for name, spec in learners.items():
        own = {key: value[name] if isinstance(value, Mapping) else value for key, value in settings.items()}
        jobs[name] = training(spec, ends, **own)
    return {name: Trained(ends, found) for name, found in repeated(runner, what, jobs, runs).items()}


def training(
    learner: str,
    milestones: tuple[int, ...],
    trainer: str = "self",
    testing: int = TESTING,
    fitting: int = 0,
    purpose: int = REPORTING,
) -> NetworkTraining:
    """Return a training that is measured at milestones.

    Args:
        learner: A TD(λ) learner's spec, without its seed.
        milestones: After how many contests it is measured, ascending; the last is the end.
        trainer: The trainer's spec.
        testing: Contests against pubeval at each milestone.
        fitting: Decisions of self-play a linear function is fitted to at a milestone; 0 for none.
        purpose: `SELECTION` or `REPORTING`.
    """
    measures = PointsPerGame(testing), *((LinearFits(fitting, testing),) if fitting else ())
    return NetworkTraining(GAME, learner, trainer, milestones, measures, (plies, net), purpose=purpose)


def main(runner: Runner) -> Trained:
    """Return the 198–40–4 network that all others are compared with, with the fits of linear functions."""
    return both_views(runner)["mover-relative"]


def beside_main(
    runner: Runner, name: str, what: str, learners: Mapping[str, str], milestones: Sequence[int], **settings: Any
) -> dict[str, Trained]:
    """Train learners as `trained` does; return the results, after those of the main network under a name."""
    others = trained(runner, what, learners, milestones, **settings)
    return {name: main(runner).at(scaled(runner, milestones)), **others}


def both_views(runner: Runner) -> dict[str, Trained]:
    """Return this network and the one that always sees the board from one side, as the paper's does."""
    views = {"absolute (the paper's)": learner(viewer="0"), "mover-relative": learner(viewer="move")}
    return trained(runner, "long self-play", views, LONG, fitting=decisions_fitted(runner))


def judge() -> Net:
    """Return the network that plays rollouts."""
    return Net.of(load_network(NETS / f"{JUDGE}.safetensors", make_game(GAME)))


def compared(runner: Runner, title: str, found: Mapping[str, Trained]) -> Report:
    """Compare trainings by their points per game against pubeval at their milestones."""
    what, first = "points per game against pubeval", next(iter(found.values()))
    ends = [f"{end:,} games" for end in first.milestones]
    rows = [(name, *(each.points(which).signed(3) for which in range(len(ends)))) for name, each in found.items()]
    note = (
        f"{counted(len(first.runs), 'run')} of each training, {tests(runner):,} contests against pubeval at each "
        "measurement, one ply deep, without the cube; no measurement is used to choose anything. Intervals of 95 %: "
        "the wider of Student's over runs and the normal one over contests."
    )
    chart = curves(title, what, found, Trained.points)
    return Report((Table(title, (what, *ends), rows),), (chart,), notes=(note,), data=data_of(found))


def curves(title: str, y: str, found: Mapping[str, Trained], value: Callable[[Trained, int], Estimate]) -> Chart:
    """Return a chart with a curve over games for each training, from its first game on."""
    points = {
        name: [(end, value(each, which).value) for which, end in enumerate(each.milestones) if end]
        for name, each in found.items()
    }
    return Chart(title, "games of training", y, points, logarithmic=True)


def data_of(found: Mapping[str, Trained]) -> Table:
    """Return a table of every run at every milestone."""
    rows: list[Row] = []
    for name, each in found.items():
        for number, run in enumerate(each.runs):
            for end, test in zip(each.milestones, run["tests"], strict=True):
                rows.append((name, number, end, *test["points"]))
    return Table("", ("training", "run", "games", "points per game", "standard error", "share of wins"), rows)
