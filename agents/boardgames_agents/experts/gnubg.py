"""GNU Backgammon as a player, in whatever form its judgement can be had: here, as the package gnubg-nn."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.experts.whole_moves import WholeMovePlayer
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski, Prospects
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, equities
from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, MissingLibraryError, require
from boardgames_env.game import Game
from boardgames_env.games.backgammon.backgammon_board import BAR, BARS, DICE, OVER, PHASE, POINTS
from boardgames_env.games.backgammon.legality import men_of
from boardgames_env.kernels import State
from boardgames_env.position import Position

MOST_PLIES = 3

Side = Sequence[int]
"""A seat's men as GNU Backgammon has them: on its own points 1 to 24, and on its bar; 25 numbers."""


class GnubgPlayer(WholeMovePlayer):
    """Asks GNU Backgammon for the best play of a roll, and how likely it is to win, for the cube.

    In the middle of a turn that another has begun there is no roll to ask about: there it takes the position that is
    the worst for the other seat, by the same judgement, without the cube. The cube is handled by Janowski's formula on
    GNU Backgammon's probabilities.

    Raises:
        BadInputError: If the game is not backgammon with 15 men a seat.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._doubler = Doubler(game, Janowski())

    @abstractmethod
    def best_play(self, state: State, dice: tuple[int, int]) -> tuple[Side, Side]:
        """The men of the seat to move, and of the other, after the best play of a roll."""

    @abstractmethod
    def probabilities(self, state: State) -> Sequence[float]:
        """How likely the seat to roll wins, wins a gammon, a backgammon, loses a gammon, a backgammon."""

    @property
    def evaluator(self) -> Evaluator:
        """Its evaluator; see `boardgames_agents.lookahead.evaluator.evaluator_of`."""
        return self

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        """How likely each outcome is for the seat to move; see `Evaluator`."""
        return np.array([self._outcomes(state) for state in states], dtype=np.float32).reshape(-1, 6)

    def pick(self, state: State, afterstates: NDArray[np.int8], found: int) -> int:
        """The row of the best play."""
        seat, dice = int(state[0]), whole_roll(state)
        if dice is None:
            return int(np.argmax([self._worth(reached) for reached in afterstates[:found]]))
        men = self.best_play(state, dice)
        reached = afterstates[:found, 1 : BARS + 2]
        rows = np.flatnonzero((reached == slots(*(men if seat == 0 else men[::-1]))).all(axis=1))
        if len(rows) != 1:
            raise BadInputError(f"GNU Backgammon has answered {dice} with a play that is not legal: it leaves {men}")
        return int(rows[0])

    def answer(self, position: Position) -> int:
        """What to do with the cube."""
        judged = self._outcomes(self._doubler.state_to_judge(position))
        return self._doubler.action(position, Prospects.of(judged))

    def _worth(self, reached: State) -> float:
        """The expected points, without the cube, of the seat that has moved; bearing the last man off is best."""
        return float("inf") if reached[PHASE] == OVER else -float(equities(np.array(self._outcomes(reached))))

    def _outcomes(self, state: State) -> list[float]:
        """How likely the seat to roll is to win 1, 2, 3 points, and to lose as many."""
        win, gammon, backgammon, lost_gammon, lost_backgammon = self.probabilities(state)
        won = (win - gammon, gammon - backgammon, backgammon)
        return [*won, 1 - win - lost_gammon, lost_gammon - lost_backgammon, lost_backgammon]


def whole_roll(state: State) -> tuple[int, int] | None:
    """The dice, the larger first, if none has been played yet."""
    left = state[DICE + 1 : DICE + 7]
    shown = (np.flatnonzero(left) + 1).tolist()
    if len(shown) == 2:
        return shown[1], shown[0]
    return (shown[0], shown[0]) if left.max() == 4 else None


def side(state: State, seat: int) -> Side:
    """A seat's men as GNU Backgammon has them."""
    return men_of(state, seat)[1:]


def slots(men: Side, others: Side) -> NDArray[np.int8]:
    """What a state holds, from slot 1 on, of the men of seats 0 and 1: on the points, then the bars; shape (26,)."""
    points = np.array(men[:POINTS]) - np.array(others[:POINTS])[::-1]
    return np.array([*points, men[BAR - 1], -others[BAR - 1]], dtype=np.int8)


class GnubgNN(GnubgPlayer):
    """The neural networks of GNU Backgammon, as the package gnubg-nn has them; see `gnubg`."""

    def __init__(self, game: Game, plies: int) -> None:
        super().__init__(game)
        require(0, MOST_PLIES, plies=plies)
        self._gnubg: Any = _package()
        self._plies = plies

    def best_play(self, state: State, dice: tuple[int, int]) -> tuple[Side, Side]:
        """What its ``best_move`` chooses; the key it returns is of the seat that has moved, and then of the other."""
        _, key = self._gnubg.best_move(self._board(state), *dice, n=self._plies, b=1)
        own, other = self._gnubg.board_from_position_key(key)
        return own, other

    def probabilities(self, state: State) -> Sequence[float]:
        """What its ``probabilities`` says."""
        found: Sequence[float] = self._gnubg.probabilities(self._board(state), self._plies)
        return found

    def _board(self, state: State) -> tuple[Side, Side]:
        seat = int(state[0])
        return side(state, 1 - seat), side(state, seat)


@agent("gnubg")
def gnubg(game: Game, plies: int = 0) -> Policy:
    """Plays as the neural networks of GNU Backgammon, in the package gnubg-nn, judge positions.

    The package is licensed under the GPL, and is only imported when such an agent is made; install it with
    ``pip install 'boardgames-env[gnubg]'``. Plies are counted as GNU Backgammon counts them: 0 evaluates the positions
    that the moves lead to. Janowski's formula handles the cube.

    Args:
        game: Backgammon with 15 men a seat.
        plies: How far it looks ahead, from 0 to 3.

    Raises:
        BadInputError: If the game or the plies are not allowed, or gnubg-nn is not installed.
    """
    return GnubgNN(game, plies)


def _package() -> Any:
    try:
        import gnubg_nn
    except ImportError as error:
        raise MissingLibraryError("the agent gnubg needs the package gnubg-nn (GPL)", "gnubg") from error
    return gnubg_nn
