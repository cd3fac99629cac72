"""What a look ahead asks of whatever judges positions: how likely each outcome is."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.float32]
"""Rows of six: that a seat wins 1, 2, 3 points, and that it loses 1, 2, 3."""

POINTS = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])
"""What the outcomes are worth, in points."""

OTHER_SEAT = np.array([3, 4, 5, 0, 1, 2])
"""``probabilities[:, OTHER_SEAT]`` are the probabilities as the other seat sees them."""


class Evaluator(Protocol):
    """Judges positions, thousands at once."""

    def chances(self, states: NDArray[np.int8]) -> Probabilities:
        """How likely each outcome is for the seat to move, if no stakes are raised.

        Args:
            states: Positions that are not over and await chance (or, in a game without chance, a move): shape
                ``(n, state_size)``, to be left as they are.

        Returns:
            Shape ``(n, 6)``; each row sums to 1.
        """


def equities(probabilities: NDArray[Any]) -> NDArray[np.float64]:
    """The expected points of rows of six probabilities, shape ``(..., 6)``."""
    expected: NDArray[np.float64] = (probabilities * POINTS).sum(axis=-1)
    return expected
