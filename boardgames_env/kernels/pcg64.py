"""NumPy's random generators inside kernels: the numbers of ``numpy.random.default_rng``, to the last bit.

Its seeds are scattered by NumPy's ``SeedSequence`` (O'Neill, *Developing a seed_seq Alternative*, 2015), its numbers
drawn by PCG64 (O'Neill, *PCG*, 2014: 128 bits, XSL RR). Products and sums are made of halves of 32 bits: NumPy, which
computes them in plain Python, warns of those that overflow.
"""

from typing import Any

import numpy as np

from boardgames_env.kernels.helpers import helper
from boardgames_env.kernels.signatures import UInt64s

GENERATOR = 5
"""Length of a generator: its state and its increment, higher half first, and half of a number that is left over."""

_NONE, _ONE, _SIXTEEN, _HALF, _LOWER = (np.uint64(each) for each in (0, 1, 16, 32, (1 << 32) - 1))
_BEYOND_LOWER, _TOP, _TOP_SIX, _TOP_53, _ALL = (np.uint64(each) for each in (1 << 32, 63, 58, 11, 64))
# (Numba computes with floating-point numbers where an np.uint64 meets an integer)

_FIRST_IN, _FACTOR_IN = np.uint64(0x43B0_D7E5), np.uint64(0x931E_8875)
_FACTOR_LEFT, _FACTOR_RIGHT = np.uint64(0xCA01_F9DD), np.uint64(0x4973_F715)
_OUT = np.array([0x8B51_F9DD * pow(0x58F3_8DED, k, 1 << 32) % (1 << 32) for k in range(9)], dtype=np.uint64)
"""The constants of ``SeedSequence``: of words that go in, of mixing them, and before and after each that comes out."""

_FACTOR_HIGH, _FACTOR_LOW = np.uint64(0x2360_ED05_1FC6_5DA4), np.uint64(0x4385_DF64_9FCC_F645)
"""The factor of PCG64."""


@helper
def seed_generator(entropy: UInt64s, generator: UInt64s) -> None:
    """Begin ``numpy.random.default_rng(entropy)``; each number of the entropy has 32 bits."""
    pool, constant = generator, _FIRST_IN  # (the first four numbers are its pool for now)
    for i in range(4):
        following = constant * _FACTOR_IN & _LOWER
        pool[i] = _scattered(entropy[i] if i < len(entropy) else _NONE, constant, following)
        constant = following
    for source in range(max(4, len(entropy))):
        for i in range(4):
            if i != source:
                following = constant * _FACTOR_IN & _LOWER
                word = _scattered(pool[source] if source < 4 else entropy[source], constant, following)
                constant = following
                mixed = (_FACTOR_LEFT * pool[i] & _LOWER) + _BEYOND_LOWER - (_FACTOR_RIGHT * word & _LOWER) & _LOWER
                pool[i] = mixed ^ mixed >> _SIXTEEN
    high, low = _number_from(pool, 0), _number_from(pool, 1)
    add_high, add_low = _number_from(pool, 2), _number_from(pool, 3)
    generator[2], generator[3] = add_high << _ONE | add_low >> _TOP, add_low << _ONE | _ONE
    generator[1], carry = _sum(generator[3], low, _NONE)
    generator[0], carry = _sum(generator[2], high, carry)
    generator[4] = _NONE
    _step(generator)


@helper
def _scattered(word: np.uint64, before: np.uint64, after: np.uint64) -> np.uint64:
    word = (word ^ before) * after & _LOWER
    return word ^ word >> _SIXTEEN


@helper
def _number_from(pool: UInt64s, which: int) -> np.uint64:
    """Return one of the four numbers of 64 bits that a pool of entropy gives."""
    first = 2 * which
    low = _scattered(pool[first % 4], _OUT[first], _OUT[first + 1])
    return low | _scattered(pool[(first + 1) % 4], _OUT[first + 1], _OUT[first + 2]) << _HALF


@helper
def _sum(one: np.uint64, other: np.uint64, carry: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the lower 64 bits of a sum, and what is carried."""
    low = (one & _LOWER) + (other & _LOWER) + carry
    high = (one >> _HALF) + (other >> _HALF) + (low >> _HALF)
    return high << _HALF | low & _LOWER, high >> _HALF


@helper
def _product(one: np.uint64, other: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the higher and the lower 64 bits of a product."""
    low, left = (one & _LOWER) * (other & _LOWER), (one >> _HALF) * (other & _LOWER)
    right = (one & _LOWER) * (other >> _HALF)
    middle = (low >> _HALF) + (left & _LOWER) + (right & _LOWER)
    high = (one >> _HALF) * (other >> _HALF) + (left >> _HALF) + (right >> _HALF) + (middle >> _HALF)
    return high, middle << _HALF | low & _LOWER


@helper
def _step(generator: UInt64s) -> None:
    high, low = generator[0], generator[1]
    product, lower = _product(low, _FACTOR_LOW)
    product, _ = _sum(product, _product(high, _FACTOR_LOW)[1], _NONE)
    product, _ = _sum(product, _product(low, _FACTOR_HIGH)[1], _NONE)
    generator[1], carry = _sum(lower, generator[3], _NONE)
    generator[0], carry = _sum(product, generator[2], carry)


@helper
def next_number(generator: UInt64s) -> Any:
    """Return the next 64 bits."""
    _step(generator)
    number, turns = generator[0] ^ generator[1], generator[0] >> _TOP_SIX
    return number >> turns | number << ((_ALL - turns) & _TOP)


@helper
def draw_fraction(generator: UInt64s) -> float:
    """Return ``random()``."""
    return np.float64(next_number(generator) >> _TOP_53) * 2.0**-53


@helper
def _next_half(generator: UInt64s) -> Any:
    """Return the next 32 bits: the lower half of a number, and the higher one the next time."""
    left = generator[4]
    if left != _NONE:
        generator[4] = _NONE
        return left & _LOWER
    number = next_number(generator)
    generator[4] = number >> _HALF | _BEYOND_LOWER
    return number & _LOWER


@helper
def draw_below(generator: UInt64s, bound: int) -> int:
    """Return ``integers(bound)``, for a bound from 2 to 2³² - 1 (Lemire, *Fast Random Integer Generation*, 2019)."""
    limit = np.uint64(bound)
    product = _next_half(generator) * limit
    if product & _LOWER < limit:
        fair = (_BEYOND_LOWER - limit) % limit
        while product & _LOWER < fair:
            product = _next_half(generator) * limit
    return int(np.int64(product >> _HALF))
