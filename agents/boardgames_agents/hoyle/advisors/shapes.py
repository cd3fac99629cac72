"""Advisors on shapes on the board: patterns of men, zones, and the lines that a seat plays for, to win or to capture.

A line is *open* to a seat while the other has no man on it. A move *reaches* a line if it brings a man there that was
not on it before; a slide along the line does not. In games without such lines (`GameFrame.goals`) the Advisors on them
make no comments.

Sources: "Visual Cues", sections 3 and 4; Epstein 2001, sections 3.2 and 4.
"""

from collections.abc import Sequence

import numpy as np

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor, graded
from boardgames_agents.hoyle.forr import ENTHUSIASM, INDIFFERENT, without_indifference
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.items.zoning import stage_of
from boardgames_agents.hoyle.position_view import Choice, PositionView

_WIN, _DRAW = 2, 1


@advisor
class Patsy(Advisor):
    """Move to a position whose patterns have positive associations for Hoyle, negative for the opposition."""

    opposes = True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support or oppose moves by the value of the patterns they create, less that of those they destroy.

        The value of a pattern is 2 if the mover won wherever it was seen, 1 if all contests were drawn, -2 if the mover
        lost. The move with the largest change gets the strongest comment, the others are in proportion. (The older
        Patsy divided the value by the number of known patterns, which does not change the order of the moves.)
        """
        patterns = self.knowledge.patterns
        if patterns is None or not patterns.space:
            return {}
        contents = patterns.contents
        side = _WIN if case.seat == contents.first else -_WIN
        balance, drawn = patterns.balance(contents.of(case, case.seat))
        effects = {}
        for option in options:
            balance_then, drawn_then = patterns.balance(contents.of(option, case.seat))
            effects[option] = side * (balance_then - balance) + _DRAW * (drawn_then - drawn)
        most = max(map(abs, effects.values()), default=0) or 1
        strengths = [INDIFFERENT + round(INDIFFERENT * effect / most) for effect in effects.values()]
        return without_indifference(options, strengths)


@advisor
class ZoneRanger(Advisor):
    """Move to a position whose zones have positive associations for Hoyle, negative for the opposition."""

    name = "Zone Ranger"
    opposes = True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves that most active expressions favour, and oppose those that most disfavour.

        With f changes in the direction believed to be correct and a in the other, the strength is
        5 + 5 (f − a) / (f + a), rounded: every change has the same weight, like every pattern for Patsy. (The paper
        does not say how strengths are computed; this one is 10 if all changes are in the right direction.)
        """
        zones = self.knowledge.zones
        if zones is None or not zones.directions.any():
            return {}
        stages = [stage_of(case, option) for option in options]
        evidence = zones.zoning.changes(case, options) * zones.directions[stages]
        balance, weight = evidence.sum(axis=1), np.abs(evidence).sum(axis=1)
        strengths = np.rint(INDIFFERENT + INDIFFERENT * balance / np.maximum(weight, 1)).astype(int)
        return without_indifference(options, strengths.tolist())


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
