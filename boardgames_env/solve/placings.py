"""Backgammon with up to three men a seat as numbers: where men stand, and what a seat can do.

A *placing* is where the men of a seat stand: its own points, the rearmost man first, with 25 for the bar and 0 for men
that are off. Placings are numbered in the order of their pips. The plays come from the game's own kernels. What the
other seat's men change is only the point that they block (three men block one at the most), and which are hit.
"""

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import (
    BAR,
    BARS,
    CUBE,
    MOVING,
    NO_MOVE,
    OVER,
    POINTS,
    ROLLING,
    STAGE,
    TRAYS,
    BackgammonRules,
)
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.games.backgammon.rules.turns import MIXED_ROLLS, ROLLS
from boardgames_env.kernels import Kernel, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type, rule
from boardgames_env.kernels.signatures import INT8_2D, INT8_2D_READONLY, INT32_1D, INT32_2D, Int8s, Int32s

MOST_MEN = 3
"""The most men of a seat: with four there would be seventy times the positions."""

NUM_ROLLS = len(ROLLS)
LIKELY = np.where(np.arange(NUM_ROLLS) < MIXED_ROLLS, 2, 1) / 36
"""The probability of each roll."""

_MOST_PLAYS = 40
"""More plays than the rolls of a placing have on average."""
_NO_ROOM = -1


class Placings(NamedTuple):
    """Where the men of a seat stand, and what this means to the other seat, which counts the points from its own end.

    Sets of points are whole numbers, with bit p for point p.
    """

    points: Int8s  # by placing, its men's own points in descending order; shape (placings, men)
    level_ends: Int32s  # by placing, the first one with more pips
    number_at: Int32s  # the placing of men's points, taken as the digits of a number to the base of 26
    own: Int32s  # by placing, its own points with men
    taken: Int32s  # by placing, the same points as the other seat counts them
    blots: Int32s  # those of them with a single man
    block: Int32s  # the one with more men, 0 if there is none
    after: Int32s  # by placing and by the set of its men that are hit, the placing after that
    wins: Int32s  # by placing, the stakes that the other seat wins if it bears off its last man now


class Plays(NamedTuple):
    """What a seat can do, by the point that the other blocks (0: none), by placing and roll.

    A play is the placing that it leads to, and the set of points that its men touch on the way.
    """

    starts: Int32s
    placings: Int32s
    touched: Int32s


PLACINGS = named_tuple_type(Placings, INT8_2D, *6 * (INT32_1D,), INT32_2D, INT32_1D)
PLAYS = named_tuple_type(Plays, INT32_1D, INT32_1D, INT32_1D)


@helper
def placing_of(state: State, seat: int, men: int, number_at: Int32s) -> int:
    """Return the number of a seat's placing."""
    key, left = 0, men
    for point in range(BAR, 0, -1):
        for _man in range(min(max(count(state, seat, point), 0), left)):
            key, left = key * (BAR + 1) + point, left - 1
    return int(number_at[key * (BAR + 1) ** left])


@kernel(types.int64(GAME_KERNELS, PLACINGS, types.int64, PLAYS), compiled_first=True)
def list_plays(game: GameKernels, placings: Placings, block: int, plays: Plays) -> int:
    """Write all plays while the other seat blocks a point. Return their number, `_NO_ROOM` if there are too many."""
    points, most = placings.points, 5
    states = np.zeros((most + 1, game.state_size), dtype=np.int8)
    actions = np.empty((most + 1, game.num_actions), dtype=np.int32)
    number, following, marks = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    men, found = points.shape[1], 0
    root = np.empty(game.state_size, dtype=np.int8)
    for placing in range(len(points)):
        root[:] = 0
        can_stand = placing > 0
        for man in range(men):
            point = points[placing, man]
            root[BARS if point == BAR else TRAYS if point == 0 else point] += 1
            can_stand = can_stand and not (point == block and block > 0)
        root[STAGE] = ROLLING
        root[TRAYS + 1] = -men
        if block > 0:
            root[block], root[TRAYS + 1] = -2, 2 - men
        for event in range(NUM_ROLLS):
            first = found
            plays.starts[placing * NUM_ROLLS + event] = found
            if not can_stand:
                continue
            copy_row(root, states[0])
            game.happen(states[0], event)
            number[0], following[0], marks[0], depth = game.legal(states[0], actions[0]), 0, 0, 0
            while depth >= 0:
                if following[depth] == number[depth]:
                    depth -= 1
                    continue
                action, mark = actions[depth, following[depth]], marks[depth]
                following[depth] += 1
                copy_row(states[depth], states[depth + 1])
                game.play(states[depth + 1], action)
                target = action % BAR - action // BAR
                if action < NO_MOVE and target > 0:
                    mark |= 1 << target
                if states[depth + 1, STAGE] == MOVING:
                    depth += 1
                    number[depth], following[depth] = game.legal(states[depth], actions[depth]), 0
                    marks[depth] = mark
                    continue
                reached = placing_of(states[depth + 1], 0, men, placings.number_at)
                is_new = True
                for earlier in range(first, found):
                    is_new = is_new and not (plays.placings[earlier] == reached and plays.touched[earlier] == mark)
                if is_new:
                    if found == len(plays.placings):
                        return _NO_ROOM
                    plays.placings[found], plays.touched[found] = reached, mark
                    found += 1
    plays.starts[len(points) * NUM_ROLLS] = found
    return found


