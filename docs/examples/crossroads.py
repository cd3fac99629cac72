"""An Advisor that prefers locations where lines cross."""

from collections.abc import Sequence
from typing import ClassVar

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor, graded
from boardgames_agents.hoyle.position_view import Choice, PositionView


@advisor
class Crossroads(Advisor):
    """Occupy locations on many winning lines."""

    programs: ClassVar[tuple[str, ...]] = ()  # it belongs to no paper's program: an option adds it

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves after which own men are on more lines than after the worst move."""
        crossings = {option: sum((line & option.own).bit_count() for line in case.lines) for option in options}
        least = min(crossings.values(), default=0)
        return graded({option: count - least for option, count in crossings.items()})
