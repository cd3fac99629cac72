"""Tier 1: Advisors that are always right, in the order of Epstein 2001, Table 8.1.

(The table and the text beside it exchange Sadder and Don't Lose. Here Victory and Don't Lose apply the rules one ply
ahead, and Wiser and Sadder the significant states.)

Farsight, against traps, after which the other seat wins a man by force, is ours; Trap is the same reason as a vote of
tier 3. Epstein 2001 defines a fork by "a subgoal (e.g., piece capture)", but learns forks only where men stay in
place. These two look ahead instead, as far as the option ``lookahead`` says; with three plies they see a fork of
captures.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import AVERSION, ENTHUSIASM
from boardgames_agents.hoyle.items.states import ProvenValue
from boardgames_agents.hoyle.options import HoyleProgram
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy.explanation import Region


class _Certain(Advisor):
    tier = 1


@advisor
class Victory(_Certain):
    """Make a move that wins at once."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support one winning move."""
        return next(({option: ENTHUSIASM} for option in options if (option.points or 0) > 0), {})


@advisor
class Wiser(_Certain):
    """Make a move to a position that is known to be won."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves to such positions that win soonest, so that the contest makes progress."""
        values = {option: self.knowledge.states.after(option) for option in options}
        plies = {option: value[1] for option, value in values.items() if value is not None and value[0] > 0}
        return {option: ENTHUSIASM for option in plies if plies[option] == min(plies.values())}


@advisor
class Sadder(_Certain):
    """Do not move to a position that is known to be lost."""

    supports, opposes = False, True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Oppose the moves to significant states that are won for the other seat."""
        states = self.knowledge.states
        return {option: AVERSION for option in options if option.points is None and _is(states.after(option), -1)}


@advisor
class DontLose(_Certain):
    """Do not make a move that loses at once."""

    name = "Don't Lose"
    supports, opposes = False, True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Oppose moves that end the contest with a loss."""
        return {option: AVERSION for option in options if (option.points or 0) < 0}


@advisor
class Panic(_Certain):
    """Block a move with which the other seat would win at once."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves that leave no such reply if others leave one; a move that loses at once blocks nothing."""
        exposed = {option for option in options if any((reply.points or 0) > 0 for reply in option.replies)}
        safe = [option for option in options if option not in exposed and (option.points or 0) >= 0]
        return dict.fromkeys(safe, ENTHUSIASM) if exposed else {}


@advisor
class EnoughRope(_Certain):
    """Leave the other seat a move that loses, if it has one."""

    name = "Enough Rope"
    supports, opposes = False, True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Oppose the moves that leave no losing reply, unless all moves do."""
        states = self.knowledge.states
        bare = [option for option in options if not any(_is(states.after(reply), -1) for reply in option.replies)]
        return dict.fromkeys(bare, AVERSION) if len(bare) < len(options) else {}


@advisor
class Shortsight(_Certain):
    """Take moves that win two plies ahead, and avoid those that lose."""

    opposes = True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves all of whose replies are known to lose; oppose those with a reply known to win."""
        states = self.knowledge.states
        replies = {option: [states.after(reply) for reply in option.replies] for option in options}
        won = [option for option in options if replies[option] and all(_is(value, -1) for value in replies[option])]
        lost = [option for option in options if any(_is(value, 1) for value in replies[option])]
        return dict.fromkeys(lost, AVERSION) | dict.fromkeys(won, ENTHUSIASM)


def _is(value: ProvenValue | None, points: int) -> bool:
    return value is not None and value[0] == points


class _Trap(Advisor):
    supports, opposes = False, True
    by: ClassVar[str]

    @classmethod
    def belongs_to(cls, program: HoyleProgram) -> bool:
        """Return whether moves that lose men are ruled out, or voted against, whichever it does."""
        return program.lookahead > 0 and program.lookahead_by == cls.by

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
    by = "veto"


@advisor
class Trap(_Trap):
    """Lose no man by force, and win one by force if possible."""

    by = "vote"
