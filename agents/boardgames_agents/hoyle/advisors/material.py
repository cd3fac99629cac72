"""Advisors on material, the numbers of men on the board."""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor, graded
from boardgames_agents.hoyle.position_view import Choice, PositionView

_MAN = 3
"""Steps of strength per man."""


@advisor
class Material(Advisor):
    """Have more men on the board, and leave the other seat fewer.

    An effect of every move is no reason for any of them: a man that every move places is no gain. (In the paper
    Material comments in 7 % of the positions of a game a quarter of whose moves place men.)
    """

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves after which the balance of men is better than after the worst move."""
        leads = {option: _material_lead(option) for option in options}
        least = min(leads.values(), default=0)
        return graded({option: _MAN * (lead - least) for option, lead in leads.items()})


@advisor
class Vulnerable(Advisor):
    """Prevent the capture of men by the next move."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves after which a reply can take fewer men than after the worst move, by the men saved."""
        if not case.frame.captures:
            return {}
        losses = {option: _most_lost(option) for option in options}
        worst = max(losses.values(), default=0)
        return graded({option: _MAN * (worst - lost) for option, lost in losses.items()})


def _material_lead(side: Choice) -> int:
    return side.own.bit_count() - side.enemy.bit_count()


def _most_lost(choice: Choice) -> int:
    """Return the largest number of men that a reply to a move takes."""
    before = choice.own.bit_count()
    return max((before - reply.enemy.bit_count() for reply in choice.replies), default=0)
