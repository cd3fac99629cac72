"""Bearing off as kernels: the positions by number, the tables over them, and what those say of a race.

Up to so many men on the home board's six points are numbered in lexicographic order, the 6 point first: a step always
leads to a smaller number, so tables are filled in ascending order. Number 0 is no man left.
"""

from math import comb

import numpy as np
from numba import types

from boardgames_env.chance import MOST_EVENTS
from boardgames_env.games.backgammon.backgammon_board import BARS, HOME, PHASE, POINTS, ROLLING, STATE_SIZE, TRAYS
from boardgames_env.games.backgammon.steps import count
from boardgames_env.kernels import CHANCE_EVENTS, HAPPEN, MOVES, READ_ONLY_STATE, State, helper, kernel
from boardgames_env.kernels.signatures import FLOAT32_2D_READONLY, FLOAT64_1D, FLOAT64_2D, INT32_1D, Float32s, Float64s
from boardgames_env.moves import MOST_ACTIONS

MEN = 15
"""One seat's table is of up to so many men."""
MEN_OF_EACH = 6
"""The table of both seats is of up to so many men each."""
POSITIONS = comb(MEN + HOME, HOME)
POSITIONS_OF_EACH = comb(MEN_OF_EACH + HOME, HOME)

MOST_ROLLS = 30
"""No position takes more rolls, played to take few."""
MOST_ROLLS_TO_FIRST = 10
"""No position takes more rolls until a man is off, played to that end."""

_MOST_WAYS = 512  # no roll can be played in more ways
# by points and men: in how many ways up to so many men can stand on so many points
_WAYS = np.array([[comb(men + points, points) for men in range(MEN + 1)] for points in range(HOME + 1)])


@helper
def home_number(state: State, seat: int, most: int) -> int:
    """The number of how a seat's men stand; -1 if some are not home yet, or more than ``most`` are on the board."""
    if state[BARS + seat] != 0:
        return -1
    for point in range(HOME + 1, POINTS + 1):
        if count(state, seat, point) > 0:
            return -1
    number, left = 0, most
    for point in range(HOME, 0, -1):
        men = max(count(state, seat, point), 0)
        if men > left:
            return -1
        number += _WAYS[point, left] - _WAYS[point, left - men]
        left -= men
    return number


@helper
def _place(state: State, number: int, most: int) -> None:
    """Write the state in which seat 0 is to roll and has the men of that number left."""
    state[:] = 0
    left = most
    for point in range(HOME, 0, -1):
        men = 0
        while men < left and number >= _WAYS[point, left] - _WAYS[point, left - men - 1]:
            men += 1
        number -= _WAYS[point, left] - _WAYS[point, left - men]
        left -= men
        state[point] = men
    state[TRAYS] = MEN - most + left
    state[PHASE] = ROLLING


