"""Iterative deepening: the actions of a position, searched ply by ply deeper until enough is known of them."""

from typing import Any

import numpy as np
from numba import types

from boardgames_agents.search.negamax import (
    BEYOND,
    MOST_WORTH,
    PLAYED,
    QUIESCENCE,
    UNSURE,
    WON,
    Search,
    draws,
    is_spent,
    play_on,
    recurrence_code,
    search,
)
from boardgames_env.kernels import EVALUATE, GAIN, LEGAL, OUTCOME, PLAY, READ_ONLY_STATE, Actions, helper, kernel
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, INT32_2D, INT64_1D, INT64_2D, Int8s, Int32s, Int64s

# how a search is set: positions to play to, plies to look ahead, actions to look at, whether the game tells
# what actions gain, and how many plies of the contest led to the position
NODES, DEPTH, WIDTH, HAS_GAIN, PLY = range(5)


@kernel(
    types.int64(
        *(LEGAL, PLAY, OUTCOME, EVALUATE, GAIN, LEGAL),
        *(READ_ONLY_STATE, INT8_2D, INT64_1D, INT32_1D, INT32_2D, INT64_1D),
        *(INT64_2D, INT64_2D, INT32_1D, INT64_1D, INT64_1D),
    )
)
def deepen(  # type: ignore[no-untyped-def]
    legal, play, outcome, evaluate, gain, forcing,
    root, seen, settings, limits, symmetries, multiplier,
    table, history, actions, values, counters,
) -> int:  # fmt: skip
    """Search actions of a position.

    Args:
        legal: The game's kernel.
        play: The game's kernel.
        outcome: The game's kernel.
        evaluate: The game's kernel.
        gain: The game's kernel, or any such, if it has none.
        forcing: The game's kernel, or one that knows none.
        root: The position, in a contest that is not over.
        seen: The contest's earlier positions.
        settings: See `NODES` and so on.
        limits: As `Limits.as_array` gives them.
        symmetries: The board's symmetries, on states.
        multiplier: See `transpositions.multipliers`.
        table: The transposition table.
        history: How often an action has been best, by seat and action.
        actions: The legal actions to choose from; they are put in order, the best first.
        values: What they are worth is written here, as `AlphaBeta.values` tells.
        counters: See `PLAYED` and so on; they count on.

    Returns:
        How many plies the search looked ahead.
    """
    rows = 2 * (settings[DEPTH] + QUIESCENCE)
    breadth = history.shape[1]
    repeats = np.zeros(rows, dtype=np.int64)
    repeats[0] = recurrence_code(root, multiplier, symmetries, limits[1])
    s = Search(
        *(legal, play, outcome, evaluate, gain, forcing),
        settings[HAS_GAIN] > 0, counters[PLAYED] + settings[NODES], settings[PLY], settings[WIDTH],
        limits[0] > 0, limits[1], limits[2],
        symmetries, multiplier, _drawing_codes(seen, repeats[0], multiplier, symmetries, limits),
        table, history,
        np.zeros((rows, len(root)), dtype=np.int8), repeats,
        np.zeros((rows, breadth), dtype=np.int32),
        np.zeros((rows, breadth), dtype=np.int64), np.zeros((rows, breadth), dtype=np.int64), counters,
    )  # fmt: skip
    s.states[0] = root
    return _look_ever_further(s, settings[DEPTH], actions, values)


@helper
def _look_ever_further(s: Search, most: int, actions: Actions, values: Int64s) -> int:
    """Search the root's actions ply by ply deeper; how many plies it looked ahead at last."""
    worth = int(s.evaluate(s.states[0])) if s.has_gain else 0
    gains, found = np.zeros(len(actions), dtype=np.int64), np.zeros(len(actions), dtype=np.int64)
    _glance(s, actions, gains, values)
    _sort(values, actions, gains)
    reached = 1
    for depth in range(1, most + 1):
        unsure = s.counters[UNSURE]
        looked_at = _look(s, actions, gains, depth, worth, found)
        if looked_at > 0:
            reached = depth
            _adopt(values, found, looked_at)
            _sort(values, actions, gains)
        best = values[0]
        seen_the_end = s.counters[UNSURE] == unsure or (abs(best) > MOST_WORTH and WON - abs(best) <= depth)
        if len(actions) == 1 or looked_at < len(actions) or seen_the_end:
            break
    return reached


