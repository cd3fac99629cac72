"""Five men's morris: five men each on two squares; three in a row capture.

## Known value

A draw, from every opening; also with `fly_at=3`, and with `any_capture=True`.

## Sources

S. L. Epstein, *Learning to Play Expertly: A Tutorial on Hoyle* (2001), whose "80 moves" are read as plies, and
S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, which calls flying a local variation. Ludii's rules differ: any man may be captured. The
value is computed.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import two_squares
from boardgames_env.games.morris.morris_game import morris_game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey


@game(version=0, family=two_squares)
def five_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Five men each on two squares; three in a row capture."""
    rules = MorrisRules(two_squares.BOARD, 5, fly_at, any_capture, capture_each_mill)
    is_solved = (fly_at, any_capture) in ((0, False), (3, False), (0, True)) and not capture_each_mill
    limits = Limits(recurrences, recurrence_key, plies)
    return morris_game("Five men's morris", rules, limits, value=0 if is_solved else None)
