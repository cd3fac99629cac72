"""Iterative deepening: the actions of a position, searched to greater and greater depths."""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.search.negamax import (
    BEYOND,
    MOST_VALUE,
    PLAYED,
    QUIESCENCE,
    UNSURE,
    WON,
    AlphaBetaSearch,
    SearchKernels,
    draws,
    is_spent,
    play_on,
    recurrence_code,
    search,
)
from boardgames_env.history import LimitNumbers, progress_mark
from boardgames_env.kernels import EVALUATE, GAIN, LEGAL, READ_ONLY_STATE, Actions, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, INT64_1D, INT64_2D, Int8s, Int32s, Int64s


class Root(NamedTuple):
    """The state to search, ``seen`` states of the contest before it, and the number of plies before it."""

    state: State
    seen: Int8s
    ply: int


class Effort(NamedTuple):
    """The bounds of a search; see `boardgames_agents.search.alpha_beta.AlphaBeta`."""

    nodes: int
    depth: int
    width: int


class Memory(NamedTuple):
    """What one search leaves for the next.

    Attributes:
        multiplier: See `transpositions.multipliers`.
        table: The transposition table.
        history: The weights of actions that have been best, by seat and action.
        counters: See `boardgames_agents.search.negamax.PLAYED`.
    """

    multiplier: Int64s
    table: Int64s
    history: Int64s
    counters: Int64s


SEARCH_KERNELS = named_tuple_type(SearchKernels, EVALUATE, GAIN, LEGAL, types.boolean)
ROOT = named_tuple_type(Root, READ_ONLY_STATE, INT8_2D, types.int64)
EFFORT = named_tuple_type(Effort, types.int64, types.int64, types.int64)
MEMORY = named_tuple_type(Memory, INT64_1D, INT64_2D, INT64_2D, INT64_1D)


@kernel(types.int64(GAME_KERNELS, SEARCH_KERNELS, ROOT, EFFORT, MEMORY, INT32_1D, INT64_1D), compiled_first=True)
def deepen(
    kernels: GameKernels,
    heuristics: SearchKernels,
    root: Root,
    effort: Effort,
    memory: Memory,
    actions: Actions,
    values: Int64s,
) -> int:
    """Search legal actions of a position, and return the number of plies searched.

    ``actions`` are sorted by value, the best first, and their ``values`` are written; see `AlphaBeta.values`.
    """
    rows = 2 * (effort.depth + QUIESCENCE)
    breadth = kernels.num_actions
    limits, symmetries, multiplier = kernels.limits, kernels.symmetries, memory.multiplier
    repeats = np.zeros(rows, dtype=np.int64)
    repeats[0] = recurrence_code(root.state, multiplier, symmetries, limits[1])
    marks, since = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
    if limits[4] > 0:
        marks[0] = progress_mark(root.state, limits[5], limits[6])
        since[0] = _last_progress(root, marks[0], limits)
    s = AlphaBetaSearch(
        kernels.legal, kernels.play, kernels.outcome, heuristics.evaluate, heuristics.gain, heuristics.forcing,
        heuristics.has_gain, memory.counters[PLAYED] + effort.nodes, root.ply, effort.width,
        limits[0] > 0, limits[1], limits[2], limits[4], limits[5], limits[6],
        symmetries, multiplier, _drawing_codes(root.seen, repeats[0], multiplier, symmetries, limits),
        memory.table, memory.history,
        np.zeros((rows, kernels.state_size), dtype=np.int8), repeats, marks, since,
        np.zeros((rows, breadth), dtype=np.int32),
        np.zeros((rows, breadth), dtype=np.int64), np.zeros((rows, breadth), dtype=np.int64), memory.counters,
    )  # fmt: skip
    copy_row(root.state, s.states[0])
    return _deepen(s, effort.depth, actions, values)


@helper
def _deepen(s: AlphaBetaSearch, most: int, actions: Actions, values: Int64s) -> int:
    """Search the root's actions to depth 1, 2 and so on, and return the last depth."""
    evaluation = int(s.evaluate(s.states[0])) if s.has_gain else 0
    gains, found = np.zeros(len(actions), dtype=np.int64), np.zeros(len(actions), dtype=np.int64)
    _value_shallowly(s, actions, gains, values)
    _sort(values, actions, gains)
    reached = 1
    for depth in range(1, most + 1):
        unsure = s.counters[UNSURE]
        searched = _search_to(s, actions, gains, depth, evaluation, found)
        if searched > 0:
            reached = depth
            _adopt(values, found, searched)
            _sort(values, actions, gains)
        best = values[0]
        seen_the_end = s.counters[UNSURE] == unsure or (abs(best) > MOST_VALUE and WON - abs(best) <= depth)
        if searched < len(actions) or seen_the_end:
            break
    return reached