@helper
def _glance(s: Search, actions: Actions, gains: Int64s, values: Int64s) -> None:
    """Value each of the root's actions by what it leads to, and what it gains; whatever the budget is."""
    state, after = s.states[0], s.states[1]
    for i in range(len(actions)):
        if s.has_gain:
            gains[i] = s.gain(state, actions[i])
        values[i] = _play_on(s, actions[i])
        if values[i] == BEYOND:
            values[i] = int(s.evaluate(after)) * (1 if after[0] == state[0] else -1)


@helper
def _look(s: Search, actions: Actions, gains: Int64s, depth: int, worth: int, found: Int64s) -> int:
    """Search the root's actions to one depth; how many of them were done before the budget was spent."""
    best = -BEYOND
    state, after = s.states[0], s.states[1]
    for i in range(len(actions)):
        if is_spent(s.counters, s.budget):
            return i
        # one less than it need be, to tell actions that are as good as the best from those that are worse
        alpha = best - 1
        value = _play_on(s, actions[i])
        # (int64s, not literals: what is kept of a recursion that begins with literals crashes when it is used again)
        row: Any = np.int64(1)
        beta: Any = np.int64(BEYOND)
        if value == BEYOND and after[0] == state[0]:
            value = search(s, row, s.first_ply, depth, alpha, beta, worth + gains[i])
        elif value == BEYOND:
            value = -search(s, row, s.first_ply + 1, depth - 1, -beta, -alpha, -worth - gains[i])
        if is_spent(s.counters, s.budget):
            return i
        found[i] = value
        best = max(best, value)
    return len(actions)


@helper
def _play_on(s: Search, action: int) -> int:
    """Play one of the root's actions; what it is worth if the contest ends there, else `BEYOND`."""
    state, after = s.states[0], s.states[1]
    value = play_on(s.play, s.outcome, state, action, after, 0)
    s.counters[PLAYED] += 1
    if value == BEYOND and draws(s, 1, s.first_ply + int(after[0] != state[0])):
        return 0
    return value


@helper
def _adopt(values: Int64s, found: Int64s, looked_at: int) -> None:
    """Take over what was found of the actions that were looked at, the first ones.

    Values of different depths do not compare, so the best of these goes before the others, which keep their
    values up to that; unless it loses for sure.
    """
    values[:looked_at] = found[:looked_at]
    best = found[:looked_at].max()
    if best > -MOST_WORTH:
        values[looked_at:] = np.minimum(values[looked_at:], best - 1)


@helper
def _sort(values: Int64s, actions: Actions, gains: Int64s) -> None:
    """Put actions in the order of their values, the best first; equals stay as they were."""
    for i in range(1, len(values)):
        for j in range(i, 0, -1):
            if values[j - 1] >= values[j]:
                break
            values[j - 1], values[j] = values[j], values[j - 1]
            actions[j - 1], actions[j] = actions[j], actions[j - 1]
            gains[j - 1], gains[j] = gains[j], gains[j - 1]


@helper
def _drawing_codes(
    seen: Int8s,
    root: int,
    multiplier: Int64s,
    symmetries: Int32s,
    limits: Int32s,
) -> Int64s:
    """The codes of the contest's positions that draw it when they come up once more."""
    codes = np.zeros(len(seen) + 1, dtype=np.int64)
    drawing = np.zeros(len(seen) + 1, dtype=np.int64)
    count = 0
    if limits[0] > 0:
        codes[-1] = root
        for i in range(len(seen)):
            codes[i] = recurrence_code(seen[i], multiplier, symmetries, limits[1])
        for i in range(len(codes)):
            if (codes[: i + 1] == codes[i]).sum() == limits[0] - 1:
                drawing[count] = codes[i]
                count += 1
    return drawing[:count]
