"""Estimates: intervals that can be worked out by hand."""

import pytest

from boardgames_agents.experiments.estimate import Estimate, difference, mean_of, share_of, wilson
from boardgames_agents.experiments.table import text_of


def test_intervals() -> None:
    mean = mean_of([1.0, 2.0, 3.0])
    assert (mean.value, mean.high) == pytest.approx((2, 2 + 4.302653 / 3**0.5), abs=1e-5)
    same = share_of([20] * 5, [20] * 5)
    assert (same.value, same.low, same.high) == (100, wilson(100, 100)[0], 100)
    uneven = share_of([20, 0], [20, 20])
    assert (uneven.value, uneven.low, uneven.high) == (50, 0, 100)
    gain = difference([2.0, 4.0], [1.0, 1.0])  # one degree of freedom, standard error 1
    assert (gain.value, gain.low, gain.high) == pytest.approx((2, 2 - 12.7062, 2 + 12.7062), abs=1e-3)
    assert difference([1.0, 1.0], [1.0, 1.0]) == Estimate(0, 0, 0)
    assert text_of(difference([3.0], [1.0, 2.0])) == "1.5"
    assert text_of(same) == "100 (96.3 to 100)"
