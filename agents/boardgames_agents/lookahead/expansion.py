"""The kernels of the look-ahead: they write all replies to positions and choose among them."""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import Probabilities
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.kernels import (
    CHANCE_EVENTS,
    MOVES,
    ONGOING,
    OUTCOME,
    PLAY,
    Actions,
    State,
    copy_row,
    helper,
    kernel,
    same_row,
)
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import (
    BOOL_1D,
    FLOAT32_2D,
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_2D,
    INT32_1D,
    INT32_2D,
    Bools,
    Float64s,
    Int8s,
    Int32s,
)

NO_ROOM = -1
"""The result of `expand` if there are more replies than the arrays hold."""


class Replies(NamedTuple):
    """The replies to a batch of roots; `boardgames_agents.lookahead.replies` defines these."""

    roots: Int8s  # shape (roots, state_size)
    states: Int8s  # the distinct states that replies lead to, awaiting chance or over; shape (states, state_size)
    points: Int32s  # by state, its points for seat 0, or ONGOING
    which: Int32s  # by reply, its row in states
    starts: Int32s  # by group, its first reply; one entry more than there are groups
    groups: Int32s  # by group, in the order of roots and events, the seat that replies and the root
    weights: NDArray[np.float64]  # by group, the probability of its event


class ReplyWorkspace(NamedTuple):
    """Arrays for the moves of one position, the sizes found, and a hash table of states."""

    afterstates: Int8s
    actions: Actions
    sizes: Int32s
    table: Int32s


REPLIES = named_tuple_type(Replies, INT8_2D, INT8_2D, INT32_1D, INT32_1D, INT32_1D, INT32_2D, FLOAT64_1D)
_WORKSPACE = named_tuple_type(ReplyWorkspace, INT8_2D, INT32_2D, INT32_1D, INT32_1D)

# the sum of these, each times the number in its slot, distinguishes states (nearly: it never overflows, may coincide)
_MARKS = np.random.default_rng(21).integers(1, 1 << 44, 1024)


@helper
def _row_of(states: Int8s, candidate: int, found: int, table: Int32s) -> int:
    """Return the row in which a state was found before, or enter ``found`` as its row."""
    mark = 0
    for slot in range(states.shape[1]):
        mark += states[candidate, slot] * _MARKS[slot & 1023]
    place = (mark ^ (mark >> 21)) & (len(table) - 1)
    while table[place] >= 0:
        if same_row(states[table[place]], states[candidate]):
            return int(table[place])
        place = (place + 1) & (len(table) - 1)
    table[place] = found
    return found


@kernel(types.int64(OUTCOME, INT8_2D, types.int64, INT32_1D))
def write_points(outcome: Any, states: Int8s, number: int, points: Int32s) -> int:
    """Write the points of the first rows. Return the number of contests that go on."""
    going = 0
    for row in range(number):
        points[row] = outcome(states[row])
        if points[row] == ONGOING:
            going += 1
    return going


@helper
def decline_in(chances: Any, play: Any, decline: int, state: State, cases: Int32s) -> None:
    """Leave the stakes as they are in a contest that goes on, if a seat may raise them."""
    if decline >= 0 and chances(state, cases) == 0:
        play(state, decline)


@kernel(types.void(CHANCE_EVENTS, PLAY, types.int64, INT8_2D, types.int64, INT32_1D, INT32_1D))
def decline_all(
    chances: Any, play: Any, decline: int, states: Int8s, number: int, points: Int32s, cases: Int32s
) -> None:
    """Decline to raise the stakes in the first rows."""
    for row in range(number):
        if points[row] == ONGOING:
            decline_in(chances, play, decline, states[row], cases)


