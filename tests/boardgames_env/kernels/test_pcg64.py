"""The generators of kernels are NumPy's, to the last bit, as machine code and as plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import types

from boardgames_env.kernels import kernel
from boardgames_env.kernels.pcg64 import GENERATOR, draw_below, draw_fraction, next_number, seed_generator
from boardgames_env.kernels.signatures import FLOAT64_1D, INT64_1D, UINT64_1D, Float64s, Int64s, UInt64s

BOUNDS = [2, 3, 1000, 3, 2**31, 3 * 2**30, 2**32 - 2, 2**32 - 1, 5]


@kernel(types.void(UINT64_1D, INT64_1D, UINT64_1D, FLOAT64_1D, INT64_1D))
def draw_all(entropy: UInt64s, bounds: Int64s, numbers: UInt64s, fractions: Float64s, below: Int64s) -> None:
    """Draw numbers of 64 bits, then fractions and numbers below bounds in turn."""
    generator = np.zeros(GENERATOR, dtype=np.uint64)
    seed_generator(entropy, generator)
    for i in range(len(numbers)):
        numbers[i] = next_number(generator)
    for i in range(len(bounds)):
        fractions[i] = draw_fraction(generator)
        below[i] = draw_below(generator, bounds[i])


@pytest.mark.parametrize("run", [draw_all._machine_code, lambda: draw_all.as_python], ids=["compiled", "plain Python"])
@pytest.mark.parametrize(
    "entropy", [[0], [1], [2**32 - 1], [7, 0, 1], [3, 1, 4, 1], [0, 0, 0, 0, 0], [5, 2**32 - 1, 1, 2, 3, 4, 5, 6, 9]]
)
@pytest.mark.filterwarnings("error")
def test_numbers_are_those_of_numpy(entropy: list[int], run: Callable[[], Callable[..., Any]]) -> None:
    bounds = np.array(BOUNDS * 12)
    numbers, fractions, below = np.zeros(20, dtype=np.uint64), np.zeros(len(bounds)), np.zeros_like(bounds)
    run()(np.array(entropy, dtype=np.uint64), bounds, numbers, fractions, below)
    rng = np.random.default_rng(entropy)
    assert numbers.tolist() == rng.bit_generator.random_raw(20).tolist()
    for fraction, bound, number in zip(fractions.tolist(), bounds.tolist(), below.tolist(), strict=True):
        assert fraction == rng.random()
        assert number == rng.integers(bound)
