"""Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994): its printed figures."""

from collections.abc import Mapping

TABLE_1: Mapping[str, tuple[float, float, float]] = {
    "tic_tac_toe": (17, 79, 93),
    "lose_tic_tac_toe": (16, 66, 74),
    "achi": (45, 99.7, 99.98),
}
"""Maximal power, in %, against the expert (e = 10 %), the novice (70 %) and the random challenger (100 %)."""
