"""Men on nine points: the first to hold three in a row wins.

## Board

The numbers, row by row, are points. Black is seat 0. All eight lines win.

## Actions

81: action *i* below 9 places a man on point *i*. Actions 9 to 80 are moves, written *from-to*, in the order of the
point they come from and then of the one they go to.

## Observation

19 features, 0 or 1: own men by point (0–8), the other seat's men by point (9–17), and whether the observer is to
move (18).

## End of the contest

A line, or a position that comes up for the third time, which is a draw (option `recurrences`). The seat to move can
always move: no position in which it is blocked can be reached.
"""

from collections.abc import Sequence
from itertools import permutations

from boardgames_env.actions import at_each, moves
from boardgames_env.board import Board, aligned, grid
from boardgames_env.game import Game
from boardgames_env.games.shared.place_and_move import drawn_at, line_wins, men_game, place_and_move, steps_on
from boardgames_env.kernels import Kernel

POINTS = grid(3, 3)
EIGHT_LINES = aligned(3, 3, 3)
SIX_LINES = aligned(3, 3, 3, diagonals=False)

BOARD = Board(points=POINTS, lines=EIGHT_LINES, winning_lines=EIGHT_LINES)
WITHOUT_DIAGONALS = Board(points=POINTS, lines=SIX_LINES, winning_lines=SIX_LINES)

MEN = 3

ANYWHERE = tuple(permutations(range(9), 2))
"""From every point to every other."""


def three_men_game(
    title: str,
    board: Board,
    pairs: Sequence[tuple[int, int]],
    recurrences: int,
    value: int,
    positions: int,
    barred: int | None = None,
) -> Game:
    """Return a game in which each seat places three men and then moves them.

    The ``pairs`` are the origins and targets of moves; the first man may not be placed on the point ``barred``.
    """
    kernels, limits = place_and_move(board.size, MEN, pairs, barred), drawn_at(recurrences)
    actions = at_each(board) + moves(pairs)
    return men_game(
        title, board, MEN, kernels, line_wins(board), limits, actions=actions, value=value, positions=positions
    )


def stepping_game(title: str, board: Board, initial: Kernel, outcome: Kernel, recurrences: int, positions: int) -> Game:
    """Return a game, known to be a draw, in which men step along lines from where ``initial`` puts them."""
    pairs = steps_on(board)
    kernels, limits = place_and_move(board.size, 0, pairs), drawn_at(recurrences)
    return men_game(
        title, board, MEN, kernels, outcome, limits, initial, actions=moves(pairs), value=0, positions=positions
    )
