"""Sections 4 and 5: linear concepts come first, and the errors of siblings are alike; λ, regimes and learning rates."""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import sqrt
from statistics import fmean

import numpy as np

from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table, table_of
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.td_gammon.jobs import SELECTION
from boardgames_baselines.papers.td_gammon.jobs.rolled import SiblingErrors
from boardgames_baselines.papers.td_gammon.trials import (
    LONG,
    RUNS,
    Trained,
    beside_main,
    both_views,
    compared,
    curves,
    data_of,
    decisions_fitted,
    judge,
    learner,
    main,
    scaled,
    several,
    trained,
)
from boardgames_env.spec import Spec

Sibling = Sequence[float]
"""The network's estimate, the rollout's, and the standard error of the rollout."""

Groups = Sequence[Sequence[Sibling]]
"""The moves of each decision."""


@experiment("linear-concepts")
def linear_concepts(runner: Runner) -> Report:
    """How much of the network a linear function of the raw inputs explains as training goes on."""
    found = both_views(runner)
    tables = [_linear_table(name, each) for name, each in found.items()]
    charts = (
        curves("R² of a linear function of the inputs", "R²", found, lambda each, k: each.linear(k, "explained")),
        curves(
            "Decisions in which the linear function picks the network's move",
            "%",
            found,
            lambda each, k: _percent(each.linear(k, "same_choice")),
        ),
        _strength(found),
    )
    branching = next(iter(found.values())).linear(-1, "moves").value
    notes = (
        "At each milestone a linear function is fitted by least squares to what the network expects after all the "
        f"moves of {decisions_fitted(runner):,} decisions of its self-play, and checked by as many of other contests. "
        "*Among siblings*: R² of the differences among the moves of one decision, on which the choice depends. "
        "Intervals of 95 %: Student's over runs.",
        "The linear function plays as the network does, by what it thinks best one ply deep. Small weights make any "
        "network nearly linear: that the untrained one is so says nothing about learning.",
        f"On average there are {branching:.1f} moves to choose among, where there is a choice and no move ends the "
        "contest (the paper: about 20 per roll).",
    )
    return Report(tuple(tables), charts, notes=notes, data=_linear_data(found))


