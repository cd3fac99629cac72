"""An agent that wins when it can."""

from boardgames_agents.policy import Distribution, MarkovPolicy, mixture, uniform
from boardgames_agents.registry import agent
from boardgames_env import Game, Position


@agent("opportunist")
class Opportunist(MarkovPolicy):
    """A player of an action that wins at once, if there is one, and of a random action otherwise.

    Args:
        game: The game.
        slips: Probability of overlooking a win.
    """

    def __init__(self, game: Game, slips: float = 0.0) -> None:
        super().__init__()
        self.slips = slips

    def distribution(self, position: Position) -> Distribution:
        """Return the winning actions with probability ``1 - slips``, otherwise all actions."""
        actions = position.legal_actions
        wins = tuple(each for each in actions if (position.after(each).points_for(position.seat) or 0) > 0)
        if not wins:
            return uniform(actions)
        return mixture([(1 - self.slips, uniform(wins)), (self.slips, uniform(actions))])
