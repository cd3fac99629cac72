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
from boardgames_env.games.morris.two_squares import TwoSquaresOptions


@game(version=0, family=two_squares, options=TwoSquaresOptions, also_called=("akidada",))
def six_mens_morris(options: TwoSquaresOptions) -> Game:
    """Six men each on two squares; three in a row capture."""
    rules = options.rules(two_squares.BOARD, 6)
    is_solved = (options.fly_at, options.any_capture) in ((0, False), (3, False), (0, True))
    value = 0 if is_solved and not options.capture_each_mill else None
    return morris_game("Six men's morris", rules, options, value, plies_draw=True)
