"""Tables for bearing off in backgammon: number of rolls, and chances in a race.

The arrangements of men on the six points of the home board are numbered in lexicographic order, the 6 point first.
Number 0 has no men. A step always leads to a smaller number, so tables are filled in ascending order.
"""

from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.array_file import load_or_make, read_arrays, write_arrays
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.files import FileKind, cache_root
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, HOME, POINTS, ROLLING, STAGE, STATE_SIZE, TRAYS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.games.backgammon.rules.turns import ROLLS
from boardgames_env.kernels import CHANCE_EVENTS, HAPPEN, MOVES, State, content_key, copy_row, helper, kernel
from boardgames_env.kernels.signatures import FLOAT64_1D, FLOAT64_2D, INT32_1D, Float32s, Float64s, Int32s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

MEN = 15
"""The most men in the tables of one seat."""
MEN_OF_EACH = 6
"""The most men of each seat in the table of both seats."""
POSITIONS = comb(MEN + HOME, HOME)
POSITIONS_OF_EACH = comb(MEN_OF_EACH + HOME, HOME)

MOST_ROLLS = 30
"""The most rolls that bearing off takes, played for the smallest mean."""
MOST_ROLLS_TO_FIRST = 10
"""The most rolls until a man is off, played for the smallest mean of that."""

# ``_WAYS[points, men]``: arrangements of at most ``men`` men on ``points`` points
_WAYS = np.array([[comb(men + points, points) for men in range(MEN + 1)] for points in range(HOME + 1)])


@helper
def home_number(state: State, seat: int, most: int) -> int:
    """Return a seat's arrangement's number, -1 with a man not home or more than ``most`` left."""
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
def _place_arrangement(state: State, number: int, most: int) -> None:
    """Write the state in which seat 0 is to roll and has the arrangement of a number."""
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
    state[STAGE] = ROLLING


