"""Seven men's morris: seven men each on two squares; three in a row capture.

## Known value

A draw, from every opening.

## Sources

The rules and limits of five men's morris, with two men more. The value is computed.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import two_squares
from boardgames_env.games.morris.morris_game import morris_game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey


@game(version=0, family=two_squares)
def seven_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Seven men each on two squares; three in a row capture."""
    rules = MorrisRules(two_squares.BOARD, 7, fly_at, any_capture, capture_each_mill)
    is_solved = (fly_at, any_capture) == (0, False) and not capture_each_mill
    limits = Limits(recurrences, recurrence_key, plies)
    return morris_game("Seven men's morris", rules, limits, value=0 if is_solved else None)
