"""The differences between the raw inputs of two positions, by which a network's sums are updated.

A move changes a few points only. Finding those takes a fifth of the time of writing and comparing all inputs.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from boardgames_env.encoding import Encoding, changes
from boardgames_env.games.backgammon.backgammon_board import BARS, POINTS, TRAYS
from boardgames_env.games.backgammon.inputs import READINGS, UNITS, raw_inputs
from boardgames_env.kernels import Actions, Features, Kernel, State

_MOST_MEN = 15
_OTHER = POINTS * UNITS
_BARS = 2 * _OTHER
_TRAYS = _BARS + 2
_TURN = _TRAYS + 2
# the place in the array of indices at which the points that differ are listed for a while: a roll changes at most 8
# points, and their inputs never reach the list before it is read
_LISTED = np.uint64(2 * POINTS * UNITS)


@cache
def raw_changes(men: int, reading: str) -> Kernel:
    """Return the kernel of the changes of `raw_inputs`, which has the same arguments."""
    count, index, value = _tables(reading)

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


def raw(men: int, reading: str) -> Encoding:
    """Return the raw inputs with their changes."""
    inputs = raw_inputs(men, reading)
    return replace(inputs, base=inputs.kernel, changes=raw_changes(men, reading))


def _tables(reading: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the number, indices and changes of a point's inputs, by the viewer's men before and after, plus 15.

    The other seat's men are negative. Indices count from the viewer's first unit of the point.
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
    """Return the units of a point with n of the viewer's men, or -n of the other's: first the viewer's four."""
    units = np.zeros(2 * UNITS)
    if n:
        units[(0 if n > 0 else UNITS) :][:UNITS] = [*READINGS[reading](abs(n)), max(abs(n) - 3, 0) / 2]
    return units
