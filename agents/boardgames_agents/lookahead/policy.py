"""`LookaheadPolicy`: any evaluator as a player."""

import numpy as np

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects
from boardgames_agents.lookahead.cube.jacoby import under_jacoby
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.plan import Plan
from boardgames_agents.policy import Policy, Rng
from boardgames_env.game import Game
from boardgames_env.position import Position


class LookaheadPolicy(Policy):
    """Plays the move that leads to what an evaluator thinks best, and handles the cube by a formula.

    A move is chosen as a whole. In a contest the rest of it is remembered, and played if the position is the one it was
    meant for; any other position is answered for by itself.

    Args:
        game: The game.
        evaluator: Judges positions.
        plies: How many plies it looks ahead, from 1.
        candidates: How many of the moves that look best it looks at more deeply.
        margin: How much worse than the best they may look, in points.
        doubling: The doubling formula.

    Raises:
        BadInputError: If an option is out of range.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        plies: int = 1,
        candidates: int = 8,
        margin: float = 0.16,
        doubling: Formula | None = None,
    ) -> None:
        self.game, self.evaluator = game, evaluator
        self.search = Expectimax(game, under_jacoby(evaluator, game), plies, candidates, margin)
        self._to_double = Expectimax(game, evaluator, plies, candidates, margin)
        self.doubler = Doubler(game, doubling or Janowski())
        self._plan = Plan()

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins: nothing of another one is remembered."""
        super().begin(game, seats, rng)
        self._plan = Plan()

    def choose(self, position: Position) -> int:
        """The next action of the best move."""
        planned = self._plan.action(position)
        if planned is not None:
            return planned
        if len(position.legal_actions) == 1:
            return position.legal_actions[0]
        if self.doubler.is_asked(position):
            return self._answer(position)
        return self._plan.begin(position, self.search.best_move(position.state))

    def _answer(self, position: Position) -> int:
        state = self.doubler.state_to_judge(position)
        return self.doubler.action(position, Prospects.of(self._to_double.chances(state[np.newaxis])[0].tolist()))
