"""GNU Backgammon as a player: the common base class, and the package gnubg-nn."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.backgammon.whole_moves import WholeMovePlayer
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski, Prospects
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, equities
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, MissingLibraryError, require
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, BARS, DICE, OVER, POINTS, STAGE
from boardgames_env.games.backgammon.rules.legality import men_of
from boardgames_env.kernels import State
from boardgames_env.position import Position
from boardgames_env.spec import Quick

MOST_PLIES = 3

Side = Sequence[int]
"""A seat's men in GNU Backgammon's order: on its own points 1 to 24 and on its bar, 25 numbers."""


class GnubgPlayer(WholeMovePlayer):
    """A player by GNU Backgammon's best play of a roll, and by its probabilities for the cube.

    In the middle of a turn that another player has begun there is no roll to ask about: there it chooses the position
    that is worst for the other seat by the same probabilities, without the cube. Unless `answer` is overridden,
    Janowski's formula on GNU Backgammon's probabilities decides about the cube.

    Raises:
        BadInputError: If the game is not backgammon with 15 men a seat.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._doubler = Doubler(game, Janowski())

    @abstractmethod
    def best_play(self, state: State, dice: tuple[int, int]) -> tuple[Side, Side]:
        """Return the men of the seat to move and of the other after the best play of a roll."""

    @abstractmethod
    def probabilities(self, state: State) -> Sequence[float]:
        """Return the chances before a roll to win, win a gammon, a backgammon, and lose either."""

    @property
    def evaluator(self) -> Evaluator:
        """Its evaluator; see `boardgames_agents.lookahead.evaluator.evaluator_of`."""
        return self

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        """Return the outcome probabilities for the seat to move; see `Evaluator`."""
        return np.array([self._outcomes(state) for state in states], dtype=np.float32).reshape(-1, 6)

    def pick(self, state: State, afterstates: NDArray[np.int8], found: int) -> int:
        """Return the row of the best play."""
        seat, dice = int(state[0]), whole_roll(state)
        if dice is None:
            return int(np.argmax([self._equity(reached) for reached in afterstates[:found]]))
        men = self.best_play(state, dice)
        reached = afterstates[:found, 1 : BARS + 2]
        rows = np.flatnonzero((reached == slots(*(men if seat == 0 else men[::-1]))).all(axis=1))
        if len(rows) != 1:
            raise BadInputError(
                f"GNU Backgammon has answered {dice} with an illegal play, after which the men are {men}"
            )
        return int(rows[0])

    def answer(self, position: Position) -> int:
        """Return the cube action."""
        judged = self._outcomes(self._doubler.state_to_judge(position))
        return self._doubler.action(position, Prospects.of(judged))

    def _equity(self, reached: State) -> float:
        """Return the mover's equity without the cube; infinite if its last man is off."""
        return float("inf") if reached[STAGE] == OVER else -float(equities(np.array(self._outcomes(reached))))

    def _outcomes(self, state: State) -> list[float]:
        """Return the probabilities that the seat to roll wins 1, 2, 3 points, and loses as many."""
        win, gammon, backgammon, lost_gammon, lost_backgammon = self.probabilities(state)
        won = (win - gammon, gammon - backgammon, backgammon)
        return [*won, 1 - win - lost_gammon, lost_gammon - lost_backgammon, lost_backgammon]


def whole_roll(state: State) -> tuple[int, int] | None:
    """Return the dice, the larger first, or ``None`` if one has been played."""
    left = state[DICE + 1 : DICE + 7]
    shown = (np.flatnonzero(left) + 1).tolist()
    if len(shown) == 2:
        return shown[1], shown[0]
    return (shown[0], shown[0]) if left.max() == 4 else None


def side(state: State, seat: int) -> Side:
    """Return a seat's men in GNU Backgammon's order."""
    return men_of(state, seat)[1:]


def slots(men: Side, others: Side) -> NDArray[np.int8]:
    """Return a state's slots from 1 on for the men on points and bars; shape ``(26,)``."""
    points = np.array(men[:POINTS]) - np.array(others[:POINTS])[::-1]
    return np.array([*points, men[BAR - 1], -others[BAR - 1]], dtype=np.int8)


@agent("gnubg", for_people="GNU Backgammon: the networks of the free program", needs="the package gnubg-nn")
class GnubgNN(GnubgPlayer):
    """A player by the neural networks of GNU Backgammon in the package gnubg-nn.

    The package is licensed under the GPL, and is only imported when such an agent is made; install it with
    ``pip install 'boardgames-env[gnubg]'``. Plies are counted as in GNU Backgammon: 0 evaluates the positions after the
    moves. Janowski's formula decides about the cube.

    Args:
        game: Backgammon with 15 men a seat.
        plies: The search depth, from 0 to 3.

    Raises:
        BadInputError: If the game or the plies are not allowed, or gnubg-nn is not installed.
    """

    def __init__(self, game: Game, plies: Annotated[int, Quick(2)] = 0) -> None:
        super().__init__(game)
        require(0, MOST_PLIES, plies=plies)
        try:
            import gnubg_nn
        except ImportError as error:
            raise MissingLibraryError("the agent gnubg needs the package gnubg-nn (GPL)", "gnubg") from error
        self._gnubg: Any = gnubg_nn
        self._plies = plies

    def best_play(self, state: State, dice: tuple[int, int]) -> tuple[Side, Side]:
        """Return the men after its ``best_move``, whose key has the seat that has moved first."""
        _, key = self._gnubg.best_move(self._board(state), *dice, n=self._plies, b=1)
        own, other = self._gnubg.board_from_position_key(key)
        return own, other

    def probabilities(self, state: State) -> Sequence[float]:
        """Return its ``probabilities``."""
        found: Sequence[float] = self._gnubg.probabilities(self._board(state), self._plies)
        return found

    def _board(self, state: State) -> tuple[Side, Side]:
        seat = int(state[0])
        return side(state, 1 - seat), side(state, seat)
