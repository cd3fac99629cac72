"""The paper's sections: early games, results, linear concepts, relative accuracy, and the learning methodology."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import permutations
from math import hypot, sqrt
from statistics import fmean
from typing import Any

import numpy as np

from boardgames_agents.experiments.estimate import Estimate, mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table, table_of, text_of
from boardgames_agents.policy.explanation import counted
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.job import repeated
from boardgames_baselines.papers.td_gammon import (
    JUDGE,
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
    pooled,
    scaled,
    tests,
    trained,
)
from boardgames_baselines.papers.td_gammon.fits import Supervised
from boardgames_baselines.papers.td_gammon.networks import SELECTION
from boardgames_baselines.papers.td_gammon.rollouts import OpeningPlays, SiblingErrors
from boardgames_env.spec import Spec

# --- sections 2 and 3: the length of early games; learning curves, features, supervised training, and openings ---

_PASSES = 5
_OPENINGS = {
    (2, 1): ("13/11 6/5", "24/23 13/11"),
    (4, 1): ("13/9 6/5", "24/23 13/9"),
    (5, 1): ("13/8 6/5", "24/23 13/8"),
}

Sizes = Sequence[Mapping[str, Any]]
"""The results of `Supervised`, for each size of the corpus."""


@experiment("early-games")
def early_games(runner: Runner) -> Report:
    """How long the first games of self-play are, beside those of random players."""
    learners = {
        "absolute (the paper's)": learner(viewer="0"),
        "mover-relative": learner(viewer="move"),
        "absolute, learning nothing": learner(viewer="0", alpha=0.0),
        "mover-relative, learning nothing": learner(viewer="move", alpha=0.0),
        "random moves": learner(alpha=0.0, epsilon=1.0),
    }
    parts = ("plies: mean, most", "games 1 to 10", "11 to 100", "101 to 1,000")
    found = trained(runner, "the first games", learners, (1_000,), 20, testing=1)
    rows: list[Row] = []
    data: list[Row] = []
    for name, each in found.items():
        decades = list(zip(*(run["plies"] for run in each.runs), strict=True))
        cells = [
            f"{text_of(mean_of([mean for _, mean, _ in runs]))}; {max(most for _, _, most in runs):,}"
            for runs in decades
        ]
        rows.append((name, *cells, *[None] * (len(parts) - 1 - len(cells))))
        data += [(name, number, *part) for number, run in enumerate(each.runs) for part in run["plies"]]
    runs = counted(len(found["random moves"].runs), "run")
    notes = (
        f"{runs}, each with its own weights. Intervals of 95 %: Student's over runs.",
        "The paper: with random play on both sides games often last several hundred or even several thousand time "
        "steps, and 50 to 60 in normal human play. How long the games of an untrained network are depends on how its "
        "weights are drawn, of which the paper says nothing.",
    )
    headings = ("training", "run", "games", "mean plies", "most plies")
    return Report((Table("Length of early games", parts, rows),), notes=notes, data=Table("", headings, data))


@experiment("learning-curves")
def learning_curves(runner: Runner) -> Report:
    """Points per game against pubeval over 200,000 games of self-play from random weights, without any knowledge."""
    found = both_views(runner)
    findings = compared(runner, "198–40–4, raw inputs, self-play", found)
    wins: list[Row] = [(name, each.wins(-1)) for name, each in found.items()]
    in_the_end = Table("The same in the end: per cent of contests won against pubeval", ("", "won"), wins)
    return replace(findings, tables=(*findings.tables, in_the_end))


@experiment("hidden-units")
def hidden_units(runner: Runner) -> Report:
    """Does a larger network play better after equally many games?"""
    learners = {f"{hidden} hidden": learner(hidden=hidden) for hidden in (10, 20, 80)}
    found = beside_main(runner, "40 hidden", "hidden units", learners, LONG[:7])
    return compared(runner, "Raw inputs, mover-relative", dict(sorted(found.items())))


@experiment("features")
def features(runner: Runner) -> Report:
    """What hand-made features add to the raw inputs."""
    found = _with_features(runner)
    return compared(runner, "40 hidden units, mover-relative: raw inputs, and with features", found)


def _with_features(runner: Runner) -> dict[str, Trained]:
    """Return the networks with and without features."""
    return beside_main(runner, "raw", "features", {"features": learner(inputs="expert")}, LONG[:6])


@experiment("supervised")
def supervised(runner: Runner) -> Report:
    """Training on an expert's choices, as Neurogammon's, against self-play, game for game."""
    sizes = tuple(size for size in scaled(runner, LONG[1:4]) if size)
    by_choices = _trained_on_choices(runner, sizes)
    points = {
        name: [pooled([run[which]["points"] for run in runs]) for which in range(len(sizes))]
        for name, runs in by_choices.items()
    }
    for name, each in _with_features(runner).items():
        points[f"self-play, {name}"] = [each.points(each.milestones.index(size)) for size in sizes]
    rows = [
        (name, *(point.signed(3) for point in each), *_agreement(by_choices.get(name))) for name, each in points.items()
    ]
    headings = ("points per game against pubeval", *(f"{size:,} games" for size in sizes), "agreement %", "decisions")
    title = "40 hidden units: an expert's choices or self-play"
    shown = {name: [(s, e.value) for s, e in zip(sizes, each, strict=True)] for name, each in points.items()}
    chart = Chart(title, "games", "points per game against pubeval", shown, logarithmic=True)
    runs_of_each = counted(runner.options.runs or RUNS, "run")
    notes = (
        f"{runs_of_each} of each, {tests(runner):,} contests against pubeval each. Agreement: how often the network "
        "chooses the expert's move in contests that it has not learned from, after the most games; decisions: those in "
        "the largest corpus of the first run. Self-play sees every position once, supervised training each choice "
        f"{_PASSES} times. Intervals of 95 %: the wider of Student's over runs and the normal one over contests.",
        *(() if find_spec("gnubg_nn") else ("gnubg-nn is not installed here; pubeval is the only expert.",)),
    )
    return Report((Table(title, headings, rows),), (chart,), notes=notes, data=_data_of_sizes(sizes, by_choices))


def _trained_on_choices(runner: Runner, sizes: tuple[int, ...]) -> dict[str, list[Sizes]]:
    """Return the results of each run at each size, by expert and inputs."""
    experts = (*(("gnubg",) if find_spec("gnubg_nn") else ()), "pubeval")
    encodings = {"raw": "raw", "features": "expert"}
    kinds = {f"{expert}'s choices, {name}": (expert, encodings[name]) for expert in experts for name in encodings}
    jobs = {name: Supervised(*kind, 40, sizes, _PASSES, tests(runner)) for name, kind in kinds.items()}
    found = repeated(runner, "supervised training", jobs, RUNS)
    return {name: [run["sizes"] for run in runs] for name, runs in found.items()}


def _agreement(runs: list[Sizes] | None) -> tuple[Cell, Cell]:
    """Return the agreement in per cent and the decisions in the largest corpus; ``None`` for self-play."""
    return (
        (mean_of([100 * run[-1]["agreed"] for run in runs]), f"{runs[0][-1]['decisions']:,}") if runs else (None, None)
    )


def _data_of_sizes(sizes: tuple[int, ...], found: dict[str, list[Sizes]]) -> Table:
    rows = [
        (name, number, size, *of["points"], of["wins"], of["agreed"])
        for name, runs in found.items()
        for number, run in enumerate(runs)
        for size, of in zip(sizes, run, strict=True)
    ]
    columns = ("training", "run", "games", "points per game", "standard error", "share of wins", "agreement")
    return Table("", columns, rows)


@experiment("openings")
def openings(runner: Runner) -> Report:
    """Table 2: with 2-1, 4-1 and 5-1, is it better to slot the 5 point or to split the back men?"""
    net = judge()
    trials = max(36, round(1296 * runner.options.scale / 36) * 36)
    jobs = {roll: OpeningPlays(net, roll, plays, trials, seed=runner.options.seed) for roll, plays in _OPENINGS.items()}
    found = runner.results("opening rolls", jobs)
    rows = [(f"{a}-{b}: {' or '.join(_OPENINGS[a, b])}", *_gain(found[a, b])) for a, b in _OPENINGS]
    headings = ("roll", "slot", "split", "split less slot", "the same before the rollout")
    notes = (
        f"Rollouts by `{JUDGE}`, {trials:,} trials to the end for each play, one ply deep, without the cube, luck "
        "subtracted, both plays with the same dice. Intervals of 95 % are computed as if dice were independent, and so "
        "are too wide.",
        "The paper says that TD-Gammon's rollout found the slot inferior to the split. The figures of its Table 2 are "
        "not in the text that we have.",
    )
    data = [
        (f"{a}-{b}", *play)
        for (a, b), plays in _OPENINGS.items()
        for play in zip(plays, found[a, b]["equities"], found[a, b]["errors"], strict=True)
    ]
    columns = ("roll", "play", "equity", "standard error")
    table = Table("Slot or split, in points of the seat that begins", headings, rows)
    return Report((table,), notes=notes, data=Table("", columns, data))


def _gain(found: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return the equities of slot and split, their difference, and the network's estimate of it."""
    plays = [Estimate.around(e, 1.96 * s).signed(3) for e, s in zip(found["equities"], found["errors"], strict=True)]
    slot, split = found["equities"]
    gain = Estimate.around(split - slot, 1.96 * hypot(*found["errors"]))
    return *plays, gain.signed(3), f"{found['expected'][1] - found['expected'][0]:+.3f}"


