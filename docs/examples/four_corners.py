"""Four corners: the four corners of a square win.

## Rules

Two seats place one of their men in turn, black first, on any empty point of a 3×3 board. The first to hold the
four corners of a square, upright or tilted, wins. A full board without such a square is a draw.
"""

from boardgames_env.board import Board, aligned, grid
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games import game
from boardgames_env.games.shared.single_men import line_owner, men_features, write_where
from boardgames_env.kernels import ONGOING, Actions, State, evaluate, initial, legal, outcome, play

SQUARES = ((0, 1, 4, 3), (1, 2, 5, 4), (3, 4, 7, 6), (4, 5, 8, 7), (0, 2, 8, 6), (1, 5, 7, 3))
BOARD = Board(points=grid(3, 3), lines=aligned(3, 3, 3, diagonals=False), winning_lines=SQUARES)

_SQUARES = BOARD.winning_slots


@initial
def empty(state: State) -> None:
    """Begin with an empty board, black to move."""
    state[:] = 0


@legal
def empty_points(state: State, actions: Actions) -> int:
    """Write the empty points."""
    return write_where(state, 9, 0, actions)


@play
def place(state: State, action: int) -> None:
    """Take a point; the turn passes."""
    state[1 + action] = 1 - 2 * state[0]
    state[0] = 1 - state[0]


@outcome
def square_wins(state: State) -> int:
    """Return a win for the owner of a square; a full board is a draw."""
    owner = line_owner(state, _SQUARES)
    if owner != 0:
        return owner
    for point in range(9):
        if state[1 + point] == 0:
            return ONGOING
    return 0


@evaluate
def open_squares(state: State) -> int:
    """Return the value of the squares on which only one seat has men, to the seat to move."""
    own = 1 - 2 * state[0]
    value = 0
    for square in range(len(_SQUARES)):
        mine, theirs = 0, 0
        for corner in range(4):
            mine += int(state[_SQUARES[square, corner]] == own)
            theirs += int(state[_SQUARES[square, corner]] == -own)
        value += mine * mine * int(theirs == 0) - theirs * theirs * int(mine == 0)
    return value


@game(version=0)
def four_corners() -> Game:
    """The four corners of a square win."""
    return Game(
        title="Four corners",
        board=BOARD,
        rules=Rules(empty, empty_points, place, square_wins, men_features(9)),
        state_size=10,
        num_features=19,
        heuristics=Heuristics(open_squares),
    )
