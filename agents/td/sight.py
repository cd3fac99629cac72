"""How a network weighs the moves of a position, as kernels: what it sees of each, and what it expects there."""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from agents.td.forward import (
    LAYERS,
    MATRIX,
    Floats,
    Layers,
    Sparse,
    activate,
    add_inputs,
    sum_difference,
    sum_inputs,
    sum_units,
)
from agents.td.outputs import MEANING, MOST_POINTS, Meaning
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
    """

    before: Sparse
    base: Floats
    given: Sparse
    sums: Floats
    units: Floats
    outputs: Floats


@helper
def make_desk(layers: Layers) -> Desk:
    """Room for a network of the layers' shape."""
    inputs, hidden = layers.hidden.shape
    return Desk(
        Sparse(np.empty(inputs, np.int32), np.empty(inputs, np.float32)),
        np.empty(hidden, np.float32),
        Sparse(np.empty(2 * inputs, np.int32), np.empty(2 * inputs, np.float32)),
        np.empty(hidden, np.float32),
        np.empty(hidden, np.float32),
        np.empty(len(layers.output_bias), np.float32),
    )


@helper
def points_expected(meaning: Meaning, outputs: Floats) -> np.float32:
    """The points that outputs let their viewer expect."""
    total = meaning.bias
    for output in range(len(outputs)):
        total += meaning.worth[output] * outputs[output]
    return total


@helper
def look(encode: Any, layers: Layers, sight: Sight, state: State, desk: Desk) -> int:
    """Put a position on the desk: its inputs and what the network makes of them; how many inputs there are."""
    viewer = viewer_of(sight, state)
    count = encode(state, viewer, desk.given.indices, desk.given.values)
    sum_inputs(layers, desk.given, count, desk.sums)
    activate(desk.sums, sight.rectified, desk.units)
    sum_units(layers, desk.units, desk.outputs)
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
    mover = state[0]
    base_viewer = 0 if sight.absolute else 1 - mover
    if sight.changes:
        before = encode_base(state, base_viewer, desk.before.indices, desk.before.values)
    else:
        before = encode(state, base_viewer, desk.before.indices, desk.before.values)
    sum_inputs(layers, desk.before, before, desk.base)
    for move in range(found):
        after = afterstates[move]
        points = outcome(after)
        if points != ONGOING:
            points = max(min(points, MOST_POINTS), -MOST_POINTS)
            worths[move] = points if mover == 0 else -points
            continue
        viewer = viewer_of(sight, after)
        if sight.changes and viewer == base_viewer:
            count = changes(state, after, viewer, desk.given.indices, desk.given.values)
            desk.sums[:] = desk.base
            add_inputs(layers, desk.given, count, desk.sums)
        else:
            count = encode(after, viewer, desk.given.indices, desk.given.values)
            if viewer == base_viewer:
                desk.sums[:] = desk.base
                sum_difference(layers, desk.before, before, desk.given, count, desk.sums)
            else:
                sum_inputs(layers, desk.given, count, desk.sums)
        activate(desk.sums, sight.rectified, desk.units)
        sum_units(layers, desk.units, desk.outputs)
        expected = points_expected(meaning, desk.outputs)
        worths[move] = expected if viewer == mover else -expected


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
        *(state, afterstates, found, make_desk(layers), worths),
    )


@kernel(types.void(INPUTS, LAYERS, SIGHT, types.Array(types.int8, 2, "C", readonly=True), MATRIX))
def say(encode, layers, sight, states, outputs) -> None:  # type: ignore[no-untyped-def]
    """Write the outputs of the network, as they are, for many positions that are not over."""
    desk = make_desk(layers)
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
