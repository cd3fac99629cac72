"""The results of the grid, what the runs of its cells say together, and the claims of 1994."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, sqrt
from statistics import fmean, variance
from typing import Literal, TypeVar

from boardgames_agents.experiments.estimate import Estimate, Sample, error_of_sum, sample_of, student
from boardgames_agents.experiments.runner import QUICK_RUNS, QUICK_SCALE, Runner
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.policy.explanation import counted, listed
from boardgames_baselines.papers.ideal_trainer_today import GAMES, LEARNERS, TRAINERS, cells, longest
from boardgames_baselines.papers.ideal_trainer_today.cells import GridCell, Stage
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
    """Return the results of all cells.

    Runs that are not stored are played, all first runs before the second ones.
    """
    every = dict(cells(runner.options.scale))
    runs = {key: runner.options.runs or LEARNERS[key[1]].runs for key in every}
    return {
        key: CellRuns(
            every[key],
            tuple(tuple(map(Stage.of, each["tests"])) for each in results if "failed" not in each),
            tuple(each["failed"] for each in results if "failed" in each),
        )
        for key, results in one_run_after_another(runner, "the grid", every, runs).items()
    }


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


def finals(found: Grid, game: str, learner: str, trainer: str, measure: Measure = reliability) -> list[float]:
    """Return a measure of each run of a cell at its end; nothing if there is no such cell."""
    cell = found.get((game, learner, trainer))
    return cell.final(measure) if cell else []


def shortened(found: Grid, runs: int, scale: float) -> Grid:
    """Return what fewer runs on another scale would have found: each training is the beginning of a longer one."""
    short = {}
    for key, each in found.items():
        tested = tuple(at for at in each.cell.tested if at <= longest(LEARNERS[key[1]], scale))
        stages = tuple(run[: len(tested)] for run in each.runs[:runs])
        short[key] = CellRuns(replace(each.cell, tested=tested), stages, each.failed)
    return short


@dataclass(frozen=True)
class Gain:
    """The mean difference between two trainers over games, and its two-sided p value."""

    estimate: Estimate
    p: float


def gain(found: Grid, learner: str, one: str, other: str) -> Gain | None:
    """Return by how many percentage points one trainer makes a learner more reliable than another, over all games.

    ``None`` if there is no game at which both have runs.
    """
    pairs = [(finals(found, game, learner, one), finals(found, game, learner, other)) for game in GAMES]
    samples = [(sample_of(first), sample_of(second)) for first, second in pairs if first and second]
    return gain_of(samples) if samples else None


def gain_of(pairs: Sequence[tuple[Sample, Sample]]) -> Gain:
    """Return the mean, over pairs of samples, of the difference between the means of the first and the second.

    The test is Welch's, over runs. If a sample has a single run it is Student's, over the pairs.
    """
    from scipy.special import stdtr

    differences = [one.mean - other.mean for one, other in pairs]
    mean = fmean(differences)
    samples = [sample for pair in pairs for sample in pair]
    if all(sample.runs > 1 for sample in samples):
        error, freedom = error_of_sum(samples)
        error /= len(pairs)
    elif len(pairs) > 1:
        error, freedom = sqrt(variance(differences) / len(pairs)), len(pairs) - 1.0
    else:
        return Gain(Estimate.around(mean, inf), 1.0)
    if not error:
        return Gain(Estimate.around(mean, 0.0), 1.0 if mean == 0 else 0.0)
    return Gain(Estimate.around(mean, student(freedom) * error), 2 * float(stdtr(freedom, -abs(mean) / error)))


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
    samples = [sample for game in GAMES if (sample := finals(found, game, learner, trainer, measure))]
    return mean_of_cells(samples) if samples else None


def mean_of_cells(samples: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean of several cells, given the values of each cell's runs, with Welch's interval over runs."""
    mean = fmean(map(fmean, samples))
    if min(map(len, samples)) < 2:
        return Estimate.around(mean, inf)
    error, freedom = error_of_sum([sample_of(each) for each in samples])
    return Estimate.around(mean, student(freedom) * error / len(samples) if error else 0.0)


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
    parts = "; ".join(
        f"{counted(number, 'run')} a cell for {', '.join(sorted(names))}" for number, names in sorted(runs.items())
    )
    return f"{len(found):,} cells; {parts}. {failures_text([key for key, cell in found.items() if cell.failed])}"


