"""The Advisor on the influence of men along predrawn lines ("Visual Cues", section 2.1).

A man *affects* all positions on its lines, once for each line. The *cover* of a seat is the multiset of the positions
that its men affect.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.advisors.goal_lines import lines_through
from boardgames_agents.hoyle.advisors.grades import SUPPORT
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.position_view import Choice, PositionView

if TYPE_CHECKING:
    from boardgames_agents.hoyle.useful_knowledge import Knowledge


class Cover(NamedTuple):
    """A multiset of locations.

    Attributes:
        once: The locations in it, as a bit mask.
        twice: The locations that are in it more than once.
    """

    once: int
    twice: int


def union(lines: Iterable[int]) -> Cover:
    """Return the cover of some lines, given as bit masks of locations; a line may occur more than once."""
    once = twice = 0
    for line in lines:
        twice |= once & line
        once |= line
    return Cover(once, twice)


@advisor
class Coverage(Advisor):
    """Spread the men over as many positions as possible, above all over those that the other seat covers.

    A move of a man that was on the board is treated as a slide, whatever the stage.
    """

    def __init__(self, knowledge: "Knowledge") -> None:
        super().__init__(knowledge)
        frame = knowledge.frame
        self._through = lines_through(frame.lines, frame.game.board.size)

    def cover(self, men: int) -> Cover:
        """Return the cover of the men on a bit mask of locations."""
        return union(line for location in locations_of(men) for line in self._through[location])

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the placements and slides that the paper's algorithm recommends, all with the same strength."""
        own, enemy = self.cover(case.own), self.cover(case.enemy)
        places = _placements(own, enemy, case.empty)
        contested = enemy.twice & ~own.twice
        opinion = {}
        for option in options:
            arrived, left = option.own & ~case.own, case.own & ~option.own
            if arrived & (contested if left else places) or (left and self._spreads(own, option)):
                opinion[option] = SUPPORT
        return opinion

    def _spreads(self, own: Cover, choice: Choice) -> bool:
        """Return whether a move increases the number of distinct positions covered."""
        return self.cover(choice.own).once.bit_count() > own.once.bit_count()


def _placements(own: Cover, enemy: Cover, empty: int) -> int:
    """Return where to place: positions that only the enemy covers, if possible more than once.

    If there are none, those that it covers more than once. (This is the paper's third case, which does not name the
    cover that it counts in; we take the only one it has named.)
    """
    difference = enemy.once & ~own.once & empty
    return difference & enemy.twice or difference or enemy.twice & empty
