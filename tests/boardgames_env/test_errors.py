"""The check of bounds."""

from math import inf, nan

import pytest

from boardgames_env.errors import BadInputError, require


def test_numbers_within_bounds_pass() -> None:
    require(0, 1, epsilon=0, alpha=1.0)
    require(1, plies=1, jobs=10**9)
    require(0, inf, margin=inf)


@pytest.mark.parametrize(
    ("bounds", "number", "message"),
    [
        ((1,), 0, "plies=0 is not allowed; it must be at least 1"),
        ((1, 20), 21, "plies=21 is not allowed; it must be from 1 to 20"),
        ((0, 1_000_000), -1, "plies=-1 is not allowed; it must be from 0 to 1,000,000"),
        ((0, 1), nan, "plies=nan is not allowed; it must be from 0 to 1"),
        ((0,), inf, "plies=inf is not allowed; it must be at least 0"),
    ],
)
def test_numbers_out_of_bounds_are_refused(bounds: tuple[float, ...], number: float, message: str) -> None:
    with pytest.raises(BadInputError) as raised:
        require(*bounds, plies=number)
    assert str(raised.value) == message
