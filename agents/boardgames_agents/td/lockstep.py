"""Many contests of a network with itself at once, a move each in every round: only the network is left to others."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.td.network import Floats, Network
from boardgames_agents.td.outputs import MOST_POINTS
from boardgames_agents.td.self_play import PLAYED, PRACTICE, Practice, drawn
from boardgames_agents.td.sight import best_of
from boardgames_env.chance import MOST_EVENTS, STREAMS, Streams, draw, settle
from boardgames_env.history import CUT, History
from boardgames_env.kernels import CHANCES, FEATURES, HAPPEN, MOVES, ONGOING, STATES, helper, kernel
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_NUMBERS = types.Array(types.int64, 1, "C")
_FLAGS = types.Array(types.boolean, 1, "C")


class Lockstep:
    """Contests at tables: where one has ended, the next begins.

    Args:
        network: The network that plays both seats.
        practice: How.
        streams: Where each contest's chances begin, shape ``(N,)``; they move on.
        tables: How many contests go on at once, at most.

    Attributes:
        contest: The number of the contest at each table, or -1; shape ``(T,)``.
        states: Its state, shape ``(T, state_size)``; chance may have to decide something yet.
        played: What is told of each contest, shape ``(N, 3)``; see `boardgames_agents.td.self_play.PLAYED`.
    """

    def __init__(self, network: Network, practice: Practice, streams: Streams, tables: int) -> None:
        self._network, self._practice, self._streams = network, practice, streams
        self._moves = moves_kernel(network.game)
        self._begun = 0
        self.contest = np.full(tables, -1, dtype=np.int64)
        self.states = np.zeros((tables, network.game.state_size), dtype=np.int8)
        self.played = np.zeros((len(streams), PLAYED), dtype=np.float32)
        self._histories = [History(network.game) for _ in range(tables)]
        self._plies = np.zeros(tables, dtype=np.int64)
        self._opening = np.zeros(tables, dtype=np.int64)
        self._errors = np.zeros(tables)

    def begin(self) -> Flags:
        """Begin contests at the tables that have none, as long as there are any; the tables where one begins."""
        begins = np.flatnonzero(self.contest < 0)[: len(self._streams) - self._begun]
        for table in begins:
            self.contest[table] = self._begun
            self.states[table] = self._network.game.initial.state
            self._histories[table].begin(self.states[table])
            openings = self._practice.openings
            self._opening[table] = _draw.run(self._streams, self._begun, openings + 1) if openings > 0 else 0
            self._plies[table], self._errors[table] = 0, 0
            self._begun += 1
        return _flags(len(self.contest), begins)

    @property
    def going(self) -> Flags:
        """The tables that have a contest."""
        return self.contest >= 0

    @property
    def learning(self) -> Flags:
        """Those of them whose opening is over."""
        return self.going & (self._plies >= self._opening)

    def offers(self) -> tuple[NDArray[np.int8], Numbers]:
        """Let chance decide, and find all moves of all contests.

        Returns:
            Where they lead to, table after table, shape ``(M, state_size)``, and how many each table has.
        """
        rules = self._network.game.rules
        found = np.zeros(len(self.contest), dtype=np.int64)
        afterstates = _offers.run(
            self._moves, rules.chances, rules.happen, self.states, self._streams, self.contest, found
        )
        return afterstates, found

    def choose(self, worths: Floats, found: Numbers) -> tuple[Numbers, Numbers]:
        """Choose a move at each table, by what the moves are worth to who makes them: the best rows, and the chosen."""
        best, chosen = np.zeros_like(found), np.zeros_like(found)
        opening = self.going & (self._plies < self._opening)
        _choose.run(self._practice, worths, found, opening, self._streams, self.contest, best, chosen)
        return best, chosen

    def move(self, afterstates: NDArray[np.int8]) -> Numbers:
        """Play a move at each table.

        Args:
            afterstates: Where they lead to, shape ``(T, state_size)``; tables without a contest are passed over.

        Returns:
            `ONGOING`, the points of seat 0, or `CUT`, of each contest; shape ``(T,)``.
        """
        results = np.full(len(self.contest), ONGOING, dtype=np.int64)
        for table in np.flatnonzero(self.going):
            self.states[table] = afterstates[table]
            self._plies[table] += 1
            results[table] = self._histories[table].add(self.states[table])
        return results

    def end(self, results: Numbers, errors: NDArray[np.float64]) -> None:
        """Tell of the contests that have ended, and clear their tables.

        Args:
            results: What `move` returned.
            errors: How wrong the predictions were in this round.
        """
        self._errors += errors
        for table in np.flatnonzero(results != ONGOING):
            learned = max(1, self._plies[table] - self._opening[table])
            points = np.nan if results[table] == CUT else results[table]
            self.played[self.contest[table]] = points, self._plies[table], self._errors[table] / learned
            self.contest[table] = -1


def worths_of(
    network: Network, outputs: Floats, points: Numbers, afterstates: NDArray[np.int8], movers: NDArray[np.int8]
) -> Floats:
    """The points that who moves can expect after its moves; what `boardgames_agents.td.sight.weigh` writes.

    Args:
        network: The network.
        outputs: What it says of the positions the moves lead to, shape ``(M, K)``.
        points: Seat 0's in those that are over, or `ONGOING`.
        afterstates: These positions.
        movers: The seats that move there.
    """
    expected = outputs @ network.meaning.worth + network.meaning.bias
    seen_by_mover = network.viewers(afterstates) == movers
    ended = np.clip(points, -MOST_POINTS, MOST_POINTS) * np.where(movers == 0, 1, -1)
    worths = np.where(points == ONGOING, np.where(seen_by_mover, expected, -expected), ended)
    return worths.astype(np.float32)


def _flags(length: int, which: NDArray[np.intp]) -> Flags:
    flags = np.zeros(length, dtype=np.bool_)
    flags[which] = True
    return flags


@kernel(types.int64(STREAMS, types.int64, types.int64))
def _draw(streams: Streams, which: int, bound: int) -> int:
    return int(draw(streams, which, bound))


@kernel(STATES(MOVES, CHANCES, HAPPEN, STATES, STREAMS, _NUMBERS, _NUMBERS))
def _offers(moves, chances, happen, states, streams, contest, found):  # type: ignore[no-untyped-def]
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    reached = np.zeros((MOST_MOVES, states.shape[1]), dtype=np.int8)
    all_reached = np.zeros((32 * len(states), states.shape[1]), dtype=np.int8)
    total = 0
    for table in range(len(states)):
        if contest[table] >= 0:
            settle(chances, happen, states[table], cases, streams, contest[table])
            found[table] = moves(states[table], reached, actions)
            if total + found[table] > len(all_reached):
                all_reached = _longer(all_reached, 2 * (total + found[table]))
            all_reached[total : total + found[table]] = reached[: found[table]]
            total += found[table]
    return all_reached[:total].copy()


@helper
def _longer(rows: NDArray[np.int8], length: int) -> NDArray[np.int8]:
    longer = np.zeros((length, rows.shape[1]), dtype=np.int8)
    longer[: len(rows)] = rows
    return longer


@kernel(types.void(PRACTICE, FEATURES, _NUMBERS, _FLAGS, STREAMS, _NUMBERS, _NUMBERS, _NUMBERS))
def _choose(practice, worths, found, opening, streams, contest, best, chosen):  # type: ignore[no-untyped-def]
    first = 0
    for table in range(len(found)):
        count = found[table]
        if count > 0 and opening[table]:
            best[table] = chosen[table] = first + draw(streams, contest[table], count)
        elif count > 0:
            here = worths[first : first + count]
            best_here = best_of(here, count)
            best[table] = first + best_here
            chosen[table] = first + drawn(here, best_here, count, practice, streams, contest[table])
        first += count
