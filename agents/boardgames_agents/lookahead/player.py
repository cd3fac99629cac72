"""`LookaheadPolicy`: any evaluator as a player."""

import numpy as np

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.predictions import explained_by
from boardgames_agents.policy.explanation import Explanation
from boardgames_agents.policy.whole_moves import WholeMovePolicy
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn


class LookaheadPolicy(WholeMovePolicy):
    """Plays the best move by look-ahead with an evaluator, and handles the cube by a formula.

    Args:
        game: The game.
        evaluator: The evaluator of positions.
        plies: Plies of look-ahead, from 1.
        candidates: Most moves that are examined more deeply.
        margin: Largest difference of these from the best move, in points.
        doubling: The doubling formula.

    Raises:
        BadInputError: If an option is out of range.
    """

    is_memoryless = True

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        plies: int = 1,
        candidates: int = 8,
        margin: float = 0.16,
        doubling: Formula | None = None,
    ) -> None:
        super().__init__()
        self.game, self.evaluator = game, evaluator
        self.search = Expectimax(game, evaluator, plies, candidates, margin)
        self.doubler = Doubler(game, doubling or Janowski())

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of the best move, or a decision about the cube."""
        demand_turn(position, self.game)
        if len(position.legal_actions) == 1:
            return position.legal_actions
        if not self.doubler.is_asked(position):
            return self.search.best_move(position.state)
        state = self.doubler.state_to_judge(position)
        (probabilities,) = self.search.to_double.outcome_probabilities(state[np.newaxis]).tolist()
        return (self.doubler.action(position, Prospects.of(probabilities)),)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves with their outcome probabilities and equities, or the values of the cube actions."""
        return explained_by(self.search, self.doubler, position, played)