@kernel(types.int64(GAME_KERNELS, MOVES, types.int64, REPLIES, _WORKSPACE))
def expand(game: GameKernels, moves: Any, decline: int, replies: Replies, workspace: ReplyWorkspace) -> int:
    """Write all replies to all roots. Return `NO_ROOM` if there are more than the arrays hold.

    ``sizes`` becomes the number of groups, of replies and of distinct states.
    """
    roots, states, points, which, starts, groups, weights = replies
    afterstates, actions, sizes, table = workspace
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    unused = np.empty(MOST_EVENTS, dtype=np.int32)
    here = np.empty(roots.shape[1], dtype=np.int8)
    table[:] = -1
    group, reply, found = 0, 0, 0
    starts[0] = 0
    for root in range(len(roots)):
        events = game.chance_events(roots[root], cases)
        total = 0
        for event in range(events):
            total += cases[event]
        for event in range(max(events, 1)):
            copy_row(roots[root], here)
            if events > 0:
                game.happen(here, event)
            number = moves(here, afterstates, actions)
            if reply + number >= len(which):  # one row more is space for the state that is looked up
                return NO_ROOM
            for move in range(number):
                copy_row(afterstates[move], states[found])
                ends = game.outcome(states[found])
                if ends == ONGOING:
                    decline_in(game.chance_events, game.play, decline, states[found], unused)
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


@kernel(types.int64(INT8_2D, INT32_1D, INT32_1D, INT32_1D))
def find_distinct(states: Int8s, firsts: Int32s, which: Int32s, table: Int32s) -> int:
    """Write the first row of each distinct state and, by row, its number. Return their count."""
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
def _equity(values: Probabilities, row: int, seat: int, mover: int, utility: Float64s) -> float:
    """Return a seat's expected utility, given the probabilities of the seat to move."""
    equity = 0.0
    for k in range(6):
        equity += utility[mover, k] * values[row, k]
    return equity if seat == mover else -equity


@kernel(types.int64(FLOAT32_2D, INT8_2D, types.int64, FLOAT64_2D))
def find_best_row(values: Probabilities, states: Int8s, seat: int, utility: Float64s) -> int:
    """Return the first of the best states for a seat, by the values of each mover; -1 if these are not all numbers."""
    best, highest = 0, -np.inf
    for row in range(len(values)):
        equity = _equity(values, row, seat, states[row, 0], utility)
        if not math.isfinite(equity):
            return -1
        if equity > highest:
            best, highest = row, equity
    return best


@kernel(types.void(REPLIES, FLOAT32_2D, FLOAT64_2D, types.int64, types.float64, BOOL_1D))
def prune(replies: Replies, values: Probabilities, utility: Float64s, most: int, margin: float, kept: Bools) -> None:
    """Flag the best replies of each group."""
    _, states, _, which, starts, groups, _ = replies
    kept[:] = False
    for group in range(len(groups)):
        best = -np.inf
        for _i in range(most):
            highest, chosen = -np.inf, -1
            for reply in range(starts[group], starts[group + 1]):
                row = which[reply]
                equity = _equity(values, row, groups[group, 0], states[row, 0], utility)
                if not kept[reply] and equity > highest:
                    highest, chosen = equity, reply
            best = max(best, highest)
            if chosen < 0 or highest < best - margin:
                break
            kept[chosen] = True


@kernel(types.void(REPLIES, FLOAT32_2D, FLOAT64_2D, BOOL_1D, INT32_1D, FLOAT64_2D))
def fold(
    replies: Replies, values: Probabilities, utility: Float64s, kept: Bools, best: Int32s, means: Float64s
) -> None:
    """Write the best of the flagged replies of each group, and the roots' means over the groups."""
    roots, states, _, which, starts, groups, weights = replies
    means[:] = 0.0
    for group in range(len(groups)):
        highest, best[group] = -np.inf, which[starts[group]]
        for reply in range(starts[group], starts[group + 1]):
            row = which[reply]
            equity = _equity(values, row, groups[group, 0], states[row, 0], utility)
            if kept[reply] and equity > highest:
                highest = equity
                best[group] = row
        root = groups[group, 1]
        turned = 0 if states[best[group], 0] == roots[root, 0] else 3
        for k in range(6):
            means[root, k] += weights[group] * values[best[group], (k + turned) % 6]
