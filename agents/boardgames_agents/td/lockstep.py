"""Many contests of self-play at once, one move of each per round; the network is evaluated elsewhere."""

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.td.evaluation import best_of
from boardgames_agents.td.network import Network
from boardgames_agents.td.self_play import COLUMNS, EXPLORATION, Exploration, draw_move
from boardgames_env.chance import MOST_EVENTS, draw, draw_number, settle
from boardgames_env.history import CUT, History
from boardgames_env.kernels import FEATURES, MOVES, ONGOING, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import (
    BOOL_1D,
    INT8_2D,
    INT64_1D,
    UINT64_1D,
    Bools,
    Float32s,
    Int8s,
    Int64s,
    UInt64s,
)
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel


class Lockstep:
    """Contests at tables; when one has ended, the next begins at its table.

    Each of N contests has a stream of random numbers, which is advanced; at most T ``tables`` are used at once.

    Attributes:
        contest: The index of the contest at each table, or -1; shape ``(T,)``.
        states: Its state, shape ``(T, state_size)``; it may await chance.
        results: The results of each contest, shape ``(N, COLUMNS)``; see `boardgames_agents.td.self_play.COLUMNS`.
    """

    def __init__(self, network: Network, exploration: Exploration, streams: UInt64s, tables: int) -> None:
        self._network, self._exploration, self._streams = network, exploration, streams
        self._moves = moves_kernel(network.game)
        self._begun = 0
        self.contest = np.full(tables, -1, dtype=np.int64)
        self.states = np.zeros((tables, network.game.state_size), dtype=np.int8)
        self.results = np.zeros((len(streams), COLUMNS), dtype=np.float32)
        self._histories = [History(network.game) for _ in range(tables)]
        self._plies = np.zeros(tables, dtype=np.int64)
        self._opening = np.zeros(tables, dtype=np.int64)
        self._errors = np.zeros(tables)

    def begin(self) -> Bools:
        """Begin contests at free tables while there are any left. Return the tables where one begins."""
        begins = np.zeros(len(self.contest), dtype=np.bool_)
        for table in np.flatnonzero(self.contest < 0)[: len(self._streams) - self._begun]:
            begins[table] = True
            self.contest[table] = self._begun
            self.states[table] = self._network.game.initial.state
            self._histories[table].begin(self.states[table])
            openings = self._exploration.openings
            self._opening[table] = draw_number.run(self._streams, self._begun, openings + 1) if openings > 0 else 0
            self._plies[table], self._errors[table] = 0, 0
            self._begun += 1
        return begins

    @property
    def going(self) -> Bools:
        """The tables that have a contest."""
        return self.contest >= 0

    @property
    def learning(self) -> Bools:
        """The tables whose contest is past its opening."""
        return self.going & (self._plies >= self._opening)

    def find_moves(self) -> tuple[Int8s, Int64s]:
        """Settle chance and find all moves of all contests.

        Returns:
            The afterstates, table after table, shape ``(M, state_size)``, and the number of moves at each table.
        """
        found = np.zeros(len(self.contest), dtype=np.int64)
        kernels = self._network.game.kernels
        return _find_moves.run(kernels, self._moves, self.states, self._streams, self.contest, found), found

    def choose(self, values: Float32s, found: Int64s) -> tuple[Int64s, Int64s]:
        """Choose a move at each table, given the movers' values. Return the rows of the best and the chosen moves."""
        in_opening = self._plies < self._opening
        chosen: tuple[Int64s, Int64s] = _choose.run(
            self._exploration, values, self.contest, found, in_opening, self._streams
        )
        return chosen

    def move(self, afterstates: Int8s) -> Int64s:
        """Play to an afterstate at each table that has a contest.

        Returns:
            `ONGOING`, the points of seat 0, or `CUT`, of each contest; shape ``(T,)``.
        """
        results = np.full(len(self.contest), ONGOING, dtype=np.int64)
        for table in np.flatnonzero(self.going):
            self.states[table] = afterstates[table]
            self._plies[table] += 1
            results[table] = self._histories[table].add(self.states[table])
        return results

    def end(self, results: Int64s, errors: NDArray[np.float64]) -> None:
        """Record contests that have ended, given the results of `move` and the absolute errors of predictions."""
        self._errors += errors
        for table in np.flatnonzero(results != ONGOING):
            learned = max(1, self._plies[table] - self._opening[table])
            points = np.nan if results[table] == CUT else results[table]
            self.results[self.contest[table]] = points, self._plies[table], self._errors[table] / learned
            self.contest[table] = -1


@kernel(INT8_2D(GAME_KERNELS, MOVES, INT8_2D, UINT64_1D, INT64_1D, INT64_1D))
def _find_moves(
    game: GameKernels, moves: Any, states: Int8s, streams: UInt64s, contest: Int64s, found: Int64s
) -> Int8s:
    """Write the number of moves at each table to ``found``, and return the states after them."""
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    reached = np.zeros((MOST_MOVES, states.shape[1]), dtype=np.int8)
    all_reached = np.zeros((32 * len(states), states.shape[1]), dtype=np.int8)
    total = 0
    for table in range(len(states)):
        if contest[table] >= 0:
            settle(game, states[table], cases, streams, contest[table])
            found[table] = moves(states[table], reached, actions)
            if total + found[table] > len(all_reached):
                all_reached = np.concatenate((all_reached, np.zeros_like(all_reached), reached))
            for move in range(found[table]):
                copy_row(reached[move], all_reached[total + move])
            total += found[table]
    return all_reached[:total].copy()


@kernel(types.UniTuple(INT64_1D, 2)(EXPLORATION, FEATURES, INT64_1D, INT64_1D, BOOL_1D, UINT64_1D))
def _choose(
    exploration: Exploration, values: Float32s, contest: Int64s, found: Int64s, in_opening: Bools, streams: UInt64s
) -> tuple[Int64s, Int64s]:
    """Return the row of the best and of the chosen move at each table."""
    best, chosen, first = np.zeros_like(found), np.zeros_like(found), 0
    for table in range(len(found)):
        count = found[table]
        if count > 0 and in_opening[table]:
            best[table] = chosen[table] = first + draw(streams, contest[table], count)
        elif count > 0:
            here = values[first : first + count]
            best_here = best_of(here, count)
            best[table] = first + best_here
            chosen[table] = first + draw_move(here, best_here, count, exploration, streams, contest[table])
        first += count
    return best, chosen
