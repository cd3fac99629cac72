"""Sections 2 and 3: the length of early games; learning curves, features, supervised training, and openings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import hypot
from typing import Any

from boardgames_agents.experiments.estimate import Estimate, mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table, text_of
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.jobs import repeated
from boardgames_baselines.papers.td_gammon.jobs.rolled import OpeningPlays
from boardgames_baselines.papers.td_gammon.jobs.supervised import Supervised
from boardgames_baselines.papers.td_gammon.trials import (
    LONG,
    RUNS,
    Trained,
    beside_main,
    both_views,
    compared,
    judge,
    learner,
    pooled,
    scaled,
    several,
    tests,
    trained,
)

_FEATURE_GAMES = LONG[:6]
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
    runs = several(len(found["random moves"].runs), "run")
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
    curves = {name: [(s, e.value) for s, e in zip(sizes, each, strict=True)] for name, each in points.items()}
    chart = Chart(title, "games", "points per game against pubeval", curves, logarithmic=True)
    runs_of_each = several(runner.options.runs or RUNS, "run")
    notes = (
        f"{runs_of_each} of each, {tests(runner):,} contests against pubeval each. Agreement: how often the network "
        "chooses the expert's move in contests that it has not learned from, after the most games; decisions: those in "
        "the largest corpus of the first run. Self-play sees every position once, supervised training each choice "
        f"{_PASSES} times. Intervals of 95 %: the wider of Student's over runs and the normal one over contests.",
        *(() if find_spec("gnubg_nn") else ("gnubg-nn is not installed here; pubeval is the only expert.",)),
    )
    return Report((Table(title, headings, rows),), (chart,), notes=notes, data=_data(sizes, by_choices))


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


def _data(sizes: tuple[int, ...], found: dict[str, list[Sizes]]) -> Table:
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
    net, name = judge(runner)
    trials = max(36, round(1296 * runner.options.scale / 36) * 36)
    jobs = {roll: OpeningPlays(net, roll, plays, trials, seed=runner.options.seed) for roll, plays in _OPENINGS.items()}
    found = runner.results("opening rolls", jobs)
    rows = [(f"{a}-{b}: {' or '.join(_OPENINGS[a, b])}", *_gain(found[a, b])) for a, b in _OPENINGS]
    headings = ("roll", "slot", "split", "split less slot", "the same before the rollout")
    notes = (
        f"Rollouts by {name}, {trials:,} trials to the end for each play, one ply deep, without the cube, luck "
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
