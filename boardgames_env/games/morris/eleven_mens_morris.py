"""Eleven men's morris: eleven men each on three squares with diagonals; three in a row capture.

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*: "three markers of the same color on immediately adjacent positions on a line form a mill",
which makes mills of diagonals. D. Walker's *Cyningstan* says that early forms had them for moving only, and modern
ones for mills; in Ludii they are for moving only.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import three_squares
from boardgames_env.games.morris.morris_game import morris_game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey


@game(version=0, family=three_squares)
def eleven_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    diagonal_mills: bool = True,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Eleven men each on three squares with diagonals; three in a row capture."""
    board = three_squares.with_diagonals(diagonal_mills)
    rules = MorrisRules(board, 11, fly_at, any_capture, capture_each_mill)
    limits = Limits(recurrences, recurrence_key, plies, plies_draw=False)
    return morris_game("Eleven men's morris", rules, limits)
