"""TD(λ) itself, as kernels: eligibility traces, one for each of seat 0's probabilities, and steps along them.

Sutton 1988, equation 4, in its online form: w ← w + α Σ_k (Y_k(t+1) − Y_k(t)) e_k, where e_k = Σ λ^(t−s) ∇Y_k(s). Rows
of inputs that have not been active in a contest have no traces and are left alone. Traces are stored as multiples of
one factor that is multiplied by λ, so that their decay costs nothing; with λ = 0 there are none, and a step goes along
the gradient.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.td.evaluation import Predictor, Workspace, viewer_of
from boardgames_agents.td.layers import SPARSE, Layers, Sparse, add_multiple, aligned
from boardgames_agents.td.outputs import Meaning
from boardgames_env.kernels import FEATURES, State, helper
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.helpers import unaliased
from boardgames_env.kernels.signatures import BOOL_1D, FLOAT32_2D, INT32_1D, Float32s


class Gradient(NamedTuple):
    """The gradient of seat 0's probabilities at one position, in the parts that it is a product of.

    Attributes:
        used: The number of inputs that are not 0, shape ``(1,)``.
        into: The gradient by the hidden units' sums, for one probability after the other, shape ``(K * H,)``.
        slopes: The gradient by each output's sum, shape ``(K,)``.
        place: Which of the probabilities each output is, shape ``(K,)``.
        along: Space for one number per hidden unit, shape ``(H,)``.
    """

    inputs: Sparse
    used: NDArray[np.int32]
    into: Float32s
    units: Float32s
    slopes: Float32s
    place: NDArray[np.int32]
    along: Float32s


class Traces(NamedTuple):
    """The traces of a network with I inputs, H hidden units and K outputs.

    Attributes:
        gradient: The gradient at the last position, which is not in the traces yet.
        hidden: By input, and by probability and hidden unit, shape ``(I, K * H)``.
        hidden_bias: Shape ``(K * H,)``.
        output: By output, and by probability and hidden unit, shape ``(K, K * H)``.
        output_bias: By output and probability, shape ``(K, K)``.
        fading: The factor of all of them, shape ``(1,)``.
        active: The inputs that have traces, in the first ``used[0]`` places.
        is_active: Whether an input has traces, shape ``(I,)``.
        used: The number of inputs that have traces, shape ``(1,)``.
    """

    gradient: Gradient
    hidden: Float32s
    hidden_bias: Float32s
    output: Float32s
    output_bias: Float32s
    fading: Float32s
    active: NDArray[np.int32]
    is_active: NDArray[np.bool_]
    used: NDArray[np.int32]


GRADIENT = named_tuple_type(Gradient, SPARSE, INT32_1D, FEATURES, FEATURES, FEATURES, INT32_1D, FEATURES)
TRACES = named_tuple_type(
    Traces, GRADIENT, FLOAT32_2D, FEATURES, FLOAT32_2D, FLOAT32_2D, FEATURES, INT32_1D, BOOL_1D, INT32_1D
)

_ZERO, _ONE = np.float32(0), np.float32(1)
_FAINT = np.float32(2**-40)
"""Traces whose factor is below this are multiplied out."""


def make_traces(inputs: int, hidden: int, outputs: int) -> Traces:
    """Return traces that are all 0."""
    return Traces(
        gradient=Gradient(
            inputs=Sparse(np.zeros(inputs, dtype=np.int32), np.zeros(inputs, dtype=np.float32)),
            used=np.zeros(1, dtype=np.int32),
            into=aligned(np.zeros(outputs * hidden, dtype=np.float32)),
            units=aligned(np.zeros(hidden, dtype=np.float32)),
            slopes=np.zeros(outputs, dtype=np.float32),
            place=np.zeros(outputs, dtype=np.int32),
            along=aligned(np.zeros(hidden, dtype=np.float32)),
        ),
        hidden=aligned(np.zeros((inputs, outputs * hidden), dtype=np.float32)),
        hidden_bias=aligned(np.zeros(outputs * hidden, dtype=np.float32)),
        output=aligned(np.zeros((outputs, outputs * hidden), dtype=np.float32)),
        output_bias=np.zeros((outputs, outputs), dtype=np.float32),
        fading=np.ones(1, dtype=np.float32),
        active=np.zeros(inputs, dtype=np.int32),
        is_active=np.zeros(inputs, dtype=np.bool_),
        used=np.zeros(1, dtype=np.int32),
    )


@helper
def reset(traces: Traces) -> None:
    """Set all traces to 0."""
    for i in range(traces.used[0]):
        traces.is_active[traces.active[i]] = False
    traces.used[0] = 0
    traces.fading[0] = 1
    traces.hidden_bias[:] = 0
    traces.output[:] = 0
    traces.output_bias[:] = 0


@helper
def differentiate(
    predictor: Predictor,
    meaning: Meaning,
    gradient: Gradient,
    state: State,
    count: int,
    workspace: Workspace,
    squared: bool,
) -> None:
    """Write the gradient of seat 0's probabilities at the position with ``count`` inputs that `forward` has evaluated.

    It is that of the outputs if ``squared``, otherwise that of their sums: steps along the one descend the squared
    error, along the other the cross-entropy.
    """
    gradient.used[0] = count
    indices, values = gradient.inputs
    for i in range(count):
        indices[i], values[i] = workspace.inputs.indices[i], workspace.inputs.values[i]
    _, _, into, own_units, slopes, place, along = gradient
    units, outputs, rectified = workspace.units, workspace.outputs, predictor.rectified
    viewer = viewer_of(predictor.absolute, state)
    weights, places, sign = predictor.layers.output, meaning.place, meaning.sign[viewer]
    for unit in range(len(units)):
        own_units[unit] = units[unit]
        along[unit] = (_ONE if units[unit] > 0 else _ZERO) if rectified else units[unit] * (_ONE - units[unit])
    for output in range(len(outputs)):
        k = places[viewer, output]
        slope = sign * outputs[output] * (_ONE - outputs[output]) if squared else sign
        slopes[output], place[output] = slope, k
        for unit in range(len(units)):
            into[k * len(units) + unit] = slope * along[unit] * weights[output, unit]


@helper
def step(layers: Layers, traces: Traces, change: Float32s, lambda_: float) -> None:
    """Move the weights by ``change[k]`` times each probability's trace, and multiply the traces by λ."""
    if lambda_ == 0:
        if traces.used[0] > 0:
            reset(traces)
        _step_along_gradient(layers, traces.gradient, change)
        return
    fading = traces.fading
    _add_gradient(traces, traces.gradient, _ONE / fading[0])
    for k in range(len(change)):
        change[k] *= fading[0]
    _step_along_traces(layers, traces, change)
    fading[0] *= lambda_
    if fading[0] < _FAINT:
        _multiply_out(traces)


