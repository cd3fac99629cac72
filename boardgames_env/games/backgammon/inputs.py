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

from boardgames_env.encoding import Encoding, inputs
from boardgames_env.games.backgammon.backgammon_board import BARS, POINTS, TRAYS
from boardgames_env.kernels import Actions, Features, State, helper

UNITS = 4
"""The number of inputs for a seat's men on a point."""
_MOST_MEN = 15
_BARS = 2 * POINTS * UNITS
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


@helper
def _write_counts(state: State, viewer: int, men: int, indices: Actions, values: Features, at: int) -> int:
    """Write the men on the bars and in the trays, and the turn, from ``at`` on. Return where they end."""
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
    """Return the raw inputs for games with ``men`` men a seat, in one of the `READINGS`."""
    # by men of a seat on a point: the number of units that are not 0, their indices and their values. Four are always
    # written; the next point's overwrite those that are 0.
    used = np.zeros(_MOST_MEN + 1, dtype=np.uint64)
    units = np.zeros((_MOST_MEN + 1, UNITS), dtype=np.int32)
    shown = np.zeros((_MOST_MEN + 1, UNITS), dtype=np.float32)
    for n in range(1, _MOST_MEN + 1):
        row = np.array([*READINGS[reading](n), max(n - 3, 0) / 2])
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
            at = write_point(state, viewer, indices[listed], POINTS * UNITS, indices, values, at)
        return _write_counts(state, viewer, men, indices, values, int(np.int64(at)))

    return Encoding(SIZE, write_raw)
