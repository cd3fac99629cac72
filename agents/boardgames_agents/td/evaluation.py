"""Evaluation of positions and moves by a network; see `boardgames_agents.td.outputs` for what its outputs mean."""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.td.hidden_units import ROWS, activate, activate_last, activate_rows, sigmoid, sigmoids
from boardgames_agents.td.layers import LAYERS, Layers, Sparse, add_difference, add_inputs, sum_inputs, sum_units
from boardgames_agents.td.outputs import MEANING, MOST_POINTS, Meaning
from boardgames_env.encoding import CHANGES, INPUTS
from boardgames_env.kernels import FEATURES, ONGOING, OUTCOME, READ_ONLY_STATE, State, copy_row, helper, inlined, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.helpers import stands_for
from boardgames_env.kernels.signatures import (
    FLOAT32_2D,
    INT8_2D,
    INT8_2D_READONLY,
    INT32_1D,
    INT64_1D,
    Float32s,
    Int32s,
    Int64s,
)


class Predictor(NamedTuple):
    """What kernels need of a network to predict the outcome of one position; ``encode`` is the encoding's kernel.

    Attributes:
        widths: The number of units of each hidden layer.
        absolute: Whether all positions are seen by seat 0, or else each by the seat to move.
        rectified: Whether the units of the first hidden layer are rectified, not sigmoids; those of others always are.
        residual: Whether the units of each hidden layer are added to those of the next.
    """

    encode: Any
    layers: Layers
    widths: Int32s
    absolute: bool
    rectified: bool
    residual: bool


class NetworkBundle(NamedTuple):
    """What kernels need of a network to compare moves: also ``base`` and ``changes`` of the encoding, if it has them.

    They are apart because it takes Python microseconds to pass a kernel or some arrays.
    """

    predictor: Predictor
    meaning: Meaning
    encode_base: Any
    changes: Any
    has_changes: bool


PREDICTOR = named_tuple_type(Predictor, INPUTS, LAYERS, INT32_1D, types.boolean, types.boolean, types.boolean)
NETWORK = named_tuple_type(NetworkBundle, PREDICTOR, MEANING, INPUTS, CHANGES, types.boolean)


class Workspace(NamedTuple):
    """Arrays in which one position after another is evaluated.

    Attributes:
        before: The inputs of the position that moves begin at.
        base: The hidden units' sums of these inputs.
        inputs: The inputs of another position.
        sums: Their sums for the hidden units of the first layer.
        active: Space for `activate_last`, as is ``deeper``.
        units: The units of the last hidden layer.
        rows: Space for the sums of several positions for the first hidden layer, as `activate_rows` takes them.
        deeper_rows: Space for the units of their further layers.
        outputs: The outputs of one position.
        predictions: The outputs after each move, shape ``(moves, K)``.
        in_a_row: The same memory as one row.
        signs: By move, 1 if the outputs are the mover's, -1 if the other seat's, 0 if the contest is over.
    """

    before: Sparse
    base: Float32s
    inputs: Sparse
    sums: Float32s
    active: Sparse
    deeper: Float32s
    units: Float32s
    rows: Float32s
    deeper_rows: Float32s
    outputs: Float32s
    predictions: Float32s
    in_a_row: Float32s
    signs: Float32s


@helper
def make_workspace(predictor: Predictor, moves: int) -> Workspace:
    """Return a workspace for a network and for up to ``moves`` moves."""
    layers, widths = predictor.layers, predictor.widths
    inputs, hidden = layers.hidden.shape
    further = len(layers.inner_bias)
    predictions = np.empty((moves, len(layers.output_bias)), np.float32)
    return Workspace(
        Sparse(np.empty(inputs, np.int32), np.empty(inputs, np.float32)),
        np.empty(hidden, np.float32),
        Sparse(np.empty(2 * inputs, np.int32), np.empty(2 * inputs, np.float32)),
        np.empty(hidden, np.float32),
        Sparse(np.empty(max(hidden, further), np.int32), np.empty(max(hidden, further), np.float32)),
        np.empty(further, np.float32),
        np.empty(widths[len(widths) - 1], np.float32),
        np.zeros((ROWS, hidden), np.float32),  # (all rows are computed, also those without a position)
        np.empty((ROWS, further), np.float32),
        np.empty(len(layers.output_bias), np.float32),
        predictions,
        predictions.reshape(-1),
        np.empty(moves, np.float32),
    )


