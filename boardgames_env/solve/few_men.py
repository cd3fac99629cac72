"""Backgammon with up to three men a seat, solved: the chances of all outcomes under best play, from every position.

A *placing* is where the men of a seat stand: its own points, the rearmost man first, with 25 for the bar and 0 for men
that are off. Placings are numbered in the order of their pips. A *row* is a position in which a seat is to roll: the
number of its placing and that of the other seat's. Seats play for the most points, without a doubling cube.

The values are found by value iteration. A sweep goes through the rows in the order of the larger of the two numbers:
without hits each row would depend on earlier ones alone, so that a few sweeps are enough.
"""

from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.array_file import load_or_make, read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, cache_root
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import (
    BAR,
    BARS,
    MOVING,
    NO_MOVE,
    OPENING,
    OVER,
    POINTS,
    ROLLING,
    STAGE,
    TRAYS,
    BackgammonRules,
)
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.games.backgammon.rules.turns import MIXED_ROLLS, ROLLS
from boardgames_env.kernels import State, content_key, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import (
    FLOAT32_3D,
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_2D,
    INT8_2D_READONLY,
    INT32_1D,
    INT32_2D,
    Float64s,
    Int8s,
    Int32s,
)
from boardgames_env.position import demand_states

MOST_MEN = 3
"""The most men of a seat: with four there would be seventy times the rows."""

_PRECISION = 1e-7
"""Sweeps end when no value changes by more."""

_ROLLS = len(ROLLS)
_MOST_PLAYS = 40
"""More plays than the rolls of a placing have on average."""
_NO_ROOM = -1
_EQUITIES, _CHANCES = range(2)
_OTHER_SEAT = [3, 4, 5, 0, 1, 2]
_PLACES = 70
"""Tenths of a decimal place of `_PRECISION`, the steps of the progress of each of the two."""
_LIKELY = np.where(np.arange(_ROLLS) < MIXED_ROLLS, 2, 1) / 36


class _Placings(NamedTuple):
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
    wins: Int32s  # by placing, the points that the other seat wins if it bears off its last man now


class _Plays(NamedTuple):
    """What a seat can do, by the point that the other blocks (0: none), by placing and roll.

    A play is the placing that it leads to, and the set of points that men have come to on the way.
    """

    starts: Int32s
    placings: Int32s
    touched: Int32s


class _Table(NamedTuple):
    """What is known of the rows so far, by the placings of the seat that is to roll and of the other."""

    equities: Float64s  # the points that it expects
    chances: NDArray[np.float32]  # the probabilities that it wins 1, 2, 3 points, and loses 1, 2, 3


_PLACINGS = named_tuple_type(_Placings, INT8_2D, *6 * (INT32_1D,), INT32_2D, INT32_1D)
_PLAYS = named_tuple_type(_Plays, INT32_1D, INT32_1D, INT32_1D)
_TABLE = named_tuple_type(_Table, FLOAT64_2D, FLOAT32_3D)


@helper
def _placing(state: State, seat: int, men: int, number_at: Int32s) -> int:
    """Return the number of a seat's placing."""
    key, left = 0, men
    for point in range(BAR, 0, -1):
        for _man in range(min(max(count(state, seat, point), 0), left)):
            key, left = key * (BAR + 1) + point, left - 1
    return int(number_at[key * (BAR + 1) ** left])


@kernel(types.int64(GAME_KERNELS, _PLACINGS, types.int64, _PLAYS), compiled_first=True)
def _list_plays(game: GameKernels, placings: _Placings, block: int, plays: _Plays) -> int:
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
        for event in range(_ROLLS):
            first = found
            plays.starts[placing * _ROLLS + event] = found
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
                reached = _placing(states[depth + 1], 0, men, placings.number_at)
                is_new = True
                for earlier in range(first, found):
                    is_new = is_new and not (plays.placings[earlier] == reached and plays.touched[earlier] == mark)
                if is_new:
                    if found == len(plays.placings):
                        return _NO_ROOM
                    plays.placings[found], plays.touched[found] = reached, mark
                    found += 1
    plays.starts[len(points) * _ROLLS] = found
    return found


@helper
def _best(placings: _Placings, plays: _Plays, equities: Float64s, own: int, other: int, roll: int) -> tuple[int, int]:
    """Return the best play with a roll, the first of equals: its number, and the other seat's placing after it."""
    chosen, left, highest = -1, -1, -np.inf
    row = (placings.block[other] * len(placings.own) + own) * _ROLLS + roll
    for play in range(plays.starts[row], plays.starts[row + 1]):
        after, hits = other, plays.touched[play] & placings.blots[other]
        if hits:
            men = 0
            for man in range(placings.points.shape[1]):
                point = placings.points[other, man]
                men |= int(0 < point < BAR and hits >> BAR - point & 1) << man
            after = placings.after[other, men]
        reached = plays.placings[play]
        equity = float(placings.wins[after]) if reached == 0 else -equities[after, reached]
        if equity > highest:
            chosen, left, highest = play, after, equity
    return chosen, left


