"""All moves of a state, for any game, written by one kernel.

`boardgames_env.moves` writes distinct afterstates only. Hoyle also needs every sequence of actions that leads to one,
the key of each afterstate under the symmetries that it has induced, and the points.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_env.history import least_image
from boardgames_env.kernels import ONGOING, READ_ONLY_STATE, Actions, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT8_1D, INT8_2D, INT32_1D, INT32_2D, Int8s, Int32s

LONGEST = 8
"""The largest number of actions in a turn."""

NO_ROOM = -1
TOO_LONG = -2


class MoveRows(NamedTuple):
    """The moves of a state, a row each.

    Attributes:
        states: The states after the moves.
        keys: The canonical forms of these states.
        actions: The actions, shape ``(rows, LONGEST)``; -1 after the last one.
        points: `ONGOING`, or the points of seat 0.
    """

    states: Int8s
    keys: Int8s
    actions: Int32s
    points: Int32s


_MOVE_ROWS = named_tuple_type(MoveRows, INT8_2D, INT8_2D, INT32_2D, INT32_1D)


def make_rows(count: int, state_size: int) -> MoveRows:
    """Return empty rows."""
    return MoveRows(
        np.empty((count, state_size), dtype=np.int8),
        np.empty((count, state_size), dtype=np.int8),
        np.empty((count, LONGEST), dtype=np.int32),
        np.empty(count, dtype=np.int32),
    )


@helper
def _write_key(state: State, symmetries: Int32s, key: State) -> None:
    least = least_image(state, symmetries)
    for slot in range(len(state)):
        key[slot] = state[symmetries[least, slot]]


@kernel(types.void(READ_ONLY_STATE, INT32_2D, INT8_1D))
def find_key(state: State, symmetries: Int32s, key: State) -> None:
    """Write the canonical form of a state, the first of its images under the symmetries."""
    _write_key(state, symmetries, key)


@kernel(types.int64(GAME_KERNELS, READ_ONLY_STATE, INT32_2D, INT32_1D, _MOVE_ROWS))
def expand(game: GameKernels, state: State, symmetries: Int32s, buffer: Actions, rows: MoveRows) -> int:
    """Write every way to complete the turn from a state that is not over to the rows.

    The buffer is as long as the number of actions of the game, times `LONGEST`; the first symmetry is the identity.

    Returns:
        The number of moves; `NO_ROOM` if there are more of them than rows, `TOO_LONG` if a turn has more actions than
        `LONGEST`.
    """
    seat = state[0]
    width = len(buffer) // LONGEST
    reached = np.empty((LONGEST + 1, len(state)), dtype=np.int8)
    counts = np.zeros(LONGEST, dtype=np.int64)
    tried = np.zeros(LONGEST, dtype=np.int64)
    taken = np.full(LONGEST, -1, dtype=np.int32)
    copy_row(state, reached[0])
    counts[0] = game.legal(reached[0], buffer[:width])
    found = 0
    depth = 0
    while depth >= 0:
        if tried[depth] == counts[depth]:
            taken[depth] = -1
            depth -= 1
            continue
        action = buffer[depth * width + tried[depth]]
        tried[depth] += 1
        taken[depth] = action
        after = reached[depth + 1]
        copy_row(reached[depth], after)
        game.play(after, action)
        result = game.outcome(after)
        if result != ONGOING or after[0] != seat:
            if found == len(rows.points):
                return NO_ROOM
            copy_row(after, rows.states[found])
            _write_key(after, symmetries, rows.keys[found])
            copy_row(taken, rows.actions[found])
            rows.points[found] = result
            found += 1
        else:
            depth += 1
            if depth == LONGEST:
                return TOO_LONG
            tried[depth] = 0
            counts[depth] = game.legal(after, buffer[depth * width : (depth + 1) * width])
    return found
