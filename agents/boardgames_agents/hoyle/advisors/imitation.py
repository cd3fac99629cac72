"""Advisors that refer to moves made before."""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import OPPOSITION, SUPPORT, Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import ENTHUSIASM
from boardgames_agents.hoyle.position_view import Choice, PositionView


@advisor
class Anthropomorph(Advisor):
    """Move as an expert did."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves that an expert has made here."""
        made = self.knowledge.expert_moves.made_in(case.key)
        return {option: ENTHUSIASM for option in options if option.key in made}


@advisor
class Cyber(Advisor):
    """Move as Hoyle did when it did not lose."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves that Hoyle has made here if it lost none of those contests."""
        made = self.knowledge.hoyle_moves.made_in(case.key)
        return {option: SUPPORT for option in options if option.key in made and not made[option.key][0]}


@advisor
class NotAgain(Advisor):
    """Do not repeat a move that Hoyle made in a contest it lost."""

    name = "Not Again"
    supports, opposes = False, True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Oppose the moves that Hoyle made here in a contest that it lost."""
        made = self.knowledge.hoyle_moves.made_in(case.key)
        return {option: OPPOSITION for option in options if option.key in made and made[option.key][0]}


@advisor
class Open(Advisor):
    """Open as whoever beat Hoyle did."""

    programs = ("1994",)

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves of reliable openings."""
        made = self.knowledge.openings.made_in(case.key)
        return {option: SUPPORT for option in options if option.key in made}


@advisor
class Leery(Advisor):
    """Avoid moves to a dangerous state."""

    supports, opposes = False, True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Oppose the moves to states that seemed lost when the search for a proof ended."""
        return {option: OPPOSITION for option in options if option.key in self.knowledge.states.dangerous}
