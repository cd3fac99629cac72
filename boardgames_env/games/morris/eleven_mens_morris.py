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


@game(version=0, family=three_squares, options=three_squares.DiagonalOptions)
def eleven_mens_morris(options: three_squares.DiagonalOptions) -> Game:
    """Eleven men each on three squares with diagonals; three in a row capture."""
    return morris_game("Eleven men's morris", options.rules(options.board, 11), options)
