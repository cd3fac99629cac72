"""What games with one kind of man have in common: lines of one's own men, and features for networks."""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.kernels import Actions, Indices, Kernel, State, Values, encode, helper


@helper
def line_owner(state: State, lines: NDArray[np.int8]) -> int:
    """The sign of the seat that holds a whole line (+1 seat 0, -1 seat 1), or 0 if neither does."""
    for row in range(lines.shape[0]):
        owner = state[1 + lines[row, 0]]
        if owner != 0:
            whole = True
            for place in range(1, lines.shape[1]):
                if state[1 + lines[row, place]] != owner:
                    whole = False
                    break
            if whole:
                return int(owner)
    return 0


@helper
def write_empty(state: State, size: int, actions: Actions) -> int:
    """Write the empty locations in ascending order; how many there are."""
    count = 0
    for location in range(size):
        if state[1 + location] == 0:
            actions[count] = location
            count += 1
    return count


def men_features(size: int) -> Kernel:
    """An ``encode`` kernel for a board of ``size`` locations with at most one man on each.

    Features, all 0 or 1: own men (0 to size-1), the other seat's men (size to 2·size-1), and last, whether the
    viewer is to move. There are ``2 * size + 1``.
    """

    @encode
    def men(state: State, viewer: int, indices: Indices, values: Values) -> int:
        own = 1 - 2 * viewer
        count = 0
        for location in range(size):
            if state[1 + location] == own:
                indices[count] = location
                values[count] = 1.0
                count += 1
        for location in range(size):
            if state[1 + location] == -own:
                indices[count] = size + location
                values[count] = 1.0
                count += 1
        if state[0] == viewer:
            indices[count] = 2 * size
            values[count] = 1.0
            count += 1
        return count

    return men
