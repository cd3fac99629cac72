"""Every move from a state, for any game, in one call of a kernel."""

from collections.abc import Callable

import numpy as np
from numba import types

from boardgames_env.history import least_image
from boardgames_env.kernels import LEGAL, ONGOING, OUTCOME, PLAY, READ_ONLY_STATE, Actions, State, helper, kernel
from boardgames_env.kernels.signatures import INT8_1D, INT8_2D, INT32_1D, INT32_2D, Int8s, Int32s

LONGEST = 8
"""The most actions a turn may have."""

NO_ROOM = -1
TOO_LONG = -2


@helper
def write_key(state: State, symmetries: Int32s, key: State) -> None:
    """Write the first of a state's images under the symmetries: the same for states that are symmetric."""
    least = least_image(state, symmetries)
    for slot in range(len(state)):
        key[slot] = state[symmetries[least, slot]]


@kernel(types.void(READ_ONLY_STATE, INT32_2D, INT8_1D))
def find_key(state: State, symmetries: Int32s, key: State) -> None:
    """Write the first of a state's images under the symmetries."""
    write_key(state, symmetries, key)


@kernel(types.int64(LEGAL, PLAY, OUTCOME, READ_ONLY_STATE, INT32_2D, INT32_1D, INT8_2D, INT8_2D, INT32_2D, INT32_1D))
def expand(
    legal: Callable[[State, Actions], int],
    play: Callable[[State, int], None],
    outcome: Callable[[State], int],
    state: State,
    symmetries: Int32s,
    room: Actions,
    states: Int8s,
    keys: Int8s,
    actions: Int32s,
    points: Int32s,
) -> int:
    """Write every way to complete the turn: the state after it, its key, its actions, and the points of seat 0.

    Args:
        legal: The game's kernel.
        play: The game's kernel.
        outcome: The game's kernel.
        state: A state that is not over.
        symmetries: On states, the identity first.
        room: As long as there are actions in the game, times `LONGEST`.
        states: A row for each move.
        keys: A row for each move.
        actions: A row for each move, of `LONGEST`; -1 where there are no more.
        points: `ONGOING`, or the points of seat 0.

    Returns:
        How many moves there are; `NO_ROOM` if they are more than there are rows, `TOO_LONG` if a turn has more actions
        than `LONGEST`.
    """
    seat = state[0]
    width = len(room) // LONGEST
    reached = np.empty((LONGEST + 1, len(state)), dtype=np.int8)
    counts = np.zeros(LONGEST, dtype=np.int64)
    tried = np.zeros(LONGEST, dtype=np.int64)
    taken = np.full(LONGEST, -1, dtype=np.int32)
    reached[0] = state
    counts[0] = legal(reached[0], room[:width])
    found = 0
    depth = 0
    while depth >= 0:
        if tried[depth] == counts[depth]:
            taken[depth] = -1
            depth -= 1
            continue
        action = room[depth * width + tried[depth]]
        tried[depth] += 1
        taken[depth] = action
        after = reached[depth + 1]
        after[:] = reached[depth]
        play(after, action)
        result = outcome(after)
        if result != ONGOING or after[0] != seat:
            if found == len(points):
                return NO_ROOM
            states[found] = after
            write_key(after, symmetries, keys[found])
            actions[found] = taken
            points[found] = result
            found += 1
        else:
            depth += 1
            if depth == LONGEST:
                return TOO_LONG
            tried[depth] = 0
            counts[depth] = legal(after, room[depth * width : (depth + 1) * width])
    return found
