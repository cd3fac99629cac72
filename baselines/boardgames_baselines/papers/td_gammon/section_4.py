"""Understanding the Learning Process: linear concepts come first, and the errors of siblings are alike."""

from collections.abc import Sequence
from itertools import permutations
from statistics import fmean

from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.td_gammon.jobs.rolled import SiblingErrors
from boardgames_baselines.papers.td_gammon.trials import (
    RUNS,
    Trained,
    bootstrapped,
    both_views,
    curves,
    data_of,
    decisions_fitted,
    in_points,
    judge,
    main,
    root,
    several,
)

_DECISIONS = 12

Sibling = Sequence[float]
"""The network's estimate, the rollout's, and the standard error of the rollout."""


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
    rows: list[Row] = [
        (
            f"{end:,}",
            _percent(each.linear(which, "explained")),
            _percent(each.linear(which, "among_siblings")),
            _percent(each.linear(which, "same_choice")),
            in_points(each.linear(which, "points")),
            in_points(each.points(which)),
        )
        for which, end in enumerate(each.milestones)
    ]
    headings = ("games", "R² in %", "among siblings, %", "same choice, %", "points: linear", "points: network")
    return Table(f"A linear function of the raw inputs, fitted to the network ({name})", headings, rows)


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
    count = max(2, round(_DECISIONS * runner.options.scale))
    jobs = {
        number: SiblingErrors(own, net, count, number=number, seed=runner.options.seed)
        for number, own in enumerate(main(runner).nets[: runner.options.runs or RUNS])
    }
    found = runner.results("siblings", jobs)
    groups = [group for result in found.values() for group in result["decisions"]]
    figures = {
        "absolute error, mean": bootstrapped(groups, lambda of: fmean(abs(e) for each in of for e in _errors(each))),
        "difference of siblings' errors, mean": bootstrapped(
            groups, lambda of: fmean(abs(one - other) for each in of for one, other in _pairs(_errors(each)))
        ),
        "absolute error, root mean square, less noise": bootstrapped(groups, lambda of: root(_absolute(of))),
        "difference, root mean square, less noise": bootstrapped(groups, lambda of: root(_relative(of))),
    }
    rows: list[Row] = [(what, in_points(each)) for what, each in figures.items()]
    rows += [("correlation of siblings' errors, less noise", in_points(bootstrapped(groups, _correlation)))]
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


def _absolute(groups: Sequence[Sequence[Sibling]]) -> float:
    """Return the mean square of errors, less the rollouts' variance."""
    return fmean((expected - found) ** 2 - error**2 for group in groups for expected, found, error in group)


def _relative(groups: Sequence[Sequence[Sibling]]) -> float:
    """Return the same for the differences of two siblings' errors."""
    squares = [(one - other) ** 2 for group in groups for one, other in _pairs(_errors(group))]
    return fmean(squares) - 2 * fmean(error**2 for group in groups for _, _, error in group)


def _correlation(groups: Sequence[Sequence[Sibling]]) -> float:
    """Return the intraclass correlation of siblings' errors, less noise."""
    mean = fmean(error for group in groups for error in _errors(group))
    spread = _absolute(groups) - mean**2
    together = fmean(one * other for group in groups for one, other in _pairs(_errors(group))) - mean**2
    return together / spread if spread > 0 else 0.0
