"""Les pendus: three men each, placed and then moved to any empty point; three in a row wins.

## Rules

Each seat has three men, and black (seat 0) begins. In the *placing stage* a turn puts a man on any empty point.
When all six are on the board, a turn moves one of one's own men to any empty point, however far. The first to
hold three points in a line, in either stage, wins.

## Known value

A draw, from every opening; 5,390 positions can be reached (744 up to symmetry).

## Sources

M. Kraitchik, *Mathematical Recreations* (1948), pages 290–291, whose pieces "may be moved from any square
directly to any other. The game may still be drawn"; Ludii's *Les Pendus*. Named among Hoyle's games on a 3×3
grid by S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a
Multiple-Advisor Game-Learning Program*. Values and counts are computed.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import three_in_a_row
from boardgames_env.games.shared.three_in_a_row import ANYWHERE, BOARD, three_men_game


@game(version=0, family=three_in_a_row)
def les_pendus(recurrences: int = 3) -> Game:
    """Three men each, placed and then moved to any empty point; three in a row wins.

    Args:
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    return three_men_game("Les pendus", BOARD, ANYWHERE, recurrences, value=0, positions=5390)
