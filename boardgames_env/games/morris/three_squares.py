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

Not known: nobody has published one.
"""

from dataclasses import dataclass
from typing import Annotated

from boardgames_env.board import Board
from boardgames_env.games.morris.morris_game import MorrisOptions
from boardgames_env.games.morris.morris_rules import morris_board
from boardgames_env.spec import Label

BOARD = morris_board(squares=3)


@dataclass(frozen=True, kw_only=True)
class DiagonalOptions(MorrisOptions):
    """The options of the games with diagonals.

    Attributes:
        diagonal_mills: Whether three men along a diagonal are a mill; men may move along it either way.
    """

    diagonal_mills: Annotated[bool, Label("Three men along a diagonal are a mill")] = True

    @property
    def board(self) -> Board:
        """The board with diagonals."""
        return morris_board(squares=3, corners=3, corner_mills=self.diagonal_mills)
