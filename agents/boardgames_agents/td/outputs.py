"""What a network's outputs stand for, and how predictions of both seats are compared.

Every output is a probability. One output is that of winning, with half of that of a draw. Four are those of winning one
point and more (a gammon), and of losing one and more, as in Tesauro 1995; six tell two points from three. Whether a
gammon counts as a win, too, the paper does not say: gammons are *apart*, or *within* the wins, in which case a win's
probability is that of one point or more, and so on. A network says them of the seat it is shown a position for, its
*viewer*; from one turn to the next, predictions are compared as those of seat 0: the probabilities change places, or
one becomes its complement.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.kernels import INDICES, helper, kernel

MOST_POINTS = 3
"""Contests for more points (with a cube, say) teach as if they were for so many."""

_POINTS = {1: (1,), 4: (1, 2, -1, -2), 6: (1, 2, 3, -1, -2, -3)}


class Meaning(NamedTuple):
    """What outputs stand for, as kernels read it.

    Attributes:
        worth: What each output adds to the points that the viewer can expect, shape ``(K,)``.
        bias: What they come to without any.
        place: By viewer, which of seat 0's probabilities each output is, shape ``(2, K)``.
        sign: By viewer: 1, or -1 where outputs are complements of seat 0's probabilities, shape ``(2,)``.
        targets: Seat 0's probabilities when a contest has ended, by its points + 3, shape ``(7, K)``.
    """

    worth: NDArray[np.float32]
    bias: np.float32
    place: NDArray[np.int32]
    sign: NDArray[np.float32]
    targets: NDArray[np.float32]


_VECTOR = types.Array(types.float32, 1, "C")
_MATRIX = types.Array(types.float32, 2, "C")
_READ_ONLY_MATRIX = types.Array(types.float32, 2, "C", readonly=True)

_ZERO, _ONE = np.float32(0), np.float32(1)

Floats = NDArray[np.float32]

MEANING = types.NamedTuple((_VECTOR, types.float32, types.Array(types.int32, 2, "C"), _VECTOR, _MATRIX), Meaning)


def meaning(outputs: int, within: bool = False) -> Meaning:
    """What so many outputs stand for.

    Args:
        outputs: How many there are.
        within: Whether gammons are within the wins.

    Raises:
        BadInputError: If it is not 1, 4 or 6.
    """
    if outputs not in _POINTS:
        raise BadInputError(f"outputs={outputs} is not allowed; a network has 1, 4 or 6 outputs")
    points = _POINTS[outputs]
    same = list(range(outputs))
    targets = np.zeros((2 * MOST_POINTS + 1, outputs), dtype=np.float32)
    for ended, row in zip(range(-MOST_POINTS, MOST_POINTS + 1), targets, strict=True):
        if outputs == 1:
            row[0] = (1 + np.sign(ended)) / 2
        elif within:
            row[:] = [0 < each <= ended or ended <= each < 0 for each in points]
        elif ended:
            row[points.index(max(min(ended, max(points)), min(points)))] = 1
    return Meaning(
        worth=np.array([2] if outputs == 1 else np.sign(points) if within else points, dtype=np.float32),
        bias=np.float32(-1 if outputs == 1 else 0),
        place=np.array([same, [points.index(-each) for each in points] if outputs > 1 else same], dtype=np.int32),
        sign=np.array([1, -1 if outputs == 1 else 1], dtype=np.float32),
        targets=targets,
    )


def as_chances(outputs: NDArray[np.float32], within: bool = False) -> NDArray[np.float32]:
    """Outputs as probabilities of winning 1, 2 and 3 points and of losing as many, which sum to 1.

    Args:
        outputs: Shape ``(N, K)``.
        within: Whether gammons are within the wins.

    Returns:
        Shape ``(N, 6)``, float32.
    """
    chances = np.zeros((len(outputs), 2 * MOST_POINTS), dtype=np.float32)
    _write_chances.run(outputs, _COLUMNS[outputs.shape[1]], within, chances)
    return chances


# the column of each output; losses come after wins
_COLUMNS = {
    count: np.array([each - 1 if each > 0 else MOST_POINTS - 1 - each for each in points], dtype=np.int32)
    for count, points in _POINTS.items()
}


@kernel(types.void(_READ_ONLY_MATRIX, INDICES, types.boolean, _MATRIX))
def _write_chances(outputs: Floats, columns: NDArray[np.int32], within: bool, chances: Floats) -> None:
    for row in range(len(outputs)):
        for output in range(len(columns)):
            chances[row, columns[output]] = outputs[row, output]
        if len(columns) == 1:
            chances[row, MOST_POINTS] = _ONE - outputs[row, 0]
            continue
        if within:
            _take_apart(chances, row)
        total = _ZERO
        for column in range(2 * MOST_POINTS):
            total += chances[row, column]
        for column in range(2 * MOST_POINTS):
            chances[row, column] = chances[row, column] / total if total > 0 else _ONE / (2 * MOST_POINTS)


@helper
def _take_apart(chances: Floats, row: int) -> None:
    """Have more points apart from those they are within; what is within is at most as likely as what it is within."""
    for first in (0, MOST_POINTS):
        for column in range(first + 1, first + MOST_POINTS):
            chances[row, column] = min(chances[row, column], chances[row, column - 1])
            chances[row, column - 1] -= chances[row, column]
