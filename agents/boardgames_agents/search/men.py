"""A search for men: can a seat force the capture of men within some plies? For any game without chance."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.search.transpositions import code_of, row_of
from boardgames_env.kernels import ONGOING, Actions, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT8_2D_READONLY, INT64_1D, Int8s, Int32s, Int64s

MOST_PLIES = 11
"""The most plies that a search may look ahead."""

_ACTIONS_A_TURN = 8
_MOST_LEAD = 64
_SPENT = -1


class Attack(NamedTuple):
    """A question about positions: whether a seat is at least a man ahead after some plies.

    Attributes:
        attacker: The seat.
        plies: The number of plies, at most `MOST_PLIES`; the turn that is to be made is the first.
        locations: The number of locations of the board, whose men are the slots of a state after the first.
        nodes: The number of positions that searches may reach, after which they are given up.
    """

    attacker: int
    plies: int
    locations: int
    nodes: int


ATTACK = named_tuple_type(Attack, *[types.int64] * 4)


class MenSearch(NamedTuple):
    """A search for men: whether the attacker is ahead of the defender in men captured after some plies.

    Attributes:
        attack: The attacker, the depth and the limits.
        multiplier: The factors of `transpositions.code_of`.
        table: Verdicts by position, plies left and lead: twice the code, plus one if the attacker is ahead.
        best: For each seat, an action's number of cutoffs.
        states: The positions on the way from the root, a row each.
        actions: Their actions.
        reached: The number of positions reached, an array of one number.
    """

    legal: Callable[[State, Actions], int]
    play: Callable[[State, int], None]
    outcome: Callable[[State], int]
    attack: Attack
    multiplier: Int64s
    table: Int64s
    best: Int64s
    states: Int8s
    actions: Int32s
    reached: Int64s


@helper
def men_of_seat(state: State, seat: int, locations: int) -> int:
    """Return the number of locations that a seat's men are on."""
    men = 0
    for slot in range(1, locations + 1):
        men += (state[slot] < 0) if seat == 1 else (state[slot] > 0)
    return men


@kernel(
    types.void(GAME_KERNELS, ATTACK, INT8_2D_READONLY, INT64_1D, INT64_1D, INT64_1D, INT64_1D, INT64_1D),
    compiled_first=True,
)
def captures_by_force(
    game: GameKernels,
    attack: Attack,
    states: Int8s,
    leads: Int64s,
    multiplier: Int64s,
    table: Int64s,
    reached: Int64s,
    found: Int64s,
) -> None:
    """Find in which positions the attacker is at least a man ahead with best play by both seats.

    A contest that the attacker wins counts as a man, and one that ends otherwise as none. The limits of the contest are
    not regarded.

    Args:
        game: The game.
        attack: What is asked.
        states: The positions, which are not over, a row each.
        leads: The number of men by which the attacker is ahead in each, in men captured before.
        multiplier: See `transpositions.multipliers`.
        table: Room for verdicts, a power of two; those in it are of the same game and attacker.
        reached: The number of positions that searches with these nodes have reached, an array of one number.
        found: 1 where the attacker is ahead, 0 where not, -1 from where nodes ran out; an entry for each position.
    """
    rows = attack.plies * _ACTIONS_A_TURN + 2
    s = MenSearch(
        game.legal, game.play, game.outcome, attack, multiplier, table,
        np.zeros(2 * game.num_actions, dtype=np.int64), np.zeros((rows, game.state_size), dtype=np.int8),
        np.zeros((rows, game.num_actions), dtype=np.int32), reached,
    )  # fmt: skip
    # (an int64, not a literal: the cached code of a recursion that begins with literals crashes)
    first: Any = np.int64(0)
    for row in range(len(states)):
        copy_row(states[row], s.states[0])
        s.best[:] = 0
        ahead = _is_ahead(s, first, attack.plies, leads[row])
        found[row] = _SPENT if s.reached[0] >= attack.nodes else int(ahead)


@helper
def _is_ahead(s: MenSearch, row: int, plies: int, lead: int) -> int:
    """Return whether the attacker ends ahead from a row's position after ``plies`` more; 0 if nodes ran out."""
    state, after, actions = s.states[row], s.states[row + 1], s.actions[row]
    seat = int(state[0])
    attacks = int(seat == s.attack.attacker)
    code = code_of(state, s.multiplier, plies * 2 * _MOST_LEAD + lead + _MOST_LEAD)
    entry = row_of(s.table, code)
    if s.table[entry] >> 1 == code:
        return int(s.table[entry] & 1)
    count = s.legal(state, actions)
    if count == 0 or row == len(s.states) - 2:
        return int(lead > 0)
    # (the most frequent cutoff first)
    first = 0
    for i in range(1, count):
        if s.best[2 * actions[i] + seat] > s.best[2 * actions[first] + seat]:
            first = i
    actions[0], actions[first] = actions[first], actions[0]
    result = 1 - attacks
    men = men_of_seat(state, 1 - seat, s.attack.locations)
    for i in range(count):
        if s.reached[0] >= s.attack.nodes:
            return 0
        s.reached[0] += 1
        copy_row(state, after)
        s.play(after, actions[i])
        taken = men - men_of_seat(after, 1 - seat, s.attack.locations)
        now = lead + taken if attacks else lead - taken
        points = s.outcome(after)
        if points != ONGOING:
            found = int(points * (1 - 2 * s.attack.attacker) > 0)
        elif after[0] == seat:
            found = _is_ahead(s, row + 1, plies, now)
        elif plies == 1:
            found = int(now > 0)
        else:
            found = _is_ahead(s, row + 1, plies - 1, now)
        if found == attacks:
            result = attacks
            s.best[2 * actions[i] + seat] += plies * plies
            break
    if s.reached[0] < s.attack.nodes:
        s.table[entry] = 2 * code + result
    return result
