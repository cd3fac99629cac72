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


@pytest.mark.slow
@pytest.mark.parametrize("trials", [1, 2, 7, 20, 1000])
def test_wilson_agrees_with_scipy(trials: int) -> None:
    from scipy.stats import binomtest  # takes seconds to import

    for successes in range(0, trials + 1, max(1, trials // 50)):
        interval = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
        assert wilson(successes, trials) == pytest.approx((100 * interval.low, 100 * interval.high), abs=1e-9)


def test_wilson_ends_exactly_at_the_ends() -> None:
    assert {(wilson(0, trials)[0], wilson(trials, trials)[1]) for trials in range(1, 200)} == {(0, 100)}
