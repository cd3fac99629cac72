"""Advisors on the zones of the board (Epstein 2001, section 4.2)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import AVERSION, ENTHUSIASM, INDIFFERENT
from boardgames_agents.hoyle.perception.zoning import Zoning, described, stage_of
from boardgames_agents.hoyle.position_view import Choice, PositionView

if TYPE_CHECKING:
    from boardgames_agents.hoyle.items.zones import ZoneLesson

STRENGTHS = np.array([AVERSION, 2, INDIFFERENT, 8, ENTHUSIASM], dtype=np.int8)
"""The strengths of a single expression for a move with −2, −1, 0, 1 or 2 changes in the right direction."""


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
        return _without_indifference(options, strengths.tolist())


class ZoneAdvisor(Advisor):
    """A learned Advisor: move so that one zone expression changes in the direction believed to be correct."""

    opposes = True

    def __init__(self, zoning: Zoning, lesson: "ZoneLesson") -> None:
        self.name = f"Zone: {described(lesson.stage, lesson.value, lesson.direction)}"
        self._zoning = zoning
        self._lesson = lesson

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support moves that change the mover's value in this direction or the other's in the opposite one."""
        asked = [option for option in options if stage_of(case, option) == self._lesson.stage]
        changes = self._zoning.changes(case, asked)[:, self._lesson.value] * self._lesson.direction
        return _without_indifference(asked, STRENGTHS[changes + 2].tolist())


def _without_indifference(options: Sequence[Choice], strengths: Sequence[int]) -> Opinion:
    comments = zip(options, strengths, strict=True)
    return {option: strength for option, strength in comments if strength != INDIFFERENT}
