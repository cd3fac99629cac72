"""What is computed for TD-Gammon's page: pieces of work, each of which settles all its chances."""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from boardgames_baselines.papers.td_gammon.work.nets import Net
from boardgames_env.files import digest

GAME = "backgammon"

SELECTION, REPORTING = 0, 1
"""What chances are for: to choose settings by, or to report figures of; the two have none in common."""


@cache
def _sources() -> str:
    return digest(tuple(sorted(Path(__file__).parent.glob("*.py"))))


@dataclass(frozen=True)
class Piece(ABC):
    """A piece of work; see `boardgames_agents.experiments.store.Work`.

    Attributes:
        number: Which of the pieces that differ in their chances alone, from 0.
        seed: The experiment's seed.
    """

    number: int
    seed: int

    def description(self) -> dict[str, Any]:
        """Everything that settles the result."""
        told = {each.name: _told(getattr(self, each.name)) for each in fields(self)}
        return {"kind": type(self).__name__, "sources": _sources(), **told}

    @abstractmethod
    def carry_out(self) -> dict[str, Any]:
        """The result, as JSON can hold it."""

    def seeds(self, *settings: str, purpose: int = REPORTING) -> tuple[int, ...]:
        """The whole numbers that all its chances begin with.

        Args:
            settings: What these chances shall not be shared with: pieces that have other settings.
            purpose: `SELECTION` or `REPORTING`.
        """
        text = "\n".join([type(self).__name__, *settings])
        return self.seed, purpose, int(hashlib.sha256(text.encode()).hexdigest()[:8], 16), self.number


def _told(value: Any) -> Any:
    """A network by a digest of its weights, and everything else as it is."""
    if isinstance(value, Net):
        return value.description()
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
