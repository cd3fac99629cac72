"""Hoyle with learning turned off."""

from boardgames_agents.hoyle.explain import Explains
from boardgames_agents.hoyle.forr import Decision
from boardgames_agents.hoyle.mind import Mind, first_actions
from boardgames_agents.hoyle.position_view import Choice
from boardgames_agents.policy import Distribution, MarkovPolicy, Policy, Rng, drawn
from boardgames_env.game import Game
from boardgames_env.position import Position


class HoylePlayer(MarkovPolicy, Explains):
    """Plays what a mind decides, by the position alone."""

    def __init__(self, mind: Mind) -> None:
        super().__init__()
        self._mind = mind

    def distribution(self, position: Position) -> Distribution:
        """The actions that begin a best move, and how likely each is."""
        return first_actions(self.explain(position))

    def explain(self, position: Position) -> Decision[Choice]:
        """What it does in a position, and why: who said what, tier by tier."""
        return self._mind.decide(position)


class PlanningPlayer(Policy, Explains):
    """Plays what a mind decides that follows plans from one decision to the next."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins: nothing is planned."""
        super().begin(game, seats, rng)
        self._mind.forr.plan = None

    def choose(self, position: Position) -> int:
        """The move that the Advisors decide on."""
        return drawn(first_actions(self._mind.decide(position)), self.rng)

    def explain(self, position: Position) -> Decision[Choice]:
        """What it does in a position, and why: who said what, tier by tier."""
        return self._mind.explain(position)
