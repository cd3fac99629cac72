"""`TDPlayer`: a network as a player."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from boardgames_agents.policy import Distribution, MarkovPolicy, Rng, uniform
from boardgames_agents.policy.whole_moves import PlannedPlayer, WholeMovePolicy
from boardgames_agents.td.evaluation import NETWORK, NetworkBundle, best_of, evaluate_afterstates, make_workspace
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import MOVES, OUTCOME, Actions, announce_compilation, kernel
from boardgames_env.kernels.signatures import INT8_2D, INT32_2D, INT64_1D, Float32s, Int8s, Int64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from boardgames_env.position import Position, demand_turn

_NOT_FINITE = "the weights are no longer finite; train with a smaller learning rate alpha"


class MoveEvaluator:
    """Finds and evaluates the whole moves of one position after another.

    Attributes:
        afterstates: The states after the moves found last, in the first rows.
        actions: The actions of each move, followed by -1.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._moves = moves_kernel(network.game)
        self.afterstates = np.empty((MOST_MOVES, network.game.state_size), dtype=np.int8)
        self.actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)

    def __reduce__(self) -> tuple[type["MoveEvaluator"], tuple[Network]]:
        return MoveEvaluator, (self.network,)

    def evaluate(self, position: Position) -> Float32s:
        """Return the mover's expected points after each of its moves.

        Raises:
            BadInputError: If they are not numbers, or no seat is to move in a position of the network's game.
        """
        demand_turn(position, self.network.game)
        found = self._moves.run(position.state, self.afterstates, self.actions)
        values = self.network.evaluate_afterstates(position.state, self.afterstates, found)
        if not np.isfinite(values).all():
            raise BadInputError(_NOT_FINITE)
        return values

    def actions_of(self, move: np.intp | int) -> tuple[int, ...]:
        """Return the actions of one of the moves found last."""
        row: list[int] = self.actions[move].tolist()
        return tuple(row[: row.index(-1)])


class TDPlayer(WholeMovePolicy, MarkovPolicy):
    """Plays a move with the highest value; ties are broken at random.

    It is a `MarkovPolicy` although it remembers its moves: the rest of a best move remains a best move.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        self._moves = MoveEvaluator(network)

    @property
    def evaluator(self) -> Network:
        """The network; see `boardgames_agents.lookahead.evaluator.evaluator_of`."""
        return self.network

    def distribution(self, position: Position) -> Distribution:
        """Return the actions that begin a best move, equally likely."""
        values = self._moves.evaluate(position)
        best = np.flatnonzero(values == values.max())
        return uniform(tuple(sorted({self._moves.actions_of(move)[0] for move in best})))

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of a best move."""
        values = self._moves.evaluate(position)
        best = np.flatnonzero(values == values.max())
        return self._moves.actions_of(best[self.rng.integers(len(best))] if len(best) > 1 else best[0])

    def in_batch(self, game: Game, copies: int) -> PlannedPlayer:
        """Return what chooses as the policy does in the copies of a batch."""
        announce_compilation("networks in batches", [_find_best])
        return PlannedPlayer(self, game, copies)

    def choose_moves(self, game: Game, states: Int8s, rngs: Sequence[Rng]) -> list[tuple[int, ...]]:
        """Return the actions of a best move in each state; ties are broken with its generator."""
        found, counts = self._find_best(states, np.zeros(len(states), dtype=np.int64))
        if not counts.all():
            raise BadInputError(_NOT_FINITE)
        tied = np.flatnonzero(counts > 1)
        if len(tied):
            found[tied], _ = self._find_best(
                states[tied], np.array([rngs[i].integers(counts[i]) for i in tied.tolist()])
            )
        return [tuple(row[: row.index(-1)]) for row in found.tolist()]

    def _find_best(self, states: Int8s, which: Int64s) -> tuple[Actions, Int64s]:
        """Return the actions of a best move in each state, then -1, ``which`` of them, and how many there are."""
        network, game = self.network, self.network.game
        found, counts = np.empty((len(states), MOST_ACTIONS + 1), dtype=np.int32), np.empty_like(which)
        _find_best.run(network.bundle, game.rules.outcome, moves_kernel(game), states, which, found, counts)
        return found, counts


@kernel(types.void(NETWORK, OUTCOME, MOVES, INT8_2D, INT64_1D, INT32_2D, INT64_1D))
def _find_best(
    network: NetworkBundle,
    outcome: Any,
    moves: Any,
    states: Int8s,
    which: Int64s,
    found: Actions,
    counts: Int64s,
) -> None:
    """Write the actions of one of the best moves in each state, and how many there are: 0 if values are not finite."""
    workspace = make_workspace(network.predictor.layers, MOST_MOVES)
    afterstates = np.empty((MOST_MOVES, states.shape[1]), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values = np.empty(MOST_MOVES, dtype=np.float32)
    for row in range(len(states)):
        number = moves(states[row], afterstates, actions)
        evaluate_afterstates(network, outcome, states[row], afterstates, number, workspace, values)
        best = values[best_of(values, number)]
        counts[row] = 0
        for move in range(number):
            if values[move] == best:
                if counts[row] == which[row]:
                    for place in range(found.shape[1]):
                        found[row, place] = actions[move, place]
                counts[row] += 1
        for move in range(number):
            if not np.isfinite(values[move]):
                counts[row] = 0
