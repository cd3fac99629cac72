"""Trique: nine men each on three squares with diagonals; three in a row capture.

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, names the game. The *Global Explorers Club* tells it with nine counters each, moved
"horizontally, vertically, or diagonally", and says nothing of captures; those are nine men's morris's, by our
choice. According to Ludii, Baker (1871) knows it as three squares joined at the middles of the sides.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import three_squares
from boardgames_env.games.morris.morris_game import morris_game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey


@game(version=0, family=three_squares)
def trique(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    diagonal_mills: bool = True,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Nine men each on three squares with diagonals; three in a row capture."""
    board = three_squares.with_diagonals(diagonal_mills)
    rules = MorrisRules(board, 9, fly_at, any_capture, capture_each_mill)
    limits = Limits(recurrences, recurrence_key, plies, plies_draw=False)
    return morris_game("Trique", rules, limits)
