"""Estimates with 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from statistics import NormalDist, fmean, variance
from typing import NamedTuple

from boardgames_agents.policy.explanation import signed

Interval = tuple[float, float]

Z = NormalDist().inv_cdf(0.975)
"""Standard errors from the middle of a 95 % interval to its ends."""


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval, whose ends are the value itself where that is exact."""

    value: float
    low: float
    high: float

    @classmethod
    def around(cls, value: float, half: float) -> "Estimate":
        """Return an estimate with an interval of the value and ``half`` on either side."""
        return cls(value, value - half, value + half)

    @property
    def half(self) -> float:
        """Half of the length of the interval; not a number if that is infinite."""
        return (self.high - self.low) / 2 if isfinite(self.high - self.low) else nan

    def signed(self, digits: int) -> str:
        """Format a difference or a gain with its sign, and with its interval if that is finite."""
        interval = f" ({signed(self.low, digits)} to {signed(self.high, digits)})" if isfinite(self.low) else ""
        return f"{signed(self.value, digits)}{interval}"


def percentage(successes: int, trials: int) -> float:
    """Return successes in per cent of the trials; not a number for no trials."""
    return 100 * successes / trials if trials else float("nan")


def wilson(successes: float, trials: int) -> Interval:
    """Return Wilson's 95 % score interval of a proportion, in per cent; 0 to 100 for no trials.

    Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, Journal of the
    American Statistical Association 22 (1927). SciPy has it for integer numbers of successes only, which
    a known proportion such as maximal power need not give.
    """
    if trials == 0:
        return 0.0, 100.0
    share = successes / trials
    centre = share + Z**2 / (2 * trials)
    spread = Z * sqrt(share * (1 - share) / trials + (Z / (2 * trials)) ** 2)
    scale = 100 / (1 + Z**2 / trials)
    # at the ends the interval ends there too, which rounding would just miss
    low = scale * (centre - spread) if share > 0 else 0.0
    high = scale * (centre + spread) if share < 1 else 100.0
    return low, high


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with Student's interval, which is infinite for one value."""
    mean = fmean(values)
    half = student(len(values) - 1) * sqrt(variance(values) / len(values)) if len(values) > 1 else inf
    return Estimate.around(mean, half)


def share_of(successes: Sequence[int], trials: Sequence[int]) -> Estimate:
    """Return a percentage from the successes and trials of several runs.

    The contests of one run are played by one learner, so they are no independent sample, but the runs are. Student's
    interval over runs has no width where all runs agree; Wilson's over all contests takes contests for independent.
    The interval returned has the wider end of the two on either side.
    """
    pooled = wilson(sum(successes), sum(trials))
    value = percentage(sum(successes), sum(trials))
    shares = [percentage(each, of) for each, of in zip(successes, trials, strict=True)]
    if len(shares) < 2:
        return Estimate(value, *pooled)
    runs = mean_of(shares)
    return Estimate(value, max(0.0, min(pooled[0], runs.low)), min(100.0, max(pooled[1], runs.high)))


def difference(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """Return the difference of two samples' means with Welch's interval, which is infinite for one value."""
    difference = fmean(one) - fmean(other)
    if min(len(one), len(other)) < 2:
        return Estimate.around(difference, inf)
    error, freedom = error_of_sum([sample_of(one), sample_of(other)])
    return Estimate.around(difference, student(freedom) * error if error else 0.0)


class Sample(NamedTuple):
    """The mean, the variance and the number of some values, such as those of the runs of a training."""

    mean: float
    variance: float
    runs: int


def sample_of(values: Sequence[float]) -> Sample:
    """Return the sample of some values, at least one."""
    return Sample(fmean(values), variance(values) if len(values) > 1 else 0.0, len(values))


def error_of_sum(samples: Sequence[Sample]) -> tuple[float, float]:
    """Return the standard error of the sum of the means of samples, and its degrees of freedom by Welch's method."""
    parts = [sample.variance / sample.runs for sample in samples]
    if not any(parts):
        return 0.0, inf
    freedom = sum(parts) ** 2 / sum(part**2 / (each.runs - 1) for part, each in zip(parts, samples, strict=True))
    return sqrt(sum(parts)), freedom


def student(freedom: float) -> float:
    """Return the standard errors from the middle of Student's 95 % interval to its ends."""
    from scipy.special import stdtrit  # scipy.stats has it as well, but takes seconds to import

    return float(stdtrit(freedom, 0.975))