# --- section 4: linear concepts come first, and the errors of siblings are alike ---

Sibling = Sequence[float]
"""The network's estimate, the rollout's, and the standard error of the rollout."""

Groups = Sequence[Sequence[Sibling]]
"""The moves of each decision."""


@experiment("linear-concepts")
def linear_concepts(runner: Runner) -> Report:
    """How much of the network a linear function of the raw inputs explains as training goes on."""
    found = both_views(runner)
    tables = [_linear_table(name, each) for name, each in found.items()]
    network = curves("", "points per game against pubeval", found, Trained.points)
    linear = curves("", "", found, lambda each, k: each.linear(k, "points"))
    both = {
        f"{name}, {what}": chart.curves[name]
        for name in found
        for what, chart in (("network", network), ("linear", linear))
    }
    charts = (
        curves("R² of a linear function of the inputs", "R²", found, lambda each, k: each.linear(k, "explained")),
        curves(
            "Decisions in which the linear function picks the network's move",
            "%",
            found,
            lambda each, k: _percent_of_estimate(each.linear(k, "same_choice")),
        ),
        replace(network, title="The network and the linear function fitted to it", curves=both),
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


def _percent_of_estimate(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


def _linear_table(name: str, each: Trained) -> Table:
    columns: Mapping[str, Callable[[int], Cell]] = {
        "R² in %": lambda which: _percent_of_estimate(each.linear(which, "explained")),
        "among siblings, %": lambda which: _percent_of_estimate(each.linear(which, "among_siblings")),
        "same choice, %": lambda which: _percent_of_estimate(each.linear(which, "same_choice")),
        "points: linear": lambda which: each.linear(which, "points").signed(3),
        "points: network": lambda which: each.points(which).signed(3),
    }
    title = f"A linear function of the raw inputs, fitted to the network ({name})"
    return table_of(title, {f"{end:,}": which for which, end in enumerate(each.milestones)}, columns, "games")


def _linear_data(found: dict[str, Trained]) -> Table:
    names = ("explained", "among_siblings", "same_choice", "points", "moves")
    tested = [test for each in found.values() for run in each.runs for test in run["tests"]]
    fits = [tuple(test["linear"][name] for name in names) for test in tested]
    plain = data_of(found)
    rows = [(*row, *fit) for row, fit in zip(plain.rows, fits, strict=True)]
    return Table("", (*plain.headings, *(f"linear: {name}" for name in names)), rows)


@experiment("sibling-errors")
def sibling_errors(runner: Runner) -> Report:
    """Absolute against relative accuracy: are the errors of the moves of one decision alike?"""
    net = judge()
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
            abs(one - other) for each in of for one, other in _pairs_of_values(_errors(each))
        ),
        "absolute error, root mean square, less noise": lambda of: _root(_absolute(of)),
        "difference, root mean square, less noise": lambda of: _root(_relative(of)),
        "correlation of siblings' errors, less noise": _correlation,
    }
    rows: list[Row] = [(what, _bootstrapped(groups, each).signed(3)) for what, each in statistics.items()]
    rows += [("standard error of a rollout, mean", f"{fmean(s[2] for group in groups for s in group):.3f}")]
    first, decisions, networks = jobs[0], counted(len(groups), "decision"), counted(len(jobs), "raw network")
    notes = (
        f"{decisions} of self-play of {networks}, each of another contest; the {first.siblings} moves the network "
        f"thinks best of each, rolled out by `{JUDGE}`, {first.trials} trials to the end with luck subtracted, "
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


def _pairs_of_values(values: Sequence[float]) -> list[tuple[float, float]]:
    return [(one, other) for one, other in permutations(values, 2)]


def _absolute(groups: Groups) -> float:
    """Return the mean square of errors, less the rollouts' variance."""
    return fmean((expected - found) ** 2 - error**2 for group in groups for expected, found, error in group)


def _relative(groups: Groups) -> float:
    """Return the same for the differences of two siblings' errors."""
    squares = [(one - other) ** 2 for group in groups for one, other in _pairs_of_values(_errors(group))]
    return fmean(squares) - 2 * fmean(error**2 for group in groups for _, _, error in group)


def _correlation(groups: Groups) -> float:
    """Return the intraclass correlation of siblings' errors, less noise."""
    mean = fmean(error for group in groups for error in _errors(group))
    spread = _absolute(groups) - mean**2
    together = fmean(one * other for group in groups for one, other in _pairs_of_values(_errors(group))) - mean**2
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
