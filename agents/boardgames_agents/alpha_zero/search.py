"""The tree search of AlphaZero over many positions in lockstep."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, Literal, get_args

import numpy as np

from boardgames_agents.alpha_zero.choice import GUMBEL, PUCT, SearchNumbers
from boardgames_agents.alpha_zero.conclusion import Found, conclude
from boardgames_agents.alpha_zero.network import FIRST_ACTION, NOT_FINITE, PolicyNetwork
from boardgames_agents.alpha_zero.simulations import (
    NO_ACTION,
    NO_NUMBERS,
    begin_search,
    go_on,
    go_on_with_network,
)
from boardgames_agents.alpha_zero.tree import (
    EDGES,
    FIRST,
    NODE_COLUMNS,
    NODES,
    NONE,
    PENDING,
    ROOT,
    TREE_COLUMNS,
    USED,
    Trees,
    TreeScratch,
    take_subtree,
)
from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError, one_of, require_whole
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS
from boardgames_env.kernels import State, announce_compilation
from boardgames_env.kernels.signatures import Float32s, Float64s, Int8s, Int32s, Int64s
from boardgames_env.position import demand_array, demand_states

Evaluate = Callable[[Int8s], tuple[Float32s, Float32s]]
"""Return the logits of all actions, shape ``(n, num_actions)``, and the points of the seat to move, shape ``(n,)``, of
states of shape ``(n, state_size)``, which must not be changed or kept."""

Rule = Literal["gumbel", "puct"]

MOST_SIMULATIONS = 1_000_000

_EVALUATIONS = 10_000
"""About the most evaluations of one call of a kernel."""

_NODES_AT_ONCE = 1 << 17
"""About the most nodes of the trees that `TreeSearch.best_actions` has at once."""

_EDGES_AT_ONCE = 1 << 16
"""The edges that new trees have room for where every action may be legal everywhere, so that no search waits for it."""

_OF_NODES = ("nodes", "means", "raw", "states")
_OF_EDGES = ("actions", "children", "visits", "points", "priors")


@dataclass(frozen=True)
class SearchOptions:
    """Options of the tree search.

    Attributes:
        simulations: The number of simulations of a search, each of which adds a position to the tree.
        considered: The most actions of the root that simulations are given to.
        rule: How simulations choose actions: ``gumbel`` (sequential halving at the root, the improved policy below),
            or ``puct`` (the rule of AlphaZero).
        solve: Whether values are proven as in `mcts`; without, the search is that of mctx.
    """

    simulations: int = 64
    considered: int = 16
    rule: Rule = "gumbel"
    solve: bool = True

    def __post_init__(self) -> None:
        require_whole(1, MOST_SIMULATIONS, simulations=self.simulations)
        require_whole(1, 10_000, considered=self.considered)
        rules = get_args(Rule)
        if self.rule not in rules:
            raise BadInputError(f"rule={self.rule!r} is not allowed; it is one of: {one_of(rules)}")


class Subtree:
    """The tree of a position, for later searches of it; `TreeSearch.subtree` makes it.

    Attributes:
        game: The game.
        state: The position, shape ``(state_size,)``, dtype int8.
    """

    def __init__(self, game: Game, trees: Trees) -> None:
        self.game, self._trees = game, trees

    @property
    def state(self) -> State:
        """The position."""
        state: State = self._trees.states[0, ROOT].copy()
        return state


class TreeSearch:
    """A search of many positions of a game without chance in lockstep; each simulation evaluates all leaves at once.

    Its arrays are used again by the next search, and nothing of a search depends on earlier ones or on other positions.

    Args:
        game: The game.
        network: The network, or another function that evaluates positions.
        options: The options.
        remembers: Whether what the network has found is kept, while its weights stay the same; see
            `PolicyNetwork.new_memory`.

    Attributes:
        evaluate: The function that evaluates positions.

    Raises:
        BadInputError: If the game is one of chance, or not that of the network, or the network is no function.
    """

    def __init__(
        self,
        game: Game,
        network: PolicyNetwork | Evaluate,
        options: SearchOptions | None = None,
        remembers: bool = False,
    ) -> None:
        refuse_chance(game, "the tree search of alpha_zero looks ahead over actions alone")
        self.game, self.options = game, options or SearchOptions()
        self._network: PolicyNetwork | None = None
        if isinstance(network, PolicyNetwork):
            if network.game.rules != game.rules:
                raise BadInputError(f"the network is of {network.game.spec}, not of {game.spec}")
            self._network, network = network, network.evaluate
            self._memory = self._network.new_memory() if remembers else self._network.no_memory
        if not callable(network):
            raise BadInputError(f"{network!r} evaluates no positions; give a network or a function")
        self.evaluate: Evaluate = network
        actions, simulations = game.num_actions, self.options.simulations
        self._numbers = SearchNumbers(
            PUCT if self.options.rule == "puct" else GUMBEL,
            considered_visits(min(self.options.considered, actions), simulations),
            game.most_points if self.options.solve else 0,
        )
        counters, legal = np.zeros(COUNTERS, dtype=np.int32), np.zeros(actions, dtype=np.int32)
        self._scratch = TreeScratch(counters, legal, np.zeros(actions), np.zeros(game.state_size, dtype=np.int8))
        self._trees = self._empty(0, 0, 0, 0)
        self._leaves = np.zeros((0, game.state_size), dtype=np.int8)

    def search(
        self,
        states: Int8s,
        seen: Int8s | None = None,
        counts: Int32s | None = None,
        gumbels: Float64s | None = None,
        kept: Subtree | None = None,
    ) -> Found:
        """Search positions in which the contest goes on.

        Args:
            states: The positions, shape ``(n, state_size)``, dtype int8.
            seen: The positions of each contest before, in order, shape ``(n, rows, state_size)``; by default none.
            counts: How many of the rows belong to each contest, shape ``(n,)``; by default all. Rows beyond are not
                read, but have the form of states, such as zeros.
            gumbels: Gumbel noise of each action, shape ``(n, num_actions)``; by default 0, which is for play.
            kept: The tree of a single position from an earlier search of the contest; see `subtree`.

        Raises:
            BadInputError: If an array has another shape or other numbers, a contest is over, no action is legal, the
                tree is of another position, or what the network finds in a position are no numbers.
        """
        demand_states(states, self.game)
        size, actions = self.game.state_size, self.game.num_actions
        number, states = len(states), np.ascontiguousarray(states)
        seen = np.zeros((number, 0, size), dtype=np.int8) if seen is None else seen
        rows = np.shape(seen)[1] if np.ndim(seen) == 3 else 0
        seen = demand_array("seen", seen, np.int8, (number, rows, size))
        demand_states(seen.reshape(-1, size), self.game)
        counts = np.full(number, rows, dtype=np.int32) if counts is None else counts
        counts = demand_array("counts", counts, np.int32, (number,))
        gumbels = np.zeros((number, actions)) if gumbels is None else gumbels
        gumbels = demand_array("gumbels", gumbels, np.float64, (number, actions))
        if not np.isfinite(gumbels).all():
            raise BadInputError("gumbels are not all numbers")
        if kept is not None and not (
            number == 1 and kept.game.rules == self.game.rules and (kept.state == states[0]).all()
        ):
            raise BadInputError("the tree that is kept is of another position, or several positions are to be searched")
        if counts.min(initial=0) < 0 or counts.max(initial=0) > rows:
            raise BadInputError(
                f"counts are from {counts.min()} to {counts.max()}; seen has {rows} rows for each contest"
            )
        announce_compilation(
            "the tree search", [begin_search, go_on_with_network if self._network else go_on, conclude]
        )
        self._make_room(number, rows, kept._trees if kept else None)
        waiting = begin_search.run(
            self.game.kernels, self._trees, states, seen, counts, gumbels, self.options.simulations, self._leaves
        )
        if waiting < 0:
            raise BadInputError(f"the contest is over in position {-1 - waiting}; search those in which it goes on")
        self._simulate_with(self._network, number, waiting) if self._network else self._simulate(waiting)
        return self._conclude(number)

    def _simulate(self, waiting: int) -> None:
        """Go on with the searches to their ends, of which some await the evaluation of a leaf."""
        logits, values = np.zeros((0, self.game.num_actions), dtype=np.float32), np.zeros(0, dtype=np.float32)
        is_over = False
        while not is_over:
            if waiting:
                logits, values = self.evaluate(self._leaves[:waiting])
                logits = demand_array("logits", logits, np.float32, (waiting, self.game.num_actions))
                values = demand_array("values", values, np.float32, (waiting,))
            self._make_edges()
            kernels, leaves = self.game.kernels, self._leaves
            waiting = go_on.trusting(kernels, self._numbers, self._trees, self._scratch, logits, values, leaves)
            is_over = _are_over(waiting)

    def _simulate_with(self, network: PolicyNetwork, number: int, waiting: int) -> None:
        """Go on with the searches to their ends within a kernel, which returns now and then, for room or interrupts."""
        logits = np.empty((number, self.game.num_actions), dtype=np.float32)
        outcomes, values = np.empty((number, FIRST_ACTION), dtype=np.float32), np.empty(number, dtype=np.float32)
        most = 1 + _EVALUATIONS // max(1, number)
        is_over = False
        while not is_over:
            rounds = min(most, self._make_edges())
            waiting = go_on_with_network.trusting(
                *(self.game.kernels, self._numbers, self._trees, self._scratch, network.predictor, self._memory),
                *(logits, outcomes, values, self._leaves, waiting, rounds),
            )
            is_over = _are_over(waiting)

    def best_actions(self, states: Int8s) -> Int64s:
        """Return the best action in any number of positions, each as if the contest began there; shape ``(n,)``."""
        size = max(1, min(1024, _NODES_AT_ONCE // self.options.simulations))
        parts = [states[first : first + size] for first in range(0, len(states), size)]
        return np.array([action for part in parts for action in self.search(part).actions], dtype=np.int64)

    def subtree(self, states: Int8s) -> Subtree | None:
        """Return the tree of the last of some positions of a contest, as the last search has found it.

        Args:
            states: The positions in a row, shape ``(n, state_size)``. The first is the only one that was searched.

        Returns:
            A tree that other searches leave alone; ``None`` if these are other positions, or were not in the tree.

        Raises:
            BadInputError: If these are not states of the game.
        """
        demand_states(states, self.game)
        trees, node = self._trees, ROOT
        if not len(states) or len(trees.columns) != 1 or not (trees.states[0, ROOT] == states[0]).all():
            return None
        for state in states[1:]:
            first, edges = trees.nodes[0, node, FIRST], trees.nodes[0, node, EDGES]
            children = [child for child in trees.children[0, first : first + edges].tolist() if child != NONE]
            node = next((child for child in children if (trees.states[0, child] == state).all()), NONE)
            if node == NONE:
                return None
        if trees.nodes[0, node, EDGES] == 0:
            return None
        nodes, edges = trees.columns[0, [NODES, USED]].tolist()
        made = self._empty(1, nodes, edges, 0)
        take_subtree.run(trees, node, made, np.zeros(nodes, dtype=np.int32))
        return Subtree(self.game, made)

    def _conclude(self, number: int) -> Found:
        shape = number, self.game.num_actions
        found = Found(
            visits=np.zeros(shape, dtype=np.int32),
            points=np.zeros(shape),
            policy=np.zeros(shape),
            actions=np.zeros(number, dtype=np.int32),
            values=np.zeros(number),
        )
        conclude.run(self.game.kernels, self._numbers, self._trees, self._scratch, found)
        return found

    def _empty(self, number: int, nodes: int, edges: int, rows: int) -> Trees:
        """Return arrays for trees with room for nodes, edges, and positions of the contests."""
        size, actions = self.game.state_size, self.game.num_actions
        shape, edged = (number, nodes), (number, edges)
        return Trees(
            nodes=np.zeros((*shape, NODE_COLUMNS), dtype=np.int32),
            means=np.zeros(shape),
            raw=np.zeros(shape),
            states=np.zeros((*shape, size), dtype=np.int8),
            actions=np.zeros(edged, dtype=np.int32),
            children=np.zeros(edged, dtype=np.int32),
            visits=np.zeros(edged, dtype=np.int32),
            points=np.zeros(edged),
            priors=np.zeros(edged),
            columns=np.zeros((number, TREE_COLUMNS), dtype=np.int32),
            marks=np.zeros((number, rows), dtype=np.int16),
            keys=np.zeros((number, rows, size), dtype=np.int8),
            counters=np.zeros((number, COUNTERS), dtype=np.int32),
            biases=np.zeros((number, actions)),
            begun=np.zeros((number, actions), dtype=np.int32),
        )

    def _make_room(self, number: int, before: int, kept: Trees | None) -> None:
        """Make room for a search, in trees that are empty or the one that is kept."""
        nodes, edges = kept.columns[0, [NODES, USED]].tolist() if kept else (0, 0)
        room = self.options.simulations + 1 + nodes
        rows = before + room if self.game.limits.recurrences else 0
        old = self._trees
        rooms = old.nodes.shape[1] - room, old.actions.shape[1] - edges, old.keys.shape[1] - rows - 1
        if len(old.columns) != number or min(rooms) < 0:
            most = min(room * self.game.num_actions, _EDGES_AT_ONCE // max(1, number))
            more = max(8 * room, most, old.actions.shape[1], 2 * edges)
            self._trees = self._empty(number, room + nodes, more, 2 * rows + 1)  # (for the next searches, too)
            self._leaves = np.zeros((number, self.game.state_size), dtype=np.int8)
        self._trees.columns[:] = 0
        self._trees.columns[:, PENDING] = NONE
        if kept is not None:
            for names, used in ((_OF_NODES, nodes), (_OF_EDGES, edges)):
                for name in names:
                    getattr(self._trees, name)[:, :used] = getattr(kept, name)[:, :used]
            self._trees.columns[0] = kept.columns[0]

    def _make_edges(self) -> int:
        """Make room for the edges of one more node in each tree; return the number of nodes that there is room for."""
        used, room = int(self._trees.columns[:, USED].max(initial=0)), int(self._trees.actions.shape[1])
        if used + self.game.num_actions > room:
            more = max(room, self.game.num_actions)
            room += more
            edges: dict[str, Any] = {
                name: np.concatenate((old, np.zeros((len(old), more), old.dtype)), axis=1)
                for name in _OF_EDGES
                for old in (getattr(self._trees, name),)
            }
            self._trees = self._trees._replace(**edges)
        return (room - used) // self.game.num_actions


def _are_over(waiting: int) -> bool:
    """Return whether searches are over, by the number that await evaluation; raise what a kernel has found wrong."""
    if waiting == NO_ACTION:
        raise BadInputError("no action is legal in a position that is searched, although the contest goes on there")
    if waiting == NO_NUMBERS:
        raise BadInputError(NOT_FINITE)
    return waiting == 0


def considered_visits(most: int, simulations: int) -> Int32s:
    """Return the visits of the actions among which each simulation of a root chooses, by sequential halving.

    Returns:
        ``[m, k]`` holds that of simulation k if m actions are considered, shape ``(most + 1, simulations)``.
    """
    return np.array([_visits_by_halving(actions, simulations) for actions in range(most + 1)], dtype=np.int32)


def _visits_by_halving(actions: int, simulations: int) -> list[int]:
    """Return a row of `considered_visits`. (Karnin, Koren and Somekh, ICML 2013; rounded as in mctx.)"""
    if actions <= 1:
        return list(range(simulations))
    rounds = ceil(log2(actions))
    sequence, visits, left = list[int](), [0] * actions, actions
    while len(sequence) < simulations:
        for _ in range(max(1, int(simulations / (rounds * left)))):
            sequence += visits[:left]
            visits[:left] = [visit + 1 for visit in visits[:left]]
        left = max(2, left // 2)
    return sequence[:simulations]