def failures_text(failed: Sequence[tuple[str, ...]]) -> str:
    """Return a sentence on the cells that had failed runs."""
    return f"{len(failed)} cells had failed runs: {failed[:5]}." if failed else "No run failed."


def tests_text(found: Grid) -> str:
    """Return a sentence on how intervals and tests are made."""
    least = {each: min(len(cell.runs) for key, cell in found.items() if key[1] == each) for each in present(found)[1]}
    if max(least.values(), default=0) < 2:
        return "There are single runs, so there are no intervals, and tests are Student's over games."
    text = "Intervals of 95 % and tests are Welch's over runs"
    if min(least.values()) < 2:
        text += "; where a cell has a single run there is no interval, and the test is Student's over games"
    return f"{text}."


def number_text(value: float) -> str:
    """Return a number with three digits or more; a dash for infinity."""
    return (f"{value:.3g}" if value < 100 else f"{value:.0f}") if isfinite(value) else "–"


# --- the claims of Epstein 1994 about trainers, judged for every learner ---

Claim = tuple[str, str]
"""That one trainer makes learners more reliable than another: the better one's name, and the worse one's."""

CLAIMS: Mapping[Claim, str] = {
    ("perfect", "self"): "self-training is worse than a perfect trainer",
    ("10 % noise", "perfect"): "a trainer with some noise is better than a perfect one",
    ("10 % noise", "100 % noise"): "a trainer with some noise is better than a random one",
    ("2&7", "perfect"): "lessons and practice are better than a perfect trainer alone",
    ("2&7", "self"): "lessons and practice are better than self-training",
    ("key nodes", "2&7"): "lessons that lead to the key nodes are better than others",
    ("key nodes", "perfect"): "key-node training is better than a perfect trainer",
}
"""The claims as clauses. The last two are about the trainer that the paper's conclusion asks for, which is ours."""

Word = Literal["yes", "the reverse", "undecided"]

_TEXTS: Mapping[Word, str] = {"yes": "holds", "the reverse": "is reversed", "undecided": "is undecided"}


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds for a learner; ``p`` is corrected for the number of claims and learners."""

    gain: Gain
    p: float

    @property
    def word(self) -> Word:
        """The verdict at the level of 5 %."""
        if self.p >= LEVEL:
            return "undecided"
        return "yes" if self.gain.estimate.value > 0 else "the reverse"


Verdicts = Mapping[tuple[Claim, str], Verdict]
"""By claim and learner."""


def judge(found: Grid) -> Verdicts:
    """Return the verdict on every claim for every learner that was trained by both trainers."""
    gains = {
        (claim, learner): found_gain
        for claim in CLAIMS
        for learner in present(found)[1]
        if (found_gain := gain(found, learner, *claim))
    }
    ps = holm([each.p for each in gains.values()])
    return {key: Verdict(each, p) for (key, each), p in zip(gains.items(), ps, strict=True)}


def abstract(verdicts: Verdicts) -> tuple[str, ...]:
    """Return a sentence for each claim: for which learners it holds."""
    sentences = []
    for claim, sentence in CLAIMS.items():
        words = {learner: verdict.word for (judged, learner), verdict in verdicts.items() if judged == claim}
        by_word = {text: [each for each in words if words[each] == word] for word, text in _TEXTS.items()}
        if parts := [f"{text} for {listed(some)}" for text, some in by_word.items() if some]:
            sentences.append(f"That {sentence} {'; it '.join(parts)}.")
    return tuple(sentences)


def quick_signs(found: Grid, verdicts: Verdicts) -> str:
    """Return a sentence on the decided claims whose sign is another one with ``--quick``."""
    quick = judge(shortened(found, QUICK_RUNS, QUICK_SCALE))
    decided = [key for key, verdict in verdicts.items() if verdict.word != "undecided" and key in quick]
    other = [
        f"{' > '.join(claim)} for {learner}"
        for claim, learner in decided
        if verdicts[claim, learner].gain.estimate.value * quick[claim, learner].gain.estimate.value <= 0
    ]
    if not other:
        return f"With `--quick` the sign of all {len(decided)} decided claims is the same."
    return (
        f"With `--quick` the sign of {len(decided) - len(other)} of {len(decided)} decided claims is the same. "
        f"It is another one, or 0, for {'; '.join(other)}."
    )