@helper
def plays_with(placings: Placings, plays: Plays, own: int, other: int, roll: int) -> tuple[int, int]:
    """Return the first of a row's plays with a roll, and the number after the last one."""
    row = (placings.block[other] * len(placings.own) + own) * NUM_ROLLS + roll
    return int(plays.starts[row]), int(plays.starts[row + 1])


@helper
def placing_after(placings: Placings, plays: Plays, play: int, other: int) -> int:
    """Return the other seat's placing after a play, which may hit some of its men."""
    hits = plays.touched[play] & placings.blots[other]
    if hits == 0:
        return other
    men = 0
    for man in range(placings.points.shape[1]):
        point = placings.points[other, man]
        men |= int(0 < point < BAR and hits >> BAR - point & 1) << man
    return int(placings.after[other, men])


update = rule
"""What stands in `sweep` for the update of a row; it returns the row's change."""


def sweep(placings: Placings, plays: Plays, table: Any) -> float:
    """Update all rows of a table once, by the placings of the seat to roll and of the other. Return the largest change.

    Every play leads to fewer pips. So the rows of all placings with the same pips can be taken together, by the
    placings of the other seat: what they read then stays in the processor's cache.
    """
    change, first = 0.0, 1
    while first < len(placings.points):
        end = placings.level_ends[first]
        for smaller in range(1, end):
            for larger in range(max(first, smaller), end):
                change = max(change, update(placings, plays, table, smaller, larger))
                change = max(change, update(placings, plays, table, larger, smaller))
        first = end
    return change


PRECISION = 1e-7
"""Sweeps end when no value changes by more."""

PLACES = 70
"""The steps of the progress: tenths of the decimal places of `PRECISION`."""

_KEPT = 4
"""The sweeps with the plays that the one before has found best, each of which takes a fraction of its time."""


def sweep_until_settled(
    sweep_once: Kernel,
    placings: Placings,
    plays: Plays,
    table: Any,
    on_progress: Callable[[int, int], None] | None,
    before: int = 0,
    parts: int = 1,
) -> None:
    """Repeat sweeps, most of them with the plays found before (``table.keeps_plays``), until no value changes any more.

    The progress is reported as one part of several, after others.
    """
    change, kept = 1.0, table._replace(keeps_plays=True)
    while change > PRECISION:
        change = sweep_once.run(placings, plays, table)
        for _ in range(_KEPT if change > PRECISION else 0):
            sweep_once.run(placings, plays, kept)
        if on_progress:
            done = round(min(PLACES, max(0.0, -10 * np.log10(max(change, PRECISION)))))
            on_progress(before * PLACES + done, parts * PLACES)


@kernel(types.void(INT8_2D_READONLY, types.int64, INT32_1D, INT32_2D))
def _write_rows(states: Int8s, men: int, number_at: Int32s, rows: Int32s) -> None:
    """Write the placings of the seat to move and of the other."""
    for i in range(len(states)):
        seat = int(states[i, 0] != 0)  # (states of a caller may hold anything)
        rows[i, 0] = placing_of(states[i], seat, men, number_at)
        rows[i, 1] = placing_of(states[i], 1 - seat, men, number_at)


def demand_table(placings: Placings, table: NDArray[Any], opening: NDArray[Any], columns: int) -> None:
    """Raise `BadInputError` unless a table has some float32 columns for each pair of placings, as the opening has."""
    number = len(placings.points)
    for array, shape in ((table, (number, number, columns)), (opening, (columns,))):
        if array.shape != shape or array.dtype != np.float32:
            raise BadInputError(
                f"an array of shape {array.shape} and dtype {array.dtype} is no solution; "
                f"it is float32 of shape {shape}"
            )


def is_of_few_men(game: Game) -> bool:
    """Return whether a game is backgammon with few men, not in matches, which can be solved."""
    family = game.family
    return isinstance(family, BackgammonRules) and family.men <= MOST_MEN and not family.match_length


