"""The tables and figures of the study; see docs/papers/ideal_trainer_today.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isfinite, nan
from operator import attrgetter
from statistics import fmean, median, variance
from typing import Any

import numpy as np

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.experiments.estimate import Estimate, Z, percentage, sample_of, share_of, wilson
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, HeatMap, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer_today import GAMES, LARGER_GAME, LEARNERS, NOISE, TRAINERS, sampled_cells
from boardgames_baselines.papers.ideal_trainer_today.cells import ExactAndPlayed, GridCell, Stage
from boardgames_baselines.papers.ideal_trainer_today.grid import (
    Grid,
    Measure,
    abstract,
    failures_text,
    finals,
    grid,
    judge,
    mean_of_cells,
    number_text,
    one_run_after_another,
    over_games,
    present,
    quick_signs,
    reliability,
    runs_text,
    tests_text,
    tied_with_best,
)
from boardgames_baselines.papers.training import MeasuredTraining, score_of
from boardgames_env import make_game

_DRAWS = 4000


@experiment("claims")
def claims(runner: Runner) -> Report:
    """Whether the claims of 1994 hold for each kind of learner."""
    found = grid(runner)
    verdicts = judge(found)
    rows: list[Row] = [
        (" > ".join(claim), learner, verdict.gain.estimate, f"{verdict.p:.3g}", verdict.word)
        for (claim, learner), verdict in verdicts.items()
    ]
    title = "Claims of 1994: gain in reliability, in percentage points, the mean of all games"
    table = Table(title, ("claim", "learner", "gain", "p (Holm)", "holds"), rows, names=2)
    notes = *abstract(verdicts), quick_signs(found, verdicts), runs_text(found), tests_text(found)
    return Report((table,), notes=notes)


@experiment("trainers")
def trainers(runner: Runner) -> Report:
    """Every trainer with every learner, over all games, with the probability that it is the best."""
    found = grid(runner)
    _, learners, names = present(found)
    reliable = _by_trainer("Reliability at the end of training, in %, the mean of all games", found, names)
    best = {learner: _best(found, learner, names) for learner in learners}
    likely = Table(
        "Probability, in %, that a trainer is the best one of a learner over all games",
        ("trainer", *learners),
        [(trainer, *(_percent_of_share(best[learner].get(trainer)) for learner in learners)) for trainer in names],
    )
    picture = _picture("Reliability in %, the mean of all games", reliable)
    return Report((reliable, likely), (picture,), (runs_text(found), tests_text(found)), data=_rows_of_cells(found))


def _picture(title: str, table: Table) -> HeatMap:
    """Return a heat map of the estimates in a table."""
    values = [[each.value if isinstance(each, Estimate) else nan for each in cells] for _, *cells in table.rows]
    return HeatMap(title, [str(row[0]) for row in table.rows], list(table.headings[1:]), values)


@experiment("games")
def games(runner: Runner) -> Report:
    """Every trainer with every learner, game by game, and which trainers are as good as the best."""
    found = grid(runner)
    played, learners, names = present(found)
    rows: list[Row] = []
    pictures = []
    for game in played:
        for learner in learners:
            own = {name: sample_of(runs) for name in names if (runs := finals(found, game, learner, name))}
            if own:
                best, tied = tied_with_best(own)
                rows.append((game, learner, best, round(own[best].mean, 1), len(tied), ", ".join(tied[:6])))
        values = [
            [fmean(runs) if (runs := finals(found, game, learner, name)) else nan for learner in learners]
            for name in names
        ]
        pictures.append(HeatMap(f"Reliability in % at {game}", names, learners, values))
    headings = ("game", "learner", "best trainer", "reliability", "tied with", "such as")
    table = Table("The best trainer at each game, and those that are tied with it", headings, rows, names=2)
    note = (
        "Tied: not significantly worse, by Welch's test over runs, corrected by Holm's method. "
        "With single runs all are tied, with two runs most."
    )
    return Report((table,), tuple(pictures), (runs_text(found), tests_text(found), note))


@experiment("noise")
def noise(runner: Runner) -> Report:
    """How reliability depends on the noise of the trainer."""
    found = grid(runner)
    _, learners, _ = present(found)
    curves, halves = {}, {}
    for learner in learners:
        points = [(percent, over_games(found, learner, trainer)) for trainer, percent in NOISE.items()]
        there = [(percent, each) for percent, each in points if each]
        if not there:
            continue
        curves[learner] = [(float(percent), each.value) for percent, each in there]
        halves[learner] = [each.half for _, each in there]
    chart = Chart(
        "Reliability by the noise of the trainer, the mean of all games",
        "noise e in %",
        "reliability in %",
        curves,
        halves=halves,
    )
    table = _by_trainer(chart.title, found, list(NOISE))
    return Report((table,), (chart,), (runs_text(found), tests_text(found)))


def _by_trainer(title: str, found: Grid, trainers: Sequence[str], measure: Measure = reliability) -> Table:
    """Return a table with a row for each trainer, and a measure's mean over all games for each learner."""
    learners = present(found)[1]
    rows = [(name, *(over_games(found, learner, name, measure) for learner in learners)) for name in trainers]
    return Table(title, ("trainer", *learners), rows)