@helper
def _update_equity(placings: _Placings, plays: _Plays, equities: Float64s, own: int, other: int) -> float:
    """Write the equity of a row by those of its replies. Return by how much it has changed."""
    equity = 0.0
    for roll in range(_ROLLS):
        play, after = _best(placings, plays, equities, own, other, roll)
        reached = plays.placings[play]
        equity += _LIKELY[roll] * (float(placings.wins[after]) if reached == 0 else -equities[after, reached])
    change = abs(equity - float(equities[own, other]))
    equities[own, other] = equity
    return change


@helper
def _add_chances(
    placings: _Placings, plays: _Plays, table: _Table, own: int, other: int, rolls: int, sums: Float64s
) -> None:
    """Add the chances after the best replies to the first rolls, each as often as it is likely."""
    for roll in range(rolls):
        play, after = _best(placings, plays, table.equities, own, other, roll)
        reached = plays.placings[play]
        if reached == 0:
            sums[placings.wins[after] - 1] += _LIKELY[roll]
        else:
            for k in range(6):
                sums[k] += _LIKELY[roll] * table.chances[after, reached, (k + 3) % 6]


@helper
def _update_chances(placings: _Placings, plays: _Plays, table: _Table, own: int, other: int) -> float:
    """Write the chances of a row by those of its best replies. Return by how much they have changed at the most."""
    sums, chances = np.zeros(6), table.chances
    _add_chances(placings, plays, table, own, other, _ROLLS, sums)
    change = 0.0
    for k in range(6):
        change = max(change, abs(sums[k] - chances[own, other, k]))
        chances[own, other, k] = sums[k]
    return change


@helper
def _update(placings: _Placings, plays: _Plays, table: _Table, own: int, other: int, what: int) -> float:
    """Update the equity of a row, or its chances. Return by how much they have changed at the most."""
    if placings.own[own] & placings.taken[other]:
        return 0.0
    if what == _EQUITIES:
        return float(_update_equity(placings, plays, table.equities, own, other))
    return float(_update_chances(placings, plays, table, own, other))


@kernel(types.float64(_PLACINGS, _PLAYS, _TABLE, types.int64), compiled_first=True)
def _sweep(placings: _Placings, plays: _Plays, table: _Table, what: int) -> float:
    """Update the equities, or the chances, of all rows once. Return the largest change.

    Every play leads to fewer pips. So the rows of all placings with the same pips can be taken together, by the
    placings of the other seat: what they read then stays in the processor's cache.
    """
    change, first = 0.0, 1
    while first < len(placings.points):
        end = placings.level_ends[first]
        for smaller in range(1, end):
            for larger in range(max(first, smaller), end):
                change = max(change, _update(placings, plays, table, smaller, larger, what))
                change = max(change, _update(placings, plays, table, larger, smaller, what))
        first = end
    return change


@kernel(types.void(_PLACINGS, _PLAYS, _TABLE, types.int64, FLOAT64_1D), compiled_first=True)
def _add_opening(placings: _Placings, plays: _Plays, table: _Table, start: int, sums: Float64s) -> None:
    """Add the chances of the seat that wins the opening roll, whose dice differ, each as often as it is likely."""
    _add_chances(placings, plays, table, start, start, MIXED_ROLLS, sums)


@kernel(types.void(INT8_2D_READONLY, types.int64, INT32_1D, INT32_2D))
def _write_rows(states: Int8s, men: int, number_at: Int32s, rows: Int32s) -> None:
    """Write the placings of the seat to move and of the other."""
    for i in range(len(states)):
        seat = states[i, 0]
        rows[i, 0] = _placing(states[i], seat, men, number_at)
        rows[i, 1] = _placing(states[i], 1 - seat, men, number_at)


class FewMen:
    """The solution of backgammon with few men, an evaluator of its positions.

    Attributes:
        game: The game.
        chances: The probabilities that the seat that is to roll wins 1, 2, 3 points, and that it loses 1, 2, 3, by its
            placing and the other seat's; shape ``(placings, placings, 6)``, float32. All are 0 where men would stand
            on the same point, and where a seat has no man left.
        opening: Those of the seat that wins the opening roll; shape ``(6,)``, float32.
    """

    def __init__(self, game: Game, chances: NDArray[np.float32], opening: NDArray[np.float32]) -> None:
        self.game, self.chances, self.opening = game, chances, opening
        self._placings = _placings(game)

    def __len__(self) -> int:
        """Return the number of positions in which a seat is to roll."""
        return int(np.count_nonzero(self.chances.any(axis=2)))

    def outcome_probabilities(self, states: Int8s) -> NDArray[np.float32]:
        """Return the probability of each outcome for the seats to roll under best play; before the opening, for seat 0.

        Args:
            states: States of the game in which a roll comes next; shape ``(n, state_size)``.

        Returns:
            Shape ``(n, 6)``, in the order of `chances`.

        Raises:
            BadInputError: If these are not states of the game.
        """
        demand_states(states, self.game)
        own, other = _rows(self._placings, states).T
        found: NDArray[np.float32] = self.chances[own, other]
        found[states[:, STAGE] == OPENING] = (self.opening + self.opening[_OTHER_SEAT]) / 2
        return found


