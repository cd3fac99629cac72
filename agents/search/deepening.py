"""Iterative deepening: the actions of a position, searched ply by ply deeper until enough is known of them."""

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from agents.search.negamax import (
    BEYOND,
    MOST_WORTH,
    PLAYED,
    QUIESCENCE,
    UNSURE,
    WON,
    Numbers,
    Search,
    draws,
    is_spent,
    play_on,
    put_best_next,
    rank_actions,
    recurrence_code,
    search,
)
from agents.search.transpositions import NO_ACTION
from boardgames_env.kernels import (
    EVALUATE,
    GAIN,
    INDICES,
    LEGAL,
    OUTCOME,
    PLAY,
    READ_ONLY_STATE,
    STATES,
    Actions,
    helper,
    kernel,
)

_NUMBERS = types.Array(types.int64, 1, "C")
_TABLE = types.Array(types.int64, 2, "C")
_SYMMETRIES = types.Array(types.int32, 2, "C")

# how a search is set: positions to play to, plies to look ahead, actions to look at, whether the game tells
# what actions gain, and how many plies of the contest have been played
NODES, DEPTH, WIDTH, HAS_GAIN, PLY = range(5)


@kernel(
    types.int64(
        *(LEGAL, PLAY, OUTCOME, EVALUATE, GAIN, LEGAL),
        *(READ_ONLY_STATE, STATES, _NUMBERS, INDICES, _SYMMETRIES, _NUMBERS),
        *(_TABLE, _TABLE, INDICES, _NUMBERS, _NUMBERS),
    )
)
def deepen(  # type: ignore[no-untyped-def]
    legal, play, outcome, evaluate, gain, forcing,
    root, seen, settings, limits, symmetries, multiplier,
    table, history, actions, values, counters,
) -> int:  # fmt: skip
    """Search the actions of a position.

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
        actions: The legal actions are written here, the best first.
        values: What they are worth is written here; of those that are not the best, an upper bound.
        counters: `PLAYED` and `EVALUATED` count on.

    Returns:
        How many plies the search looked ahead.
    """
    rows = 2 * (settings[DEPTH] + QUIESCENCE)
    breadth = history.shape[1]
    repeats = np.zeros(rows, dtype=np.int64)
    repeats[0] = recurrence_code(root, multiplier, symmetries, limits[1])
    s = Search(
        *(legal, play, outcome, evaluate, gain, forcing),
        settings[HAS_GAIN] > 0, counters[PLAYED] + settings[NODES], settings[WIDTH],
        limits[0] > 0, limits[1], limits[2],
        symmetries, multiplier, _drawing_codes(seen, repeats[0], multiplier, symmetries, limits),
        table, history,
        np.zeros((rows, len(root)), dtype=np.int8), repeats,
        np.zeros((rows, breadth), dtype=np.int32),
        np.zeros((rows, breadth), dtype=np.int64), np.zeros((rows, breadth), dtype=np.int64), counters,
    )  # fmt: skip
    s.states[0] = root
    count = legal(root, s.actions[0])
    rank_actions(gain, s.has_gain, history[root[0]], root, s.actions[0], s.gains[0], s.ranks[0], count, NO_ACTION)
    for i in range(count):
        put_best_next(s.actions[0], s.gains[0], s.ranks[0], i, count)
    worth = int(evaluate(root)) if s.has_gain else 0
    found = np.zeros(count, dtype=np.int64)
    reached = 0
    for depth in range(1, settings[DEPTH] + 1):
        unsure = counters[UNSURE]
        looked_at = _look(s, count, settings[PLY], depth, worth, found)
        if looked_at > 0:
            reached = depth
            values[:count] = found
            _sort(values[:count], s.actions[0], s.gains[0])
        best = values[0]
        seen_the_end = counters[UNSURE] == unsure or (abs(best) > MOST_WORTH and WON - abs(best) <= depth)
        if count == 1 or looked_at < count or seen_the_end:
            break
    actions[:count] = s.actions[0, :count]
    return reached


@helper
def _look(s: Search, count: int, ply: int, depth: int, worth: int, found: Numbers) -> int:
    """Search the root's actions to one depth; how many of them were done before the budget was spent."""
    found[:] = -BEYOND
    best = -BEYOND
    state, after = s.states[0], s.states[1]
    for i in range(count):
        # one less than it need be, to tell actions that are as good as the best from those that are worse
        alpha = best - 1
        value = play_on(s.play, s.outcome, state, s.actions[0, i], after, 1)
        s.counters[PLAYED] += 1
        following = ply + int(after[0] != state[0])
        # (int64s, not literals: what is kept of a recursion that begins with literals crashes when it is used again)
        row: Any = np.int64(1)
        beta: Any = np.int64(BEYOND)
        if value == BEYOND and draws(s, 1, following):
            value = 0
        if value == BEYOND and after[0] == state[0]:
            value = search(s, row, ply, depth, alpha, beta, worth + s.gains[0, i])
        elif value == BEYOND:
            value = -search(s, row, following, depth - 1, -beta, -alpha, -worth - s.gains[0, i])
        if is_spent(s.counters, s.budget):
            return i
        found[i] = value
        best = max(best, value)
    return count


@helper
def _sort(values: Numbers, actions: Actions, gains: Numbers) -> None:
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
    seen: NDArray[np.int8],
    root: int,
    multiplier: Numbers,
    symmetries: NDArray[np.int32],
    limits: NDArray[np.int32],
) -> Numbers:
    """The codes of the contest's positions that draw it when they come up once more."""
    codes = np.zeros(len(seen) + 1, dtype=np.int64)
    codes[-1] = root
    drawing = 0
    if limits[0] > 0:
        for i in range(len(seen)):
            codes[i] = recurrence_code(seen[i], multiplier, symmetries, limits[1])
        for i in range(len(codes)):
            times = 0
            for j in range(i + 1):
                times += codes[j] == codes[i]
            if times == limits[0] - 1:
                codes[drawing] = codes[i]
                drawing += 1
    return codes[:drawing]