def _percent(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


def _linear_table(name: str, each: Trained) -> Table:
    columns: Mapping[str, Callable[[int], Cell]] = {
        "R² in %": lambda which: _percent(each.linear(which, "explained")),
        "among siblings, %": lambda which: _percent(each.linear(which, "among_siblings")),
        "same choice, %": lambda which: _percent(each.linear(which, "same_choice")),
        "points: linear": lambda which: each.linear(which, "points").signed(3),
        "points: network": lambda which: each.points(which).signed(3),
    }
    title = f"A linear function of the raw inputs, fitted to the network ({name})"
    return table_of(title, {f"{end:,}": which for which, end in enumerate(each.milestones)}, columns, "games")


def _strength(found: dict[str, Trained]) -> Chart:
    both = {}
    for name, each in found.items():
        ends = [(which, end) for which, end in enumerate(each.milestones) if end]
        both[f"{name}, network"] = [(end, each.points(which).value) for which, end in ends]
        both[f"{name}, linear"] = [(end, each.linear(which, "points").value) for which, end in ends]
    title = "The network and the linear function fitted to it"
    return Chart(title, "games of training", "points per game against pubeval", both, logarithmic=True)


def _linear_data(found: dict[str, Trained]) -> Table:
    names = ("explained", "among_siblings", "same_choice", "points", "moves")
    fits = [tuple(fit[name] for name in names) for each in found.values() for run in each.runs for fit in run["linear"]]
    plain = data_of(found)
    rows = [(*row, *fit) for row, fit in zip(plain.rows, fits, strict=True)]
    return Table("", (*plain.headings, *(f"linear: {name}" for name in names)), rows)


@experiment("sibling-errors")
def sibling_errors(runner: Runner) -> Report:
    """Absolute against relative accuracy: are the errors of the moves of one decision alike?"""
    net, name = judge(runner)
    count = max(2, round(12 * runner.options.scale))
    jobs = {
        number: SiblingErrors(own, net, count, number=number, seed=runner.options.seed)
        for number, own in enumerate(main(runner).nets[: runner.options.runs or RUNS])
    }
    found = runner.results("siblings", jobs)
    groups = [group for result in found.values() for group in result["decisions"]]
    statistics: dict[str, Callable[[Groups], float]] = {
        "absolute error, mean": lambda of: fmean(abs(e) for each in of for e in _errors(each)),
        "difference of siblings' errors, mean": lambda of: fmean(
            abs(one - other) for each in of for one, other in _pairs(_errors(each))
        ),
        "absolute error, root mean square, less noise": lambda of: _root(_absolute(of)),
        "difference, root mean square, less noise": lambda of: _root(_relative(of)),
        "correlation of siblings' errors, less noise": _correlation,
    }
    rows: list[Row] = [(what, _bootstrapped(groups, each).signed(3)) for what, each in statistics.items()]
    rows += [("standard error of a rollout, mean", f"{fmean(s[2] for group in groups for s in group):.3f}")]
    first, decisions, networks = jobs[0], several(len(groups), "decision"), several(len(jobs), "raw network")
    notes = (
        f"{decisions} of self-play of {networks}, each of another contest; the {first.siblings} moves the network "
        f"thinks best of each, rolled out by {name}, {first.trials} trials to the end with luck subtracted, "
        "each with dice of its own. Less noise: the rollouts' variances are subtracted. Intervals of 95 %: bootstrap "
        "over decisions.",
        "The paper: estimates are commonly off by a tenth of a point or more, and the errors of candidate plays are "
        "highly correlated.",
    )
    data = [(k, *each) for k, group in enumerate(groups) for each in group]
    columns = ("decision", "network", "rollout", "standard error")
    table = Table("Errors of the network, in points", ("", "points"), rows)
    return Report((table,), notes=notes, data=Table("", columns, data))


def _errors(group: Sequence[Sibling]) -> list[float]:
    return [expected - found for expected, found, _ in group]


def _pairs(values: Sequence[float]) -> list[tuple[float, float]]:
    return [(one, other) for one, other in permutations(values, 2)]


def _absolute(groups: Groups) -> float:
    """Return the mean square of errors, less the rollouts' variance."""
    return fmean((expected - found) ** 2 - error**2 for group in groups for expected, found, error in group)


def _relative(groups: Groups) -> float:
    """Return the same for the differences of two siblings' errors."""
    squares = [(one - other) ** 2 for group in groups for one, other in _pairs(_errors(group))]
    return fmean(squares) - 2 * fmean(error**2 for group in groups for _, _, error in group)


def _correlation(groups: Groups) -> float:
    """Return the intraclass correlation of siblings' errors, less noise."""
    mean = fmean(error for group in groups for error in _errors(group))
    spread = _absolute(groups) - mean**2
    together = fmean(one * other for group in groups for one, other in _pairs(_errors(group))) - mean**2
    return together / spread if spread > 0 else 0.0


def _bootstrapped(groups: Groups, statistic: Callable[[Groups], float]) -> Estimate:
    """Return a statistic of independent groups with the bootstrap's percentile interval."""
    rng = np.random.default_rng(1995)
    drawn = rng.integers(len(groups), size=(1000, len(groups)))
    values = [statistic([groups[which] for which in sample]) for sample in drawn]
    low, high = np.quantile(values, (0.025, 0.975))
    return Estimate(statistic(groups), float(low), float(high))


def _root(square: float) -> float:
    """Return the square root of an estimate of a variance, which may be negative by chance."""
    return sqrt(max(square, 0.0))


# --- section 5: modifications of the learning methodology ---


@experiment("lambda")
def lambdas(runner: Runner) -> Report:
    """What λ does, and a λ that falls as learning goes on."""
    learners = {
        "λ = 0": learner(lam=0.0),
        "λ = 0.3": learner(lam=0.3),
        "λ = 1": learner(lam=1.0),
        "λ from 1, halved by game 5,000": learner(lam=1.0, lam_decay=5_000),
    }
    found = beside_main(runner, "λ = 0.7", "λ", learners, LONG[:6])
    return compared(runner, "198–40–4, raw inputs, mover-relative", found)


@experiment("regimes")
def regimes(runner: Runner) -> Report:
    """Training by or with an expert, priming, and lesson and practice training, against pure self-play."""
    expert, games = "pubeval", LONG[1:4]
    watch = str(Spec("watch", {"a": expert, "b": expert}))
    priming = max(1, scaled(runner, games[:1])[0])
    trainers = {
        "2&7": str(Spec("lessons", {"lessons": 2, "practice": 7, "expert": expert})),
        f"{priming:,} games against pubeval, then self-play": _then_self(priming, expert),
        f"{priming:,} games of pubeval watched, then self-play": _then_self(priming, watch),
        "always against pubeval": expert,
        "always watching pubeval": watch,
    }
    learners = dict.fromkeys(trainers, learner())
    found = beside_main(runner, "self-play", "training regimes", learners, games, trainer=trainers)
    return compared(runner, "198–40–4, raw inputs, mover-relative: training with pubeval as the expert", found)


def _then_self(priming: int, trainer: str) -> str:
    return str(Spec("phases", {"plan": ((priming, trainer), (1, "self"))}))


@experiment("learning-rate")
def learning_rate(runner: Runner) -> Report:
    """What the learning rate does, of which the paper only says that it is small; by seeds for selection."""
    learners = {
        f"α = {alpha}, {view}": learner(alpha=alpha, viewer=viewer)
        for view, viewer in (("absolute", "0"), ("mover-relative", "move"))
        for alpha in (0.03, 0.1, 0.3)
    }
    found = trained(runner, "learning rates", learners, LONG[1:5], 2, purpose=SELECTION)
    return compared(runner, "198–40–4, raw inputs: learning rates", found)
