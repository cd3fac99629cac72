"""Results of Training: learning curves, scaling, features, supervised training, and openings."""

from dataclasses import replace

from baselines.papers.estimate import Estimate
from baselines.papers.experiment import Chart, Findings, Row, Table, experiment
from baselines.papers.lab import Lab
from baselines.papers.td_gammon.trials import (
    LONG,
    RUNS,
    Trained,
    both_views,
    compared,
    in_points,
    judge,
    learner,
    main,
    pooled,
    scaled,
    several,
    tests,
    trained,
)
from baselines.papers.td_gammon.work.rolled import Opening
from baselines.papers.td_gammon.work.supervised import Supervised

_HIDDEN = (10, 20, 80)
_HIDDEN_GAMES = LONG[:7]
_FEATURE_GAMES = LONG[:6]
_CORPORA = LONG[1:4]
_PASSES = 5
_TRIALS = 1296
_OPENINGS = {
    (2, 1): ("13/11 6/5", "24/23 13/11"),
    (4, 1): ("13/9 6/5", "24/23 13/9"),
    (5, 1): ("13/8 6/5", "24/23 13/8"),
}


@experiment("learning-curves")
def learning_curves(lab: Lab) -> Findings:
    """Points per game against pubeval over 200,000 games of self-play from random weights, without any knowledge."""
    found = both_views(lab)
    findings = compared(lab, "198–40–4, raw inputs, self-play", found)
    wins: list[Row] = [(name, each.wins(-1)) for name, each in found.items()]
    in_the_end = Table("The same in the end: per cent of contests won against pubeval", ("", "won"), wins)
    return replace(findings, tables=(*findings.tables, in_the_end))


@experiment("hidden-units")
def hidden_units(lab: Lab) -> Findings:
    """Does a larger network play better after equally many games?"""
    learners = {f"{hidden} hidden": learner(hidden=hidden) for hidden in _HIDDEN}
    found = {"40 hidden": main(lab).at(scaled(lab, _HIDDEN_GAMES))}
    found |= trained(lab, "hidden units", learners, _HIDDEN_GAMES)
    return compared(lab, "Raw inputs, mover-relative", dict(sorted(found.items())))


@experiment("features")
def features(lab: Lab) -> Findings:
    """What hand-made features add to the raw inputs."""
    found = _with_features(lab)
    return compared(lab, "40 hidden units, mover-relative: raw inputs, and with features", found)


def _with_features(lab: Lab) -> dict[str, Trained]:
    """The networks with and without features."""
    expert = trained(lab, "features", {"features": learner(inputs="expert")}, _FEATURE_GAMES)
    return {"raw": main(lab).at(scaled(lab, _FEATURE_GAMES)), **expert}


