"""Attitudes: values that distinguish winners, or losers, from all others (Epstein 2001, section 4.2).

For each value there are three lists, of its values for winners, in draws and for losers. Only the length of a list, its
sum and its sum of squares are kept, which suffice for means, standard deviations and tests.
"""

import numpy as np
from numpy.typing import NDArray

WON, DRAWN, LOST = range(3)
SIGNIFICANCE = 0.01
"""The significance level of a two-sided test, for 99 % confidence."""

_ROUNDING = 1e-9
"""Means that differ by less are equal."""


class Samples:
    """The three lists of many values; the values of a group are added together.

    Attributes:
        counts: The lengths of the lists, shape ``(3, groups)``, int64.
        sums: Their sums, shape ``(3, groups, values)``, float64.
        squares: Their sums of squares, the same shape.
    """

    def __init__(self, groups: int, values: int) -> None:
        self.counts = np.zeros((3, groups), dtype=np.int64)
        self.sums = np.zeros((3, groups, values))
        self.squares = np.zeros((3, groups, values))

    def add(self, outcome: int, group: int, values: NDArray[np.float64]) -> None:
        """Append values to the lists of an outcome; shape ``(n, values)``."""
        self.counts[outcome, group] += len(values)
        self.sums[outcome, group] += values.sum(axis=0)
        self.squares[outcome, group] += np.square(values).sum(axis=0)

    @property
    def means(self) -> NDArray[np.float64]:
        """The lists' means, shape ``(3, groups, values)``; 0 for an empty list."""
        means: NDArray[np.float64] = self.sums / np.maximum(self.counts, 1)[..., None]
        return means

    @property
    def variances(self) -> NDArray[np.float64]:
        """The sample variances of the lists, shape ``(3, groups, values)``; 0 for less than two values."""
        counts = self.counts[..., None]
        variances: NDArray[np.float64] = (self.squares - counts * self.means**2) / np.maximum(counts - 1, 1)
        return np.maximum(variances, 0.0)

    def attitudes(self, of: int) -> NDArray[np.int8]:
        """Return the direction, 1 or −1, in which values of an outcome differ significantly from both others, or 0.

        The shape is ``(groups, values)``.
        """
        one, other = [self._direction(of, outcome) for outcome in (WON, DRAWN, LOST) if outcome != of]
        return np.where(one == other, one, np.int8(0))

    def spreads(self) -> NDArray[np.float64]:
        """Return the larger of the lists' differences in mean and standard deviation; infinite if one is empty."""
        differences = [each.max(axis=0) - each.min(axis=0) for each in (self.means, np.sqrt(self.variances))]
        empty = np.any(self.counts == 0, axis=0)
        return np.where(empty[:, None], np.inf, np.maximum(*differences))

    def _direction(self, one: int, other: int) -> NDArray[np.int8]:
        """Return whether the mean of one list is significantly higher (1) or lower (−1) than another's, or neither (0).

        The test is Welch's t-test, because early lists are short and differ in variance. (The paper does not name its
        test.) A list of less than two values differs from none.
        """
        from scipy.special import stdtr

        variances, counts = self.variances, self.counts
        difference = self.means[one] - self.means[other]
        errors = [variances[which] / np.maximum(counts[which], 1)[:, None] for which in (one, other)]
        degrees = [np.maximum(counts[which] - 1, 1)[:, None] for which in (one, other)]
        error = np.maximum(errors[0] + errors[1], np.finfo(float).tiny)
        parts = errors[0] ** 2 / degrees[0] + errors[1] ** 2 / degrees[1]
        freedom = np.clip(error**2 / np.maximum(parts, np.finfo(float).tiny), 1, None)
        probability = 2 * stdtr(freedom, -np.abs(difference) / np.sqrt(error))
        enough = (np.minimum(counts[one], counts[other]) > 1)[:, None]
        certain = enough & (probability <= SIGNIFICANCE) & (np.abs(difference) > _ROUNDING)
        return np.where(certain, np.sign(difference), 0).astype(np.int8)