def rules_of(game: Game) -> BackgammonRules:
    """Return the rules of a game that `is_of_few_men`; raise `BadInputError` for another."""
    if not (is_of_few_men(game) and isinstance(game.family, BackgammonRules)):
        raise BadInputError(
            f"{game.spec} cannot be solved: of the games with dice only hypergammon can, and others with up to "
            f"{MOST_MEN} men a seat, and not in matches"
        )
    return game.family


def placings_of(game: Game) -> Placings:
    """Return the placings of a game's men."""
    men = rules_of(game).men
    listed = sorted(
        (each[::-1] for each in combinations_with_replacement(range(BAR + 1), men)), key=lambda p: (sum(p), p)
    )
    points = np.array(listed, dtype=np.int8)
    digits = (BAR + 1) ** np.arange(men)[::-1]
    number_at = np.zeros((BAR + 1) ** men, dtype=np.int32)
    number_at[points @ digits] = np.arange(len(points))
    held = (points[:, :, np.newaxis] == np.arange(BAR + 1)).sum(axis=1)  # men by placing and own point
    ahead = held[:, ::-1] * (np.arange(BAR + 1) % BAR != 0)  # the same on the 24 points, as the other seat counts them
    bits = 1 << np.arange(BAR + 1)
    after = np.empty((len(points), 1 << men), dtype=np.int32)
    for hit in range(1 << men):
        moved = np.where(hit >> np.arange(men) & 1, BAR, points)
        after[:, hit] = number_at[np.sort(moved, axis=1)[:, ::-1] @ digits]
    pips = points.sum(axis=1)
    own, taken, blots = (held[:, 1:BAR] > 0) @ bits[1:BAR], (ahead > 0) @ bits, (ahead == 1) @ bits
    return Placings(
        points,
        np.searchsorted(pips, pips, "right").astype(np.int32),
        number_at,
        own.astype(np.int32),
        taken.astype(np.int32),
        blots.astype(np.int32),
        (ahead > 1).argmax(axis=1).astype(np.int32),
        after,
        np.array([_points_won(game, each) for each in listed], dtype=np.int32),
    )


def _points_won(game: Game, points: tuple[int, ...]) -> int:
    """Return the points that seat 0 wins by bearing off its last man while the other seat's men are on its points."""
    state = np.zeros(game.state_size, dtype=np.int8)
    for point in points:
        state[BARS + 1 if point == BAR else TRAYS + 1 if point == 0 else POINTS + 1 - point] -= 1
    state[TRAYS], state[STAGE] = len(points), OVER
    state[CUBE] = rules_of(game).cube  # (by the Jacoby rule gammons count once the cube has been turned)
    return int(game.rules.outcome(state)) // (1 << int(state[CUBE]))


def plays_of(game: Game, placings: Placings) -> Plays:
    """Return what a seat can do against each block."""
    rows = len(placings.points) * NUM_ROLLS
    parts, first = [], 0
    room = Plays(
        np.empty(rows + 1, np.int32), np.empty(_MOST_PLAYS * rows, np.int32), np.empty(_MOST_PLAYS * rows, np.int32)
    )
    for block in range(POINTS + 1 if placings.points.shape[1] > 1 else 1):
        found = list_plays.run(game.kernels, placings, block, room)
        if found == _NO_ROOM:
            raise AssertionError("there are more plays than expected")
        parts.append((room.starts[:-1] + first, room.placings[:found].copy(), room.touched[:found].copy()))
        first += found
    starts, reached, touched = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Plays(np.append(starts, first).astype(np.int32), reached, touched)


def rows_of(placings: Placings, states: Int8s) -> Int32s:
    """Return the placings of the seat to move and of the other; shape ``(n, 2)``."""
    rows = np.empty((len(states), 2), dtype=np.int32)
    _write_rows.run(np.require(states, requirements=("C",)), placings.points.shape[1], placings.number_at, rows)
    return rows


def states_of(game: Game, placings: Placings, own: Int32s, other: Int32s) -> Int8s:
    """Return states in which seat 0 is to roll, by its placings and the other seat's; shape ``(n, state_size)``."""
    states = np.zeros((len(own), game.state_size), dtype=np.int8)
    states[:, STAGE] = ROLLING
    rows = np.arange(len(own))
    slots = np.array([TRAYS, *range(1, POINTS + 1), BARS])  # by seat 0's own point
    others = np.array([TRAYS + 1, *range(POINTS, 0, -1), BARS + 1])
    for man in range(placings.points.shape[1]):
        states[rows, slots[placings.points[own, man]]] += 1
        states[rows, others[placings.points[other, man]]] -= 1
    return states
