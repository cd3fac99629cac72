"""Advisors on patterns of men, and on zones of the board.

Sources: "Visual Cues", sections 3 and 4; Epstein 2001, section 4.
"""

from collections.abc import Sequence

import numpy as np

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import INDIFFERENT, without_indifference
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
        balance, drawn = patterns.balance(contents.before(case))
        effects = {}
        for option in options:
            balance_then, drawn_then = patterns.balance(contents.after(case, option))
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
