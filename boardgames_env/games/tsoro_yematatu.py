"""Tsoro yematatu: three men each on a triangle of seven points, placed and then moved or jumped to the one left.

## Rules

The board is a triangle with a line across and another from the top to the base: seven points, on five lines of three.
Each seat has three men, and black (seat 0) begins. In the *placing stage* a turn puts a man on any empty point. When
all six are on the board, a turn brings one of one's own men to the single empty point: either along a line from the
point next to it, or in a jump along a line over the man between, whosever that is. Nothing is captured. The first to
have three men in a line, in either stage, wins.

Some sources allow a jump only to who cannot step; here it may be chosen at any time. With one point empty, the two
together mean that a man may go to any point he shares a line with.

## Board

The numbers, row by row, are points and actions. Black is seat 0. All five lines win.

## Actions

7: while placing, action *i* puts a man on point *i*; then it moves the man on point *i* to the empty point.

## Observation

15 features, 0 or 1: own men by point (0–6), the other seat's men by point (7–13), and whether the observer is to
move (14).

## End of the contest

A line, or a position that comes up for the third time, which is a draw (option `recurrences`). The seat to move can
always move: from every point at most two others are out of reach.

## Known value

A draw, from every opening; 815 positions can be reached (439 up to symmetry).

## Sources

A game of the Shona people of Zimbabwe. The rules as told by playculturalgames.com, theothermath.com and bead.game;
boardandpieces (sites.google.com/site/boardandpieces) has the rule that only a seat that cannot step may jump. The
value and the counts are computed.
"""

import numpy as np

from boardgames_env.board import Board
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared.place_and_move import drawn_at, line_wins, men_game, place_and_fill

_LINES = ((0, 1, 4), (0, 2, 5), (0, 3, 6), (1, 2, 3), (4, 5, 6))

BOARD = Board(points=((2, 0), (1, 1.5), (2, 1.5), (3, 1.5), (0, 3), (2, 3), (4, 3)), lines=_LINES, winning_lines=_LINES)

# with one point empty, a step to it and a jump to it over the man between are the two ways along one line
_ON_ONE_LINE = np.zeros((BOARD.size, BOARD.size), dtype=np.bool_)
for _line in _LINES:
    _ON_ONE_LINE[np.ix_(_line, _line)] = True


@game(version=0)
def tsoro_yematatu(recurrences: int = 3) -> Game:
    """Three men each on a triangle of seven points, placed and then moved or jumped to the one that is left.

    Args:
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    moves, limits = place_and_fill(_ON_ONE_LINE, men=3), drawn_at(recurrences)
    return men_game("Tsoro yematatu", BOARD, 3, moves, line_wins(BOARD), limits, value=0, positions=815)
