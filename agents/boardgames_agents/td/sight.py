"""How a network weighs the moves of a position, as kernels: what it sees of each, and what it expects there."""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.td.forward import (
    LAYERS,
    MATRIX,
    Floats,
    Layers,
    Sparse,
    activate,
    add_difference,
    add_inputs,
    sigmoid,
    sum_inputs,
    sum_units,
)
from boardgames_agents.td.outputs import MEANING, MOST_POINTS, Meaning
from boardgames_env.encoding import CHANGES, INPUTS
from boardgames_env.kernels import FEATURES, ONGOING, OUTCOME, READ_ONLY_STATE, STATES, State, helper, kernel


class Sight(NamedTuple):
    """How positions are seen.

    Attributes:
        absolute: Whether all positions are seen by seat 0, or else each by the seat to move.
        rectified: Whether the hidden units are rectified, not sigmoids.
        changes: Whether the encoding has a kernel of its own for what changes from one position to another.
    """

    absolute: bool
    rectified: bool
    changes: bool


SIGHT = types.NamedUniTuple(types.boolean, 3, Sight)


class Desk(NamedTuple):
    """Where one position after another is worked out: room for its inputs, sums, units and outputs.

    Attributes:
        before: The inputs of the position that a move begins at.
        base: What they bring to the hidden units.
        given: The inputs of another position.
        sums: What goes into the hidden units,
        units: what comes out,
        outputs: and what the outputs say.
        said: What they say of one position after another, shape ``(moves, K)``,
        signs: and how its points count for the seat to move: 1 or -1, or 0 where a contest is over.
    """

    before: Sparse
    base: Floats
    given: Sparse
    sums: Floats
    units: Floats
    outputs: Floats
    said: Floats
    signs: Floats


@helper
def make_desk(layers: Layers, moves: int) -> Desk:
    """Room for a network of the layers' shape, and for so many moves."""
    inputs, hidden = layers.hidden.shape
    return Desk(
        Sparse(np.empty(inputs, np.int32), np.empty(inputs, np.float32)),
        np.empty(hidden, np.float32),
        Sparse(np.empty(2 * inputs, np.int32), np.empty(2 * inputs, np.float32)),
        np.empty(hidden, np.float32),
        np.empty(hidden, np.float32),
        np.empty(len(layers.output_bias), np.float32),
        np.empty((moves, len(layers.output_bias)), np.float32),
        np.empty(moves, np.float32),
    )


@helper
def squash(outputs: Floats, count: int) -> None:
    """Make probabilities of what goes into so many outputs."""
    for output in range(count):
        outputs[output] = sigmoid(outputs[output])


@helper
def points_expected(worth: Floats, bias: np.float32, said: Floats, move: int) -> np.float32:
    """The points that a row of outputs lets its viewer expect."""
    total = bias
    for output in range(len(worth)):
        total += worth[output] * said[move, output]
    return total


@helper
def look(encode: Any, layers: Layers, sight: Sight, state: State, desk: Desk) -> int:
    """Put a position on the desk: its inputs and what the network makes of them; how many inputs there are."""
    viewer = viewer_of(sight, state)
    count = encode(state, viewer, desk.given.indices, desk.given.values)
    sum_inputs(layers, desk.given, count, desk.sums)
    activate(desk.sums, sight.rectified, desk.units)
    sum_units(layers.output, layers.output_bias, desk.units, desk.outputs)
    squash(desk.outputs, len(desk.outputs))
    return int(count)


@helper
def viewer_of(sight: Sight, state: State) -> int:
    """The seat that a position is seen by."""
    return 0 if sight.absolute else int(state[0])


@helper
def tell(meaning: Meaning, viewer: int, outputs: Floats, chances: Floats) -> None:
    """Write seat 0's probabilities, given the outputs for a viewer."""
    for output in range(len(outputs)):
        said = outputs[output]
        chances[meaning.place[viewer, output]] = said if meaning.sign[viewer] > 0 else 1 - said


