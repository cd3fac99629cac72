"""Murabaraba: twelve men each on three squares and a centre; three in a row capture.

## Board

The numbers, row by row, are points. Black is seat 0. Three in a row with the centre are no mill: there are 16 mills.
With `centre_mills=True` there are 6 more, so that four or five in a row are several mills. The corners of the two outer
squares are joined, for moving only.

## Actions

130: action *i* below 25 places a man on point *i*. Actions 25 to 104 are the slides, written *from-to*, in the order
of the point they come from and then of the one they go to. Action 105 + *i* captures the man on point *i*, written
*xi*: an action of its own, by the seat that has made a mill. With flying there are 600 moves, from any point to any
other, and 650 actions in all.

## Observation

54 features from 0 to 1: own men by point (0–24), the other seat's men by point (25–49), own men in hand (50) and the
other seat's (51) as parts of all its men, captures still to make as a part of the most there can be (52), and
whether the observer is to move (53).

## Known value

Not known: nobody has published one. (The morabaraba that has been solved is played on the 24 points of twelve men's
morris.)

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, names the game, and search spaces of up to 776 billion states; 776,940,475,741 is the number
of ways to have at most twelve men each on 25 points. The rules here are those it gives for all morris games. The
board is that of Ludii's *Morabaraba*, after Coertze, in Lesotho. The *Board and Pieces* page on murabaraba captures
twice for two rows, and has no rows that end in the centre; that rows through the centre do not count either is our
reading, and its fine of two men for a row that is missed while placing is left out. Others forbid to close a broken
mill again, or fly at three.
"""

from dataclasses import dataclass
from typing import Annotated

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris.morris_game import MorrisOptions, morris_game
from boardgames_env.games.morris.morris_rules import morris_board
from boardgames_env.spec import Label


@dataclass(frozen=True, kw_only=True)
class MurabarabaOptions(MorrisOptions):
    """The options of murabaraba.

    Attributes:
        centre_mills: Whether three in a row with the centre are a mill, too.
    """

    centre_mills: Annotated[bool, Label("Three men through the centre are a mill")] = False


@game(version=0, options=MurabarabaOptions)
def murabaraba(options: MurabarabaOptions) -> Game:
    """Twelve men each on three squares and a centre; three in a row capture."""
    board = morris_board(squares=3, corners=2, centre=True, centre_mills=options.centre_mills)
    return morris_game("Murabaraba", options.rules(board, 12), options)
