"""Seven men's morris: seven men each on two squares; three in a row capture.

## Known value

A draw, from every opening.

## Sources

The rules and limits of five men's morris, with two men more. The value is computed.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import two_squares


@game(version=0, family=two_squares, options=two_squares.TwoSquaresOptions)
def seven_mens_morris(options: two_squares.TwoSquaresOptions) -> Game:
    """Seven men each on two squares; three in a row capture."""
    return two_squares.two_squares_game("Seven men's morris", 7, options, drawn=[(0, False)])
