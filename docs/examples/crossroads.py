"""An Advisor that stands where lines cross."""

from collections.abc import Sequence
from typing import ClassVar

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.advisors.grades import graded
from boardgames_agents.hoyle.position_view import Choice, PositionView


@advisor
class Crossroads(Advisor):
    """Stand on locations through which many winning lines go."""

    programs: ClassVar[tuple[str, ...]] = ()  # no paper has it: it is asked where an option names it

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Supports moves after which own men are on more lines than after the move that does least for it."""
        crossings = {option: sum((line & option.own).bit_count() for line in case.lines) for option in options}
        least = min(crossings.values(), default=0)
        return graded({option: count - least for option, count in crossings.items()})