def _rows(placings: _Placings, states: Int8s) -> Int32s:
    """Return the placings of the seat to move and of the other; shape ``(n, 2)``."""
    rows = np.empty((len(states), 2), dtype=np.int32)
    _write_rows.run(np.require(states, requirements=("C",)), placings.points.shape[1], placings.number_at, rows)
    return rows


def solve_few_men(
    game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None
) -> FewMen:
    """Solve a game, or load its table from a folder, by default in the user's cache folder.

    ``on_progress`` is called after each sweep with how precise the values are by now, and will be in the end, in tenths
    of decimal places.

    Raises:
        BadInputError: If it is not backgammon with up to `MOST_MEN` men, or has a doubling cube or matches.
        OSError: If the table cannot be written into the folder (into the user's cache folder that is only a warning).
    """
    _men_of(game)
    if not game.is_registered:
        return _solve(game, on_progress)
    return load_or_make(
        table_path(game, folder),
        partial(_load, game),
        partial(_solve, game, on_progress),
        _save,
        f"the table of {game.spec}",
        is_default=folder is None,
    )


def known_few_men(game: Game) -> FewMen:
    """Return the solution of a game from the user's cache folder; raise `BadInputError` if it is not there."""
    if is_of_few_men(game) and not table_path(game).exists():
        raise BadInputError(f"{game.spec} has not been solved; boardgames solve '{game.spec}' does so, in some minutes")
    return solve_few_men(game)


def is_of_few_men(game: Game) -> bool:
    """Return whether `solve_few_men` takes a game."""
    family = game.family
    return isinstance(family, BackgammonRules) and family.men <= MOST_MEN and not (family.cube or family.match_length)


def _men_of(game: Game) -> int:
    if not (is_of_few_men(game) and isinstance(game.family, BackgammonRules)):
        raise BadInputError(
            f"{game.spec} is not solved; of the games with dice those without cube and matches are, with up to "
            f"{MOST_MEN} men a seat: hypergammon"
        )
    return game.family.men


def _placings(game: Game) -> _Placings:
    """Return the placings of a game's men."""
    men = _men_of(game)
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
    return _Placings(
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
    return int(game.rules.outcome(state))


def _plays(game: Game, placings: _Placings) -> _Plays:
    """Return what a seat can do against each block."""
    rows = len(placings.points) * _ROLLS
    parts, first = [], 0
    room = _Plays(
        np.empty(rows + 1, np.int32), np.empty(_MOST_PLAYS * rows, np.int32), np.empty(_MOST_PLAYS * rows, np.int32)
    )
    for block in range(POINTS + 1 if placings.points.shape[1] > 1 else 1):
        found = _list_plays.run(game.kernels, placings, block, room)
        if found == _NO_ROOM:
            raise AssertionError("there are more plays than expected")
        parts.append((room.starts[:-1] + first, room.placings[:found].copy(), room.touched[:found].copy()))
        first += found
    starts, reached, touched = (np.concatenate(each) for each in zip(*parts, strict=True))
    return _Plays(np.append(starts, first).astype(np.int32), reached, touched)


def _solve(game: Game, on_progress: Callable[[int, int], None] | None) -> FewMen:
    placings = _placings(game)
    plays, number = _plays(game, placings), len(placings.points)
    table = _Table(np.zeros((number, number)), np.zeros((number, number, 6), dtype=np.float32))
    for what in (_EQUITIES, _CHANCES):
        change = 1.0
        while change > _PRECISION:
            change = _sweep.run(placings, plays, table, what)
            if on_progress:
                done = round(min(_PLACES, max(0.0, -10 * np.log10(max(change, _PRECISION)))))
                on_progress(what * _PLACES + done, 2 * _PLACES)
    sums = np.zeros(6)
    _add_opening.run(placings, plays, table, _rows(placings, game.initial.state[np.newaxis])[0, 0], sums)
    return FewMen(game, table.chances, (sums / sums.sum()).astype(np.float32))


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Return the file of the table of a game with its options and rules."""
    return (folder or cache_root() / "tables") / f"{game.name}-{_kind(game).marks['rules']}.safetensors"


def _save(table: FewMen, path: Path) -> None:
    write_arrays(path, {"chances": table.chances, "opening": table.opening}, _kind(table.game).marks)


def _load(game: Game, path: Path) -> FewMen:
    arrays, _ = read_arrays(path, _kind(game), mapped=True)
    return FewMen(game, **arrays)


def _kind(game: Game) -> FileKind:
    key = content_key([*game.rules.kernels, _list_plays, _sweep, _PRECISION, _men_of(game)])
    return FileKind(
        f"a table of {game.spec} under these rules",
        "remove it, or give another folder",
        {"game": game.spec, "rules": key},
    )