@experiment("effects")
def effects(runner: Runner) -> Report:
    """How much of the differences at each game is due to the learner, the trainer, and both together."""
    found = grid(runner)
    played, learners, names = present(found)
    learners = [each for each in learners if any(len(cell.runs) > 1 for key, cell in found.items() if key[1] == each)]
    rows: list[Row] = []
    for game in played:
        whole = [name for name in names if all(len(finals(found, game, each, name)) > 1 for each in learners)]
        means = np.array([[fmean(finals(found, game, learner, name)) for name in whole] for learner in learners])
        if means.size == 0:
            continue
        centre = means.mean()
        by_learner, by_trainer = means.mean(axis=1) - centre, means.mean(axis=0) - centre
        rest = means - centre - by_learner[:, None] - by_trainer[None, :]
        samples = [sample_of(finals(found, game, learner, name)) for learner in learners for name in whole]
        runs, of_means = (
            fmean(each) for each in zip(*((s.variance, s.variance / s.runs) for s in samples), strict=True)
        )
        # (the means of cells vary by chance, which would count as an effect of both together)
        share = (len(learners) - 1) * (len(whole) - 1) / means.size
        both = max(0.0, float((rest**2).mean()) - share * of_means)
        parts = [float((by_learner**2).mean()), float((by_trainer**2).mean()), both]
        if total := sum(parts) + runs:
            rows.append((game, *(round(100 * part / total, 1) for part in (*parts, runs))))
    headings = ("game", "learner", "trainer", "learner × trainer", "between runs")
    table = Table("Shares of the variance of reliability, in %", headings, rows)
    note = (
        "The variance of cell means is divided as in a two-way analysis of variance; what they vary by chance is taken "
        "from that of both together. That between runs is its mean over the cells. Learners with single runs, and "
        "trainers with such a cell, are left out."
    )
    return Report((table,), notes=(note, runs_text(found)))


_FURTHER: Mapping[str, tuple[str, Measure]] = {
    "exploitability": ("Points a contest given away to the worst opponent", lambda each: each.test.exploitability),
    "errors": ("Positions left in which the learner errs", lambda each: float(each.test.errors)),
    "key nodes": ("Key nodes that came up in training, in %", lambda each: 100 * each.key_nodes),
}
"""Measures beside reliability and power: their titles and functions."""


@experiment("key-nodes")
def key_nodes(runner: Runner) -> Report:
    """What trainers show: the key nodes visited, the errors left, and what the worst opponent makes of them."""
    found = grid(runner)
    tables = []
    for title, measure in reversed([*_FURTHER.values()]):
        table = _by_trainer(f"{title}, the mean of all games", found, present(found)[2], measure)
        tables.append(replace(table, rows=[(name, *map(_rounded_cell, means)) for name, *means in table.rows]))
    return Report(tuple(tables), (), (runs_text(found), tests_text(found)))


@experiment("agreement")
def agreement(runner: Runner) -> Report:
    """Whether contests that are played agree with the exact outcomes."""
    seed, contests = runner.options.seed, max(100, round(20_000 * runner.options.scale))
    against_expert = ExactAndPlayed(str(CHALLENGERS[1].spec()), contests)
    jobs = {
        (game, learner): MeasuredTraining(spec, plan.spec, "2&7", (plan.tested[2],), (against_expert,), seed=seed)
        for game, spec in GAMES.items()
        for learner, plan in LEARNERS.items()
    }
    rows: list[Row] = []
    far = []
    for (game, learner), result in runner.results("exact and played", jobs).items():
        parts: list[Cell] = []
        (test,) = result["tests"]
        for share, count in zip(test["exact"], test["played"], strict=True):
            low, high = wilson(count, contests)
            parts += [round(100 * share, 2), round(100 * count / contests, 2)]
            if 1e-5 < share < 1 - 1e-5:
                far.append(not low <= 100 * share <= high)
        rows.append((game, learner, *parts))
    headings = ("game", "learner", "wins", "played", "draws", "played ", "loses", "played  ")
    title = f"Exact and played outcomes against the expert in %, {contests:,} contests"
    note = (
        f"Of {len(far)} exact shares that are not 0 or 1, {sum(far)} are outside Wilson's 95 % interval of the played "
        f"ones; about {0.05 * len(far):.0f} would be by chance."
    )
    return Report((Table(title, headings, rows, names=2),), notes=(note,))


