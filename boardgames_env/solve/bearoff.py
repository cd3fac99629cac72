"""Tables for bearing off in backgammon: number of rolls, and chances in a race.

The arrangements of men on the six points of the home board are numbered in lexicographic order, the 6 point first.
Number 0 has no men. A step always leads to a smaller number, so tables are filled in ascending order.
"""

from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardgames_env.array_file import load_or_make, read_arrays, write_arrays
from boardgames_env.files import FileKind, cache_root
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, HOME, POINTS, TRAYS
from boardgames_env.games.backgammon.rules.steps import count, sources
from boardgames_env.games.backgammon.rules.turns import MIXED_ROLLS, ROLLS
from boardgames_env.kernels import State, content_key, helper
from boardgames_env.kernels.signatures import Float32s, Float64s, Int8s, Int32s

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

_VERSION = 2
"""Raise this when the tables are computed in another way."""

# ``_WAYS[points, men]``: arrangements of at most ``men`` men on ``points`` points
_WAYS = np.array([[comb(men + points, points) for men in range(MEN + 1)] for points in range(HOME + 1)])

_LIKELY = np.where(np.arange(len(ROLLS)) < MIXED_ROLLS, 2, 1) / 36


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


@cache
def _arrangements(points: int, most: int) -> Int8s:
    """Return the arrangements of up to ``most`` men on points 1, 2, … by their numbers, shape ``(N, points)``."""
    if points == 0:
        return np.zeros((1, 0), dtype=np.int8)
    below = [_arrangements(points - 1, most - men) for men in range(most + 1)]
    return np.concatenate([np.pad(each, ((0, 0), (0, 1)), constant_values=men) for men, each in enumerate(below)])


def _numbers(arrangements: Int8s, most: int) -> Int32s:
    """Return the numbers of arrangements of up to ``most`` men; see `home_number`."""
    left = most - np.cumsum(arrangements[:, ::-1], axis=1)[:, ::-1]
    points = np.arange(1, HOME + 1)
    numbers: Int32s = (_WAYS[points, left + arrangements] - _WAYS[points, left]).sum(axis=1, dtype=np.int32)
    return numbers


def _steps(most: int) -> Int32s:
    """Return where the steps of a seat lead that is home, while the other is out of its way.

    Such a seat can always play, so that it plays all its dice until no man is left.

    Returns:
        The number of the arrangement after a step, by die, arrangement and point; shape ``(6, N, 6)``. It is ``N``
        where the rules have no such step.
    """
    arrangements = _arrangements(HOME, most)
    points = np.arange(1, HOME + 1)
    steps = np.full((HOME, len(arrangements), HOME), len(arrangements), dtype=np.int32)
    sets = (arrangements > 0) @ (1 << points)
    for die in points:
        possible = np.array([sources(own, 0, int(die)) for own in range(2 << HOME)])[sets]
        for point in points:
            can = possible >> point & 1 == 1
            after = arrangements[can]
            after[:, point - 1] -= 1
            if point > die:
                after[:, point - die - 1] += 1
            steps[die - 1, can, point - 1] = _numbers(after, most)
    return steps


def _fill_one_sided(steps: Int32s, levels: list[Int32s], most: int) -> Float64s:
    """Return the probabilities that a seat has no men left after 0, 1, … rolls, playing for the smallest mean.

    Args:
        steps: What `_steps` returns.
        levels: The numbers of arrangements in an order in which each step leads to an earlier level; first that of no
            men.
        most: The most rolls.
    """
    count_ = steps.shape[1]
    rolls, means = np.zeros((count_, most + 1)), np.append(np.zeros(count_), np.inf)
    rolls[0, 0] = 1.0
    # ``after[n, die]``: the best arrangement that n + 1 steps with a die lead to; none where there is no step
    after = np.zeros((4, HOME, count_ + 1), dtype=np.int32)
    after[..., count_] = count_

    def best(candidates: Int32s) -> Int32s:
        which = means[candidates].argmin(axis=-1)
        return np.take_along_axis(candidates, which[..., None], axis=-1)[..., 0]

    dice = np.arange(HOME)[:, None, None]
    high, low = ROLLS[:MIXED_ROLLS].T - 1
    for level in levels[1:]:
        reached = steps[:, level]
        after[0][:, level] = best(reached)
        for n in range(1, 4):
            after[n][:, level] = best(after[n - 1][dice, reached])
        either = [after[0][last[:, None, None], reached[first]] for first, last in ((high, low), (low, high))]
        chosen = np.concatenate([best(np.concatenate(either, axis=-1)), after[3][:, level]])
        for likely, each in zip(_LIKELY, chosen, strict=True):
            rolls[level, 1:] += likely * rolls[each, :-1]
        means[level] = np.cumsum(rolls[level] * np.arange(most + 1), axis=1)[:, -1]  # (sums in the same order anywhere)
    return rolls


