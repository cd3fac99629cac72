"""Advisors on the lines that a seat plays for, to win or to capture (Epstein 2001, section 3.2; `GameFrame.goals`).

A line is *open* to a seat while the other has no man on it. A move *reaches* a line if it brings a man there that was
not on it before; a slide along the line does not. In games without such lines these Advisors make no comments.
"""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor, graded
from boardgames_agents.hoyle.forr import ENTHUSIASM, INDIFFERENT
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.position_view import Choice, PositionView


@advisor
class Candide(Advisor):
    """Advance a naive plan: a winning line that is still open."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that reach an open line, in proportion to the share of it then held.

        With the option ``net_lines``, support moves by the number of men on open lines that are gained.
        """
        if self.knowledge.program.net_lines:
            held = _open_men(case.lines, case.own, case.enemy)
            gains = {option: _open_men(case.lines, option.own, option.enemy) - held for option in options}
            return graded({option: max(0, gain) for option, gain in gains.items()})
        opinion = {}
        for option in options:
            if lines := _lines_advanced(case, option):
                opinion[option] = max(_strength_of_share((line & option.own).bit_count(), line) for line in lines)
        return opinion


@advisor
class Worried(Advisor):
    """Destroy a naive plan of the other seat.

    Strengths are those of the other seat's Candide.
    """

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that close a line open to the other seat, in proportion to the share that it holds.

        With the option ``net_lines``, support moves by the number of the other seat's men on lines open to it that are
        closed, less those on lines that the move opens.
        """
        if self.knowledge.program.net_lines:
            held = _open_men(case.enemy_lines, case.enemy, case.own)
            losses = {option: held - _open_men(case.enemy_lines, option.enemy, option.own) for option in options}
            return graded({option: max(0, loss) for option, loss in losses.items()})
        opinion = {}
        for option in options:
            if lines := _lines_closed(case, option):
                opinion[option] = max(_strength_of_share((line & case.enemy).bit_count() + 1, line) for line in lines)
        return opinion


@advisor
class Greedy(Advisor):
    """Advance several winning lines at once."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that reach two or more open lines, a step of strength for each."""
        counts = {option: len(_lines_advanced(case, option)) for option in options}
        return {option: min(ENTHUSIASM, INDIFFERENT + count) for option, count in counts.items() if count >= 2}


@advisor
class Challenge(Advisor):
    """Cover as many winning lines as possible, and leave the other seat as few as possible; in static games.

    A line is covered if it is open and some man is on it. (No move changes which lines are open to its own mover in a
    static game, so these cannot be what the paper counts.)
    """

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves by the number of lines newly covered plus the number of the other seat's lines closed."""
        if not case.frame.static:
            return {}
        covered = {option: sum(not line & case.own for line in _lines_advanced(case, option)) for option in options}
        return graded({option: count + len(_lines_closed(case, option)) for option, count in covered.items()})


def _lines_reached(seat: int, case: PositionView, choice: Choice) -> set[int]:
    """Return the winning lines of a seat that a move reaches, whatever men are on them."""
    arrived, left = choice.own & ~case.own, case.own & ~choice.own
    lines_at = case.frame.goals_at[seat]
    return {line for location in locations_of(arrived) for line in lines_at[location] if not line & left}


def _lines_advanced(case: PositionView, choice: Choice) -> list[int]:
    """Return the mover's open lines that a move reaches."""
    return [line for line in _lines_reached(case.seat, case, choice) if not line & choice.enemy]


def _lines_closed(case: PositionView, choice: Choice) -> list[int]:
    """Return the lines open to the other seat that a move reaches and so closes."""
    return [line for line in _lines_reached(1 - case.seat, case, choice) if not line & case.own]


def _open_men(lines: Sequence[int], own: int, enemy: int) -> int:
    """Return the number of a seat's men on its open lines, those on several of them counted for each."""
    return sum((line & own).bit_count() for line in lines if not line & enemy)


def _strength_of_share(men: int, line: int) -> int:
    """Return a strength in proportion to the share of a line that is held."""
    return INDIFFERENT - (-(ENTHUSIASM - INDIFFERENT) * men // line.bit_count())
