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
from boardgames_env.games.morris.two_squares import TwoSquaresOptions


@game(version=0, family=two_squares, options=TwoSquaresOptions)
def seven_mens_morris(options: TwoSquaresOptions) -> Game:
    """Seven men each on two squares; three in a row capture."""
    rules = options.rules(two_squares.BOARD, 7)
    is_solved = (options.fly_at, options.any_capture) == (0, False)
    value = 0 if is_solved and not options.capture_each_mill else None
    return morris_game("Seven men's morris", rules, options, value, plies_draw=True)
