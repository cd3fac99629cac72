"""Pong hau k'i: two men each on five points; the seat that cannot move loses.

## Rules

The board has five points: the four corners of a square, and its centre, which is joined to all of them. The corners
are joined along the sides of the square but for the upper one. Each seat has two men, black (seat 0) on the lower
corners and white on the upper ones. Black begins. A turn moves one of one's own men along a line to the single empty
point. A seat that cannot move loses.

With `placing=True` the board is empty at first, and the seats place their men in turn on any empty points.

## Board

The numbers, row by row, are points and actions.

## Actions

5: action *i* moves the man on point *i* to the empty point; while placing, it puts a man on point *i*.

## Observation

11 features, 0 or 1: own men by point (0–4), the other seat's men by point (5–9), and whether the observer is to move
(10).

## End of the contest

A seat that cannot move, or a position that comes up for the third time, which is a draw (option `recurrences`).

## Known value

A draw; 56 positions can be reached (30 up to symmetry), in 4 of which the contest is over. With `placing=True` it is
a draw, too, from every opening; 114 positions (61).

## Sources

S. Culin, *Korean Games, with Notes on the Corresponding Games of China and Japan* (1895); Ludii's *Pong Hau K'i*.
Values and counts are computed.
"""

from typing import Annotated

from boardgames_env.board import Board
from boardgames_env.ending import always
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared.place_and_move import (
    drawn_at,
    empty_board,
    empty_point,
    is_placing,
    men_game,
    place_and_fill,
    start,
)
from boardgames_env.kernels import ONGOING, Kernel, State, outcome
from boardgames_env.spec import Label

BOARD = Board(points=((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)), lines=((0, 2, 4), (1, 2, 3), (0, 3), (1, 4), (3, 4)))

MEN = 2

_JOINED = BOARD.adjacency_array


def blocked_loses(men: int) -> Kernel:
    """Return an ``outcome`` kernel: once ``men`` men of each seat are placed, a seat that cannot move loses."""

    @outcome
    def who_can_move(state: State) -> int:
        if is_placing(state, 5, men):
            return ONGOING
        own = 1 - 2 * state[0]
        target = empty_point(state, 5)
        movers = 0
        for point in range(5):
            movers += int(state[1 + point] == own) & int(_JOINED[point, target])
        return ONGOING if movers > 0 else -own

    return who_can_move


@game(version=0)
def pong_hau_ki(
    placing: Annotated[bool, Label("The board is empty at first, and men are placed in turn")] = False,
    recurrences: int = 3,
) -> Game:
    """Two men each on five points; the seat that cannot move loses.

    Args:
        placing: Whether the board is empty at first and men are placed in turn.
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    placed = MEN if placing else 0
    return men_game(
        "Pong hau k'i",
        BOARD,
        MEN,
        place_and_fill(BOARD.adjacency_array, placed),
        blocked_loses(placed),
        drawn_at(recurrences),
        empty_board if placing else start(BOARD, (3, 4), (0, 1)),
        board_end=always("no_move"),
        value=0,
        positions=114 if placing else 56,
    )
