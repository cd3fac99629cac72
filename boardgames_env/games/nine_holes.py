"""Nine holes: three men each, placed and then moved to any empty point; only rows and columns win.

## Rules

As in les pendus, each seat places three men, black (seat 0) first, on any empty point, and then moves one of
its own to any empty point, however far. But the board has no diagonals: the first to hold a whole row or
column, in either stage, wins.

## Board

The numbers, row by row, are points. Black is seat 0. All six lines win.

## Known value

A draw, from every opening; 5,470 positions can be reached (756 up to symmetry).

## Sources

H. J. R. Murray, *A History of Board-Games Other Than Chess* (1952), page 40; Ludii's *Nine Holes* and *Akidada*.
The value and the counts are computed.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import three_in_a_row
from boardgames_env.games.shared.three_in_a_row import ANYWHERE, WITHOUT_DIAGONALS, three_men_game


@game(version=0, family=three_in_a_row)
def nine_holes(recurrences: int = 3) -> Game:
    """Three men each, placed and then moved to any empty point; only rows and columns win.

    Args:
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    return three_men_game("Nine holes", WITHOUT_DIAGONALS, ANYWHERE, recurrences, value=0, positions=5470)
