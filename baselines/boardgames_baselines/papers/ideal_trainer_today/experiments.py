"""The tables and figures of the study; see docs/papers/ideal_trainer_today.md."""

from collections.abc import Sequence
from functools import partial
from math import inf, nan
from statistics import fmean, median, variance

import numpy as np

from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.experiments.estimate import Z, wilson
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, HeatMap, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer_today.claims import CLAIMS, abstract, judge, quick_signs
from boardgames_baselines.papers.ideal_trainer_today.design import GAMES, LEARNERS, NOISE
from boardgames_baselines.papers.ideal_trainer_today.grid import (
    CellRuns,
    Grid,
    grid,
    number_text,
    over_games,
    present,
    runs_text,
    sample_of,
    tests_text,
    tied_with_best,
)
from boardgames_baselines.papers.ideal_trainer_today.jobs.agreement import Agreement
from boardgames_baselines.papers.ideal_trainer_today.jobs.cell import Stage

_DRAWS = 4000

EXPERT = str(CHALLENGERS[1].spec())
"""The challenger of the comparison with contests that are played."""


@experiment("claims")
def claims(runner: Runner) -> Report:
    """Whether the claims of 1994 hold for each kind of learner."""
    found = grid(runner)
    verdicts = judge(found)
    _, learners, _ = present(found)
    rows: list[Row] = []
    for name, claim in CLAIMS.items():
        for learner in learners:
            if verdict := verdicts.get((name, learner)):
                rows.append((claim.short, learner, verdict.gain.estimate, f"{verdict.p:.3g}", verdict.word))
    table = Table(
        "Claims of 1994: gain in reliability, in percentage points, the mean of all games",
        ("claim", "learner", "gain", "p (Holm)", "holds"),
        rows,
        names=2,
    )
    return Report(
        (table,), (), (*abstract(found, verdicts), quick_signs(found, verdicts), runs_text(found), tests_text(found))
    )


@experiment("trainers")
def trainers(runner: Runner) -> Report:
    """Every trainer with every learner, over all games, with the probability that it is the best."""
    found = grid(runner)
    _, learners, names = present(found)
    rows: list[Row] = [(trainer, *(over_games(found, learner, trainer) for learner in learners)) for trainer in names]
    reliable = Table("Reliability at the end of training, in %, the mean of all games", ("trainer", *learners), rows)
    best = {learner: _best(found, learner, names) for learner in learners}
    likely = Table(
        "Probability, in %, that a trainer is the best one of a learner over all games",
        ("trainer", *learners),
        [(trainer, *(_percent(best[learner].get(trainer)) for learner in learners)) for trainer in names],
    )
    values = [
        [each.value if (each := over_games(found, learner, trainer)) else nan for learner in learners]
        for trainer in names
    ]
    picture = HeatMap("Reliability in %, the mean of all games", names, learners, values)
    return Report(
        (reliable, likely),
        (picture,),
        (
            runs_text(found),
            tests_text(found),
        ),
        data=_data(found),
    )


@experiment("games")
def games(runner: Runner) -> Report:
    """Every trainer with every learner, game by game, and which trainers are as good as the best."""
    found = grid(runner)
    played, learners, names = present(found)
    rows: list[Row] = []
    pictures = []
    for game in played:
        for learner in learners:
            own = {
                name: sample_of(found[game, learner, name].final())
                for name in names
                if _has_runs(found, game, learner, name)
            }
            if own:
                best, tied = tied_with_best(own)
                rows.append((game, learner, best, round(own[best].mean, 1), len(tied), ", ".join(tied[:6])))
        values = [[_mean(found.get((game, learner, name))) for learner in learners] for name in names]
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
    rows: list[Row] = [(trainer, *(over_games(found, learner, trainer) for learner in learners)) for trainer in NOISE]
    return Report(
        (Table(chart.title, ("trainer", *learners), rows),),
        (chart,),
        (
            runs_text(found),
            tests_text(found),
        ),
    )


@experiment("effects")
def effects(runner: Runner) -> Report:
    """How much of the differences at each game is due to the learner, the trainer, and both together."""
    found = grid(runner)
    played, learners, names = present(found)
    learners = [each for each in learners if any(len(cell.runs) > 1 for key, cell in found.items() if key[1] == each)]
    rows: list[Row] = []
    for game in played:
        whole = [name for name in names if all(_is_repeated(found.get((game, each, name))) for each in learners)]
        means = np.array([[_mean(found[game, learner, name]) for name in whole] for learner in learners])
        if means.size == 0:
            continue
        centre = means.mean()
        by_learner, by_trainer = means.mean(axis=1) - centre, means.mean(axis=0) - centre
        rest = means - centre - by_learner[:, None] - by_trainer[None, :]
        samples = [sample_of(found[game, learner, name].final()) for learner in learners for name in whole]
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
    return Report((table,), (), (note, runs_text(found)))


