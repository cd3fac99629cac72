"""Backgammon with up to three men a seat and a doubling cube, for money, solved: the exact equities of all positions.

The rows are those of `boardgames_env.solve.few_men`, each for the three owners that the cube can have. The equities are
those of the seat that rolls, in units of the stake; whether a seat doubles before that follows from them, since a
double, if it is taken, leads to the same roll at twice the stake, with the cube at the other seat.

The cube is taken to have no largest number; in the game it is 64.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import OWNER
from boardgames_env.games.backgammon.rules.turns import MIXED_ROLLS
from boardgames_env.kernels import helper, kernel
from boardgames_env.kernels.bundle import from_template, named_tuple_type
from boardgames_env.kernels.signatures import FLOAT64_1D, FLOAT64_3D, INT8_3D, Float64s, Int8s
from boardgames_env.position import demand_states
from boardgames_env.solve.placings import (
    LIKELY,
    NUM_ROLLS,
    PLACINGS,
    PLAYS,
    Placings,
    Plays,
    demand_table,
    placing_after,
    placings_of,
    plays_of,
    plays_with,
    rows_of,
    rules_of,
    sweep,
    sweep_until_settled,
)

Equity = TypeVar("Equity", float, Float64s)

CENTRED, OWN, OTHERS = range(3)
"""Who may double next: both seats, the seat that rolls alone, or the other alone."""


class _CubeTable(NamedTuple):
    """What is known of the rows so far, and what is in work."""

    equities: Float64s  # by the placings of the seat that rolls and of the other, and by who may double next
    has_jacoby: bool  # whether gammons do not count while the cube is in the middle
    has_beavers: bool
    choices: Int8s  # by roll and by who may double next, the best play: its number among those of the row
    sums: Float64s  # the equities of the row in work, by who may double next
    keeps_plays: bool = False  # whether the choices are taken as they are


_CUBE_TABLE = named_tuple_type(_CubeTable, FLOAT64_3D, types.boolean, types.boolean, INT8_3D, FLOAT64_1D, types.boolean)


@helper
def doubled(rolled: Equity, has_beavers: bool) -> Equity:
    """Return the value of a double by the equity of a roll with the cube at the other seat; a drop is worth 1.

    Of an array in Python, those of its elements are returned.
    """
    taken = 2 * rolled
    if has_beavers:
        taken = np.minimum(taken, np.maximum(2 * taken, -2.0))  # (who has doubled can drop the beaver)
    double: Equity = np.minimum(taken, 1.0)
    return double


@helper
def _equities_after(
    placings: Placings, plays: Plays, table: _CubeTable, play: int, other: int
) -> tuple[float, float, float]:
    """Return the equities of the seat that plays, by who of both may double next."""
    equities, after, reached = table.equities, placing_after(placings, plays, play, other), plays.placings[play]
    if reached == 0:
        won = float(placings.wins[after])
        return 1.0 if table.has_jacoby else won, won, won
    double = doubled(equities[after, reached, OTHERS], table.has_beavers)
    centred, without = max(equities[after, reached, CENTRED], double), max(equities[after, reached, OWN], double)
    return -centred, -equities[after, reached, OTHERS], -without


@helper
def _sum_equities(placings: Placings, plays: Plays, table: _CubeTable, own: int, other: int, rolls: int) -> None:
    """Sum the equities after the best replies to the first rolls, each as often as it is likely."""
    table.sums[:] = 0.0
    for roll in range(rolls):
        choices = table.choices[own, other, 3 * roll : 3 * roll + 3]
        first, end = plays_with(placings, plays, own, other, roll)
        if not table.keeps_plays:
            highest = (-np.inf, -np.inf, -np.inf)
            for play in range(first, end):
                found = _equities_after(placings, plays, table, play, other)
                for k in range(3):
                    if found[k] > highest[k]:
                        choices[k] = play - first
                highest = (max(highest[0], found[0]), max(highest[1], found[1]), max(highest[2], found[2]))
        for k in range(3):
            table.sums[k] += LIKELY[roll] * _equities_after(placings, plays, table, first + choices[k], other)[k]


@helper
def _update(placings: Placings, plays: Plays, table: _CubeTable, own: int, other: int) -> float:
    """Write the equities of a row, and return their largest change."""
    if placings.own[own] & placings.taken[other]:  # (men of both seats on a point)
        return 0.0
    _sum_equities(placings, plays, table, own, other, NUM_ROLLS)
    change = 0.0
    for k in range(3):
        change = max(change, abs(table.sums[k] - table.equities[own, other, k]))
        table.equities[own, other, k] = table.sums[k]
    return change


sweep_with_cube = from_template(sweep, types.float64(PLACINGS, PLAYS, _CUBE_TABLE), compiled_first=True, update=_update)


@kernel(types.void(PLACINGS, PLAYS, _CUBE_TABLE, types.int64), compiled_first=True)
def _sum_opening(placings: Placings, plays: Plays, table: _CubeTable, start: int) -> None:
    """Sum the equities of the seat that wins the opening roll, whose dice differ."""
    _sum_equities(placings, plays, table, start, start, MIXED_ROLLS)


class FewMenWithCube:
    """The solution of backgammon with few men and a doubling cube, for money.

    Attributes:
        game: The game.
        rolled: The points that the seat expects that rolls next, in units of the stake, by its placing, the other
            seat's, and who may double next (`CENTRED`, `OWN`, `OTHERS`); shape ``(placings, placings, 3)``, float32.
        opening: Those of the seat that wins the opening roll, by who may double next; shape ``(3,)``, float32.
    """

    def __init__(self, game: Game, rolled: NDArray[np.float32], opening: NDArray[np.float32]) -> None:
        self.game, self.rolled, self.opening = game, rolled, opening
        self._placings = placings_of(game)
        demand_table(self._placings, rolled, opening, 3)
        self._has_beavers = rules_of(game).beavers

    @property
    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The arrays of its file, which are arguments of the constructor."""
        return {"rolled": self.rolled, "opening": self.opening}

    def __len__(self) -> int:
        """Return the number of positions in which a seat is to roll, whoever may double next."""
        return int(np.count_nonzero(self.rolled.any(axis=2)))

    def equities(self, states: Int8s, may_double: bool = True) -> NDArray[np.float64]:
        """Return the points that the seats to move expect under best play, in units of the stake.

        Args:
            states: States of the game in which a roll or a double comes next; shape ``(n, state_size)``.
            may_double: Whether a seat that has the right to double may do so now; if not, it rolls.

        Returns:
            Shape ``(n,)``.

        Raises:
            BadInputError: If these are not states of the game.
        """
        demand_states(states, self.game)
        own, other = rows_of(self._placings, states).T
        rolled = self.rolled[own, other].astype(np.float64)
        owner = states[:, OWNER] * np.where(states[:, 0] == 0, 1, -1)
        who = np.where(owner == 0, CENTRED, np.where(owner > 0, OWN, OTHERS))
        found: NDArray[np.float64] = np.take_along_axis(rolled, who[:, np.newaxis], axis=1)[:, 0]
        if not may_double:
            return found
        double = doubled(rolled[:, OTHERS], self._has_beavers)
        return np.where(who == OTHERS, found, np.maximum(found, double))


def solve_with_cube(game: Game, on_progress: Callable[[int, int], None] | None = None) -> FewMenWithCube:
    """Solve a game with a cube; see `boardgames_env.solve.few_men_tables.solve_few_men`."""
    placings = placings_of(game)
    plays, number = plays_of(game, placings), len(placings.points)
    rules = rules_of(game)
    choices = np.zeros((number, number, 3 * NUM_ROLLS), dtype=np.int8)
    table = _CubeTable(np.zeros((number, number, 3)), rules.jacoby, rules.beavers, choices, np.zeros(3))
    sweep_until_settled(sweep_with_cube, placings, plays, table, on_progress)
    _sum_opening.run(placings, plays, table, rows_of(placings, game.initial.state[np.newaxis])[0, 0])
    opening = table.sums / LIKELY[:MIXED_ROLLS].sum()
    return FewMenWithCube(game, table.equities.astype(np.float32), opening.astype(np.float32))
