"""The update of a student's coefficients after one move of its teacher (Hasson, Markovitch and Sella, section 2.3).

The student expected one move, and the teacher played another. Δ is the difference between the contents of the board
after the actual move and after the expected one. In the teacher's judgement the features of which Δ has more (P)
outweigh those of which it has less (N); so the coefficients of P grow in proportion to the value of N:

    gain = 0.1 · Σ_N abs(Δi ki) / Σ_P Δi,   and   ki ← ki + gain   for each i in P.

If P or N is empty, nothing is learned.
"""

import numpy as np

from boardgames_agents.fives.coefficients import Coefficients
from boardgames_env.kernels.signatures import Float64s, Int64s

STABILITY = 0.1
"""The share of the correction that is made at once, "to stabilize the learning process"."""


def gain(values: Float64s, delta: Int64s) -> float:
    """Return the growth of each coefficient of P; 0 if P or N is empty."""
    more, less = delta > 0, delta < 0
    if not more.any():
        return 0.0
    return float(np.abs(delta[less] * values[less]).sum() / delta[more].sum() * STABILITY)


def updated(values: Float64s, delta: Int64s) -> Float64s:
    """Return the coefficients after a lesson as a new array.

    (500, 400, 300, 200, 100) with Δ = (1, -1, 2, -1, 0) become (520, 400, 320, 200, 100).
    """
    return np.where(delta > 0, values + gain(values, delta), values)


ORDER = (
    ("full open four", "half open four"),
    ("full open four", "full open three"),
    ("half open four", "quarter open three"),
    ("full open three", "half open three"),
    ("half open three", "quarter open three"),
    ("full open four", "broken four"),
    ("broken four", "quarter open three"),
    ("full open three", "broken three"),
    ("broken three", "quarter open three"),
)
"""Pairs of features of which the first is at least as good as the second (section 4).

The first has as many marks and more ways to grow, or it can be grown from the second. (The paper names
only the rule of half open four and quarter open three. Features that such reasons do not compare, like half open four
and full open three, are left to learning.)"""


def is_in_order(coefficients: Coefficients) -> bool:
    """Return whether coefficients agree with `ORDER`."""
    named = coefficients.named
    return all(named[better] >= named[worse] for better, worse in ORDER if better in named and worse in named)
