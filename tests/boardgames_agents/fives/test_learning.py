import numpy as np
import pytest

from boardgames_agents.fives.coefficients import INITIAL, INITIAL_BROKEN, Coefficients
from boardgames_agents.fives.features import CONTENTS
from boardgames_agents.fives.learning import ORDER, gain, is_in_order, updated

FIRST = INITIAL.values


@pytest.mark.parametrize(
    ("delta", "learned"),
    [
        ((1, -1, 2, -1, 0), (520, 400, 320, 200, 100)),  # the paper's example
        ((0, 0, 0, 0, 0), FIRST),
        ((1, 0, 2, 0, 0), FIRST),  # nothing is less
        ((0, -1, 0, -3, 0), FIRST),  # nothing is more
        ((0, 0, 0, -3, 1), (500, 400, 300, 200, 160)),
        ((0, 0, 0, -3, 4), (500, 400, 300, 200, 115)),
        ((2, 2, -1, 0, 0), (507.5, 407.5, 300, 200, 100)),
    ],
)
def test_coefficients_of_what_is_more_grow_by_the_value_of_what_is_less(
    delta: tuple[int, ...], learned: tuple[float, ...]
) -> None:
    values = np.array(FIRST)
    assert updated(values, np.array(delta)).tolist() == list(learned)
    assert values.tolist() == list(FIRST)


def test_what_is_less_is_weighed_by_its_amount() -> None:
    assert gain(np.array(FIRST), np.array([1, -1, 2, -1, 0])) == pytest.approx(20)
    assert updated(np.array([10.0, -20.0]), np.array([1, -2])).tolist() == [14, -20]


def test_the_named_rule_is_in_the_order_and_the_order_names_features() -> None:
    assert ("half open four", "quarter open three") in ORDER
    assert {name for pair in ORDER for name in pair} == set(CONTENTS)


def test_first_and_best_coefficients_of_the_paper_are_in_order() -> None:
    assert is_in_order(INITIAL)
    assert is_in_order(INITIAL_BROKEN)
    assert is_in_order(Coefficients((560, 450, 300, 222.5, 122.5)))
    assert is_in_order(Coefficients((500, 250, 300, 260, 100)))  # half open four below both open threes: not compared


@pytest.mark.parametrize(("better", "worse"), ORDER)
def test_coefficients_out_of_order_are_noticed(better: str, worse: str) -> None:
    """Each pair alone: all others are as far apart as they can be."""
    named = dict.fromkeys(CONTENTS, 50.0)
    assert is_in_order(Coefficients(tuple(named.values())))  # equals are allowed
    for one, other in ((better, worse), (worse, better)):
        values = named | {one: 51.0}
        broken = {(high, low) for high, low in ORDER if values[high] < values[low]}
        assert is_in_order(Coefficients(tuple(values.values()))) == (not broken)
        assert ((better, worse) in broken) == (one == worse and other == better)
