"""The results of the grid, and what the runs of its cells say together."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, sqrt
from statistics import fmean, variance
from typing import Any, NamedTuple, TypeVar

from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import JsonResult
from boardgames_baselines.papers.ideal_trainer_today.cells import GridCell, Stage
from boardgames_baselines.papers.ideal_trainer_today.design import GAMES, LEARNERS, TRAINERS, cells, longest
from boardgames_baselines.papers.job import PaperJob

Key = tuple[str, str, str]
"""The names of game, learner and trainer."""

LEVEL = 0.05
"""The level of significance."""

Measure = Callable[[Stage], float]

Name = TypeVar("Name", bound=Hashable)


def reliability(stage: Stage) -> float:
    """Return the percentage of contests not lost, the mean over the four challengers."""
    return 100 * fmean(1 - each.loss for each in stage.test.outcomes.values())


@dataclass(frozen=True)
class CellRuns:
    """The runs of a cell.

    Attributes:
        cell: The cell, with the number 0.
        runs: The stages of each run that did not fail, in order.
        failed: Why runs have failed.
    """

    cell: GridCell
    runs: tuple[tuple[Stage, ...], ...]
    failed: tuple[str, ...]

    def final(self, measure: Measure = reliability) -> list[float]:
        """Return a measure of each run at its end."""
        return [measure(run[-1]) for run in self.runs]

    def curve(self) -> dict[int, float]:
        """Return the mean reliability by the number of contests."""
        return {stages[0].contests: fmean(map(reliability, stages)) for stages in zip(*self.runs, strict=True)}

    def until(self, level: float, spent: Measure) -> list[float]:
        """Return what each run has spent when it is first as reliable as a level, in per cent; infinite if never."""
        return [next((spent(stage) for stage in run if reliability(stage) >= level), inf) for run in self.runs]

    def within(self, seconds: float) -> list[float] | None:
        """Return the reliability of each run at its last test within some seconds of training.

        ``None`` if a run had none by then, or there is no run.
        """
        tested = [[stage for stage in run if stage.seconds <= seconds] for run in self.runs]
        return [reliability(stages[-1]) for stages in tested] if tested and all(tested) else None


Grid = Mapping[Key, CellRuns]


def grid(runner: Runner) -> Grid:
    """Return the results of all cells; runs that are not stored are played, all first runs before the second ones."""
    every = dict(cells(runner.options.scale))
    runs = {key: runner.options.runs or LEARNERS[key[1]].runs for key in every}
    found = one_run_after_another(runner, "the grid", every, runs)
    return {key: _cell_runs(every[key], results) for key, results in found.items()}


def one_run_after_another(
    runner: Runner, what: str, every: Mapping[Name, PaperJob], runs: Mapping[Name, int]
) -> dict[Name, list[JsonResult]]:
    """Return the results of some runs of each cell, with the numbers from 0; all first runs before the second ones."""
    found = dict[Name, list[JsonResult]]()
    for number in range(max(runs.values())):
        jobs = {
            name: replace(cell, number=number, seed=runner.options.seed)
            for name, cell in every.items()
            if number < runs[name]
        }
        for name, result in runner.results(f"{what}, run {number + 1}", jobs).items():
            found.setdefault(name, []).append(result)
    return found


def _cell_runs(cell: GridCell, results: Sequence[Mapping[str, Any]]) -> CellRuns:
    whole = [each for each in results if "failed" not in each]
    return CellRuns(
        cell,
        tuple(tuple(map(Stage.of, each["tests"])) for each in whole),
        tuple(each["failed"] for each in results if "failed" in each),
    )


def shortened(found: Grid, runs: int, scale: float) -> Grid:
    """Return what fewer runs on another scale would have found: each training is the beginning of a longer one."""
    short = {}
    for key, each in found.items():
        tested = tuple(at for at in each.cell.tested if at <= longest(LEARNERS[key[1]], scale))
        stages = tuple(run[: len(tested)] for run in each.runs[:runs])
        short[key] = CellRuns(replace(each.cell, tested=tested), stages, each.failed)
    return short


class Sample(NamedTuple):
    """The mean, the variance and the number of the runs of a cell."""

    mean: float
    variance: float
    runs: int


def sample_of(values: Sequence[float]) -> Sample:
    """Return the sample of some values, at least one."""
    return Sample(fmean(values), variance(values) if len(values) > 1 else 0.0, len(values))


@dataclass(frozen=True)
class Gain:
    """The mean difference between two trainers over games, and its two-sided p value."""

    estimate: Estimate
    p: float


def gain(found: Grid, learner: str, one: str, other: str) -> Gain | None:
    """Return by how many percentage points one trainer makes a learner more reliable than another, over all games.

    ``None`` if there is no game at which both have runs.
    """
    pairs = [
        (found[game, learner, one].final(), found[game, learner, other].final())
        for game in GAMES
        if (game, learner, one) in found and (game, learner, other) in found
    ]
    samples = [(sample_of(first), sample_of(second)) for first, second in pairs if first and second]
    return gain_of(samples) if samples else None


def gain_of(pairs: Sequence[tuple[Sample, Sample]]) -> Gain:
    """Return the mean, over pairs of samples, of the difference between the means of the first and the second.

    The test is Welch's, over runs. If a sample has a single run it is Student's, over the pairs.
    """
    from scipy.special import stdtr, stdtrit

    differences = [one.mean - other.mean for one, other in pairs]
    mean = fmean(differences)
    samples = [sample for pair in pairs for sample in pair]
    if all(sample.runs > 1 for sample in samples):
        error, freedom = _error_of_sum(samples)
        error /= len(pairs)
    elif len(pairs) > 1:
        error, freedom = sqrt(variance(differences) / len(pairs)), len(pairs) - 1.0
    else:
        return Gain(Estimate.around(mean, inf), 1.0)
    if not error:
        return Gain(Estimate.around(mean, 0.0), 1.0 if mean == 0 else 0.0)
    half = float(stdtrit(freedom, 0.975)) * error
    return Gain(Estimate.around(mean, half), 2 * float(stdtr(freedom, -abs(mean) / error)))


def _error_of_sum(samples: Sequence[Sample]) -> tuple[float, float]:
    """Return the standard error of the sum of the means of samples, and its degrees of freedom by Welch's method."""
    parts = [sample.variance / sample.runs for sample in samples]
    if not any(parts):
        return 0.0, inf
    freedom = sum(parts) ** 2 / sum(part**2 / (each.runs - 1) for part, each in zip(parts, samples, strict=True))
    return sqrt(sum(parts)), freedom


