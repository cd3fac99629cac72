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
    count = outputs.shape[1]
    chances = np.zeros((len(outputs), 2 * MOST_POINTS), dtype=np.float32)
    if count == 1:
        chances[:, 0], chances[:, MOST_POINTS] = outputs[:, 0], 1 - outputs[:, 0]
        return chances
    for output, points in enumerate(_POINTS[count]):
        chances[:, points - 1 if points > 0 else MOST_POINTS - 1 - points] = outputs[:, output]
    if within:
        for first in (0, MOST_POINTS):  # what is within is at most as likely as what it is within
            for more in range(first + 1, first + MOST_POINTS):
                np.minimum(chances[:, more], chances[:, more - 1], out=chances[:, more])
            chances[:, first : first + MOST_POINTS - 1] -= chances[:, first + 1 : first + MOST_POINTS]
    total = chances.sum(axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(chances, total, out=np.full_like(chances, 1 / 6), where=total > 0)
    return scaled
