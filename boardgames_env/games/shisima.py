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

## Observation

19 features, 0 or 1: own men by point (0–8), the other seat's men by point (9–17), and whether the observer is to
move (18).

## End of the contest

A line, or a position that comes up for the third time, which is a draw (option `recurrences`). The seat to move can
always move: no position in which it is blocked can be reached.

## Known value

A draw; black must not begin with an outer man to the centre, which loses. 3,200 positions can be reached (216 up to
symmetry).

## Sources

L. Crane, *African Games of Strategy* (1982), as coded in Ludii's *Shisima*. The value and the counts are computed.
"""

from math import cos, pi, sin

from boardgames_env.actions import moves
from boardgames_env.board import Board
from boardgames_env.game import Game, Rules
from boardgames_env.games import game
from boardgames_env.games.shared.place_and_move import drawn_at, line_wins, place_and_move, start, steps_on
from boardgames_env.games.shared.single_men import men_features

CENTRE = 8
# clockwise from the north-west, and the centre
OCTAGON = (*((2 * cos(pi * (k - 3) / 4), 2 * sin(pi * (k - 3) / 4)) for k in range(8)), (0.0, 0.0))
RING = tuple((k, (k + 1) % 8) for k in range(8))
DIAMETERS = tuple((k, CENTRE, k + 4) for k in range(4))

BOARD = Board(points=OCTAGON, lines=RING + DIAMETERS, winning_lines=DIAMETERS)


@game(version=0)
def shisima(recurrences: int = 3) -> Game:
    """Three men each step round an octagon and through its centre; a line across the centre wins.

    Args:
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    pairs = steps_on(BOARD)
    legal, play = place_and_move(BOARD.size, 0, pairs)
    return Game(
        title="Shisima",
        board=BOARD,
        rules=Rules(start(BOARD, (4, 5, 6), (0, 1, 2)), legal, play, line_wins(BOARD), men_features(BOARD.size)),
        state_size=BOARD.size + 1,
        num_features=2 * BOARD.size + 1,
        actions=moves(pairs),
        limits=drawn_at(recurrences),
        value=0,
        positions=3200,
    )
