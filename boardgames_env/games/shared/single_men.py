"""Kernels of games with one kind of man: lines of a seat's men, empty locations, observations."""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.kernels import Actions, Features, Kernel, State, encode, inlined, write_action

# (No branch depends on the men's places: a mispredicted branch costs more than it saves.)


@inlined
def line_owner(state: State, lines: NDArray[np.int64]) -> int:
    """Return the sign of the seat that holds a whole line (+1 seat 0, -1 seat 1), or 0 if neither does.

    ``lines`` are `Board.winning_slots`. No position of these games has lines of both seats.
    """
    length = lines.shape[1]
    won = False
    lost = False
    for row in range(lines.shape[0]):
        total = 0
        for place in range(length):
            total += state[lines[row, place]]
        won |= total == length
        lost |= total == -length
    return int(won) - int(lost)


@inlined
def write_where(state: State, size: int, content: int, actions: Actions) -> int:
    """Write the locations that hold ``content`` (0 for empty) in ascending order. Return their number."""
    count = 0
    for location in range(size):
        count = write_action(actions, count, location, state[1 + location] == content)
    return count


@inlined
def is_full(state: State, size: int) -> bool:
    """Return whether no location is empty."""
    empty = 0
    for location in range(size):
        empty += int(state[1 + location] == 0)
    return empty == 0


def men_features(size: int) -> Kernel:
    """Return an ``encode`` kernel for a board of ``size`` locations with at most one man on each.

    Features, all 0 or 1: own men by location, the other seat's men, and whether the viewer is to move.
    """

    @encode
    def men(state: State, viewer: int, features: Features) -> None:
        own = np.int8(1 - 2 * viewer)
        for location in range(size):
            features[location] = state[1 + location] == own
        for location in range(size):
            features[size + location] = state[1 + location] == -own
        features[2 * size] = state[0] == viewer

    return men
