"""Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994): its printed figures."""

from baselines.papers import PrintedOptima

TABLE_1 = PrintedOptima(
    source="Epstein 1994, Table 1",
    errors={"expert": 0.1, "novice": 0.7, "random": 1.0},
    power={"tic_tac_toe": (17, 79, 93), "lose_tic_tac_toe": (16, 66, 74), "achi": (45, 99.7, 99.98)},
)
