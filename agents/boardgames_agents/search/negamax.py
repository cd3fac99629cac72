"""The recursion of alpha-beta: the value of a position by a search to some depth.

Fail-soft principal variation search in negamax form (Marsland and Campbell, *Parallel Search of Strongly Ordered
Game Trees*, ACM Computing Surveys 14, 1982), with quiescence over the game's forcing actions. All values are from
the view of the seat to move. A turn may have several actions: where the seat stays the same, the sign does, no
depth is used, and the unfinished turn is not evaluated.
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
from boardgames_env.history import progress_mark
from boardgames_env.kernels import ONGOING, Actions, State, copy_row, helper, inlined
from boardgames_env.kernels.signatures import Int8s, Int32s, Int64s

MOST_VALUE = 10_000
"""The bound of evaluations; the values of positions won or lost by force are greater."""

WON = 20_000
"""The value of a point, less one for each ply until the contest ends, counting the ply that ends it."""

BEYOND = 1_000_000
"""A value beyond all others, which stands for "not known"."""

QUIESCENCE = 8
"""The most plies for which forcing actions are followed."""

# counters: positions reached; positions evaluated among them; values that a deeper search might change
PLAYED, EVALUATED, UNSURE = range(3)


class SearchKernels(NamedTuple):
    """The kernels of a game's `Heuristics`, with others in the place of those that it does not have.

    Only if the game ``has_gain`` are evaluations updated by the gains of actions.
    """

    evaluate: Callable[[State], int]
    gain: Callable[[State, int], int]
    forcing: Callable[[State, Actions], int]
    has_gain: bool


class AlphaBetaSearch(NamedTuple):
    """One search. Rows of its arrays are positions on the way from the root, one for each action.

    The first three fields are kernels of the game, and the next four those of `SearchKernels`. ``multiplier``,
    ``table``, ``history`` and ``counters`` are those of `boardgames_agents.search.deepening.Memory`.

    Attributes:
        budget: The number of positions reached at which the search ends.
        first_ply: Number of plies of the contest before the root.
        width: The most actions searched in a position; 0 for all.
        recurrences: Whether recurring positions draw the contest.
        recurrence_key: What counts as the same position, as in `Limits.numbers`.
        most_plies: Number of plies after which the contest ends; 0 for no limit.
        quiet_plies: Number of plies without progress that draw the contest; 0 for no limit.
        progress: What is progress, as in `Limits.numbers`.
        locations: Number of locations of the board.
        symmetries: The board's symmetries on states.
        drawn: Codes of the positions that draw the contest when they come up once more.
        states: The positions.
        repeats: Their codes for the rule of recurrences.
        marks: What `progress_mark` returns for them, if progress matters.
        since: Number of plies of the contest before the first position with this mark.
        actions: Their actions.
        gains: The gains of the actions.
        ranks: The ranks of the actions, which are searched in descending order.
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
    quiet_plies: int
    progress: int
    locations: int
    symmetries: Int32s
    multiplier: Int64s
    drawn: Int64s
    table: Int64s
    history: Int64s
    states: Int8s
    repeats: Int64s
    marks: Int64s
    since: Int64s
    actions: Int32s
    gains: Int64s
    ranks: Int64s
    counters: Int64s


@helper
def is_spent(counters: Int64s, budget: int) -> bool:
    """Return whether the budget is used up; results of the search have no meaning from then on."""
    return bool(counters[PLAYED] >= budget)


@helper
def search(s: AlphaBetaSearch, row: int, ply: int, depth: int, alpha: int, beta: int, evaluation: int) -> int:
    """Return the value to the seat to move of the position in a row (not the root's).

    If the true value is not above ``alpha``, an upper bound is returned, and if it is not below ``beta``, a lower one.

    Args:
        s: The search.
        row: The position's row.
        ply: Number of plies of the contest before it.
        depth: Number of plies to search; at 0 and below, only forcing actions.
        alpha: The value the seat is already sure of.
        beta: The value the other seat can hold it to.
        evaluation: The evaluation of the position, if the game has gains.
    """
    counters, unsure = s.counters, s.counters[UNSURE]
    if is_spent(counters, s.budget):
        return 0
    best, count, code = _list_actions(s, row, ply, depth, alpha, beta, evaluation)
    state, after = s.states[row], s.states[row + 1]
    actions, gains, ranks = s.actions[row], s.gains[row], s.ranks[row]
    can_stand = depth <= 1 and s.has_gain
    is_limited = s.recurrences or s.most_plies > 0 or s.quiet_plies > 0
    bound, best_action = alpha, NO_ACTION
    searched = count if s.width == 0 else min(count, s.width)
    counters[UNSURE] += searched < count
    for i in range(searched):
        # (the order of actions after which the other seat may stand pat does not matter)
        if not (can_stand and i > 1 and evaluation + gains[i - 1] <= bound):
            put_best_next(actions, gains, ranks, i, count)
        bound = max(alpha, best)
        value = play_on(s.play, s.outcome, state, actions[i], after, ply - s.first_ply)
        counters[PLAYED] += 1
        if value == BEYOND and is_limited and draws(s, row + 1, ply + int(after[0] != state[0])):
            value = 0
        if value != BEYOND:
            pass
        elif after[0] == state[0]:
            value = search(s, row + 1, ply, depth, bound, beta, evaluation + gains[i])
        elif can_stand and evaluation + gains[i] <= bound:
            # the other seat may stand pat: that is no better for this one than what it has
            value = _evaluated(counters, evaluation + gains[i])
        else:
            window = beta if i == 0 else bound + 1
            value = -search(s, row + 1, ply + 1, depth - 1, -window, -bound, -evaluation - gains[i])
            if window <= value < beta:
                value = -search(s, row + 1, ply + 1, depth - 1, -beta, -bound, -evaluation - gains[i])
        if is_spent(counters, s.budget):
            return 0
        if value > best:
            best, best_action = value, actions[i]
            if best >= beta:
                break
    if depth > 0 and count > 0:
        kind = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        # (a value that depends on nothing unsure is as good as one of a search to the end)
        known_to = depth if counters[UNSURE] > unsure else EXHAUSTED
        store(s.table, code, _seen_from(best, s.first_ply - ply), known_to, kind, best_action)
        if best >= beta:
            s.history[state[0], best_action] += depth**2
    return best


