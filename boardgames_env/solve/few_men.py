"""Backgammon with up to three men a seat, solved: the chances of all outcomes under best play, from every position.

A *row* is a position in which a seat is to roll: the numbers of its placing and of the other seat's
(`boardgames_env.solve.placings`). Seats play for the most points, without a doubling cube.

The values are found by value iteration. A sweep goes through the rows in the order of the larger of the two numbers:
without hits each row would depend on earlier ones alone, so that some fifty sweeps are enough. Most of them take the
plays that an earlier one has found best, which saves the search for better ones.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import OPENING, STAGE
from boardgames_env.games.backgammon.rules.turns import MIXED_ROLLS
from boardgames_env.kernels import helper, kernel
from boardgames_env.kernels.bundle import from_template, named_tuple_type
from boardgames_env.kernels.signatures import FLOAT32_3D, FLOAT64_1D, FLOAT64_2D, INT8_3D, Float64s, Int8s
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
    sweep,
    sweep_until_settled,
)

_OTHER_SEAT = [3, 4, 5, 0, 1, 2]
_POINTS = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])


class _Table(NamedTuple):
    """What is known of the rows so far, by the placings of the seat that is to roll and of the other."""

    equities: Float64s  # the points that it expects
    chances: NDArray[np.float32]  # the probabilities that it wins 1, 2, 3 points, and loses 1, 2, 3
    choices: Int8s  # by roll, the best play: its number among those of the row
    is_settled: bool  # whether the equities are
    sums: Float64s  # the chances of the row in work
    keeps_plays: bool = False  # whether the choices are taken as they are


_TABLE = named_tuple_type(_Table, FLOAT64_2D, FLOAT32_3D, INT8_3D, types.boolean, FLOAT64_1D, types.boolean)


@helper
def equity_of_play(placings: Placings, plays: Plays, equities: Float64s, play: int, other: int) -> float:
    """Return the points that a seat expects after a play, by those that the other seat then expects in its row."""
    after, reached = placing_after(placings, plays, play, other), plays.placings[play]
    return float(placings.wins[after]) if reached == 0 else -float(equities[after, reached])


@helper
def best_play(placings: Placings, plays: Plays, equities: Float64s, own: int, other: int, roll: int) -> int:
    """Return the number of the best play with a roll, the first of equals."""
    first, end = plays_with(placings, plays, own, other, roll)
    chosen, highest = -1, -np.inf
    for play in range(first, end):
        equity = equity_of_play(placings, plays, equities, play, other)
        if equity > highest:
            chosen, highest = play, equity
    return chosen


@helper
def _sum_chances(placings: Placings, plays: Plays, table: _Table, own: int, other: int, rolls: int) -> float:
    """Sum the chances after the best replies to the first rolls, each as often as it is likely. Return the equity."""
    equity, sums = 0.0, table.sums
    sums[:] = 0.0
    for roll in range(rolls):
        first, _ = plays_with(placings, plays, own, other, roll)
        if not table.keeps_plays:
            table.choices[own, other, roll] = best_play(placings, plays, table.equities, own, other, roll) - first
        play = first + table.choices[own, other, roll]
        after, reached = placing_after(placings, plays, play, other), plays.placings[play]
        if reached == 0:
            equity += LIKELY[roll] * placings.wins[after]
            sums[placings.wins[after] - 1] += LIKELY[roll]
            continue
        equity -= LIKELY[roll] * table.equities[after, reached]
        for k in range(6):
            sums[k] += LIKELY[roll] * table.chances[after, reached, (k + 3) % 6]
    return equity


@helper
def _update(placings: Placings, plays: Plays, table: _Table, own: int, other: int) -> float:
    """Write the chances of a row and, unless it is settled, its equity. Return the change of the one or the other."""
    if placings.own[own] & placings.taken[other]:  # (men of both seats on a point)
        return 0.0
    equity = float(_sum_chances(placings, plays, table, own, other, NUM_ROLLS))
    change = 0.0 if table.is_settled else abs(equity - float(table.equities[own, other]))
    for k in range(6):
        if table.is_settled:
            change = max(change, abs(table.sums[k] - table.chances[own, other, k]))
        table.chances[own, other, k] = table.sums[k]
    if not table.is_settled:
        table.equities[own, other] = equity
    return change


sweep_without_cube = from_template(sweep, types.float64(PLACINGS, PLAYS, _TABLE), compiled_first=True, update=_update)


@kernel(types.float64(PLACINGS, PLAYS, _TABLE, types.int64), compiled_first=True)
def _sum_opening(placings: Placings, plays: Plays, table: _Table, start: int) -> float:
    """Sum the chances of the seat that wins the opening roll, whose dice differ, each as often as it is likely."""
    return float(_sum_chances(placings, plays, table, start, start, MIXED_ROLLS))


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
        self._placings = placings_of(game)
        demand_table(self._placings, chances, opening, 6)

    @property
    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The arrays of its file, which are arguments of the constructor."""
        return {"chances": self.chances, "opening": self.opening}

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
        own, other = rows_of(self._placings, states).T
        found: NDArray[np.float32] = self.chances[own, other]
        found[states[:, STAGE] == OPENING] = (self.opening + self.opening[_OTHER_SEAT]) / 2
        return found

    def equities(self, states: Int8s, may_double: bool = True) -> NDArray[np.float64]:
        """Return the points that the seats to roll expect; see `outcome_probabilities`. Nobody can double.

        Returns:
            Shape ``(n,)``.
        """
        expected: NDArray[np.float64] = self.outcome_probabilities(states) @ _POINTS
        return expected


def solve_without_cube(game: Game, on_progress: Callable[[int, int], None] | None = None) -> FewMen:
    """Solve a game without a cube; see `boardgames_env.solve.few_men_tables.solve_few_men`."""
    placings = placings_of(game)
    plays, number = plays_of(game, placings), len(placings.points)
    equities, chances = np.zeros((number, number)), np.zeros((number, number, 6), dtype=np.float32)
    choices = np.zeros((number, number, NUM_ROLLS), dtype=np.int8)
    # (rounding decides between plays of the same equity until the equities are settled)
    for is_settled in (False, True):
        table = _Table(equities, chances, choices, is_settled, np.zeros(6))
        sweep_until_settled(sweep_without_cube, placings, plays, table, on_progress, is_settled, 2)
    _sum_opening.run(placings, plays, table, rows_of(placings, game.initial.state[np.newaxis])[0, 0])
    return FewMen(game, chances, (table.sums / table.sums.sum()).astype(np.float32))