@helper
def weigh(
    encode: Any,
    encode_base: Any,
    changes: Any,
    outcome: Any,
    layers: Layers,
    meaning: Meaning,
    sight: Sight,
    state: State,
    afterstates: NDArray[np.int8],
    found: int,
    desk: Desk,
    worths: Floats,
) -> None:
    """Write the points that the seat to move can expect after each of its moves.

    Args:
        encode: The kernels of an encoding: ``kernel``,
        encode_base: ``base``,
        changes: and ``changes``.
        outcome: The game's ``outcome``.
        layers: The network's weights.
        meaning: What its outputs stand for.
        sight: How positions are seen.
        state: Where the moves begin.
        afterstates: Where they lead to,
        found: and how many there are.
        desk: Room.
        worths: Where the points are written.
    """
    before, base, given, sums, units, _, said, signs = desk
    indices, values = given
    hidden, _, output, output_bias = layers
    mover = state[0]
    base_viewer = 0 if sight.absolute else 1 - mover
    if sight.changes:
        count_before = encode_base(state, base_viewer, before.indices, before.values)
    else:
        count_before = encode(state, base_viewer, before.indices, before.values)
    sum_inputs(layers, before, count_before, base)
    for move in range(found):
        after = afterstates[move]
        points = outcome(after)
        if points != ONGOING:
            points = max(min(points, MOST_POINTS), -MOST_POINTS)
            worths[move] = points if mover == 0 else -points
            signs[move] = 0
            continue
        viewer = viewer_of(sight, after)
        signs[move] = 1 if viewer == mover else -1
        if viewer != base_viewer:
            count = encode(after, viewer, indices, values)
            sum_inputs(layers, given, count, sums)
        elif sight.changes:
            count = changes(state, after, viewer, indices, values)
            sums[:] = base
            add_inputs(hidden, indices, values, count, sums)
        else:
            count = encode(after, viewer, indices, values)
            sums[:] = base
            add_difference(hidden, before, count_before, given, count, sums)
        activate(sums, sight.rectified, units)
        sum_units(output, output_bias, units, said[move])
    squash(said.reshape(-1), found * said.shape[1])
    worth, bias = meaning.worth, meaning.bias
    for move in range(found):
        if signs[move] != 0:
            worths[move] = signs[move] * points_expected(worth, bias, said, move)


@helper
def best_of(worths: Floats, count: int) -> int:
    """The first of the moves that are worth most."""
    best = 0
    for move in range(1, count):
        if worths[move] > worths[best]:
            best = move
    return best


@kernel(
    types.void(
        *(INPUTS, INPUTS, CHANGES, OUTCOME, LAYERS, MEANING, SIGHT),
        *(READ_ONLY_STATE, STATES, types.int64, FEATURES),
    )
)
def weigh_moves(  # type: ignore[no-untyped-def]
    encode, encode_base, changes, outcome, layers, meaning, sight, state, afterstates, found, worths
) -> None:
    """`weigh`, for those who have no desk."""
    weigh(
        *(encode, encode_base, changes, outcome, layers, meaning, sight),
        *(state, afterstates, found, make_desk(layers, found), worths),
    )


@kernel(types.void(INPUTS, LAYERS, SIGHT, types.Array(types.int8, 2, "C", readonly=True), MATRIX))
def say(encode, layers, sight, states, outputs) -> None:  # type: ignore[no-untyped-def]
    """Write the outputs of the network, as they are, for many positions that are not over."""
    desk = make_desk(layers, 0)
    for row in range(len(states)):
        look(encode, layers, sight, states[row], desk)
        outputs[row] = desk.outputs


@kernel(
    types.void(
        *(INPUTS, OUTCOME, SIGHT, types.Array(types.int8, 2, "C", readonly=True)),
        *(MATRIX, types.Array(types.int64, 1, "C")),
    )
)
def show(encode, outcome, sight, states, inputs, points) -> None:  # type: ignore[no-untyped-def]
    """Write the inputs of positions, dense, over zeros, and seat 0's points in those that are over instead."""
    room = Sparse(np.empty(inputs.shape[1], np.int32), np.empty(inputs.shape[1], np.float32))
    for row in range(len(states)):
        points[row] = outcome(states[row])
        if points[row] == ONGOING:
            count = encode(states[row], viewer_of(sight, states[row]), room.indices, room.values)
            for i in range(count):
                inputs[row, room.indices[i]] = room.values[i]
