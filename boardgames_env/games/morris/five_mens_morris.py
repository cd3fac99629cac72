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
from boardgames_env.games.morris.two_squares import TwoSquaresOptions


@game(version=0, family=two_squares, options=TwoSquaresOptions)
def five_mens_morris(options: TwoSquaresOptions) -> Game:
    """Five men each on two squares; three in a row capture."""
    rules = options.rules(two_squares.BOARD, 5)
    is_solved = (options.fly_at, options.any_capture) in ((0, False), (3, False), (0, True))
    value = 0 if is_solved and not options.capture_each_mill else None
    return morris_game("Five men's morris", rules, options, value, plies_draw=True)
