"""The 198 inputs of TD-Gammon: the places of the men, without knowledge of the game.

They are the inputs of Tesauro (1992, 1995). For each seat, the viewer first, and each of the viewer's own
points 1 to 24, which are counted in that one direction for both seats' men: four units for the seat's men there. After
these 192 come the men on the two bars, halved; the men in the two trays, as a part of all men of a seat; and two units
for whose turn it is, 1 for the viewer's and 1 for the other's. So the view of seat 0 is the paper's encoding, with one
view for both seats, and the view of the seat to move is relative to the mover. Dice are not encoded, because networks
evaluate afterstates.

The sources agree that with n men on a point the fourth unit is (n - 3)/2 if n > 3. They do not agree on the other
three, so there are three readings:

================== ====== ====== ====== ==================================================
`READINGS`         first  second third  where
================== ====== ====== ====== ==================================================
``raw``            n = 1  n >= 2 n = 3  Sutton and Barto, section 16.1; Tesauro's pubeval
``raw_cumulative`` n >= 1 n >= 2 n >= 3 most programs after TD-Gammon
``raw_one_hot``    n = 1  n = 2  n = 3  OpenSpiel
================== ====== ====== ====== ==================================================
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from boardgames_env.encoding import Encoding, changes, inputs
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, POINTS, TRAYS
from boardgames_env.kernels import Actions, Features, Kernel, State, helper

UNITS = 4
"""The number of inputs for a seat's men on a point."""
_MOST_MEN = 15
_OTHER = POINTS * UNITS
_BARS = 2 * _OTHER
_TRAYS = _BARS + 2
_TURN = _TRAYS + 2
SIZE = _TURN + 2
"""The number of raw inputs."""

READINGS: dict[str, Callable[[int], tuple[bool, bool, bool]]] = {
    "raw": lambda n: (n == 1, n >= 2, n == 3),
    "raw_cumulative": lambda n: (n >= 1, n >= 2, n >= 3),
    "raw_one_hot": lambda n: (n == 1, n == 2, n == 3),
}
"""The first three units for n men on a point, by the name of the encoding."""

# the places in the array of indices at which the points with each seat's men are listed for a while; at most 40 inputs
# are not 0, because each of 30 men gives at most one
_MINE = np.uint64(100)
_THEIRS = np.uint64(130)
# the place at which the points that differ are listed: a roll changes at most 8, whose inputs never reach the list
# before it is read
_LISTED = np.uint64(2 * POINTS * UNITS)


@helper
def _write_counts(state: State, viewer: int, men: int, indices: Actions, values: Features, at: int) -> int:
    """Write the men on bars and in trays, and the turn, at ``at``. Return where they end."""
    for k in range(2):
        on_bar = abs(state[BARS + (viewer ^ k)])
        if on_bar > 0:
            indices[at], values[at] = _BARS + k, on_bar / 2
            at += 1
    for k in range(2):
        off = abs(state[TRAYS + (viewer ^ k)])
        if off > 0:
            indices[at], values[at] = _TRAYS + k, off / men
            at += 1
    indices[at], values[at] = _TURN + (state[0] ^ viewer), 1
    return at + 1


@cache
def raw_inputs(men: int, reading: str) -> Encoding:
    """Return the raw inputs for games with ``men`` men a seat, in one of the `READINGS`, and their changes."""
    # by men of a seat on a point: the number of units that are not 0, their indices and their values. Four are always
    # written; the next point's overwrite those that are 0.
    used = np.zeros(_MOST_MEN + 1, dtype=np.uint64)
    units = np.zeros((_MOST_MEN + 1, UNITS), dtype=np.int32)
    shown = np.zeros((_MOST_MEN + 1, UNITS), dtype=np.float32)
    for n in range(1, _MOST_MEN + 1):
        row = _units(n, reading)[:UNITS]
        which = np.flatnonzero(row)
        used[n] = len(which)
        units[n, : len(which)] = which
        shown[n, : len(which)] = row[which]

    @helper
    def write_point(
        state: State, viewer: int, point: int, first: int, indices: Actions, values: Features, at: np.uint64
    ) -> np.uint64:
        """Write the units of a point, numbered from ``first`` on, at ``at``. Return where they end."""
        n = np.uint64(abs(state[np.uint64(point + 1 if viewer == 0 else POINTS - point)]))
        for k in range(UNITS):
            indices[at + np.uint64(k)] = first + UNITS * point + units[n, k]
            values[at + np.uint64(k)] = shown[n, k]
        at += used[n]
        return at

    @inputs
    def write_raw(state: State, viewer: int, indices: Actions, values: Features) -> int:
        own = 1 - 2 * viewer
        # (unsigned: Numba does not check whether such an index is negative, which makes this a third faster)
        mine, theirs = _MINE, _THEIRS
        for point in range(POINTS):
            n = own * state[point + 1 if viewer == 0 else POINTS - point]
            indices[mine] = indices[theirs] = point
            mine += np.uint64(n > 0)
            theirs += np.uint64(n < 0)
        at = np.uint64(0)
        for listed in range(_MINE, mine):
            at = write_point(state, viewer, indices[listed], 0, indices, values, at)
        for listed in range(_THEIRS, theirs):
            at = write_point(state, viewer, indices[listed], _OTHER, indices, values, at)
        return _write_counts(state, viewer, men, indices, values, int(np.int64(at)))

    return Encoding(SIZE, write_raw, write_raw, raw_changes(men, reading))


