"""Six men's morris, or akidada: six men each on two squares; three in a row capture.

## Known value

A draw, from every opening; also with `fly_at=3`, and with `any_capture=True`.

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, where akidada has two squares and six men; H. J. R. Murray, *A History of Board-Games
Other Than Chess* (1952), pages 42–43. Other games are called akidada, too: Ludii has one on nine points. The limit
of 80 plies is that of five men's morris. The value is computed.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import two_squares
from boardgames_env.games.morris.morris_game import morris_game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey


@game(version=0, family=two_squares, also_called=("akidada",))
def six_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Six men each on two squares; three in a row capture."""
    rules = MorrisRules(two_squares.BOARD, 6, fly_at, any_capture, capture_each_mill)
    is_solved = (fly_at, any_capture) in ((0, False), (3, False), (0, True)) and not capture_each_mill
    limits = Limits(recurrences, recurrence_key, plies)
    return morris_game("Six men's morris", rules, limits, value=0 if is_solved else None)
