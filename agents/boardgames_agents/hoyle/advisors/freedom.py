"""The Advisor on mobility."""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.advisors.grades import graded
from boardgames_agents.hoyle.position_view import Choice, PositionView


@advisor
class Freedom(Advisor):
    """Have more legal moves, and leave the other seat fewer.

    (The paper supports a move for either reason and does not say what follows when they conflict; here the balance
    counts. A move that ends the contest gets no comment.)
    """

    opposes = True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that improve the balance of legal actions, and oppose those that worsen it."""
        lead = _lead(case)
        return graded({option: _lead(option) - lead for option in options if option.points is None})


def _lead(side: PositionView | Choice) -> int:
    return side.mobility(mine=True) - side.mobility(mine=False)
