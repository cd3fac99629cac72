"""The recursion of alpha-beta: what a position is worth, by looking so many plies ahead.

Fail-soft principal variation search in negamax form (Marsland and Campbell, *Parallel Search of Strongly Ordered
Game Trees*, ACM Computing Surveys 14, 1982), with quiescence over the game's forcing actions. All values are from
the view of the seat to move. A turn may have several actions: where the seat stays the same, the sign does, no
depth is used, and nobody is asked what the unfinished turn is worth.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from boardgames_agents.search.transpositions import (
    ACTION,
    AT_LEAST,
    AT_MOST,
    BOUND,
    CODE,
    DEPTH,
    EXACT,
    EXHAUSTED,
    NO_ACTION,
    VALUE,
    code_of,
    row_of,
    store,
)
from boardgames_env.kernels import ONGOING, Actions, State, helper, inlined
from boardgames_env.kernels.signatures import Int8s, Int32s, Int64s

MOST_WORTH = 10_000
"""Evaluations are less than this either way; the values of positions won or lost by force are more."""

WON = 20_000
"""A point, less one for each ply until the contest ends with it, counting the ply that ends it."""

BEYOND = 1_000_000
"""More than any value."""

QUIESCENCE = 8
"""For how many plies forcing actions are followed at most."""

# counters: positions played to; of them, positions evaluated; values that a deeper search might change
PLAYED, EVALUATED, UNSURE = range(3)


class Search(NamedTuple):
    """Everything that stays the same during a search; rows are actions from the root.

    Attributes:
        legal: The game's kernel.
        play: The game's kernel.
        outcome: The game's kernel.
        evaluate: The game's kernel.
        gain: The game's kernel; asked only if ``has_gain``.
        forcing: The game's kernel, or one that knows none.
        has_gain: Whether evaluations are kept by adding up what actions gain.
        budget: The search ends when so many positions have been played to.
        first_ply: How many plies of the contest led to the root.
        width: How many actions of a position are looked at, 0 for all.
        recurrences: Whether positions that come up again draw.
        recurrence_key: What counts as the same, as in `Limits.as_array`.
        most_plies: After how many plies the contest ends, 0 for never.
        symmetries: The board's symmetries, on states.
        multiplier: See `transpositions.multipliers`.
        drawn: Codes of the positions that draw the contest when they come up once more.
        table: The transposition table.
        history: How often an action has been best, by seat and action.
        states: The positions on the way, a row each.
        repeats: Their codes, as the rule of recurrences sees them.
        actions: Their actions.
        gains: What these gain.
        ranks: Where these come in the order in which they are looked at.
        counters: `PLAYED`, `EVALUATED` and `UNSURE`.
    """

    legal: Callable[[State, Actions], int]
    play: Callable[[State, int], None]
    outcome: Callable[[State], int]
    evaluate: Callable[[State], int]
    gain: Callable[[State, int], int]
    forcing: Callable[[State, Actions], int]
    has_gain: bool
    budget: int
    first_ply: int
    width: int
    recurrences: bool
    recurrence_key: int
    most_plies: int
    symmetries: Int32s
    multiplier: Int64s
    drawn: Int64s
    table: Int64s
    history: Int64s
    states: Int8s
    repeats: Int64s
    actions: Int32s
    gains: Int64s
    ranks: Int64s
    counters: Int64s


@helper
def is_spent(counters: Int64s, budget: int) -> bool:
    """Whether the budget is used up; what is answered from then on means nothing."""
    return bool(counters[PLAYED] >= budget)


@helper
def search(s: Search, row: int, ply: int, depth: int, alpha: int, beta: int, worth: int) -> int:
    """What the position in a row (not the root's) is worth to the seat to move.

    Args:
        s: The search.
        row: The position's row.
        ply: How many plies of the contest led to it.
        depth: How many plies to look ahead; from 0 on, only at forcing actions.
        alpha: The value that the seat is already sure of: of a lower one, an upper bound is answered.
        beta: The value that the other seat can hold it to: of a higher one, a lower bound is answered.
        worth: What it is worth by evaluation, if the game tells what actions gain.
    """
    counters, unsure = s.counters, s.counters[UNSURE]
    if is_spent(counters, s.budget):
        return 0
    best, count, code = _list_actions(s, row, ply, depth, alpha, beta, worth)
    state, after = s.states[row], s.states[row + 1]
    actions, gains, ranks = s.actions[row], s.gains[row], s.ranks[row]
    can_stand, is_limited = depth <= 1 and s.has_gain, s.recurrences or s.most_plies > 0
    bound, best_action = alpha, NO_ACTION
    looked_at = count if s.width == 0 else min(count, s.width)
    counters[UNSURE] += looked_at < count
    for i in range(looked_at):
        # (no need of order among those that the other seat may stand pat after)
        if not (can_stand and i > 1 and worth + gains[i - 1] <= bound):
            put_best_next(actions, gains, ranks, i, count)
        bound = max(alpha, best)
        value = play_on(s.play, s.outcome, state, actions[i], after, ply - s.first_ply)
        counters[PLAYED] += 1
        if value == BEYOND and is_limited and draws(s, row + 1, ply + int(after[0] != state[0])):
            value = 0
        if value != BEYOND:
            pass
        elif after[0] == state[0]:
            value = search(s, row + 1, ply, depth, bound, beta, worth + gains[i])
        elif can_stand and worth + gains[i] <= bound:
            # the other seat may stand pat: that is no better for this one than what it has
            value = _evaluated(counters, worth + gains[i])
        else:
            window = beta if i == 0 else bound + 1
            value = -search(s, row + 1, ply + 1, depth - 1, -window, -bound, -worth - gains[i])
            if window <= value < beta:
                value = -search(s, row + 1, ply + 1, depth - 1, -beta, -bound, -worth - gains[i])
        if is_spent(counters, s.budget):
            return 0
        if value > best:
            best, best_action = value, actions[i]
            if best >= beta:
                break
    if depth > 0 and count > 0:
        kind = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        # (what nothing unsure went into is as good as if it had been looked at to the end)
        known_to = depth if counters[UNSURE] > unsure else EXHAUSTED
        store(s.table, code, _seen_from(best, s.first_ply - ply), known_to, kind, best_action)
        if best >= beta:
            s.history[state[0], best_action] += depth**2
    return best


@inlined
def _list_actions(s: Search, row: int, ply: int, depth: int, alpha: int, beta: int, worth: int) -> tuple[int, int, int]:
    """List and rank the actions to look at in a row's position.

    Returns:
        What the position is worth at least without them; how many they are, none if that is the answer; and its code.
    """
    state, actions = s.states[row], s.actions[row]
    is_last = row == len(s.states) - 2
    best, first, code = -BEYOND, NO_ACTION, 0
    if is_last or (depth <= 0 and state[0] != s.states[row - 1, 0]):
        best = _evaluated(s.counters, worth if s.has_gain else int(s.evaluate(state)))
        # (forcing actions are followed for no more plies than all actions were)
        if best >= beta or depth <= -QUIESCENCE or ply - s.first_ply <= -2 * depth or is_last:
            return best, 0, code
        count = s.forcing(state, actions)
    else:
        if depth > 0:
            code = code_of(state, s.multiplier, ply if s.most_plies > 0 else 0)
            known, first = _look_up(s.table, s.counters, code, ply - s.first_ply, depth, alpha, beta)
            if known != BEYOND:
                return known, 0, code
        count = s.legal(state, actions)
    rank_actions(s.gain, s.has_gain, s.history[state[0]], state, actions, s.gains[row], s.ranks[row], count, first)
    return best, count, code


@helper
def play_on(  # type: ignore[no-untyped-def]
    play, outcome, state: State, action: int, after: State, ahead: int
) -> int:
    """Play an action, so many plies ahead; what it is worth to who plays it if the contest ends, else `BEYOND`."""
    for slot in range(len(state)):
        after[slot] = state[slot]
    play(after, action)
    points = int(outcome(after))
    if points == ONGOING:
        return BEYOND
    # the sooner won and the later lost, the better
    points *= 1 - 2 * int(state[0])
    return points * WON - int(np.sign(points)) * (ahead + 1)


@helper
def _evaluated(counters: Int64s, worth: int) -> int:
    """An evaluation, counted."""
    counters[EVALUATED] += 1
    counters[UNSURE] += 1
    return worth


@helper
def _look_up(
    table: Int64s, counters: Int64s, code: int, ahead: int, depth: int, alpha: int, beta: int
) -> tuple[int, int]:
    """What the table knows of a position: its value, if that is enough, else `BEYOND`; and its best action."""
    entry = table[row_of(table, code)]
    if entry[CODE] != code:
        return BEYOND, NO_ACTION
    value = _seen_from(entry[VALUE], ahead)
    enough = (
        entry[BOUND] == EXACT
        or (entry[BOUND] == AT_LEAST and value >= beta)
        or (entry[BOUND] == AT_MOST and value <= alpha)
    )
    if not enough or entry[DEPTH] < depth:
        return BEYOND, entry[ACTION]
    counters[UNSURE] += entry[DEPTH] < EXHAUSTED
    return value, entry[ACTION]


@helper
def _seen_from(value: int, ahead: int) -> int:
    """A value told from a position itself, as the root sees it so many plies before; backwards with ``-ahead``."""
    if value > MOST_WORTH:
        return value - ahead
    if value < -MOST_WORTH:
        return value + ahead
    return value


@helper
def draws(s: Search, row: int, ply: int) -> bool:
    """Whether a limit ends the contest in a row's position, or it has come up on the way before."""
    drawn = 0 < s.most_plies <= ply
    if s.recurrences:
        code = recurrence_code(s.states[row], s.multiplier, s.symmetries, s.recurrence_key)
        s.repeats[row] = code
        for earlier in range(row):
            drawn |= s.repeats[earlier] == code
        for known in s.drawn:
            drawn |= known == code
    s.counters[UNSURE] += drawn
    return bool(drawn)


@helper
def recurrence_code(state: State, multiplier: Int64s, symmetries: Int32s, recurrence_key: int) -> int:
    """A code that is the same for positions that the rule of recurrences takes for the same."""
    if recurrence_key == 0:
        return code_of(state, multiplier, 0)
    if recurrence_key == 1:
        return code_of(state, multiplier, 0) - int(state[0] * multiplier[0])
    least = code_of(state, multiplier, 0)
    for image in range(1, len(symmetries)):
        code = 0
        for slot in range(len(state)):
            code += state[symmetries[image, slot]] * multiplier[slot]
        least = min(least, code)
    return least


@helper
def rank_actions(  # type: ignore[no-untyped-def]
    gain, has_gain, history, state: State, actions: Actions, gains: Int64s, ranks: Int64s, count: int, first: int
) -> None:
    """Rank a row's actions: the table's first, then by what they gain, or how often they were best elsewhere."""
    for i in range(count):
        if has_gain:
            gains[i] = gain(state, actions[i])
            ranks[i] = gains[i]
        else:
            ranks[i] = history[actions[i]]
        if actions[i] == first:
            ranks[i] = BEYOND**2


@helper
def put_best_next(actions: Actions, gains: Int64s, ranks: Int64s, i: int, count: int) -> None:
    """Exchange a row's action ``i`` for the best-ranked of those from there on."""
    best = i
    for other in range(i + 1, count):
        if ranks[other] > ranks[best]:
            best = other
    actions[i], actions[best] = actions[best], actions[i]
    gains[i], gains[best] = gains[best], gains[i]
    ranks[i], ranks[best] = ranks[best], ranks[i]
