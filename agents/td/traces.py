"""TD(λ) itself, as kernels: eligibility traces, one for each of seat 0's probabilities, and steps along them.

Sutton 1988, equation 4, in its online form: w ← w + α Σ_k (Y_k(t+1) − Y_k(t)) e_k, where e_k = Σ λ^(t−s) ∇Y_k(s). Rows
of inputs that have not been active in a contest have no traces, and are left alone.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from agents.td.forward import MATRIX, Floats, Layers, Sparse
from agents.td.outputs import Meaning
from boardgames_env.kernels import INDICES, helper


class Traces(NamedTuple):
    """The traces of a network with I inputs, H hidden units and K outputs.

    Attributes:
        hidden: By input, probability and hidden unit, shape ``(I, K, H)``.
        hidden_bias: Shape ``(K, H)``.
        output: By probability, output and hidden unit, shape ``(K, K, H)``.
        output_bias: By probability and output, shape ``(K, K)``.
        into: Room for the gradient at the hidden units, shape ``(K, H)``.
        active: The inputs that have traces, the first ``used[0]`` of them.
        is_active: Whether an input is among them, shape ``(I,)``.
        used: How many there are, shape ``(1,)``.
    """

    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: Floats
    into: Floats
    active: NDArray[np.int32]
    is_active: NDArray[np.bool_]
    used: NDArray[np.int32]


_CUBE = types.Array(types.float32, 3, "C")

TRACES = types.NamedTuple(
    (_CUBE, MATRIX, _CUBE, MATRIX, MATRIX, INDICES, types.Array(types.boolean, 1, "C"), INDICES), Traces
)


def make_traces(inputs: int, hidden: int, outputs: int) -> Traces:
    """Traces that are all 0."""
    return Traces(
        hidden=np.zeros((inputs, outputs, hidden), dtype=np.float32),
        hidden_bias=np.zeros((outputs, hidden), dtype=np.float32),
        output=np.zeros((outputs, outputs, hidden), dtype=np.float32),
        output_bias=np.zeros((outputs, outputs), dtype=np.float32),
        into=np.zeros((outputs, hidden), dtype=np.float32),
        active=np.zeros(inputs, dtype=np.int32),
        is_active=np.zeros(inputs, dtype=np.bool_),
        used=np.zeros(1, dtype=np.int32),
    )


@helper
def forget(traces: Traces) -> None:
    """Set all traces to 0."""
    for i in range(traces.used[0]):
        traces.is_active[traces.active[i]] = False
    traces.used[0] = 0
    traces.hidden_bias[:] = 0
    traces.output[:] = 0
    traces.output_bias[:] = 0


@helper
def step(layers: Layers, traces: Traces, change: Floats, keep: float) -> None:
    """Move the weights by ``change[k]`` times each probability's trace, and fade the traces to ``keep`` of them."""
    for i in range(traces.used[0]):
        _step_row(layers.hidden, traces.hidden, traces.active[i], change, keep)
    for k in range(len(change)):
        for unit in range(layers.hidden.shape[1]):
            layers.hidden_bias[unit] += change[k] * traces.hidden_bias[k, unit]
            traces.hidden_bias[k, unit] *= keep
        for output in range(len(change)):
            layers.output_bias[output] += change[k] * traces.output_bias[k, output]
            traces.output_bias[k, output] *= keep
            for unit in range(layers.hidden.shape[1]):
                layers.output[output, unit] += change[k] * traces.output[k, output, unit]
                traces.output[k, output, unit] *= keep
    if keep == 0:
        forget(traces)


@helper
def _step_row(weights: Floats, traces: Floats, row: int, change: Floats, keep: float) -> None:
    for k in range(len(change)):
        along = change[k]
        for unit in range(weights.shape[1]):
            trace = traces[row, k, unit]
            weights[row, unit] += along * trace
            traces[row, k, unit] = keep * trace


@helper
def add_gradient(
    layers: Layers,
    traces: Traces,
    meaning: Meaning,
    viewer: int,
    given: Sparse,
    count: int,
    units: Floats,
    outputs: Floats,
    rectified: bool,
    squared: bool,
) -> None:
    """Add the gradient of seat 0's probabilities at one position to their traces.

    Args:
        layers: The network's weights.
        traces: The traces.
        meaning: What its outputs stand for.
        viewer: The seat it was shown the position for.
        given: The position's inputs,
        count: and how many.
        units: What its hidden units said,
        outputs: and its outputs.
        rectified: Whether the hidden units are rectified, not sigmoids.
        squared: Whether the gradient is that of the outputs, or of what goes into their sigmoids: steps along the one
            descend the square of the error, along the other its cross-entropy.
    """
    sign = meaning.sign[viewer]
    into = traces.into
    for output in range(len(outputs)):
        k = meaning.place[viewer, output]
        slope = sign * outputs[output] * (1 - outputs[output]) if squared else sign
        traces.output_bias[k, output] += slope
        for unit in range(len(units)):
            traces.output[k, output, unit] += slope * units[unit]
            at_unit = (units[unit] > 0) * slope if rectified else slope * units[unit] * (1 - units[unit])
            into[k, unit] = at_unit * layers.output[output, unit]
            traces.hidden_bias[k, unit] += into[k, unit]
    for i in range(count):
        row = given.indices[i]
        if not traces.is_active[row]:
            traces.is_active[row] = True
            traces.active[traces.used[0]] = row
            traces.used[0] += 1
            traces.hidden[row] = 0
        for k in range(len(outputs)):
            for unit in range(len(units)):
                traces.hidden[row, k, unit] += given.values[i] * into[k, unit]
