"""The jobs behind TD-Gammon's page."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from boardgames_baselines.papers.jobs import PaperJob

GAME = "backgammon"

SELECTION, REPORTING = 0, 1
"""Purposes of a job, to choose settings or to report figures; the two have no random numbers in common."""


@dataclass(frozen=True)
class TDGammonJob(PaperJob):
    """A job whose seeds depend on its class and on settings of its choice.

    Attributes:
        name_in_seeds: The name of the class in its seeds, where the class has been renamed.
    """

    name_in_seeds: ClassVar[str] = ""

    def seeds(self, *settings: str, purpose: int = REPORTING) -> tuple[int, ...]:
        """Return the numbers that all its seeds begin with; other settings have other random numbers."""
        text = "\n".join([self.name_in_seeds or type(self).__name__, *settings])
        return self.seed, purpose, int(hashlib.sha256(text.encode()).hexdigest()[:8], 16), self.number
