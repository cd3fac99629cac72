"""Advisors on material: how many men there are on the board."""

from collections.abc import Sequence

from agents.hoyle.advisors import Advisor, Opinion, advisor
from agents.hoyle.advisors.grades import graded
from agents.hoyle.view import Choice, View

_MAN = 3
"""Steps of strength for a man."""


@advisor
class Material(Advisor):
    """Have more men on the board, and leave the other seat fewer.

    It goes by counts alone, so it comments in every game in which men are placed (Epstein 2001, section 5).
    """

    opposes = True

    def comment(self, case: View, options: Sequence[Choice]) -> Opinion:
        """Supports moves that gain men or take some, and opposes the converse; of both, the balance counts."""
        lead = _lead(case)
        return graded({option: _MAN * (_lead(option) - lead) for option in options})


@advisor
class Vulnerable(Advisor):
    """Prevent the capture of men by the next move."""

    def comment(self, case: View, options: Sequence[Choice]) -> Opinion:
        """Supports moves after which a reply can take fewer men than after the worst move; each man saved counts."""
        if not case.frame.captures:
            return {}
        losses = {option: _most_lost(option) for option in options}
        worst = max(losses.values(), default=0)
        return graded({option: _MAN * (worst - lost) for option, lost in losses.items()})


def _lead(side: View | Choice) -> int:
    return side.own.bit_count() - side.enemy.bit_count()


def _most_lost(choice: Choice) -> int:
    """The most men that a reply to a move takes."""
    before = choice.own.bit_count()
    return max((before - reply.enemy.bit_count() for reply in choice.replies), default=0)
