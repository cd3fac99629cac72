"""Retrograde analysis: from the ends of a game backwards to the value of every position, cycles included."""

import numpy as np
from numba import types

from boardgames_env.errors import BadInputError
from boardgames_env.kernels import ONGOING, announce_compilation, kernel
from boardgames_env.kernels.signatures import INT8_1D, INT32_1D, INT64_1D, Int8s, Int32s, Int64s
from boardgames_env.solve.explore import Reachable

NO_DISTANCE = -1
"""The distance of a drawn position: under best play it may have no end."""


def analyse(reachable: Reachable) -> tuple[Int8s, Int32s, bool]:
    """The value of every position, and how long the winner needs.

    Args:
        reachable: All the game's positions.

    Returns:
        The values for the seat to move (+1, 0, −1; int8), the plies to the end of the contest when the winner
        hurries and the loser delays (int32, `NO_DISTANCE` for draws), and whether the game has no cycle.

    Raises:
        BadInputError: If a contest can end with more points than one.
    """
    announce_compilation("the solver's retrograde analysis", ANALYSIS)
    points = reachable.points
    if not np.isin(points, (-1, 0, 1, ONGOING)).all():
        raise BadInputError("only games whose contests are won by one point can be solved")
    count = len(points)
    seats = np.ascontiguousarray(reachable.states[:, 0])
    parents_first, parents = _reversed(reachable)
    values = np.zeros(count, dtype=np.int8)
    distances = np.full(count, NO_DISTANCE, dtype=np.int32)
    undecided = np.diff(reachable.first_child).astype(np.int32)
    decided = np.flatnonzero((points == 1) | (points == -1))
    values[decided] = points[decided] * (1 - 2 * seats[decided])
    distances[decided] = 0
    _propagate(seats, parents_first, parents, undecided, values, distances)
    acyclic = bool(_has_no_cycle(parents_first, parents, np.diff(reachable.first_child).astype(np.int32)))
    return values, distances, acyclic


def _reversed(reachable: Reachable) -> tuple[Int64s, Int32s]:
    """Every row's parents, as ``first_child`` and ``children`` give its children."""
    count = len(reachable.points)
    order = np.argsort(reachable.children, kind="stable")
    owners = np.repeat(np.arange(count, dtype=np.int32), np.diff(reachable.first_child))
    first = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(reachable.children, minlength=count), out=first[1:])
    return first, owners[order]


@kernel(types.void(INT8_1D, INT64_1D, INT32_1D, INT32_1D, INT8_1D, INT32_1D))
def _propagate(  # type: ignore[no-untyped-def]
    seats, parents_first, parents, undecided, values, distances
) -> None:
    """Pass wins and losses from children to parents, nearest to the end first.

    A child of the same seat (its turn is not over) is no ply away, any other is one. So a parent's distance may
    be bettered until its own turn comes: ``queue`` holds, for each distance, who may have it, and whoever has
    been given another by then is passed over.
    """
    count = len(seats)
    worst = np.zeros(count, dtype=np.int32)
    finished = np.zeros(count, dtype=np.bool_)
    head = np.full(count + 2, -1, dtype=np.int64)
    following = np.empty(len(parents) + count, dtype=np.int64)
    queue = np.empty(len(parents) + count, dtype=np.int32)
    entries = 0
    for row in range(count):
        if distances[row] == 0:
            queue[entries] = row
            following[entries] = head[0]
            head[0] = entries
            entries += 1
    for distance in range(count + 1):
        while head[distance] >= 0:
            entry = head[distance]
            head[distance] = following[entry]
            row = queue[entry]
            if finished[row] or distances[row] != distance:
                continue
            finished[row] = True
            for edge in range(parents_first[row], parents_first[row + 1]):
                parent = parents[edge]
                same = seats[parent] == seats[row]
                value = values[row] if same else -values[row]
                reached = distance if same else distance + 1
                undecided[parent] -= 1
                worst[parent] = max(worst[parent], reached)
                if value > 0:
                    if values[parent] > 0 and distances[parent] <= reached:
                        continue
                    values[parent] = 1
                elif undecided[parent] == 0 and values[parent] == 0:
                    values[parent] = -1
                    reached = worst[parent]
                else:
                    continue
                distances[parent] = reached
                queue[entries] = parent
                following[entries] = head[reached]
                head[reached] = entries
                entries += 1


@kernel(types.boolean(INT64_1D, INT32_1D, INT32_1D))
def _has_no_cycle(  # type: ignore[no-untyped-def]
    parents_first, parents, open_children
) -> bool:
    """Whether taking away positions without children, again and again, leaves none (Kahn's algorithm)."""
    count = len(open_children)
    stack = np.empty(count, dtype=np.int32)
    size = 0
    for row in range(count):
        if open_children[row] == 0:
            stack[size] = row
            size += 1
    taken = 0
    while size > 0:
        size -= 1
        row = stack[size]
        taken += 1
        for edge in range(parents_first[row], parents_first[row + 1]):
            parent = parents[edge]
            open_children[parent] -= 1
            if open_children[parent] == 0:
                stack[size] = parent
                size += 1
    return taken == count


ANALYSIS = [_propagate, _has_no_cycle]
"""The kernels that find the values."""
