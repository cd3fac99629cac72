"""Explanations for every policy: its own, or by what it predicts, or by how likely its actions are."""

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski
from boardgames_agents.lookahead.evaluator import Evaluator, HasEvaluator
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.predictions import explained_by
from boardgames_agents.policy import MarkovPolicy, Policy
from boardgames_agents.policy.explanation import ConsideredMove, Explains, Explanation, explanation_of_moves
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn


def explainer_of(policy: Policy, game: Game) -> Explains:
    """Return what explains the decisions of a policy: itself, if it can.

    Otherwise the predictions of its evaluator explain them, or the probabilities of its actions.

    Raises:
        BadInputError: If it has none of these.
    """
    if isinstance(policy, Explains):
        return policy
    if isinstance(policy, HasEvaluator):
        return _ByPredictions(policy.evaluator, game)
    if isinstance(policy, MarkovPolicy):
        return _ByProbabilities(policy)
    raise BadInputError(
        f"{policy.spec or type(policy).__name__} cannot explain its moves; take an agent that can, such as hoyle"
    )


class _ByPredictions:
    """Explains by an evaluator's predictions after each move."""

    def __init__(self, evaluator: Evaluator, game: Game) -> None:
        self._search = Expectimax(game, evaluator)
        self._doubler = Doubler(game, Janowski())

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves with their outcome probabilities and equities."""
        return explained_by(self._search, self._doubler, position, played)


class _ByProbabilities:
    """Explains by the probabilities with which a policy chooses."""

    def __init__(self, policy: MarkovPolicy) -> None:
        self._policy = policy

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the actions with their probabilities. An arrow marks the likeliest ones, or the action played."""
        demand_turn(position, position.game)
        likely = dict.fromkeys(position.legal_actions, 0.0)
        likely |= zip(*self._policy.distribution(position), strict=True)
        ordered = sorted(likely, key=lambda action: -likely[action])
        most = likely[ordered[0]]
        text = position.game.action_text
        moves = [
            ConsideredMove(text(action), (f"{p:.1%}",), f"{p:.0%}", p / most, p == most, ((action,),))
            for action, p in ((action, likely[action]) for action in ordered)
        ]
        title = "decided by the probabilities of its actions"
        return explanation_of_moves(title, moves, numbers=("probability",), played=played)
