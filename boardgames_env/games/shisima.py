"""Shisima: three men each step round an octagon and through its centre; a line across the centre wins.

## Rules

The board is an octagon whose opposite corners are joined through the centre: nine points. Each seat has three men
on neighbouring corners, black (seat 0) below and white above, with an empty corner between them on either side.
Black begins. A turn moves one of one's own men along a line to the next point, if that is empty: to a neighbouring
corner, into the centre, or out of it. The first to hold three points in a line, which goes through the centre, wins.

## Board

The numbers are points: the corners clockwise from the upper left, and the centre.

## Actions

32: the steps, written *from-to*, in the order of the point they come from and then of the one they go to.

## Known value

A draw; black must not begin with an outer man to the centre, which loses. 3,200 positions can be reached (216 up to
symmetry).

## Sources

L. Crane, *African Games of Strategy* (1982), as coded in Ludii's *Shisima*. The value and the counts are computed.
"""

from math import cos, pi, sin

from boardgames_env.board import Board
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import three_in_a_row
from boardgames_env.games.shared.place_and_move import line_wins, start
from boardgames_env.games.shared.three_in_a_row import stepping_game

CENTRE = 8
# clockwise from the north-west, and the centre
OCTAGON = (*((2 * cos(pi * (k - 3) / 4), 2 * sin(pi * (k - 3) / 4)) for k in range(8)), (0.0, 0.0))
RING = tuple((k, (k + 1) % 8) for k in range(8))
DIAMETERS = tuple((k, CENTRE, k + 4) for k in range(4))

BOARD = Board(points=OCTAGON, lines=RING + DIAMETERS, winning_lines=DIAMETERS)


@game(version=0, family=three_in_a_row)
def shisima(recurrences: int = 3) -> Game:
    """Three men each step round an octagon and through its centre; a line across the centre wins.

    Args:
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    initial = start(BOARD, (4, 5, 6), (0, 1, 2))
    return stepping_game("Shisima", BOARD, initial, line_wins(BOARD), recurrences, positions=3200)
