"""The Advisor on forks."""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import ENTHUSIASM
from boardgames_agents.hoyle.items.forks import Plan, open_plans, winning_locations
from boardgames_agents.hoyle.position_view import Choice, PositionView

_DESTRUCTION = 8
_ADVANCE = 6


@advisor
class Pitchfork(Advisor):
    """Advance forks of one's own, and destroy those of the other seat.

    Timing matters: a fork cannot be carried out while the other seat threatens to win elsewhere, and a threat destroys
    a fork unless the answer to the threat carries the fork out. (The papers do not say how Pitchfork weighs this. The
    paper's difficult situation is lost in this way: Epstein 1994, Figure 3. The error there would be merely to take a
    location where the lines of the other seat's fork meet.)
    """

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that carry out a known fork; less, moves that destroy one, or bring one within a move."""
        forks = self.knowledge.forks
        if not forks.space:
            return {}
        if forks.threats:
            return self._on_captures(case, options)
        mine = open_plans(case.lines, case.own, case.enemy, 3)
        theirs = open_plans(case.enemy_lines, case.enemy, case.own, 2)
        ready, feared = forks.ready(mine), forks.ready(theirs)
        opinion = {}
        for option in options:
            man = option.own & ~case.own
            kept = [plan for plan in theirs if not plan[0] & man]
            if option.points is not None or winning_locations(kept):
                continue
            advanced = [(line, lacking & ~man) for line, lacking in mine]
            if any(location == man for location, _ in ready):
                opinion[option] = ENTHUSIASM
            elif self._destroys(kept, winning_locations(advanced), feared):
                opinion[option] = _DESTRUCTION
            elif len(forks.ready(advanced)) > len(ready):
                opinion[option] = _ADVANCE
        return opinion

    def _on_captures(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that carry out a known fork of captures; less, moves that leave the other seat none.

        A fork cannot be carried out while the other seat threatens to capture.
        """
        forks = self.knowledge.forks
        assert forks.threats
        forks.threats.prepare(options)
        quiet = [option for option in options if not forks.threats.after(option, 1 - case.seat)]
        opinion = {option: ENTHUSIASM for option in quiet if forks.threatened(option, case.seat)}
        answers = {option: self._can_fork(option) for option in quiet}
        if any(answers.values()):
            opinion |= {option: _DESTRUCTION for option in quiet if not answers[option] and option not in opinion}
        return opinion

    def _can_fork(self, option: Choice) -> bool:
        """Return whether the other seat has a reply that carries out a fork of captures."""
        forks, seat = self.knowledge.forks, option.then.seat
        assert forks.threats
        forks.threats.prepare(option.replies)
        return any(
            not forks.threats.after(reply, 1 - seat) and forks.threatened(reply, seat) for reply in option.replies
        )

    def _destroys(self, kept: Sequence[Plan], threats: int, feared: Sequence[Plan]) -> bool:
        """Return whether a move leaves the other seat fewer forks than feared, and none that it has time to carry out.

        After the move the other seat has the plans ``kept``, and the mover could win at the locations ``threats``.
        """
        if not feared:
            return False
        left = self.knowledge.forks.ready(kept)
        if left and (not threats or any(location == threats for location, _ in left)):
            return False
        # The forced answer to a threat uses up the forks that it is part of.
        return len([lacking for _, lacking in left if not lacking & threats]) < len(feared)
