"""The morris games on three squares: nine, eleven and twelve men's morris, trique and nerenchi.

## Board

The numbers, row by row, are points. Black is seat 0. Each of the twenty lines has three points, and is a mill. The
rules cannot tell the innermost square from the outermost: there are 16 automorphisms, 8 of them symmetries of the
plane.

## Actions

128: action *i* below 24 places a man on point *i*. Actions 24 to 103 are the slides, written *from-to*, in the order
of the point they come from and then of the one they go to. Action 104 + *i* captures the man on point *i*, written
*xi*: an action of its own, by the seat that has made a mill. With flying there are 552 moves, from any point to any
other, and 600 actions in all.

## Observation

52 features from 0 to 1: own men by point (0–23), the other seat's men by point (24–47), own men in hand (48) and the
other seat's (49) as parts of all its men, captures still to make as a part of the most there can be (50), and
whether the observer is to move (51).

## Known value

Nobody has published one.
"""

from dataclasses import dataclass

from boardgames_env.board import Board
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris.morris_game import MorrisOptions, morris_game
from boardgames_env.games.morris.morris_rules import morris_board

BOARD = morris_board(squares=3)


@dataclass(frozen=True, kw_only=True)
class DiagonalOptions(MorrisOptions):
    """The options of the games with diagonals.

    Attributes:
        diagonal_mills: Whether three men along a diagonal are a mill; men may move along it either way.
    """

    diagonal_mills: bool = True

    @property
    def board(self) -> Board:
        """The board with diagonals."""
        return morris_board(squares=3, corners=3, corner_mills=self.diagonal_mills)


@game(version=0, options=MorrisOptions)
def nine_mens_morris(options: MorrisOptions) -> Game:
    """Nine men's morris: nine men each on three squares; three in a row capture.

    ## Board

    The numbers, row by row, are points. Black is seat 0. Each of the sixteen lines has three points, and is a mill.
    There are 16 automorphisms, 8 of them symmetries of the plane; where both seats fly, only mills matter, which have
    48.

    ## Actions

    112: action *i* below 24 places a man on point *i*. Actions 24 to 87 are the slides, written *from-to*, in the
    order of the point they come from and then of the one they go to. Action 88 + *i* captures the man on point *i*,
    written *xi*: an action of its own, by the seat that has made a mill. With flying there are 552 moves, from any
    point to any other, and 600 actions in all.

    ## Known value

    A draw with `fly_at=3`. Without flying, nobody has published one.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*, whose rules know no flying. R. Gasser, *Solving Nine Men's Morris*, Games of No Chance
    (1996), plays with flying at three, and finds the value; so does OpenSpiel play, which has no draw by repetition
    and ends a contest after 200 turns.
    """
    is_drawn = options.fly_at == 3 and not options.any_capture and not options.capture_each_mill
    rules = options.rules(BOARD, 9)
    return morris_game("Nine men's morris", rules, options, value=0 if is_drawn else None)


@game(version=0, options=DiagonalOptions)
def eleven_mens_morris(options: DiagonalOptions) -> Game:
    """Eleven men's morris: eleven men each on three squares with diagonals; three in a row capture.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*: "three markers of the same color on immediately adjacent positions on a line form a mill",
    which makes mills of diagonals. D. Walker's *Cyningstan* says that early forms had them for moving only, and modern
    ones for mills; in Ludii they are for moving only.
    """
    return morris_game("Eleven men's morris", options.rules(options.board, 11), options)


@game(version=0, options=DiagonalOptions)
def twelve_mens_morris(options: DiagonalOptions) -> Game:
    """Twelve men's morris: twelve men each on three squares with diagonals; three in a row capture.

    ## Known value

    Nobody has published one without flying. With flying at three it is, but for details of its rules, the
    morabaraba that G. E. Gévay and G. Danner (2014) solved: the first player wins.

    ## Sources

    D. Walker's *Cyningstan* and Ludii's *Twelve Men's Morris*, which disagree about the diagonals: mills in the
    former, for moving only in the latter; the former and *bead.game* draw a full board, where the rules of the other
    morris games would have the seat to move lose. G. E. Gévay and G. Danner, *Calculating Ultra-Strong and Extended
    Solutions for Nine Men's Morris, Morabaraba, and Lasker Morris* (2014).
    """
    return morris_game("Twelve men's morris", options.rules(options.board, 12), options)


@game(version=0, options=DiagonalOptions)
def trique(options: DiagonalOptions) -> Game:
    """Trique: nine men each on three squares with diagonals; three in a row capture.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*, names the game. The *Global Explorers Club* tells it with nine counters each, moved
    "horizontally, vertically, or diagonally", and says nothing of captures; those are nine men's morris's, by our
    choice. According to Ludii, Baker (1871) knows it as three squares joined at the middles of the sides.
    """
    return morris_game("Trique", options.rules(options.board, 9), options)
