"""The papers' experiments, with the figures that the papers print."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PrintedOptima:
    """A printed table of maximal power against players that err with probability e.

    Attributes:
        source: The paper and its table.
        errors: Each challenger's name and its e.
        power: The printed figures in %, by game.
    """

    source: str
    errors: Mapping[str, float]
    power: Mapping[str, tuple[float, ...]]
