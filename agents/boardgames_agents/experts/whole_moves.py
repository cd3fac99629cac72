"""Players of backgammon that choose a whole move at the start of a turn."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.plan import Plan
from boardgames_agents.policy import Policy, Rng
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.backgammon_board import MOVING, PHASE, BackgammonRules
from boardgames_env.kernels import State
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from boardgames_env.position import Position

MEN = 15


class WholeMovePlayer(Policy):
    """Chooses among the positions that the moves of a roll lead to, and plays the move action by action.

    It remembers the rest of the move until another is chosen, so it is no `MarkovPolicy`: in the middle of a turn it
    finishes what it began. Shown a position that it has not led to itself, it chooses among all that can still be
    played.

    Args:
        game: Backgammon with 15 men a seat.

    Raises:
        BadInputError: If the game is another.
    """

    def __init__(self, game: Game) -> None:
        if not isinstance(game.family, BackgammonRules) or game.family.men != MEN:
            raise BadInputError(f"this agent plays backgammon with {MEN} men a seat only, not {game.spec}")
        self.game = game
        self._write_moves = moves_kernel(game).run
        self._afterstates = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
        self._actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
        self._plan = Plan()

    @abstractmethod
    def pick(self, state: State, afterstates: NDArray[np.int8], found: int) -> int:
        """The row of the position to play to.

        Args:
            state: The state in which the move is chosen.
            afterstates: The distinct positions that it can lead to, in the first rows; the other seat is to move there,
                unless the contest is over.
            found: How many these are, at least two.
        """

    @abstractmethod
    def answer(self, position: Position) -> int:
        """What to do with the cube."""

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins: nothing of another one is remembered."""
        super().begin(game, seats, rng)
        self._plan = Plan()

    def choose(self, position: Position) -> int:
        """The next action of the chosen move."""
        action = self._plan.action(position)
        if action is not None:
            return action
        state = position.state
        if state[PHASE] != MOVING:
            return self.answer(position)
        found = self._write_moves(state, self._afterstates, self._actions)
        row = self.pick(state, self._afterstates, found) if found > 1 else 0
        actions: list[int] = self._actions[row].tolist()
        return self._plan.begin(position, tuple(actions[: actions.index(-1)]))
