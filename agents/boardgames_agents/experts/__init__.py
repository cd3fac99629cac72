"""Policies that do not learn: random, perfect, fallible and informed players, and people."""

from boardgames_agents.policy import Distribution, MarkovPolicy, uniform
from boardgames_agents.registry import agent
from boardgames_env.game import Game
from boardgames_env.position import Position


@agent("random")
class RandomPlayer(MarkovPolicy):
    """A player of any legal action, all equally likely."""

    def __init__(self, game: Game) -> None:
        super().__init__()

    def distribution(self, position: Position) -> Distribution:
        """Return all legal actions, equally likely."""
        return uniform(position.legal_actions)
