"""Retrograde analysis: from the ends of a game backwards to every position."""

from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_env.errors import BadInputError
from boardgames_env.kernels import ONGOING, helper, kernel
from boardgames_env.kernels.signatures import INT8_1D, INT32_1D, INT64_1D, Int8s, Int32s, Int64s
from boardgames_env.solve.explore import Reachable

NO_DISTANCE = -1
"""The distance of a drawn position: the contest may never end under best play."""


def analyse(reachable: Reachable) -> tuple[Int8s, Int32s, bool]:
    """Return the value and distance of every position, and whether the game has no cycle.

    Values are for the seat to move (+1, 0, −1; int8). Distances are plies to the end of the contest when the winner
    hurries and the loser delays (int32), `NO_DISTANCE` for draws. A game whose contests can end with more points than
    one raises `BadInputError`.
    """
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
    is_short = count <= _FEW
    _propagate.run_for(is_short)(seats, parents_first, parents, undecided, values, distances)
    open_children = np.diff(reachable.first_child).astype(np.int32)
    acyclic = bool(_has_no_cycle.run_for(is_short)(parents_first, parents, open_children))
    return values, distances, acyclic


_FEW = 20_000
"""The number of positions that plain Python solves within half a second."""


def _reversed(reachable: Reachable) -> tuple[Int64s, Int32s]:
    """Return the parents of every row in the form of ``first_child`` and ``children``."""
    count = len(reachable.points)
    order = np.argsort(reachable.children, kind="stable")
    owners = np.repeat(np.arange(count, dtype=np.int32), np.diff(reachable.first_child))
    first = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(reachable.children, minlength=count), out=first[1:])
    return first, owners[order]


class _Queue(NamedTuple):
    """Rows in linked lists by distance, each of which may still be given a smaller one.

    ``head`` is the last entry of each distance, ``following`` the entry before each entry in its list; -1 for none.
    """

    head: Int64s
    following: Int64s
    rows: Int32s


@helper
def _push(queue: _Queue, entry: int, row: int, distance: int) -> None:
    queue.rows[entry] = row
    queue.following[entry] = queue.head[distance]
    queue.head[distance] = entry


@kernel(types.void(INT8_1D, INT64_1D, INT32_1D, INT32_1D, INT8_1D, INT32_1D), compiled_first=True)
def _propagate(
    seats: Int8s, parents_first: Int64s, parents: Int32s, undecided: Int32s, values: Int8s, distances: Int32s
) -> None:
    """Pass wins and losses from children to parents, nearest to the end first.

    A child of the same seat, whose turn goes on, is no ply away; any other is one. So the distance of a parent may
    become smaller while it waits in the queue; an entry whose distance is not the row's any more is skipped.
    """
    count = len(seats)
    worst = np.zeros(count, dtype=np.int32)
    finished = np.zeros(count, dtype=np.bool_)
    room = len(parents) + count
    queue = _Queue(np.full(count + 2, -1, np.int64), np.empty(room, np.int64), np.empty(room, np.int32))
    entries = 0
    for row in range(count):
        if distances[row] == 0:
            _push(queue, entries, row, 0)
            entries += 1
    for distance in range(count + 1):
        while queue.head[distance] >= 0:
            entry = queue.head[distance]
            queue.head[distance] = queue.following[entry]
            row = queue.rows[entry]
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
                _push(queue, entries, parent, reached)
                entries += 1


@kernel(types.boolean(INT64_1D, INT32_1D, INT32_1D), compiled_first=True)
def _has_no_cycle(parents_first: Int64s, parents: Int32s, open_children: Int32s) -> bool:
    """Return whether removing positions without children leaves none (Kahn's algorithm)."""
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
