"""Twelve men's morris: twelve men each on three squares with diagonals; three in a row capture.

## Known value

Not known without flying: nobody has published one. With flying at three it is, but for details of its rules, the
morabaraba that G. E. Gévay and G. Danner (2014) solved: the first player wins.

## Sources

D. Walker's *Cyningstan* and Ludii's *Twelve Men's Morris*, which disagree about the diagonals: mills in the
former, for moving only in the latter; the former and *bead.game* draw a full board, where the rules of the other
morris games would have the seat to move lose. G. E. Gévay and G. Danner, *Calculating Ultra-Strong and Extended
Solutions for Nine Men's Morris, Morabaraba, and Lasker Morris* (2014).
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import three_squares
from boardgames_env.games.morris.morris_game import morris_game


@game(version=0, family=three_squares, options=three_squares.DiagonalOptions)
def twelve_mens_morris(options: three_squares.DiagonalOptions) -> Game:
    """Twelve men each on three squares with diagonals; three in a row capture."""
    return morris_game("Twelve men's morris", options.rules(options.board, 12), options)