@helper
def _value_shallowly(s: AlphaBetaSearch, actions: Actions, gains: Int64s, values: Int64s) -> None:
    """Value each of the root's actions by the position it leads to and by its gain, whatever the budget is."""
    state, after = s.states[0], s.states[1]
    for i in range(len(actions)):
        if s.has_gain:
            gains[i] = s.gain(state, actions[i])
        values[i] = _play_on(s, actions[i])
        if values[i] == BEYOND:
            values[i] = int(s.evaluate(after)) * (1 if after[0] == state[0] else -1)


@helper
def _search_to(s: AlphaBetaSearch, actions: Actions, gains: Int64s, depth: int, evaluation: int, found: Int64s) -> int:
    """Search the root's actions to one depth. Return the number of them that were done before the budget was spent."""
    best = -BEYOND
    state, after = s.states[0], s.states[1]
    for i in range(len(actions)):
        if is_spent(s.counters, s.budget):
            return i
        # one less than needed, to distinguish actions as good as the best from worse ones
        alpha = best - 1
        value = _play_on(s, actions[i])
        # (int64s, not literals: the cached code of a recursion that begins with literals crashes)
        row: Any = np.int64(1)
        beta: Any = np.int64(BEYOND)
        if value == BEYOND and after[0] == state[0]:
            value = search(s, row, s.first_ply, depth, alpha, beta, evaluation + gains[i])
        elif value == BEYOND:
            value = -search(s, row, s.first_ply + 1, depth - 1, -beta, -alpha, -evaluation - gains[i])
        if is_spent(s.counters, s.budget):
            return i
        found[i] = value
        best = max(best, value)
    return len(actions)


@helper
def _play_on(s: AlphaBetaSearch, action: int) -> int:
    """Play one of the root's actions. Return its value if the contest ends there, otherwise `BEYOND`."""
    state, after = s.states[0], s.states[1]
    value = play_on(s.play, s.outcome, state, action, after, 0)
    s.counters[PLAYED] += 1
    if value == BEYOND and draws(s, 1, s.first_ply + int(after[0] != state[0])):
        return 0
    return value


@helper
def _adopt(values: Int64s, found: Int64s, searched: int) -> None:
    """Take over the values found of the first ``searched`` actions.

    Values of different depths do not compare, so the best of these goes before the others, which keep their values
    up to that, unless it is a certain loss.
    """
    copy_row(found, values[:searched])
    best = -BEYOND
    for i in range(searched):
        best = max(best, found[i])
    if best > -MOST_VALUE:
        for i in range(searched, len(values)):
            values[i] = min(values[i], best - 1)


@helper
def _sort(values: Int64s, actions: Actions, gains: Int64s) -> None:
    """Sort actions by value, the best first; the sort is stable."""
    for i in range(1, len(values)):
        for j in range(i, 0, -1):
            if values[j - 1] >= values[j]:
                break
            values[j - 1], values[j] = values[j], values[j - 1]
            actions[j - 1], actions[j] = actions[j], actions[j - 1]
            gains[j - 1], gains[j] = gains[j], gains[j - 1]


@helper
def _last_progress(root: Root, mark: int, limits: LimitNumbers) -> int:
    """Return the number of plies before the last progress of the contest; the root has this `progress_mark`."""
    since, seat = root.ply, root.state[0]
    for i in range(len(root.seen) - 1, -1, -1):
        if progress_mark(root.seen[i], limits[5], limits[6]) != mark:
            break
        since -= int(root.seen[i, 0] != seat)
        seat = root.seen[i, 0]
    return since


@helper
def _drawing_codes(seen: Int8s, root: int, multiplier: Int64s, symmetries: Int32s, limits: LimitNumbers) -> Int64s:
    """Return the codes of the contest's positions that draw it when they come up once more."""
    codes = np.zeros(len(seen) + 1, dtype=np.int64)
    drawing = np.zeros(len(seen) + 1, dtype=np.int64)
    count = 0
    if limits[0] > 0:
        codes[-1] = root
        for i in range(len(seen)):
            codes[i] = recurrence_code(seen[i], multiplier, symmetries, limits[1])
        for i in range(len(codes)):
            times = 0
            for earlier in range(i + 1):
                times += codes[earlier] == codes[i]
            if times == limits[0] - 1:
                drawing[count] = codes[i]
                count += 1
    return drawing[:count]
