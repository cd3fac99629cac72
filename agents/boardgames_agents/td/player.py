"""`TDPlayer`: a network as a player."""

import numpy as np

from boardgames_agents.plan import WholeMovePolicy
from boardgames_agents.policy import Distribution, MarkovPolicy, uniform
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError
from boardgames_env.kernels.signatures import Float32s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from boardgames_env.position import Position, demand_turn


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
            raise BadInputError("the weights are no longer finite; train with a smaller learning rate alpha")
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
