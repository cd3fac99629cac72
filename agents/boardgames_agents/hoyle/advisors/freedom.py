"""Advisors on the freedom of men: the positions that they cover, and their mobility.

A man *affects* all positions on its lines, once for each line. The *cover* of a seat is the multiset of the positions
that its men affect ("Visual Cues", section 2.1).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from boardgames_agents.hoyle.advisors import SUPPORT, Advisor, Opinion, advisor, graded
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.position_view import Choice, PositionView


class Cover(NamedTuple):
    """A multiset of locations as bit masks: those in it, and those that are in it more than once."""

    once: int
    twice: int


def union(lines: Iterable[int]) -> Cover:
    """Return the cover of some lines, given as bit masks; a line may occur more than once."""
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

    def cover(self, men: int) -> Cover:
        """Return the cover of the men on a bit mask of locations."""
        return union(line for location in locations_of(men) for line in self.knowledge.frame.lines_at[location])

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the placements and slides that the paper's algorithm recommends, all with the same strength."""
        own, enemy = self.cover(case.own), self.cover(case.enemy)
        places = _placements(own, enemy, case.empty)
        contested = enemy.twice & ~own.twice
        opinion = {}
        for option in options:
            arrived, left = option.own & ~case.own, case.own & ~option.own
            spreads = left and self.cover(option.own).once.bit_count() > own.once.bit_count()
            if spreads or arrived & (contested if left else places):
                opinion[option] = SUPPORT
        return opinion


def _placements(own: Cover, enemy: Cover, empty: int) -> int:
    """Return where to place: positions that only the enemy covers, if possible more than once.

    If there are none, those that it covers more than once. (This is the paper's third case, which does not name the
    cover that it counts in; we take the only one it has named.)
    """
    difference = enemy.once & ~own.once & empty
    return difference & enemy.twice or difference or enemy.twice & empty


@advisor
class Freedom(Advisor):
    """Have more legal moves, and leave the other seat fewer.

    (The paper supports a move for either reason and does not say what follows when they conflict; here the balance
    counts. A move that ends the contest gets no comment.)
    """

    opposes = True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that improve the balance of legal actions, and oppose those that worsen it."""
        lead = _mobility_lead(case)
        return graded({option: _mobility_lead(option) - lead for option in options if option.points is None})


def _mobility_lead(side: PositionView | Choice) -> int:
    return side.mobility(mine=True) - side.mobility(mine=False)
