"""Trique: nine men each on three squares with diagonals; three in a row capture.

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, names the game. The *Global Explorers Club* tells it with nine counters each, moved
"horizontally, vertically, or diagonally", and says nothing of captures; those are nine men's morris's, by our
choice. According to Ludii, Baker (1871) knows it as three squares joined at the middles of the sides.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import three_squares
from boardgames_env.games.morris.morris_game import morris_game


@game(version=0, family=three_squares, options=three_squares.DiagonalOptions)
def trique(options: three_squares.DiagonalOptions) -> Game:
    """Nine men each on three squares with diagonals; three in a row capture."""
    return morris_game("Trique", options.rules(options.board, 9), options)
