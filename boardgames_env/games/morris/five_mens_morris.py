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


@game(version=0, family=two_squares, options=two_squares.TwoSquaresOptions)
def five_mens_morris(options: two_squares.TwoSquaresOptions) -> Game:
    """Five men each on two squares; three in a row capture."""
    return two_squares.two_squares_game("Five men's morris", 5, options, drawn=[(0, False), (3, False), (0, True)])