@helper
def _squash(outputs: Float32s, count: int) -> None:
    """Replace the sums of outputs by their sigmoids."""
    for output in range(count):
        outputs[output] = sigmoid(outputs[output])


@stands_for(_squash)
def _squash_at_once(outputs: Float32s, count: int) -> None:
    outputs[:count] = sigmoids(outputs[:count])


@helper
def viewer_of(absolute: bool, state: State) -> int:
    """Return the seat that sees a position."""
    return 0 if absolute else int(state[0])


@helper
def forward(predictor: Predictor, state: State, workspace: Workspace) -> int:
    """Write a position's inputs, hidden units and outputs to the workspace. Return the number of inputs."""
    count = write_units(predictor, state, workspace)
    sum_units(predictor.layers.output, predictor.layers.output_bias, workspace.units, workspace.outputs)
    _squash(workspace.outputs, len(workspace.outputs))
    return count


@inlined
def write_units(predictor: Predictor, state: State, workspace: Workspace) -> int:
    """Write a position's inputs and the units of the last hidden layer. Return the number of inputs."""
    encode, layers, widths, absolute, rectified, residual = predictor
    count = encode(state, viewer_of(absolute, state), workspace.inputs.indices, workspace.inputs.values)
    sum_inputs(layers, workspace.inputs, count, workspace.sums)
    active, deeper, units = workspace.active, workspace.deeper, workspace.units
    activate_last(layers, widths, rectified, residual, workspace.sums, active, deeper, units)
    return int(count)


@helper
def evaluate_afterstates(
    network: NetworkBundle,
    outcome: Any,
    state: State,
    afterstates: NDArray[np.int8],
    found: int,
    workspace: Workspace,
    values: Float32s,
) -> None:
    """Write the mover's expected points after each move, computing its hidden units from those before the moves."""
    count_before = sum_before(network, state, -1, workspace)
    evaluate_changes(network, outcome, state, count_before, afterstates, found, workspace, values)


@helper
def sum_before(network: NetworkBundle, state: State, count_before: int, workspace: Workspace) -> int:
    """Write the inputs and sums of a position that moves begin at. Return the number of inputs.

    Nothing is summed if its inputs are the ``count_before`` that were written last: the dice are no inputs.
    """
    layers, absolute, encode_base = network.predictor.layers, network.predictor.absolute, network.encode_base
    before, inputs = workspace.before, workspace.inputs
    count = encode_base(state, 0 if absolute else 1 - state[0], inputs.indices, inputs.values)
    is_same = count == count_before
    for i in range(count):
        is_same &= inputs.indices[i] == before.indices[i] and inputs.values[i] == before.values[i]
        before.indices[i], before.values[i] = inputs.indices[i], inputs.values[i]
    if not is_same:
        sum_inputs(layers, before, count, workspace.base)
    return int(count)


@helper
def evaluate_changes(
    network: NetworkBundle,
    outcome: Any,
    state: State,
    count_before: int,
    afterstates: NDArray[np.int8],
    found: int,
    workspace: Workspace,
    values: Float32s,
) -> None:
    """Write the mover's expected points after each move, given what `sum_before` has written."""
    predictor, mover = network.predictor, state[0]
    predictions, signs = workspace.predictions, workspace.signs
    for move in range(found):
        after, row = afterstates[move], move % ROWS
        points = outcome(after)
        if points != ONGOING:
            points = max(min(points, MOST_POINTS), -MOST_POINTS)
            values[move] = points if mover == 0 else -points
            signs[move] = 0
        else:
            viewer = viewer_of(predictor.absolute, after)
            signs[move] = 1 if viewer == mover else -1
            _sum_after(network, state, count_before, after, viewer, workspace, workspace.rows[row])
        if row == ROWS - 1 or move == found - 1:
            _write_outputs(predictor, workspace, row + 1, predictions[move - row :])
    _squash(workspace.in_a_row, found * predictions.shape[1])
    value, bias = network.meaning.value, network.meaning.bias
    for move in range(found):
        if signs[move] != 0:
            total = bias
            for k in range(len(value)):
                total += value[k] * predictions[move, k]
            values[move] = signs[move] * total