@experiment("supervised")
def supervised(lab: Lab) -> Findings:
    """Training on an expert's choices, as Neurogammon's, against self-play, game for game."""
    sizes = [size for size in scaled(lab, _CORPORA) if size]
    numbers = range(lab.settings.runs or RUNS)
    experts = [name for name in ("gnubg", "pubeval") if name != "gnubg" or _gnubg_is_here()]
    kinds = {f"{name}'s choices, {inputs}": (name, inputs) for name in experts for inputs in ("raw", "expert")}
    works = {
        (name, number): Supervised(
            number, lab.settings.seed, expert, inputs, 40, tuple(sizes), passes=_PASSES, testing=tests(lab)
        )
        for name, (expert, inputs) in kinds.items()
        for number in numbers
    }
    found = lab.results("supervised training", works)
    cells = {name: [[found[name, n]["sizes"][k] for n in numbers] for k in range(len(sizes))] for name in kinds}
    practised = _with_features(lab)
    rows: list[Row] = []
    points: dict[str, list[Estimate]] = {}
    for name, by_size in cells.items():
        points[name] = [pooled([each["points"] for each in runs]) for runs in by_size]
        agreed = sum(each["agreed"] for each in by_size[-1]) / len(numbers)
        rows.append((name, *map(in_points, points[name]), f"{100 * agreed:.1f}", f"{by_size[-1][0]['decisions']:,}"))
    for name, each in practised.items():
        points[f"self-play, {name}"] = [each.points(each.milestones.index(size)) for size in sizes]
        rows.append((f"self-play, {name}", *map(in_points, points[f"self-play, {name}"]), None, None))
    curves = {name: [(s, e.value) for s, e in zip(sizes, values, strict=True)] for name, values in points.items()}
    headings = ("points per game against pubeval", *(f"{size:,} games" for size in sizes), "agreement %", "decisions")
    title = "40 hidden units: an expert's choices or self-play"
    notes = (
        f"{several(len(numbers), 'run')} of each, {tests(lab):,} contests against pubeval each. Agreement: how often the "
        "network chooses the expert's move in contests that it has not learned from, after the most games; decisions: "
        "those in the first run's largest corpus. Self-play sees every position once, supervised training each choice "
        f"{_PASSES} times.",
        *(() if "gnubg" in experts else ("gnubg-nn is not installed here; pubeval is the only expert.",)),
    )
    chart = Chart(title, "games", "points per game against pubeval", curves, logarithmic=True)
    data = [
        (name, n, sizes[k], *each["points"], each["wins"])
        for name, by_size in cells.items()
        for k, runs in enumerate(by_size)
        for n, each in enumerate(runs)
    ]
    columns = ("training", "run", "games", "points per game", "standard error", "share of wins")
    return Findings((Table(title, headings, rows),), (chart,), notes=notes, data=Table("", columns, data))


def _gnubg_is_here() -> bool:
    from importlib.util import find_spec

    return find_spec("gnubg_nn") is not None


@experiment("openings")
def openings(lab: Lab) -> Findings:
    """Table 2: with 2-1, 4-1 and 5-1, is it better to slot the 5 point or to split the back men?"""
    net, name = judge(lab)
    trials = max(36, round(_TRIALS * lab.settings.scale / 36) * 36)
    works = {roll: Opening(0, lab.settings.seed, net, roll, plays, trials) for roll, plays in _OPENINGS.items()}
    found = lab.results("opening rolls", works)
    rows: list[Row] = []
    for roll, plays in _OPENINGS.items():
        result = found[roll]
        half = [1.96 * error for error in result["errors"]]
        cells = [in_points(Estimate(e, e - h, e + h)) for e, h in zip(result["equities"], half, strict=True)]
        gain = result["equities"][1] - result["equities"][0]
        spread = (half[0] ** 2 + half[1] ** 2) ** 0.5
        estimated = result["expected"][1] - result["expected"][0]
        rows.append(
            (
                f"{roll[0]}-{roll[1]}: {plays[0]} or {plays[1]}",
                *cells,
                in_points(Estimate(gain, gain - spread, gain + spread)),
                f"{estimated:+.3f}",
            )
        )
    headings = ("roll", "slot", "split", "split less slot", "the same before the rollout")
    notes = (
        f"Rollouts by {name}, {trials:,} trials to the end for each play, one ply deep, without the cube, luck "
        "subtracted, both plays with the same dice. Intervals of 95 % are reckoned as if dice were independent, and so "
        "are too wide.",
        "The paper says that TD-Gammon's rollout found the slot inferior to the split. The figures of its Table 2 are "
        "not in the text that we have.",
    )
    data = [(f"{roll[0]}-{roll[1]}", play, e, s) for roll, plays in _OPENINGS.items()
            for play, e, s in zip(plays, found[roll]["equities"], found[roll]["errors"], strict=True)]  # fmt: skip
    columns = ("roll", "play", "equity", "standard error")
    table = Table("Slot or split, in points of the seat that begins", headings, rows)
    return Findings((table,), notes=notes, data=Table("", columns, data))
