"""All positions of a small game as a graph, with the action probabilities of policies on its edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from boardgames_agents.policy import MarkovPolicy
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int32s, Int64s
from boardgames_env.position import Position
from boardgames_env.solve.explore import explore

MOST_POSITIONS = 100_000
"""The most positions of a game that is held as a graph: a policy is asked at each, which takes about 0.1 ms."""


class TooManyPositionsError(BadInputError):
    """A game with more than `MOST_POSITIONS` positions."""


@dataclass(frozen=True, eq=False)
class PositionGraph:
    """The reachable positions of a game; an edge is a legal action.

    Attributes:
        states: The state of each position, shape ``(n, state_size)``, int8; row 0 is the initial one.
        points: Seat 0's points in each position, `ONGOING` where the contest goes on; shape ``(n,)``, int8.
        first_edge: The index of each row's first edge, shape ``(n + 1,)``, int64. A row's edges are in the order of
            its legal actions.
        children: The row that each edge leads to, int32.
    """

    game: Game
    states: Int8s
    points: Int8s
    first_edge: Int64s
    children: Int32s

    @cached_property
    def seats(self) -> Int8s:
        """The seat to move in each position."""
        return np.ascontiguousarray(self.states[:, 0])

    @cached_property
    def ongoing(self) -> Bools:
        """Whether the contest goes on in each position."""
        mask: Bools = self.points == ONGOING
        return mask

    def edges(self, row: int) -> slice:
        """Return the indices of a row's edges."""
        return slice(int(self.first_edge[row]), int(self.first_edge[row + 1]))

    @cached_property
    def owners(self) -> Int64s:
        """The row of each edge."""
        return np.repeat(np.arange(len(self.points)), np.diff(self.first_edge))

    def edges_of(self, rows: Int64s) -> Int64s:
        """Return the indices of the edges of several rows."""
        counts = self.first_edge[rows + 1] - self.first_edge[rows]
        ends = np.cumsum(counts)
        offsets = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        indices: Int64s = np.repeat(self.first_edge[rows], counts) + offsets
        return indices

    def position(self, row: int) -> Position:
        """Return the position of a row, the same object at each call (it keeps its legal actions)."""
        if row not in self._positions:
            self._positions[row] = Position.unchecked(self.game, self.states[row].copy())
        return self._positions[row]

    @cached_property
    def _positions(self) -> dict[int, Position]:
        return {}


@lru_cache(maxsize=16)
def graph_of(game: Game) -> PositionGraph:
    """Return the graph of a game.

    Raises:
        TooManyPositionsError: If there are more than `MOST_POSITIONS`.
        BadInputError: If the game has chance events.
    """

    def stop(_: int, known: int) -> None:
        if known > MOST_POSITIONS:
            raise TooManyPositionsError(
                f"{game.spec} has more than {MOST_POSITIONS:,} positions, too many to visit them all"
            )

    if game.positions is not None:
        stop(0, game.positions)
    found = explore(game, stop)
    return PositionGraph(game, found.states, found.points, found.first_child, found.children)


class PolicyOnGraph:
    """The action probabilities of a policy at the positions of a graph; the policy is asked once at each."""

    def __init__(self, graph: PositionGraph, policy: MarkovPolicy) -> None:
        policy.begin(graph.game, (0, 1), np.random.default_rng(0))
        self.graph, self._policy = graph, policy
        self._probabilities = np.zeros(len(graph.children))
        self._known = np.zeros(len(graph.points), dtype=bool)

    def probabilities(self, rows: Int64s) -> Float64s:
        """Return the probabilities of all edges of the graph; they are right for those of some rows, at least.

        Raises:
            BadInputError: If the policy chooses by what is no distribution of legal actions.
        """
        rows = rows[~self._known[rows]]
        positions = [self.graph.position(row) for row in rows.tolist()]
        found = self._policy.distributions(positions)
        for row, position, distribution in zip(rows.tolist(), positions, found, strict=True):
            chosen = dict(zip(*self._policy.demand_distribution(position, distribution), strict=True))
            self._probabilities[self.graph.edges(row)] = [chosen.get(action, 0.0) for action in position.legal_actions]
        self._known[rows] = True
        return self._probabilities


class Steps(NamedTuple):
    """The positions that contests of two players may reach, and the steps between them.

    Attributes:
        rows: The rows of the graph, ascending, so that the initial position is the first.
        origin: The position of each step, as an index of ``rows``. The steps of a position lie together.
        target: The position it leads to, likewise.
        weight: Its probability, or 1 where any player moves.
    """

    rows: Int64s
    origin: Int64s
    target: Int64s
    weight: Float64s


def steps_of(graph: PositionGraph, players: Sequence[PolicyOnGraph | None]) -> Steps:
    """Return the positions and steps that contests of two players, of whom ``None`` is any, may reach."""
    seen = np.zeros(len(graph.points), dtype=bool)
    frontier = np.zeros(1, dtype=np.int64)
    weights = np.ones(len(graph.children))
    while len(frontier):
        seen[frontier] = True
        frontier = frontier[graph.ongoing[frontier]]
        for seat, player in enumerate(players):
            if player is not None:
                rows = frontier[graph.seats[frontier] == seat]
                edges = graph.edges_of(rows)
                weights[edges] = player.probabilities(rows)[edges]
        edges = graph.edges_of(frontier)
        reached = np.unique(graph.children[edges[weights[edges] > 0]])
        frontier = reached[~seen[reached]].astype(np.int64)
    rows = np.flatnonzero(seen)
    edges = graph.edges_of(rows)
    edges = edges[weights[edges] > 0]
    places = np.searchsorted(rows, graph.owners[edges]), np.searchsorted(rows, graph.children[edges])
    return Steps(rows, *places, weights[edges])
