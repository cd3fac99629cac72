"""Advisors against traps: moves after which the other seat wins a man by force. (They are ours.)

Epstein 2001 defines a fork by "a subgoal (e.g., piece capture)", but learns forks only where men stay in place. These
Advisors look ahead instead, as far as the option ``lookahead`` says; with three plies they see a fork of captures.
"""

from collections.abc import Iterable, Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import AVERSION
from boardgames_agents.hoyle.options import Program
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy.explanation import Region


class _Trap(Advisor):
    supports, opposes = False, True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Oppose the moves that lead to fewer men than others do, with best play by both seats."""
        worse = self.knowledge.men_lookahead.worse(case)
        return {option: AVERSION for option in options if option.key in worse}

    def reason(self, case: PositionView, option: Choice) -> str:
        """Return what is lost, and how."""
        return self.knowledge.men_lookahead.text(case, option)

    def regions(self, case: PositionView) -> Iterable[Region]:
        """Return the lines that the other seat can close after moves that are opposed."""
        return self.knowledge.men_lookahead.regions(case)


@advisor
class Farsight(_Trap):
    """Make no move that loses a man by force, and win one by force if possible."""

    tier = 1

    @classmethod
    def belongs_to(cls, program: Program) -> bool:
        """Return whether moves that lose men are ruled out."""
        return program.lookahead > 0 and program.lookahead_by == "veto"


@advisor
class Trap(_Trap):
    """Lose no man by force, and win one by force if possible."""

    @classmethod
    def belongs_to(cls, program: Program) -> bool:
        """Return whether moves that lose men are voted against."""
        return program.lookahead > 0 and program.lookahead_by == "vote"
