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


TABLE_1 = PrintedOptima(
    source="Epstein 1994, Table 1",
    errors={"expert": 0.1, "novice": 0.7, "random": 1.0},
    power={"tic_tac_toe": (17, 79, 93), "lose_tic_tac_toe": (16, 66, 74), "achi": (45, 99.7, 99.98)},
)

TABLE_8_4 = PrintedOptima(
    source="Epstein 2001, Table 8.4",
    # called strong, novice and random there; what the figures fit are players that err at random
    errors={"strong": 0.1, "novice": 0.5, "random": 1.0},
    power={
        "tic_tac_toe": (15.3, 56.1, 87.7),
        "lose_tic_tac_toe": (17.5, 60.4, 78.6),
        "five_mens_morris": (31.3, 89.2, 99.6),
    },
)