@kernel(types.void(CHANCE_EVENTS, HAPPEN, MOVES, FLOAT64_2D, FLOAT64_2D, FLOAT64_2D))
def fill_one_sided(chances, happen, write_moves, rolls, firsts, means):  # type: ignore[no-untyped-def]
    """Fill the tables of one seat: how likely it takes how many rolls, played so that the mean is the least.

    Args:
        chances: The game's kernel.
        happen: The game's kernel.
        write_moves: The game's kernel.
        rolls: Zeros; how likely it takes 0, 1, 2, … rolls until all men are off.
        firsts: Zeros; the same until one man more than now is off, played to that end.
        means: Zeros; the means of both.
    """
    state = np.zeros(STATE_SIZE, dtype=np.int8)
    rolled = np.zeros(STATE_SIZE, dtype=np.int8)
    afterstates = np.empty((_MOST_WAYS, STATE_SIZE), dtype=np.int8)
    actions = np.empty((_MOST_WAYS, MOST_ACTIONS + 1), dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    rolls[0, 0] = firsts[0, 0] = 1.0
    for number in range(1, len(rolls)):
        _place(state, number, MEN)
        events = chances(state, cases)
        total = cases[:events].sum()
        for event in range(events):
            rolled[:] = state
            happen(rolled, event)
            found = write_moves(rolled, afterstates, actions)
            quickest, first, is_off = -1, -1, False
            for which in range(found):
                reached = home_number(afterstates[which], 0, MEN)
                if quickest < 0 or means[reached, 0] < means[quickest, 0]:
                    quickest = reached
                is_off |= afterstates[which, TRAYS] > state[TRAYS]
                if first < 0 or means[reached, 1] < means[first, 1]:
                    first = reached
            likely = cases[event] / total
            for n in range(1, rolls.shape[1]):
                rolls[number, n] += likely * rolls[quickest, n - 1]
            if is_off:
                firsts[number, 1] += likely
            else:
                for n in range(1, firsts.shape[1]):
                    firsts[number, n] += likely * firsts[first, n - 1]
        for n in range(rolls.shape[1]):
            means[number, 0] += n * rolls[number, n]
        for n in range(firsts.shape[1]):
            means[number, 1] += n * firsts[number, n]


@kernel(types.void(CHANCE_EVENTS, HAPPEN, MOVES, INT32_1D, INT32_1D, FLOAT64_1D))
def list_moves(chances, happen, write_moves, starts, reached, likely):  # type: ignore[no-untyped-def]
    """List where every roll leads to from every position of the table of both seats.

    Args:
        chances: The game's kernel.
        happen: The game's kernel.
        write_moves: The game's kernel.
        starts: Written to: where in ``reached`` the list of a position and a roll starts, one after another.
        reached: Written to: the numbers of the positions.
        likely: Written to: how likely each roll is.
    """
    state = np.zeros(STATE_SIZE, dtype=np.int8)
    rolled = np.zeros(STATE_SIZE, dtype=np.int8)
    afterstates = np.empty((_MOST_WAYS, STATE_SIZE), dtype=np.int8)
    actions = np.empty((_MOST_WAYS, MOST_ACTIONS + 1), dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    listed = total = 0
    for number in range(1, POSITIONS_OF_EACH):
        _place(state, number, MEN_OF_EACH)
        events = chances(state, cases)
        likely[:] = cases[:events] / cases[:events].sum()
        for event in range(events):
            rolled[:] = state
            happen(rolled, event)
            starts[listed] = total
            listed += 1
            for which in range(write_moves(rolled, afterstates, actions)):
                reached[total] = home_number(afterstates[which], 0, MEN_OF_EACH)
                total += 1
    starts[listed] = total


@kernel(types.void(INT32_1D, INT32_1D, FLOAT64_1D, FLOAT64_2D))
def fill_two_sided(starts, reached, likely, wins):  # type: ignore[no-untyped-def]
    """Fill the table of both seats: how likely the one to roll wins, when both play to win.

    Args:
        starts: As `list_moves` has written it.
        reached: As `list_moves` has written it.
        likely: As `list_moves` has written it.
        wins: Written to: row, the seat to roll; column, the other.
    """
    wins[0, :] = 1.0
    wins[1:, 0] = 0.0
    for together in range(2, 2 * len(wins) - 1):
        for own in range(max(1, together - len(wins) + 1), min(len(wins), together)):
            other = together - own
            chance = 0.0
            for event in range(len(likely)):
                listed = (own - 1) * len(likely) + event
                least = 1.0
                for k in range(starts[listed], starts[listed + 1]):
                    least = min(least, wins[other, reached[k]])
                chance += likely[event] * (1.0 - least)
            wins[own, other] = chance


@helper
def race_chances(state: State, rolls: Float32s, firsts: Float32s, wins: Float32s, chances: Float64s) -> bool:
    """Write what both seats' tables say of a race that has come home, before a roll.

    With up to six men each the chance to win is exact, under best play. Beyond that each seat is taken to play for
    the least mean number of rolls, whatever the other does; and who may be gammoned, to bear off a first man soon.

    Args:
        state: A state in which the seat to move is to roll (whatever it says of the dice), or the contest is over.
        rolls: See `Bearoff`.
        firsts: See `Bearoff`.
        wins: See `Bearoff`.
        chances: Written to: how likely the seat to move wins, wins a gammon, and loses a gammon.

    Returns:
        Whether the tables hold the state: all men of both seats are home or off.
    """
    seat = state[0]
    own, other = home_number(state, seat, MEN), home_number(state, 1 - seat, MEN)
    if own < 0 or other < 0:
        return False
    chances[:3] = 0.0
    # (the seat to move has had as many rolls as the other when it has not finished yet, and one more when it has)
    others_left = others_none_off = own_none_off = 1.0
    for n in range(MOST_ROLLS + 1):
        chances[0] += rolls[own, n] * others_left
        others_left -= rolls[other, n]
        if state[TRAYS + 1 - seat] == 0:
            chances[1] += rolls[own, n] * others_none_off
            if n <= MOST_ROLLS_TO_FIRST:
                others_none_off -= firsts[other, n]
        if state[TRAYS + seat] == 0:
            if n <= MOST_ROLLS_TO_FIRST:
                own_none_off -= firsts[own, n]
            chances[2] += rolls[other, n] * own_none_off
    own, other = home_number(state, seat, MEN_OF_EACH), home_number(state, 1 - seat, MEN_OF_EACH)
    if own >= 0 and other >= 0:
        chances[0] = wins[own, other]
    return True


@kernel(types.boolean(READ_ONLY_STATE, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY, FLOAT64_1D))
def look_up(state, rolls, firsts, wins, chances):  # type: ignore[no-untyped-def]
    """`race_chances` as a kernel."""
    return race_chances(state, rolls, firsts, wins, chances)


@kernel(types.int64(READ_ONLY_STATE, types.int64))
def number_of(state, seat):  # type: ignore[no-untyped-def]
    """`home_number` among up to 15 men, as a kernel."""
    return home_number(state, seat, MEN)
