"""The kernels of the look ahead: they write all that may follow positions, and choose among it."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import Probabilities
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.kernels import (
    CHANCES,
    HAPPEN,
    INDICES,
    MOVES,
    ONGOING,
    OUTCOME,
    PLAY,
    STATES,
    TABLE,
    helper,
    kernel,
)

States = NDArray[np.int8]
Integers = NDArray[np.int32]
Flags = NDArray[np.bool_]

_CHANCES_OF_ROWS = types.Array(types.float32, 2, "C")
_MEANS = types.Array(types.float64, 2, "C")
_WEIGHTS = types.Array(types.float64, 1, "C")
_FLAGS = types.Array(types.boolean, 1, "C")

NO_ROOM = -1
"""What `expand` answers if there are more replies than there is room for."""

# the sum of these, each times what is in its slot, tells states apart (nearly: it never overflows, and may coincide)
_MARKS = np.random.default_rng(21).integers(1, 1 << 44, 1024)


@helper
def _row_of(states: States, candidate: int, found: int, table: Integers) -> int:
    """The row in which a state was found before, or ``found``: its own from now on. ``table`` is a hash table."""
    mark = 0
    for slot in range(states.shape[1]):
        mark += states[candidate, slot] * _MARKS[slot & 1023]
    place = (mark ^ (mark >> 21)) & (len(table) - 1)
    while table[place] >= 0:
        row = table[place]
        same = True
        for slot in range(states.shape[1]):
            if states[row, slot] != states[candidate, slot]:
                same = False
                break
        if same:
            return int(row)
        place = (place + 1) & (len(table) - 1)
    table[place] = found
    return found


@kernel(types.int64(OUTCOME, STATES, types.int64, INDICES))
def write_points(outcome, states, number, points) -> int:  # type: ignore[no-untyped-def]
    """Write the points of the first rows; how many contests go on."""
    going = 0
    for row in range(number):
        points[row] = outcome(states[row])
        if points[row] == ONGOING:
            going += 1
    return going


@kernel(types.void(CHANCES, PLAY, types.int64, STATES, types.int64, INDICES, INDICES))
def decline_all(chances, play, decline, states, number, points, cases) -> None:  # type: ignore[no-untyped-def]
    """Leave the stakes as they are, in the first rows."""
    for row in range(number):
        if points[row] == ONGOING and chances(states[row], cases) == 0:
            play(states[row], decline)


@kernel(
    types.int64(
        *(CHANCES, HAPPEN, MOVES, PLAY, OUTCOME, types.int64),
        *(STATES, STATES, TABLE, INDICES),
        *(STATES, INDICES, INDICES, INDICES, TABLE, _WEIGHTS, INDICES),
    )
)
def expand(  # type: ignore[no-untyped-def]
    chances, happen, moves, play, outcome, decline,
    roots, reached, actions, sizes,
    states, points, which, starts, groups, weights, table,
) -> int:  # fmt: skip
    """Write all replies to all roots; `NO_ROOM` if there are more than there is room for.

    ``sizes`` becomes how many groups, replies and different states there are. A row of ``groups`` is the seat that
    replies, and the root.
    """
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    unused = np.empty(MOST_EVENTS, dtype=np.int32)
    here = np.empty(roots.shape[1], dtype=np.int8)
    table[:] = -1
    group, reply, found = 0, 0, 0
    starts[0] = 0
    for root in range(len(roots)):
        events = chances(roots[root], cases)
        total = 0
        for event in range(events):
            total += cases[event]
        for event in range(max(events, 1)):
            here[:] = roots[root]
            if events > 0:
                happen(here, event)
            number = moves(here, reached, actions)
            if reply + number >= len(which):  # one row more is room for the state that is looked up
                return NO_ROOM
            for move in range(number):
                states[found] = reached[move]
                ends = outcome(states[found])
                if ends == ONGOING and decline >= 0 and chances(states[found], unused) == 0:
                    play(states[found], decline)
                which[reply] = _row_of(states, found, found, table)
                if which[reply] == found:
                    points[found] = ends
                    found += 1
                reply += 1
            groups[group, 0], groups[group, 1] = here[0], root
            weights[group] = cases[event] / total if events > 0 else 1.0
            group += 1
            starts[group] = reply
    sizes[0], sizes[1], sizes[2] = group, reply, found
    return group


@kernel(types.int64(STATES, INDICES, INDICES, INDICES))
def find_distinct(states: States, firsts: Integers, which: Integers, table: Integers) -> int:
    """Write where each different state comes first, and which of these each is; how many there are."""
    table[:] = -1
    found = 0
    for i in range(len(states)):
        row = _row_of(states, i, i, table)
        if row == i:
            firsts[found] = i
            which[i] = found
            found += 1
        else:
            which[i] = which[row]
    return found


@helper
def _expected(probabilities: Probabilities, row: int) -> float:
    one, two, three = probabilities[row, :3]
    less_one, less_two, less_three = probabilities[row, 3:]
    return float(one + 2 * two + 3 * three - less_one - 2 * less_two - 3 * less_three)


@kernel(types.int64(_CHANCES_OF_ROWS, STATES, types.int64))
def find_best_row(values: Probabilities, states: States, seat: int) -> int:
    """The state that is best for a seat, the first of equals; values are as each state's seat to move sees them."""
    best, highest = 0, -np.inf
    for row in range(len(values)):
        equity = _expected(values, row)
        if states[row, 0] != seat:
            equity = -equity
        if equity > highest:
            best, highest = row, equity
    return best


@kernel(
    types.void(
        *(_CHANCES_OF_ROWS, STATES, INDICES, INDICES, TABLE),
        *(types.int64, types.float64, _FLAGS),
    )
)
def prune(values, states, which, starts, groups, most, margin, kept) -> None:  # type: ignore[no-untyped-def]
    """Flag the best replies of each group."""
    kept[:] = False
    for group in range(len(groups)):
        best = -np.inf
        for _ in range(most):
            highest, chosen = -np.inf, -1
            for reply in range(starts[group], starts[group + 1]):
                row = which[reply]
                equity = _expected(values, row)
                if states[row, 0] != groups[group, 0]:
                    equity = -equity
                if not kept[reply] and equity > highest:
                    highest, chosen = equity, reply
            best = max(best, highest)
            if chosen < 0 or highest < best - margin:
                break
            kept[chosen] = True


@kernel(
    types.void(
        *(_CHANCES_OF_ROWS, STATES, INDICES, INDICES, TABLE, _WEIGHTS),
        *(_FLAGS, STATES, INDICES, _MEANS),
    )
)
def fold(  # type: ignore[no-untyped-def]
    values, states, which, starts, groups, weights, kept, roots, best, means
) -> None:
    """Choose the best reply of each group, of those that are kept, and write the means over the groups."""
    means[:] = 0.0
    for group in range(len(groups)):
        highest = -np.inf
        for reply in range(starts[group], starts[group + 1]):
            row = which[reply]
            equity = _expected(values, row)
            if states[row, 0] != groups[group, 0]:
                equity = -equity
            if kept[reply] and equity > highest:
                highest = equity
                best[group] = row
        root = groups[group, 1]
        turned = 0 if states[best[group], 0] == roots[root, 0] else 3
        for k in range(6):
            means[root, k] += weights[group] * values[best[group], (k + turned) % 6]