@cache
def raw_changes(men: int, reading: str) -> Kernel:
    """Return the kernel of the changes of `raw_inputs`, by which a network's sums are updated.

    A move changes a few points only. Finding those takes a fifth of the time of writing and comparing all inputs.
    """
    count, index, value = _tables_of_points(reading)

    @changes
    def write_changes(before: State, after: State, viewer: int, indices: Actions, values: Features) -> int:
        own = 1 - 2 * viewer
        # (unsigned: Numba does not check whether such an index is negative)
        end = _LISTED
        for each in range(1, POINTS + 1):
            indices[end] = each
            end += np.uint64(before[np.uint64(each)] != after[np.uint64(each)])
        at = np.uint64(0)
        for listed in range(_LISTED, end):
            slot = np.uint64(indices[listed])
            here, there = np.uint64(own * before[slot] + _MOST_MEN), np.uint64(own * after[slot] + _MOST_MEN)
            first = UNITS * (indices[listed] - 1 if viewer == 0 else POINTS - indices[listed])
            for k in range(2 * UNITS):
                indices[at + np.uint64(k)] = first + index[here, there, np.uint64(k)]
                values[at + np.uint64(k)] = value[here, there, np.uint64(k)]
            at += count[here, there]
        found = int(np.int64(at))
        for k in range(2):
            seat = viewer ^ k
            if before[BARS + seat] != after[BARS + seat]:
                indices[found] = _BARS + k
                values[found] = np.float32(abs(after[BARS + seat]) - abs(before[BARS + seat])) / np.float32(2)
                found += 1
            if before[TRAYS + seat] != after[TRAYS + seat]:
                indices[found] = _TRAYS + k
                values[found] = np.float32(abs(after[TRAYS + seat]) - abs(before[TRAYS + seat])) / np.float32(men)
                found += 1
        if before[0] != after[0]:
            for k in range(2):
                indices[found] = _TURN + k
                values[found] = 1 if after[0] == viewer ^ k else -1
                found += 1
        return found

    return write_changes


def _tables_of_points(reading: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the number, indices and changes of a point's inputs, by men before and after.

    Men are the viewer's, or minus the other's, plus 15. Indices count from the viewer's first unit of the point.
    """
    states = range(-_MOST_MEN, _MOST_MEN + 1)
    count = np.zeros((len(states), len(states)), dtype=np.uint64)
    index = np.zeros((*count.shape, 2 * UNITS), dtype=np.int32)
    value = np.zeros(index.shape, dtype=np.float32)
    places = [*range(UNITS), *range(_OTHER, _OTHER + UNITS)]
    shown = {n: _units(n, reading) for n in states}
    for before in states:
        for after in states:
            difference = shown[after] - shown[before]
            which = np.flatnonzero(difference)
            at = before + _MOST_MEN, after + _MOST_MEN
            count[at] = len(which)
            index[at][: len(which)] = [places[k] for k in which]
            value[at][: len(which)] = difference[which]
    return count, index, value


def _units(n: int, reading: str) -> np.ndarray:
    """Return a point's eight units, the viewer's first, for its n men or the other's -n."""
    units = np.zeros(2 * UNITS)
    if n:
        units[(0 if n > 0 else UNITS) :][:UNITS] = [*READINGS[reading](abs(n)), max(abs(n) - 3, 0) / 2]
    return units