@helper
def _step_along_gradient(layers: Layers, gradient: Gradient, change: Float32s) -> None:
    """Move the weights by ``change[k]`` times the gradient of each probability."""
    hidden, hidden_bias, _, _, output, output_bias = layers
    (indices, values), count, into, units, slopes, place, along = gradient
    along[:] = 0
    for k in range(len(change)):
        add_multiple(into[k * len(along) : (k + 1) * len(along)], change[k], along)
    for i in range(count[0]):
        add_multiple(along, values[i], hidden[indices[i]])
    for unit in range(len(along)):
        hidden_bias[unit] += along[unit]
    for o in range(len(change)):
        times = change[place[o]] * slopes[o]
        add_multiple(units, times, output[o])
        output_bias[o] += times


@helper
def _add_gradient(traces: Traces, gradient: Gradient, times: float) -> None:
    """Add a multiple of the gradient to the traces."""
    _, hidden, hidden_bias, output, output_bias, _, active, is_active, used = traces
    (indices, values), count, into, units, slopes, place, _ = gradient
    for i in range(count[0]):
        row, value = indices[i], times * values[i]
        if not is_active[row]:
            is_active[row] = True
            active[used[0]] = row
            used[0] += 1
            hidden[row] = 0
        add_multiple(into, value, hidden[row])
    add_multiple(into, times, hidden_bias)
    for o in range(len(slopes)):
        k, slope = place[o], times * slopes[o]
        add_multiple(units, slope, output[o, k * len(units) : (k + 1) * len(units)])
        output_bias[o, k] += slope


@helper
def _step_along_traces(layers: Layers, traces: Traces, change: Float32s) -> None:
    """Move the weights by ``change[k]`` times each probability's stored trace."""
    hidden, hidden_bias, _, _, output, output_bias = layers
    gradient, of_hidden, of_hidden_bias, of_output, of_output_bias, _, active, _, used = traces
    place = gradient.place
    _step_rows(hidden, of_hidden, active, used[0], change)
    _step_rows(output, of_output, place, len(change), change)
    for o in range(len(change)):
        for k in range(len(change)):
            output_bias[o] += change[k] * of_output_bias[o, k]
    for k in range(len(change)):
        add_multiple(of_hidden_bias[k * len(hidden_bias) : (k + 1) * len(hidden_bias)], change[k], hidden_bias)


@helper
def _step_rows(weights: Float32s, traces: Float32s, rows: NDArray[np.int32], count: int, change: Float32s) -> None:
    """Move rows of weights, along four or six traces at once."""
    for i in range(count):
        row, along = weights[rows[i]], traces[rows[i]]
        if len(change) == 6:
            _step_along_six(row, along, change)
        elif len(change) == 4:
            _step_along_four(row, along, change)
        else:
            for k in range(len(change)):
                add_multiple(along[k * len(row) : (k + 1) * len(row)], change[k], row)


@unaliased
def _step_along_four(row: Float32s, along: Float32s, change: Float32s) -> None:
    a, b, c, d = change[0], change[1], change[2], change[3]
    h = len(row)
    of_a, of_b, of_c, of_d = along[:h], along[h : 2 * h], along[2 * h : 3 * h], along[3 * h :]
    for unit in range(h):
        row[unit] = row[unit] + a * of_a[unit] + b * of_b[unit] + c * of_c[unit] + d * of_d[unit]


@unaliased
def _step_along_six(row: Float32s, along: Float32s, change: Float32s) -> None:
    a, b, c, d, e, f = change[0], change[1], change[2], change[3], change[4], change[5]
    h = len(row)
    of_a, of_b, of_c = along[:h], along[h : 2 * h], along[2 * h : 3 * h]
    of_d, of_e, of_f = along[3 * h : 4 * h], along[4 * h : 5 * h], along[5 * h :]
    for unit in range(h):
        four = row[unit] + a * of_a[unit] + b * of_b[unit] + c * of_c[unit] + d * of_d[unit]
        row[unit] = four + e * of_e[unit] + f * of_f[unit]


@helper
def _multiply_out(traces: Traces) -> None:
    """Multiply the traces by their factor, before it becomes too small."""
    _, hidden, hidden_bias, output, output_bias, fading, active, _, used = traces
    for i in range(used[0]):
        _scale(hidden[active[i]], fading[0])
    _scale(hidden_bias, fading[0])
    for o in range(len(output_bias)):
        _scale(output[o], fading[0])
        _scale(output_bias[o], fading[0])
    fading[0] = 1


@helper
def _scale(row: Float32s, times: float) -> None:
    for k in range(len(row)):
        row[k] *= times