def _percent_of_share(share: float | None) -> Cell:
    return None if share is None else round(100 * share, 1)


def _rounded_cell(estimate: object) -> Cell:
    value = getattr(estimate, "value", None)
    return None if value is None else round(value, 3 if value < 10 else 1)


def _best(found: Grid, learner: str, names: Sequence[str]) -> dict[str, float]:
    """Return the probability of each trainer to be the best: the mean over games is drawn with its standard error."""
    estimates = {name: each for name in names if (each := over_games(found, learner, name))}
    if any(each.high == inf for each in estimates.values()):
        return {}
    rng = np.random.default_rng(0)
    means = np.array([each.value for each in estimates.values()])
    errors = np.array([(each.high - each.value) / Z for each in estimates.values()])
    winners = (means + errors * rng.standard_normal((_DRAWS, len(means)))).argmax(axis=1)
    return dict(zip(estimates, np.bincount(winners, minlength=len(means)) / _DRAWS, strict=True))


def _rows_of_cells(found: Grid) -> Table:
    """Return a row for each cell."""
    names = [each.name for each in CHALLENGERS]
    measures: dict[str, Measure] = {
        "reliability": reliability,
        **{f"reliability {name}": partial(_not_lost, name=name) for name in names},
        **{f"power {name}": partial(_share_won, name=name) for name in names},
        **{name: measure for name, (_, measure) in _FURTHER.items()},
    }
    first, *others = measures
    lengths = sorted({contests for cell in found.values() for contests in cell.cell.tested})
    rows: list[Row] = []
    for key, cell in found.items():
        if not cell.runs:
            rows.append((*key, 0, len(cell.failed)))
            continue
        mean, *means = (round(fmean(cell.final(measure)), 4) for measure in measures.values())
        spread = round(variance(cell.final()) ** 0.5, 4) if len(cell.runs) > 1 else None
        curve = cell.curve()
        rows.append(
            (
                *(*key, len(cell.runs), len(cell.failed), cell.cell.tested[-1], mean, spread, *means),
                number_text(median(cell.until(95, _CONTESTS))),
                *(round(curve[contests], 2) if contests in curve else None for contests in lengths),
            )
        )
    headings = ("game", "learner", "trainer", "runs", "failed", "contests", first, "standard deviation", *others)
    curve_headings = (f"reliability after {contests}" for contests in lengths)
    return Table("", (*headings, "median contests to 95 %", *curve_headings), rows)


def _not_lost(stage: Stage, name: str) -> float:
    return 100 * (1 - stage.test.outcomes[name].loss)


def _share_won(stage: Stage, name: str) -> float:
    return 100 * stage.test.outcomes[name].win


# --- a game that is too large for exact tests: five men's morris ---


@experiment("larger-game")
def larger_game(runner: Runner) -> Report:
    """Every trainer with every learner at five men's morris, where tests are sampled."""
    title, jobs = make_game(LARGER_GAME).title.lower(), dict(sampled_cells(runner.options.scale))
    found = one_run_after_another(runner, title, jobs, dict.fromkeys(jobs, runner.options.runs or 1))
    whole = {key: [each for each in results if "failed" not in each] for key, results in found.items()}
    learners = [name for name in LEARNERS if any(whole.get((name, trainer)) for trainer in TRAINERS)]
    trainers = [name for name in TRAINERS if any(whole.get((learner, name)) for learner in learners)]
    shares = {key: _sampled_reliability(results) for key, results in whole.items() if results}
    rows: list[Row] = [(name, *(shares.get((learner, name)) for learner in learners)) for name in trainers]
    table = Table(f"Reliability in % at {title}, the mean over the four challengers", ("trainer", *learners), rows)
    picture = _picture(f"Reliability in % at {title}", table)
    failed = [key for key, results in found.items() if any("failed" in each for each in results)]
    single = max(map(len, whole.values()), default=0) < 2
    intervals = (
        "Wilson's for the contests of the test; how much trainings differ is not in them"
        if single
        else "the wider of Wilson's over contests and Student's over runs"
    )
    note = (
        f"{len(shares)} cells, {'a run each' if single else 'several runs each'}. {failures_text(failed)} "
        f"The intervals of 95 % are {intervals}."
    )
    return Report((table,), (picture,) if rows else (), (note,), data=_sampled_data(whole, jobs))


def _sampled_reliability(results: Sequence[Mapping[str, Any]]) -> Estimate:
    """Return the share of contests not lost, in per cent; there are as many contests with each challenger."""
    scores = [[score_of(run["tests"][-1], each.name) for each in CHALLENGERS] for run in results]
    contests = [sum(score.contests for score in run) for run in scores]
    lost = [sum(score.losses for score in run) for run in scores]
    return share_of([of - each for of, each in zip(contests, lost, strict=True)], contests)


