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


@game(version=0, family=two_squares, options=two_squares.TwoSquaresOptions, also_called=("akidada",))
def six_mens_morris(options: two_squares.TwoSquaresOptions) -> Game:
    """Six men each on two squares; three in a row capture."""
    return two_squares.two_squares_game("Six men's morris", 6, options, drawn=[(0, False), (3, False), (0, True)])
