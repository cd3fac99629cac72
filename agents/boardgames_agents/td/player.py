"""What a network plays: a move that leads to what it thinks best."""

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.plan import Plan
from boardgames_agents.policy import Distribution, MarkovPolicy, Rng, uniform
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from boardgames_env.position import Position


class Weigher:
    """Weighs the whole moves of one position after another.

    Attributes:
        network: The network.
        afterstates: Where the moves that were found last lead to, in the first rows.
        actions: The actions of each, followed by -1.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._moves = moves_kernel(network.game)
        self.afterstates = np.empty((MOST_MOVES, network.game.state_size), dtype=np.int8)
        self.actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)

    def weigh(self, position: Position) -> NDArray[np.float32]:
        """The points that the seat to move can expect after each of its moves.

        Raises:
            BadInputError: If they are not numbers.
        """
        found = self._moves.run(position.state, self.afterstates, self.actions)
        worths = self.network.worths(position.state, self.afterstates, found)
        if not np.isfinite(worths).all():
            raise BadInputError("the network has lost all measure; train with a smaller learning rate alpha")
        return worths

    def move(self, which: np.intp | int) -> tuple[int, ...]:
        """The actions of one of the moves that were found last."""
        row: list[int] = self.actions[which].tolist()
        return tuple(row[: row.index(-1)])


class TDPlayer(MarkovPolicy):
    """Plays a move of the highest worth; ties are broken at random.

    The rest of a move of several actions is chosen anew after each, and comes out the same: what is best stays so for
    as long as it can be played.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        self._plan = Plan()

    @property
    def evaluator(self) -> Network:
        """What it goes by; see `boardgames_agents.lookahead.judges`."""
        return self.network

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins."""
        super().begin(game, seats, rng)
        self._weigher = Weigher(self.network)
        self._plan = Plan()

    def distribution(self, position: Position) -> Distribution:
        """The actions that begin a best move, equally likely."""
        weigher = Weigher(self.network)
        worths = weigher.weigh(position)
        return uniform(tuple(sorted({weigher.move(which)[0] for which in np.flatnonzero(worths == worths.max())})))

    def choose(self, position: Position) -> int:
        """An action of the move that was chosen, or that begins another."""
        planned = self._plan.action(position)
        if planned is not None:
            return planned
        worths = self._weigher.weigh(position)
        best = np.flatnonzero(worths == worths.max())
        which = int(best[self.rng.integers(len(best))] if len(best) > 1 else best[0])
        return self._plan.begin(position, self._weigher.move(which))
