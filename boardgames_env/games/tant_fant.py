"""Tant fant: three men each begin on their home rows and move along the lines; three in a row elsewhere wins.

## Rules

Each seat's three men stand on its home row: black's (seat 0) on 6, 7 and 8, white's on 0, 1 and 2. Black begins.
A turn moves one of one's own men along a line to the next point, if that is empty. The first to hold three
points in a line, whichever but one's own home row, wins.

## Actions

32: the steps, written *from-to*, in the order of the point they come from and then of the one they go to.

## Observation

20 features, 0 or 1: own men by point (0–8), the other seat's men by point (9–17), whether the observer is to move (18),
and whether it is black (19).

## Known value

A draw; black must not begin with a corner man to the centre, which loses. 3,080 positions can be reached (1,568 up
to the one symmetry that keeps the home rows).

## Sources

J. Datta, *A Few Types of Sedentary Games of Lower Bengal*, Journal and Proceedings of the Asiatic Society of
Bengal 29 (1933), page 167; Ludii's *Tant Fant*. The value and the counts are computed.

## Version history

* v1: the observation says which seat the observer is. Two positions looked alike in which the seats had exchanged their
  men, though not their home rows.
* v0: first version.
"""

import numpy as np

from boardgames_env.board import Board
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import three_in_a_row
from boardgames_env.games.shared.place_and_move import start
from boardgames_env.games.shared.single_men import line_owner
from boardgames_env.games.shared.three_in_a_row import EIGHT_LINES, POINTS, stepping_game
from boardgames_env.kernels import ONGOING, State, outcome

_WHITE_HOME, _BLACK_HOME = (0, 1, 2), (6, 7, 8)
BOARD = Board(points=POINTS, lines=EIGHT_LINES, winning_lines=EIGHT_LINES, homes=(_BLACK_HOME, _WHITE_HOME))

_NOBODYS = np.array([line for line in EIGHT_LINES if line not in BOARD.homes]) + 1
_WHITES = np.array([_WHITE_HOME]) + 1
_BLACKS = np.array([_BLACK_HOME]) + 1


@outcome
def line_away_from_home_wins(state: State) -> int:
    """Return a win for the owner of a line other than its own home row."""
    owner = line_owner(state, _NOBODYS) + max(line_owner(state, _WHITES), 0) + min(line_owner(state, _BLACKS), 0)
    return ONGOING if owner == 0 else owner


@game(version=1, family=three_in_a_row)
def tant_fant(recurrences: int = 3) -> Game:
    """Three men each begin on their home rows and move along the lines; three in a row elsewhere wins.

    Args:
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    initial = start(BOARD, _BLACK_HOME, _WHITE_HOME)
    return stepping_game("Tant fant", BOARD, initial, line_away_from_home_wins, recurrences, positions=3080)
