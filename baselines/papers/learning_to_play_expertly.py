"""Epstein, *Learning to Play Expertly: A Tutorial on Hoyle* (2001): its printed figures."""

from baselines.papers import PrintedOptima

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