@experiment("key-nodes")
def key_nodes(runner: Runner) -> Report:
    """What trainers show: the key nodes visited, the errors left, and what the worst opponent makes of them."""
    found = grid(runner)
    _, learners, names = present(found)
    tables = []
    for title, measure in (
        ("Key nodes that came up in training, in %", lambda each: 100 * each.key_nodes),
        ("Positions left in which the learner errs", lambda each: float(each.test.errors)),
        (
            "Points a contest given away to the worst opponent",
            lambda each: each.test.exploitability,
        ),
    ):
        rows: list[Row] = [
            (name, *(_rounded(over_games(found, learner, name, measure)) for learner in learners)) for name in names
        ]
        tables.append(Table(f"{title}, the mean of all games", ("trainer", *learners), rows))
    return Report(
        tuple(tables),
        (),
        (
            runs_text(found),
            tests_text(found),
        ),
    )


@experiment("agreement")
def agreement(runner: Runner) -> Report:
    """Whether contests that are played agree with the exact outcomes."""
    seed, contests = runner.options.seed, max(100, round(20_000 * runner.options.scale))
    jobs = {
        (game, learner): Agreement(spec, plan.spec, plan.tested[2], EXPERT, contests, seed=seed)
        for game, spec in GAMES.items()
        for learner, plan in LEARNERS.items()
    }
    rows: list[Row] = []
    far = []
    for (game, learner), result in runner.results("exact and played", jobs).items():
        parts: list[Cell] = []
        for share, count in zip(result["exact"], result["played"], strict=True):
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
    return Report((Table(title, headings, rows, names=2),), (), (note,))


def _percent(share: float | None) -> Cell:
    return None if share is None else round(100 * share, 1)


def _rounded(estimate: object) -> Cell:
    value = getattr(estimate, "value", None)
    return None if value is None else round(value, 3 if value < 10 else 1)


def _has_runs(found: Grid, game: str, learner: str, trainer: str) -> bool:
    return bool((cell := found.get((game, learner, trainer))) and cell.runs)


def _is_repeated(cell: CellRuns | None) -> bool:
    """Return whether a cell has several runs."""
    return cell is not None and len(cell.runs) > 1


def _mean(cell: CellRuns | None) -> float:
    return fmean(cell.final()) if cell and cell.runs else nan


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


def _data(found: Grid) -> Table:
    """Return a row for each cell."""
    challengers = [each.name for each in CHALLENGERS]
    headings = ["game", "learner", "trainer", "runs", "failed", "contests", "reliability", "standard deviation"]
    headings += [f"{what} {name}" for what in ("reliability", "power") for name in challengers]
    headings += ["exploitability", "errors", "key nodes", "median contests to 95 %"]
    lengths = sorted({contests for cell in found.values() for contests in cell.cell.tested})
    headings += [f"reliability after {contests}" for contests in lengths]
    rows: list[Row] = []
    for (game, learner, trainer), cell in found.items():
        if not cell.runs:
            rows.append((game, learner, trainer, 0, len(cell.failed)))
            continue
        final = cell.final()
        spread = variance(final) ** 0.5 if len(final) > 1 else None
        not_lost = [fmean(cell.final(partial(_not_lost, name=name))) for name in challengers]
        won = [fmean(cell.final(partial(_won, name=name))) for name in challengers]
        more = (
            fmean(cell.final(lambda each: each.test.exploitability)),
            fmean(cell.final(lambda each: float(each.test.errors))),
            fmean(cell.final(lambda each: 100 * each.key_nodes)),
        )
        figures = (fmean(final), spread, *not_lost, *won, *more)
        curve = cell.curve()
        rows.append(
            (
                game,
                learner,
                trainer,
                len(cell.runs),
                len(cell.failed),
                cell.cell.tested[-1],
                *(None if each is None else round(each, 4) for each in figures),
                number_text(median(cell.contests_to(95))),
                *(round(curve[contests], 2) if contests in curve else None for contests in lengths),
            )
        )
    return Table("", tuple(headings), rows)


def _not_lost(stage: Stage, name: str) -> float:
    return 100 * (1 - stage.test.outcomes[name].loss)


def _won(stage: Stage, name: str) -> float:
    return 100 * stage.test.outcomes[name].win
