"""Estimates with 95 % intervals, from runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance

from boardgames_agents.arena.score import percentage, wilson


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval, which is the figure itself where that is exact."""

    value: float
    low: float
    high: float


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of independent values, with Student's interval; all that is possible if there is one value only."""
    mean = fmean(values)
    half = _student(len(values) - 1) * sqrt(variance(values) / len(values)) if len(values) > 1 else float("inf")
    return Estimate(mean, mean - half, mean + half)


def share_of(successes: Sequence[int], trials: Sequence[int]) -> Estimate:
    """A percentage, from several runs' successes and trials.

    Contests of one run are played by one learner and are no independent sample: the runs are. Student's interval over
    runs knows that, and knows nothing where all the runs agree; Wilson's, over all contests, is the other way round.
    The wider end of the two stands.
    """
    pooled = wilson(sum(successes), sum(trials))
    value = percentage(sum(successes), sum(trials))
    shares = [percentage(each, of) for each, of in zip(successes, trials, strict=True)]
    if len(shares) < 2:
        return Estimate(value, *pooled)
    runs = mean_of(shares)
    return Estimate(value, max(0.0, min(pooled[0], runs.low)), min(100.0, max(pooled[1], runs.high)))


def difference(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """By how much the mean of one sample exceeds another's, with Welch's interval; that of one value is endless."""
    difference = fmean(one) - fmean(other)
    if min(len(one), len(other)) < 2:
        return Estimate(difference, float("-inf"), float("inf"))
    parts = [variance(each) / len(each) for each in (one, other)]
    if not any(parts):
        return Estimate(difference, difference, difference)
    freedom = sum(parts) ** 2 / sum(part**2 / (len(each) - 1) for part, each in zip(parts, (one, other), strict=True))
    half = _student(freedom) * sqrt(sum(parts))
    return Estimate(difference, difference - half, difference + half)


def _student(freedom: float) -> float:
    from scipy.special import stdtrit  # scipy.stats has it, too, and takes seconds to import

    return float(stdtrit(freedom, 0.975))
