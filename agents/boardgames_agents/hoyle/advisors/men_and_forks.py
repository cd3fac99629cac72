"""Advisors on the numbers of men on the board, and on forks."""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor, graded
from boardgames_agents.hoyle.forr import ENTHUSIASM
from boardgames_agents.hoyle.items.forks import Plan, open_plans, winning_locations
from boardgames_agents.hoyle.position_view import Choice, PositionView

_MAN = 3
"""Steps of strength per man."""

_DESTRUCTION = 8
_ADVANCE = 6


@advisor
class Material(Advisor):
    """Have more men on the board, and leave the other seat fewer; a man of a further kind, a king, counts for two.

    An effect of every move is no reason for any of them: a man that every move places is no gain. (In the paper
    Material comments in 7 % of the positions of a game a quarter of whose moves place men.)
    """

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves after which the balance of men is better than after the worst move."""
        leads = {option: _lead(option) for option in options}
        least = min(leads.values(), default=0)
        return graded({option: _MAN * (lead - least) for option, lead in leads.items()})


def _lead(choice: Choice) -> int:
    """Return by how much the mover's men outnumber the other seat's after a move."""
    lead = choice.own.bit_count() - choice.enemy.bit_count()
    for there in choice.kinds:
        lead += (choice.own & there).bit_count() - (choice.enemy & there).bit_count()
    return lead


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


def _most_lost(choice: Choice) -> int:
    """Return the largest number of men that a reply to a move takes."""
    before = choice.own.bit_count()
    return max((before - reply.enemy.bit_count() for reply in choice.replies), default=0)


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
