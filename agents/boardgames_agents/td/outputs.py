"""The meaning of a network's outputs.

Every output is a probability. One output is the probability of winning plus half that of a draw. Four outputs are the
probabilities of winning one point, of winning more (a gammon), of losing one and of losing more, as in Tesauro 1995;
six tell two points from three. (The paper does not say whether a gammon counts as a win, too.) Gammons are *apart* from
the wins, or *within* them: a win's probability is then that of one point or more, and so on.

A network's outputs are those of its *viewer*, the seat it is shown a position for. From one turn to the next,
predictions are compared as seat 0's: the probabilities change places, or one becomes its complement.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.kernels import FEATURES, helper, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT32_2D, FLOAT32_2D_READONLY, INT32_1D, INT32_2D, Float32s

MOST_POINTS = 3
"""Contests for more points (with a cube, say) teach as if they were for this many."""

_POINTS = {1: (1,), 4: (1, 2, -1, -2), 6: (1, 2, 3, -1, -2, -3)}


class Meaning(NamedTuple):
    """The meaning of K outputs, as kernels read it.

    Attributes:
        value: By output, its part in the viewer's expected points, shape ``(K,)``.
        bias: The expected points where all outputs are 0.
        place: By viewer, which of seat 0's probabilities each output is, shape ``(2, K)``.
        sign: By viewer, 1, or -1 where outputs are complements of seat 0's probabilities, shape ``(2,)``.
        targets: Seat 0's probabilities once a contest has ended, by its points + 3, shape ``(7, K)``.
    """

    value: Float32s
    bias: np.float32
    place: NDArray[np.int32]
    sign: Float32s
    targets: Float32s


_ZERO, _ONE = np.float32(0), np.float32(1)

MEANING = named_tuple_type(Meaning, FEATURES, types.float32, INT32_2D, FEATURES, FLOAT32_2D)


def meaning(outputs: int, within: bool = False) -> Meaning:
    """Return the meaning of 1, 4 or 6 outputs, with gammons apart from the wins or within them."""
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
        value=np.array([2] if outputs == 1 else np.sign(points) if within else points, dtype=np.float32),
        bias=np.float32(-1 if outputs == 1 else 0),
        place=np.array([same, [points.index(-each) for each in points] if outputs > 1 else same], dtype=np.int32),
        sign=np.array([1, -1 if outputs == 1 else 1], dtype=np.float32),
        targets=targets,
    )


def outcome_probabilities(outputs: Float32s, within: bool = False) -> Float32s:
    """Return outputs, shape ``(N, K)``, as probabilities of winning 1, 2, 3 points and of losing 1, 2, 3.

    They sum to 1; shape ``(N, 6)``, float32.
    """
    probabilities = np.zeros((len(outputs), 2 * MOST_POINTS), dtype=np.float32)
    _write_probabilities.run(outputs, COLUMNS[outputs.shape[1]], within, probabilities)
    return probabilities


COLUMNS = {
    count: np.array([each - 1 if each > 0 else MOST_POINTS - 1 - each for each in points], dtype=np.int32)
    for count, points in _POINTS.items()
}
"""By the number of outputs, the outcome of each; losses come after wins."""


@kernel(types.void(FLOAT32_2D_READONLY, INT32_1D, types.boolean, FLOAT32_2D))
def _write_probabilities(outputs: Float32s, columns: NDArray[np.int32], within: bool, probabilities: Float32s) -> None:
    for row in range(len(outputs)):
        write_outcome(outputs, columns, within, row, probabilities, row)


@helper
def write_outcome(
    outputs: Float32s, columns: NDArray[np.int32], within: bool, which: int, probabilities: Float32s, row: int
) -> None:
    """Write the outputs in a row of ``outputs`` as the probabilities of the six outcomes, over zeros."""
    for output in range(len(columns)):
        probabilities[row, columns[output]] = outputs[which, output]
    if len(columns) == 1:
        probabilities[row, MOST_POINTS] = _ONE - outputs[which, 0]
        return
    if within:
        _take_apart(probabilities, row)
    total = _ZERO
    for column in range(2 * MOST_POINTS):
        total += probabilities[row, column]
    for column in range(2 * MOST_POINTS):
        probabilities[row, column] = probabilities[row, column] / total if total > 0 else _ONE / (2 * MOST_POINTS)


@helper
def _take_apart(probabilities: Float32s, row: int) -> None:
    """Subtract from each probability the one within it, which is first limited to it."""
    for first in (0, MOST_POINTS):
        for column in range(first + 1, first + MOST_POINTS):
            probabilities[row, column] = min(probabilities[row, column], probabilities[row, column - 1])
            probabilities[row, column - 1] -= probabilities[row, column]


@helper
def to_seat0(meaning: Meaning, viewer: int, outputs: Float32s, probabilities: Float32s) -> None:
    """Write seat 0's probabilities, given the outputs for a viewer."""
    for output in range(len(outputs)):
        own = outputs[output]
        probabilities[meaning.place[viewer, output]] = own if meaning.sign[viewer] > 0 else 1 - own