@inlined
def _list_actions(
    s: AlphaBetaSearch, row: int, ply: int, depth: int, alpha: int, beta: int, evaluation: int
) -> tuple[int, int, int]:
    """List and rank the actions to search in a row's position.

    Returns:
        A lower bound of its value without them; their number, 0 if that bound is the value; and its code.
    """
    state, actions = s.states[row], s.actions[row]
    is_last = row == len(s.states) - 2
    best, first, code = -BEYOND, NO_ACTION, 0
    if is_last or (depth <= 0 and state[0] != s.states[row - 1, 0]):
        best = _evaluated(s.counters, evaluation if s.has_gain else int(s.evaluate(state)))
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
    # the table's action first, then by their gains, or by how often they were best elsewhere
    gains, ranks, history = s.gains[row], s.ranks[row], s.history[state[0]]
    for i in range(count):
        if s.has_gain:
            gains[i] = s.gain(state, actions[i])
            ranks[i] = gains[i]
        else:
            ranks[i] = history[actions[i]]
        if actions[i] == first:
            ranks[i] = BEYOND**2
    return best, count, code


@helper
def play_on(
    play: Callable[[State, int], None],
    outcome: Callable[[State], int],
    state: State,
    action: int,
    after: State,
    depth: int,
) -> int:
    """Play ``action`` at depth ``depth``, into ``after``.

    Returns:
        Its value to the seat that plays it if the contest ends, otherwise `BEYOND`.
    """
    copy_row(state, after)
    play(after, action)
    points = int(outcome(after))
    if points == ONGOING:
        return BEYOND
    # sooner wins and later losses are better
    points *= 1 - 2 * int(state[0])
    return points * WON - int(np.sign(points)) * (depth + 1)


@helper
def _evaluated(counters: Int64s, evaluation: int) -> int:
    """Count an evaluation, and return it."""
    counters[EVALUATED] += 1
    counters[UNSURE] += 1
    return evaluation


@helper
def _look_up(
    table: Int64s, counters: Int64s, code: int, ahead: int, depth: int, alpha: int, beta: int
) -> tuple[int, int]:
    """Look a position up in the table. Return its value if that is enough, else `BEYOND`, and its best action."""
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
    """Return a position's value as seen from ``ahead`` plies before; the inverse with ``-ahead``."""
    if value > MOST_VALUE:
        return value - ahead
    if value < -MOST_VALUE:
        return value + ahead
    return value


@helper
def draws(s: AlphaBetaSearch, row: int, ply: int) -> bool:
    """Return whether a limit ends the contest in a row's position, or it has come up on the way before."""
    drawn = 0 < s.most_plies <= ply
    if s.recurrences:
        code = recurrence_code(s.states[row], s.multiplier, s.symmetries, s.recurrence_key)
        s.repeats[row] = code
        for earlier in range(row):
            drawn |= s.repeats[earlier] == code
        for known in s.drawn:
            drawn |= known == code
    if s.quiet_plies > 0:
        s.marks[row] = progress_mark(s.states[row], s.progress, s.locations)
        s.since[row] = s.since[row - 1] if s.marks[row] == s.marks[row - 1] else ply
        drawn |= ply - s.since[row] >= s.quiet_plies
    s.counters[UNSURE] += drawn
    return bool(drawn)


@helper
def recurrence_code(state: State, multiplier: Int64s, symmetries: Int32s, recurrence_key: int) -> int:
    """Return a code that is equal for positions that are the same by the rule of recurrences."""
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
def put_best_next(actions: Actions, gains: Int64s, ranks: Int64s, i: int, count: int) -> None:
    """Exchange a row's action ``i`` for the best-ranked one from there on."""
    best = i
    for other in range(i + 1, count):
        if ranks[other] > ranks[best]:
            best = other
    actions[i], actions[best] = actions[best], actions[i]
    gains[i], gains[best] = gains[best], gains[i]
    ranks[i], ranks[best] = ranks[best], ranks[i]
