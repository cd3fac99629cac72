"""The results printed in Epstein 2001."""

from dataclasses import dataclass

from boardgames_baselines.papers import PrintedOptima

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


@dataclass(frozen=True)
class PrintedHoyle:
    """The results of Tables 8.4, 8.5 and 8.6 for Hoyle at one game.

    Attributes:
        reliability: Per cent not lost against the perfect, the strong, the novice and the random player.
        power: Per cent won against the last three.
        seconds: Decision time in a contest against each of the four, in seconds.
        space: Pieces of knowledge: Hoyle moves, expert moves, dangerous states, significant states, patterns or zones,
            new Advisors. ``None`` where the paper has a dash.
    """

    reliability: tuple[float, float, float, float]
    power: tuple[float, float, float]
    seconds: tuple[float, float, float, float]
    space: tuple[float, float, float, float, float | None, float | None]


PRINTED = {
    "tic-tac-toe": PrintedHoyle(
        (100, 100, 100, 100), (25, 64, 94), (0.19, 0.18, 0.16, 0.14), (8.8, 37.1, 0.0, 42.8, None, None)
    ),
    "lose tic-tac-toe": PrintedHoyle(
        (97, 93, 92, 95), (15, 47, 74), (0.19, 0.18, 0.19, 0.19), (14.6, 40.2, 0.6, 160.6, None, None)
    ),
    "lose tic-tac-toe with patterns": PrintedHoyle(
        (100, 99, 100, 99), (16, 65, 76), (0.38, 0.37, 0.33, 0.35), (14.5, 40.4, 0.4, 182.5, 67.3, 4.2)
    ),
    "five men's morris": PrintedHoyle(
        (83, 82, 83, 96), (12, 53, 80), (22.31, 21.96, 19.76, 16.19), (62.1, 600.9, 0.3, 44.3, None, None)
    ),
    "five men's morris with zones": PrintedHoyle(
        (97, 91, 90, 95), (0, 27, 57), (25.26, 25.05, 21.79, 17.54), (57.1, 600.7, 0.7, 39.2, 221.5, 19.9)
    ),
}
"""By the names of Table 8.4's lines."""

UNSEEN = {"lose tic-tac-toe": 51.48, "five men's morris": 75.55}
"""Per cent of the testing positions that were never seen during training (section 5)."""

COMMENTS = {"five men's morris with zones": {"Zone Ranger": 98.69, "Anthropomorph": 32.03, "Material": 7.00}}
"""Per cent of the testing positions in which an Advisor offers advice (section 7)."""

HIGH_WEIGHTS = {
    "tic-tac-toe": ("Cyber", "Anthropomorph"),
    "lose tic-tac-toe": ("Anthropomorph", "Cyber", "Leery"),
    "five men's morris": ("Material", "Vulnerable", "Anthropomorph", "Freedom", "Cyber"),
}
"""The Advisors that end with a high weight, without perceptual enhancement (section 7)."""
