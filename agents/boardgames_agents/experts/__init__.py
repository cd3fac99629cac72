"""Policies that do not learn: random, perfect, fallible and informed players, and people."""

from boardgames_agents.policy import Distribution, MarkovPolicy, uniform
from boardgames_agents.policy.batch_players import ANY_LEGAL, BY_PROBABILITY, ChoiceTable
from boardgames_agents.registry import agent
from boardgames_env.game import Game
from boardgames_env.position import Position


@agent("random", for_people="Random player: plays any move that is allowed")
class RandomPlayer(MarkovPolicy):
    """A player of any legal action, all equally likely."""

    def __init__(self, game: Game) -> None:
        super().__init__()

    def distribution(self, position: Position) -> Distribution:
        """Return all legal actions, equally likely."""
        return uniform(position.legal_actions)

    def by_position(self, game: Game) -> ChoiceTable:
        """Return the policy as a table, which stays empty: kernels list the legal actions themselves."""
        is_random = type(self).distribution is RandomPlayer.distribution
        return ChoiceTable(game, self.distribution, ANY_LEGAL if is_random else BY_PROBABILITY)