@inlined
def _sum_after(
    network: NetworkBundle,
    state: State,
    count_before: int,
    after: State,
    viewer: int,
    workspace: Workspace,
    sums: Float32s,
) -> None:
    """Write the sums of the position after a move: those before it, changed, if the viewer is the same."""
    encode, layers, _, absolute, _, _ = network.predictor
    before, inputs = workspace.before, workspace.inputs
    indices, values = inputs
    if viewer != (0 if absolute else 1 - state[0]):
        sum_inputs(layers, inputs, encode(after, viewer, indices, values), sums)
        return
    copy_row(workspace.base, sums)
    if network.has_changes:
        add_inputs(layers.hidden, indices, values, network.changes(state, after, viewer, indices, values), sums)
    else:
        count = encode(after, viewer, indices, values)
        add_difference(layers.hidden, before, count_before, inputs, count, sums)


@helper
def best_of(values: Float32s, count: int) -> int:
    """Return the first of the moves with the highest value."""
    best = 0
    for move in range(1, count):
        if values[move] > values[best]:
            best = move
    return best


@kernel(types.void(NETWORK, OUTCOME, READ_ONLY_STATE, INT8_2D, types.int64, FEATURES))
def evaluate_moves(
    network: NetworkBundle, outcome: Any, state: State, afterstates: NDArray[np.int8], found: int, values: Float32s
) -> None:
    """Write the mover's expected points after each move: `evaluate_afterstates` for callers in Python."""
    workspace = make_workspace(network.predictor, found)
    evaluate_afterstates(network, outcome, state, afterstates, found, workspace, values)


@helper
def _write_outputs(predictor: Predictor, workspace: Workspace, count: int, outputs: Float32s) -> None:
    """Write the sums of the outputs of several positions, before their sigmoids.

    Those of their first hidden layer are in ``rows`` of the workspace, and are overwritten. No layer is residual.
    """
    layers, widths, rectified = predictor.layers, predictor.widths, predictor.rectified
    rows, deeper_rows, last = workspace.rows, workspace.deeper_rows, len(layers.inner_bias) - widths[len(widths) - 1]
    is_deep = len(widths) > 1
    if is_deep:
        activate_rows(layers, widths, rectified, rows, deeper_rows)
    for row in range(count):
        if not is_deep:
            activate(rows[row], rectified)
        units = deeper_rows[row, last:] if is_deep else rows[row]
        sum_units(layers.output, layers.output_bias, units, outputs[row])


@kernel(types.void(PREDICTOR, INT8_2D_READONLY, FLOAT32_2D))
def predict_batch(predictor: Predictor, states: NDArray[np.int8], outputs: Float32s) -> None:
    """Write the network's outputs for positions that are not over."""
    workspace, encode = make_workspace(predictor, 0), predictor.encode
    inputs = workspace.inputs
    for index in range(len(states)):
        state, row = states[index], index % ROWS
        count = encode(state, viewer_of(predictor.absolute, state), inputs.indices, inputs.values)
        sum_inputs(predictor.layers, inputs, count, workspace.rows[row])
        if row == ROWS - 1 or index == len(states) - 1:
            _write_outputs(predictor, workspace, row + 1, outputs[index - row :])
    _squash(outputs.reshape(-1), outputs.size)


@kernel(types.void(INPUTS, OUTCOME, types.boolean, INT8_2D_READONLY, FLOAT32_2D, INT64_1D))
def encode_batch(
    encode: Any, outcome: Any, absolute: bool, states: NDArray[np.int8], inputs: Float32s, points: Int64s
) -> None:
    """Write positions' inputs, dense, over zeros, and their points for seat 0; no inputs where a contest is over."""
    sparse = Sparse(np.empty(inputs.shape[1], np.int32), np.empty(inputs.shape[1], np.float32))
    for row in range(len(states)):
        points[row] = outcome(states[row])
        if points[row] == ONGOING:
            count = encode(states[row], viewer_of(absolute, states[row]), sparse.indices, sparse.values)
            for i in range(count):
                inputs[row, sparse.indices[i]] = sparse.values[i]