def _sampled_data(
    whole: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]], jobs: Mapping[tuple[str, str], GridCell]
) -> Table:
    """Return a row for each cell: its contests, and the shares not lost and won against each challenger."""
    names = [each.name for each in CHALLENGERS]
    headings = ["learner", "trainer", "runs", "contests", "contests of the test"]
    headings += [f"{what} {name}" for what in ("reliability", "power") for name in names]
    rows: list[Row] = []
    for key, results in whole.items():
        if results:
            scores = [sum((score_of(run["tests"][-1], name) for run in results), Score()) for name in names]
            not_lost = [round(100 - percentage(score.losses, score.contests), 2) for score in scores]
            won = [round(score.power, 2) for score in scores]
            contests = sum(score.contests for score in scores)
            rows.append((*key, len(results), jobs[key].tested[-1], contests, *not_lost, *won))
    return Table("", tuple(headings), rows)


# --- how long learners take: contests and seconds to a level, and what a budget of seconds buys ---

BUDGETS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Processor seconds of training."""


@experiment("speed")
def speed(runner: Runner) -> Report:
    """How many contests and seconds a learner needs to be 95 % and 99 % reliable."""
    found = grid(runner)
    played, learners, names = present(found)
    rows: list[Row] = []
    for learner in learners:
        for name in names:
            cells = [found[game, learner, name] for game in played if (game, learner, name) in found]
            to_95 = [contests for cell in cells for contests in cell.until(95, _CONTESTS)]
            to_99 = [contests for cell in cells for contests in cell.until(99, _CONTESTS)]
            seconds = [spent for cell in cells for spent in cell.until(95, _SECONDS)]
            if to_95:
                first = (_reached(to_95), number_text(median(to_95)), number_text(median(seconds)))
                rows.append((learner, name, *first, _reached(to_99), number_text(median(to_99))))
    headings = ("learner", "trainer", "95 %: runs in %", "contests", "seconds", "99 %: runs in %", "contests ")
    table = Table("Contests to a reliability of 95 and 99 %", headings, rows, names=2)
    note = "Medians over the runs at all games; a dash where half of the runs did not get there."
    return Report((table,), notes=(note, runs_text(found)))


_CONTESTS, _SECONDS = attrgetter("contests"), attrgetter("seconds")


def _reached(spent: Sequence[float]) -> int:
    """Return the share of runs that have got somewhere, in per cent."""
    return round(100 * fmean(map(isfinite, spent)))


@experiment("budgets")
def budgets(runner: Runner) -> Report:
    """How reliable learners are after a number of processor seconds, and which trainer is then the best."""
    found = grid(runner)
    _, learners, names = present(found)
    rows: list[Row] = []
    curves, halves = {}, {}
    for learner in learners:
        best: dict[float, Estimate] = {}
        for budget in BUDGETS:
            means = {name: mean for name in names if (mean := within(found, learner, name, budget)) is not None}
            if means:
                name = max(means, key=lambda each: means[each].value)
                rows.append((learner, number_text(budget), len(means), name, means[name]))
                best[budget] = means[name]
        if best:
            curves[learner] = [(1000 * budget, mean.value) for budget, mean in best.items()]
            halves[learner] = [mean.half for mean in best.values()]
    headings = ("learner", "seconds", "trainers", "best trainer", "reliability")
    title = "Reliability within a budget of processor seconds for each game, in %, the mean of all games"
    chart = Chart(
        "Reliability by the time of training, with the best trainer",
        "milliseconds of processor time",
        "reliability in %",
        curves,
        logarithmic=True,
        halves=halves,
    )
    ends = sorted({cell.cell.tested[-1] for cell in found.values()})
    lengths = " or ".join(f"{each:,}" for each in ends)
    note = (
        "A learner counts as it was at its last test within the budget. Trainers with which it had no test by then at "
        f"some game are left out; the others are counted. Trainings end after {lengths} contests, so a curve that "
        "has become flat may have nothing left to train. The best of several noisy means is on average a little too "
        "high. Intervals of 95 % are Welch's over runs, where there are several. Seconds depend on the machine, and "
        "on what else it does."
    )
    return Report((Table(title, headings, rows, names=2),), (chart,) if curves else (), (note, runs_text(found)))


def within(found: Grid, learner: str, trainer: str, seconds: float) -> Estimate | None:
    """Return the mean reliability over all games within a budget; ``None`` if a game has no test by then."""
    cells = [each for (_, own, name), each in found.items() if (own, name) == (learner, trainer)]
    runs = [each.within(seconds) for each in cells]
    return mean_of_cells([each for each in runs if each]) if runs and all(runs) else None
