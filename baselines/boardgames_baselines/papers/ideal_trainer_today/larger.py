"""The study at a game that is too large for exact tests: five men's morris."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.experiments.estimate import Estimate, percentage, share_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import HeatMap, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer_today.design import LARGER_GAME, LEARNERS, TRAINERS, sampled_cells
from boardgames_baselines.papers.ideal_trainer_today.grid import one_run_after_another
from boardgames_baselines.papers.ideal_trainer_today.jobs.sampled_cell import SampledCell
from boardgames_env import make_game

_RUNS = 1


@experiment("larger-game")
def larger_game(runner: Runner) -> Report:
    """Every trainer with every learner at five men's morris, where tests are sampled."""
    title, jobs = make_game(LARGER_GAME).title.lower(), dict(sampled_cells(runner.options.scale))
    found = one_run_after_another(runner, title, jobs, dict.fromkeys(jobs, runner.options.runs or _RUNS))
    whole = {key: [each for each in results if "failed" not in each] for key, results in found.items()}
    learners = [name for name in LEARNERS if any(whole.get((name, trainer)) for trainer in TRAINERS)]
    trainers = [name for name in TRAINERS if any(whole.get((learner, name)) for learner in learners)]
    shares = {key: _reliability(results) for key, results in whole.items() if results}
    rows: list[Row] = [(name, *(shares.get((learner, name)) for learner in learners)) for name in trainers]
    table = Table(f"Reliability in % at {title}, the mean over the four challengers", ("trainer", *learners), rows)
    values = [
        [each.value if (each := shares.get((learner, name))) else nan for learner in learners] for name in trainers
    ]
    picture = HeatMap(f"Reliability in % at {title}", trainers, learners, values)
    failed = [key for key, results in found.items() if any("failed" in each for each in results)]
    ended = f"{len(failed)} cells had failed runs: {failed[:5]}." if failed else "No run failed."
    single = max(map(len, whole.values()), default=0) < 2
    intervals = (
        "Wilson's for the contests of the test; how much trainings differ is not in them"
        if single
        else "the wider of Wilson's over contests and Student's over runs"
    )
    note = (
        f"{len(shares)} cells, {'a run each' if single else 'several runs each'}. {ended} "
        f"The intervals of 95 % are {intervals}."
    )
    return Report((table,), (picture,) if rows else (), (note,), data=_data(whole, jobs))


def _reliability(results: Sequence[Mapping[str, Any]]) -> Estimate:
    """Return the share of contests not lost, in per cent; there are as many contests with each challenger."""
    contests = [sum(map(sum, each["scores"].values())) for each in results]
    lost = [sum(score[2] for score in each["scores"].values()) for each in results]
    return share_of([of - each for of, each in zip(contests, lost, strict=True)], contests)


def _data(
    whole: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]], jobs: Mapping[tuple[str, str], SampledCell]
) -> Table:
    """Return a row for each cell: its contests, and the shares not lost and won against each challenger."""
    names = [each.name for each in CHALLENGERS]
    headings = ["learner", "trainer", "runs", "contests", "contests of the test"]
    headings += [f"{what} {name}" for what in ("reliability", "power") for name in names]
    rows: list[Row] = []
    for key, results in whole.items():
        if results:
            totals = [[sum(each["scores"][name][k] for each in results) for k in range(3)] for name in names]
            not_lost = [round(100 - percentage(total[2], sum(total)), 2) for total in totals]
            won = [round(percentage(total[0], sum(total)), 2) for total in totals]
            rows.append((*key, len(results), jobs[key].training, sum(map(sum, totals)), *not_lost, *won))
    return Table("", tuple(headings), rows)
