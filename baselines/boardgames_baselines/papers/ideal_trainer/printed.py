"""The results printed in Epstein 1994."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PrintedTrial:
    """A line of Table 2 or 3.

    Attributes:
        trainer: The trainer: ``2&7``, ``self``, or ``e=`` and the noise in per cent.
        standard: The behavioral standard n.
        contests: Contests of learning, the mean of five runs.
        lessons: Those of them against the trainer.
        space: Pieces of useful knowledge, the mean of five runs.
        power: Per cent won against the expert, the novice and the random challenger.
        reliability: Per cent not lost against the perfect, the expert, the novice and the random challenger.
    """

    trainer: str
    standard: int
    contests: float
    lessons: float
    space: float
    power: tuple[float, float, float]
    reliability: tuple[float, float, float, float]


TABLE_2 = (
    PrintedTrial("2&7", 10, 122.7, 27, 323.0, (17, 63, 77), (95, 92, 88, 90)),
    PrintedTrial("2&7", 20, 127.7, 28, 299.0, (18, 63, 85), (100, 98, 97, 100)),
    PrintedTrial("e=0", 10, 35.6, 35.6, 89.2, (27, 65, 73), (100, 88, 82, 81)),
    PrintedTrial("e=0", 20, 49.3, 49.3, 101.0, (12, 59, 80), (100, 93, 80, 88)),
)
"""Lose tic-tac-toe."""

TABLE_3 = (
    PrintedTrial("e=0", 10, 12.0, 12.0, 7.4, (19, 75, 94), (94, 95, 98, 100)),
    PrintedTrial("e=0", 20, 22.9, 22.9, 9.0, (15, 84, 94), (100, 100, 100, 100)),
    PrintedTrial("e=10", 10, 12.6, 12.6, 13.6, (17, 84, 96), (100, 100, 100, 100)),
    PrintedTrial("self", 10, 10.0, 0.0, 1.0, (14, 72, 93), (70, 100, 98, 100)),
    PrintedTrial("2&7", 10, 11.6, 2.6, 5.2, (25, 83, 93), (82, 91, 97, 100)),
    PrintedTrial("2&7", 20, 50.0, 11.1, 22.6, (18, 84, 97), (94, 97, 100, 100)),
)
"""Tic-tac-toe."""

PRINTED = {"lose_tic_tac_toe": TABLE_2, "tic_tac_toe": TABLE_3}

PASSES = {
    "tic_tac_toe": ("e=10", "2&7"),
    "lose_tic_tac_toe": ("2&7",),
    "achi": ("e=10", "e=20", "e=40", "e=50", "e=60", "e=80", "e=90", "e=100", "2&7"),
}
"""The training after which, by the paper, Hoyle passes the game players' Turing test (sections 3.3 and 4).

At achi it passed "after training with all the fallible trainers except e = 30 and 70"; e = 0, the perfect player, is
taken not to be meant.
"""
