"""What a student learns from one move of its teacher (Hasson, Markovitch and Sella, section 2.3).

The student expected one move, and the teacher played another. What sets the board after the actual move apart from the
board after the expected one is the difference Δ of their contents. The teacher thinks that what Δ has more of (P)
outweighs what it has less of (N); so the coefficients of P grow, in proportion to what N is worth:

    gain = 0.1 · Σ_N abs(Δi ki) / Σ_P Δi,   and   ki ← ki + gain   for each i in P.

Where nothing is more, or nothing less, nothing is learned.
"""

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.fives.coefficients import Coefficients

Contents = NDArray[np.int64]
Values = NDArray[np.float64]

STABILITY = 0.1
"""The share of what is weighed up that is learned at once, "to stabilize the learning process"."""


def difference(actual: Contents, expected: Contents) -> Contents:
    """Δ: what the actual board has more of than the expected one, by feature.

    Args:
        actual: The contents of the board after the actual move, shape ``(features,)``, int64.
        expected: Those after the expected move.
    """
    return actual - expected


def gain(values: Values, delta: Contents) -> float:
    """What each coefficient of P grows by; 0 where P or N has nothing in it.

    Args:
        values: The coefficients k, shape ``(features,)``, float64.
        delta: Δ.
    """
    more, less = delta > 0, delta < 0
    if not more.any():
        return 0.0
    return float(np.abs(delta[less] * values[less]).sum() / delta[more].sum() * STABILITY)


def updated(values: Values, delta: Contents) -> Values:
    """The coefficients after a lesson; a fresh array.

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
"""What cannot be worse than what (section 4): the first has as many marks as the second and more ways to grow, or can
be grown from it. The paper names the rule of half open four and quarter open three, and not the others; features that
such reasons do not compare, like half open four and full open three, are left to learning."""


def is_in_order(coefficients: Coefficients) -> bool:
    """Whether coefficients keep to `ORDER`."""
    named = coefficients.named
    return all(named[better] >= named[worse] for better, worse in ORDER if better in named and worse in named)
