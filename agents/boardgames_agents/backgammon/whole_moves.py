"""Players of backgammon that choose a whole move at the start of a turn."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.policy.whole_moves import WholeMovePolicy
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import MOVING, STAGE, BackgammonRules
from boardgames_env.kernels import State
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, actions_of, moves_kernel
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve.bearoff import MEN


class WholeMovePlayer(WholeMovePolicy):
    """A player that chooses among the positions after the moves of a roll.

    In the middle of a turn that it has not begun, it chooses among all moves that are left.

    Raises:
        BadInputError: If the game is not backgammon with 15 men a seat.
    """

    def __init__(self, game: Game) -> None:
        if not isinstance(game.family, BackgammonRules) or game.family.men != MEN:
            raise BadInputError(f"this agent plays backgammon with {MEN} men a seat only, not {game.spec}")
        super().__init__()
        self.game = game
        self._write_moves = moves_kernel(game).run
        self._afterstates = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
        self._actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)

    @abstractmethod
    def pick(self, state: State, afterstates: NDArray[np.int8], found: int) -> int:
        """Return the row of the position to play to.

        The distinct states after the moves from ``state`` are the first ``found`` rows, at least two, of
        ``afterstates``. The other seat is to move there, unless the contest is over.
        """

    @abstractmethod
    def answer(self, position: Position) -> int:
        """Return the cube action."""

    def moves(self, state: State) -> tuple[list[tuple[int, ...]], NDArray[np.int8]]:
        """Return the actions of every distinct move from a state with dice to play, and the states after them."""
        found = self._write_moves(state, self._afterstates, self._actions)
        return [actions_of(self._actions[row]) for row in range(found)], self._afterstates[:found]

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of the chosen move, or the cube action."""
        demand_turn(position, self.game)
        state = position.state
        if state[STAGE] != MOVING:
            return (self.answer(position),)
        found = self._write_moves(state, self._afterstates, self._actions)
        row = self.pick(state, self._afterstates, found) if found > 1 else 0
        return actions_of(self._actions[row])