@kernel(types.void(CHANCE_EVENTS, HAPPEN, MOVES, FLOAT64_2D, FLOAT64_2D, FLOAT64_2D), compiled_first=True)
def fill_one_sided(
    chance_events: Any, happen: Any, write_moves: Any, rolls: Float64s, firsts: Float64s, means: Float64s
) -> None:
    """Fill the tables of one seat, which plays for the smallest mean number of rolls.

    ``rolls`` and ``firsts``, zeros at first, become the probabilities that all men, and that one more man, are off
    after 0, 1, 2, … rolls; ``means`` becomes the means of both.
    """
    state = np.zeros(STATE_SIZE, dtype=np.int8)
    rolled = np.zeros(STATE_SIZE, dtype=np.int8)
    afterstates = np.empty((MOST_MOVES, STATE_SIZE), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    rolls[0, 0] = firsts[0, 0] = 1.0
    for number in range(1, len(rolls)):
        _place_arrangement(state, number, MEN)
        events = chance_events(state, cases)
        total = cases[:events].sum()
        for event in range(events):
            copy_row(state, rolled)
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


@kernel(types.void(CHANCE_EVENTS, HAPPEN, MOVES, INT32_1D, INT32_1D, FLOAT64_1D), compiled_first=True)
def list_moves(
    chance_events: Any, happen: Any, write_moves: Any, starts: Int32s, reached: Int32s, likely: Float64s
) -> None:
    """List the arrangements that each roll leads to from each arrangement.

    Their numbers are written to ``reached``; the start of each list there, by arrangement and then by roll, to
    ``starts``; and the probability of each roll to ``likely``.
    """
    state = np.zeros(STATE_SIZE, dtype=np.int8)
    rolled = np.zeros(STATE_SIZE, dtype=np.int8)
    afterstates = np.empty((MOST_MOVES, STATE_SIZE), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    listed = total = 0
    for number in range(1, POSITIONS_OF_EACH):
        _place_arrangement(state, number, MEN_OF_EACH)
        events = chance_events(state, cases)
        likely[:] = cases[:events] / cases[:events].sum()
        for event in range(events):
            copy_row(state, rolled)
            happen(rolled, event)
            starts[listed] = total
            listed += 1
            for which in range(write_moves(rolled, afterstates, actions)):
                reached[total] = home_number(afterstates[which], 0, MEN_OF_EACH)
                total += 1
    starts[listed] = total


@kernel(types.void(INT32_1D, INT32_1D, FLOAT64_1D, FLOAT64_2D), compiled_first=True)
def fill_two_sided(starts: Int32s, reached: Int32s, likely: Float64s, wins: Float64s) -> None:
    """Fill the table of both seats: the probability that the seat to roll wins under best play.

    The first three arguments are those of `list_moves`. The row is the arrangement of the seat to roll, the column that
    of the other seat.
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
def chance_before(rolls: Float32s | Float64s, others: Float32s | Float64s, has_other_rolled: bool) -> float:
    """Return the probability that something takes a seat fewer rolls than something else takes the other seat.

    Args:
        rolls: The probabilities that it takes the seat 0, 1, 2, … rolls.
        others: The probabilities that the other thing takes the other seat as many rolls.
        has_other_rolled: Whether the other seat rolls first.
    """
    chance, left = 0.0, 1.0
    for n in range(len(rolls)):
        if has_other_rolled and n < len(others):
            left -= float(others[n])
        chance += float(rolls[n]) * max(left, 0.0)
        if not has_other_rolled and n < len(others):
            left -= float(others[n])
    return chance


@helper
def race_chances(state: State, rolls: Float32s, firsts: Float32s, wins: Float32s, chances: Float64s) -> bool:
    """Write the chances that the mover wins, wins a gammon, loses a gammon, before a roll.

    With up to six men each the probability to win is exact under best play. Otherwise each seat is assumed to play for
    the smallest mean number of rolls, whatever the other does, and to save the gammon for the earliest first man off.
    The tables are those of `Bearoff`. Dice in the state are ignored; the contest may be over.

    Returns:
        Whether the tables hold the state: all men of both seats are home or off.
    """
    seat = state[0]
    own, other = home_number(state, seat, MEN), home_number(state, 1 - seat, MEN)
    if own < 0 or other < 0:
        return False
    chances[0] = chance_before(rolls[own], rolls[other], False)
    chances[1] = chances[2] = 0.0
    if state[TRAYS + 1 - seat] == 0:
        chances[1] = chance_before(rolls[own], firsts[other], False)
    if state[TRAYS + seat] == 0:
        chances[2] = chance_before(rolls[other], firsts[own], True)
    own, other = home_number(state, seat, MEN_OF_EACH), home_number(state, 1 - seat, MEN_OF_EACH)
    if own >= 0 and other >= 0:
        chances[0] = wins[own, other]
    return True


_MOST_LISTED = 2_000_000


@dataclass(frozen=True, eq=False)
class Bearoff:
    """The bear-off tables; kernels read them with `race_chances`.

    Attributes:
        rolls: Probability that bearing off takes 0, 1, 2, … rolls, played for the smallest mean; shape
            ``(54264, 31)``, float32. There is a row for each arrangement of up to 15 men at home (`home_number`).
        firsts: The same until one more man is off, played for the smallest mean of that; shape ``(54264, 11)``,
            float32.
        wins: Probability that the seat to roll wins under best play, with up to six men each; shape ``(924, 924)``,
            float32; the row is the number of that seat's arrangement, the column that of the other seat's.
    """

    rolls: NDArray[np.float32]
    firsts: NDArray[np.float32]
    wins: NDArray[np.float32]


@cache
def bearoff() -> Bearoff:
    """Return the tables of the user's cache folder, computed in a few seconds if there are none."""
    return load_or_make(
        bearoff_path(), read_bearoff, compute_bearoff, write_bearoff, "the bear-off table", is_default=True
    )


def bearoff_path() -> Path:
    """Return the file of the tables."""
    return cache_root() / "tables" / f"bearoff-{_kind_of_bearoff().marks['content']}.safetensors"


def compute_bearoff() -> Bearoff:
    """Compute the tables with the dice and moves of backgammon."""
    game = make_game("backgammon").ready
    kernels = (game.rules.chance_events, game.rules.happen, moves_kernel(game))
    rolls, firsts = np.zeros((POSITIONS, MOST_ROLLS + 1)), np.zeros((POSITIONS, MOST_ROLLS_TO_FIRST + 1))
    fill_one_sided(*kernels, rolls, firsts, np.zeros((POSITIONS, 2)))
    starts = np.empty(POSITIONS_OF_EACH * len(ROLLS) + 1, dtype=np.int32)
    reached = np.empty(_MOST_LISTED, dtype=np.int32)
    likely = np.empty(len(ROLLS))
    list_moves(*kernels, starts, reached, likely)
    wins = np.empty((POSITIONS_OF_EACH, POSITIONS_OF_EACH))
    fill_two_sided(starts, reached, likely, wins)
    return Bearoff(rolls.astype(np.float32), firsts.astype(np.float32), wins.astype(np.float32))


def write_bearoff(tables: Bearoff, path: Path) -> None:
    """Write tables, whole or not at all, in the safetensors format."""
    write_arrays(path, vars(tables), _kind_of_bearoff().marks)


def read_bearoff(path: Path) -> Bearoff:
    """Map tables into memory; raise `BadInputError` if they are damaged, or of other rules."""
    arrays, _ = read_arrays(path, _kind_of_bearoff(), mapped=True)
    return Bearoff(**arrays)


def _kind_of_bearoff() -> FileKind:
    """Return the kind of the file, marked by the dice, moves and kernels that the tables depend on."""
    rules = make_game("backgammon").rules
    sizes = (POSITIONS, POSITIONS_OF_EACH, MOST_ROLLS, MOST_ROLLS_TO_FIRST)
    kernels = (rules.chance_events, rules.happen, rules.moves, fill_one_sided, list_moves, fill_two_sided)
    marks = {"table": "bearoff", "content": content_key([sizes, *kernels])}
    return FileKind("the bear-off tables of these rules", "remove it", marks)
