"""How long learners take: contests and seconds to a level, and what a budget of seconds buys."""

from math import isfinite
from statistics import fmean, median

from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer_today.grid import (
    Grid,
    grid,
    mean_of_cells,
    number_text,
    present,
    runs_text,
)

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
            reached = [[contests for cell in cells for contests in cell.contests_to(level)] for level in (95, 99)]
            if not reached[0]:
                continue
            seconds = [spent for cell in cells for spent in cell.seconds_to(95)]
            shares = [round(100 * fmean(isfinite(each) for each in some)) for some in reached]
            medians = [median(some) for some in reached]
            rows.append(
                (
                    learner,
                    name,
                    shares[0],
                    number_text(medians[0]),
                    number_text(median(seconds)),
                    shares[1],
                    number_text(medians[1]),
                )
            )
    headings = (
        "learner",
        "trainer",
        "95 %: runs in %",
        "contests",
        "seconds",
        "99 %: runs in %",
        "contests ",
    )
    note = "Medians over the runs at all games; a dash where half of the runs did not get there."
    return Report(
        (Table("Contests to a reliability of 95 and 99 %", headings, rows, names=2),), (), (note, runs_text(found))
    )


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