def _list_moves(steps: Int32s) -> list[list[Int32s]]:
    """Return the numbers that each roll leads to from each arrangement but that of no men."""

    @cache
    def reached(number: int, dice: tuple[int, ...]) -> frozenset[int]:
        if number == 0 or not dice:
            return frozenset([number])
        after = {after for after in steps[dice[0], number].tolist() if after < steps.shape[1]}
        return frozenset().union(*(reached(each, dice[1:]) for each in after))

    def moves(number: int, high: int, low: int) -> Int32s:
        orders = [4 * (high,)] if high == low else [(high, low), (low, high)]
        return np.array(sorted(frozenset().union(*(reached(number, dice) for dice in orders))), dtype=np.int32)

    rolls = (ROLLS - 1).tolist()
    return [[moves(number, high, low) for high, low in rolls] for number in range(1, steps.shape[1])]


def _fill_two_sided(moves: list[list[Int32s]]) -> Float64s:
    """Return the probabilities that the seat to roll wins under best play, by its arrangement and the other seat's."""
    wins = np.empty((len(moves) + 1, len(moves) + 1))
    wins[0, :] = 1.0
    wins[1:, 0] = 0.0
    rolls = len(ROLLS)
    starts = np.cumsum([0, *(len(each) for listed in moves for each in listed)])
    reached = np.concatenate([each for listed in moves for each in listed]).astype(np.intp)

    def chances(least: Float64s) -> Float64s:
        """Return the chances of the seat to roll, from those of the other after the best move with each roll."""
        return np.cumsum(_LIKELY * (1.0 - np.minimum(least, 1.0)), axis=1)[:, -1]

    for number in range(1, len(wins)):
        here, end = starts[rolls * (number - 1)], starts[rolls * number]
        others = wins[1:number].take(reached[here:end], axis=1)
        own = starts[rolls * (number - 1) : rolls * number] - here
        wins[number, 1:number] = chances(np.minimum.reduceat(others, own, axis=1))
        best = np.minimum.reduceat(wins[number].take(reached[:end]), starts[: rolls * number])
        wins[1 : number + 1, number] = chances(best.reshape(number, rolls))
    return wins


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
    steps, pips = _steps(MEN), _arrangements(HOME, MEN) @ np.arange(1, HOME + 1)
    levels = [np.flatnonzero(pips == each).astype(np.int32) for each in range(HOME * MEN + 1)]
    rolls = _fill_one_sided(steps, levels, MOST_ROLLS)
    men = np.append(_arrangements(HOME, MEN).sum(axis=1), 0)
    bears_off = men[steps] < men[:-1, None]
    firsts = _fill_one_sided(np.where(bears_off & (steps < POSITIONS), 0, steps), levels, MOST_ROLLS_TO_FIRST)
    wins = _fill_two_sided(_list_moves(_steps(MEN_OF_EACH)))
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
    sizes = (POSITIONS, POSITIONS_OF_EACH, MOST_ROLLS, MOST_ROLLS_TO_FIRST)
    marks = {"table": "bearoff", "content": content_key([_VERSION, sizes, sources])}
    return FileKind("the bear-off tables of these rules", "remove it", marks)