def tied_with_best(own: Mapping[str, Sample]) -> tuple[str, list[str]]:
    """Return the best of several cells and those not significantly worse (5 %, by Holm's method), the better first."""
    best = max(own, key=lambda name: own[name].mean)
    others = [name for name in own if name != best]
    ps = holm([gain_of([(own[best], own[name])]).p for name in others])
    tied = [name for name, p in zip(others, ps, strict=True) if p >= LEVEL]
    return best, sorted(tied, key=lambda name: -own[name].mean)


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values corrected for their number.

    Source: S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics 6
    (1979).
    """
    corrected, least = [0.0] * len(ps), 0.0
    for place, index in enumerate(sorted(range(len(ps)), key=lambda each: ps[each])):
        least = max(least, min(1.0, (len(ps) - place) * ps[index]))
        corrected[index] = least
    return corrected


def over_games(found: Grid, learner: str, trainer: str, measure: Measure = reliability) -> Estimate | None:
    """Return a measure's mean over all games, with Welch's interval over runs; ``None`` if there is no run."""
    samples = [
        sample
        for game in GAMES
        if (game, learner, trainer) in found and (sample := found[game, learner, trainer].final(measure))
    ]
    return mean_of_cells(samples) if samples else None


def mean_of_cells(samples: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean of several cells, given the values of each cell's runs, with Welch's interval over runs."""
    from scipy.special import stdtrit

    mean = fmean(map(fmean, samples))
    if min(map(len, samples)) < 2:
        return Estimate.around(mean, inf)
    error, freedom = _error_of_sum([sample_of(each) for each in samples])
    return Estimate.around(mean, float(stdtrit(freedom, 0.975)) * error / len(samples) if error else 0.0)


def present(found: Grid) -> tuple[list[str], list[str], list[str]]:
    """Return the games, learners and trainers that have cells, in the order of the design."""
    games, learners, trainers = ({key[place] for key in found} for place in range(3))
    return (
        [name for name in GAMES if name in games],
        [name for name in LEARNERS if name in learners],
        [name for name in TRAINERS if name in trainers],
    )


def runs_text(found: Grid) -> str:
    """Return two sentences on the cells and their runs."""
    runs: dict[int, set[str]] = {}
    for (_, learner, _), cell in found.items():
        runs.setdefault(len(cell.runs) + len(cell.failed), set()).add(learner)
    failed = [key for key, cell in found.items() if cell.failed]
    parts = "; ".join(
        f"{number} run{'s' * (number > 1)} a cell for {', '.join(sorted(names))}"
        for number, names in sorted(runs.items())
    )
    ended = f"{len(failed)} cells had failed runs: {failed[:5]}." if failed else "No run failed."
    return f"{len(found):,} cells; {parts}. {ended}"


def tests_text(found: Grid) -> str:
    """Return a sentence on how intervals and tests are made."""
    least = {each: min(len(cell.runs) for key, cell in found.items() if key[1] == each) for each in present(found)[1]}
    if max(least.values()) < 2:
        return "There are single runs, so there are no intervals, and tests are Student's over games."
    text = "Intervals of 95 % and tests are Welch's over runs"
    if min(least.values()) < 2:
        text += "; where a cell has a single run there is no interval, and the test is Student's over games"
    return f"{text}."


def number_text(value: float) -> str:
    """Return a number with three digits or more; a dash for infinity."""
    return (f"{value:.3g}" if value < 100 else f"{value:.0f}") if isfinite(value) else "–"
