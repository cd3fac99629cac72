"""Octopawn: hexapawn on a board of 4 × 4, with four pawns each.

## Rules

Each seat has a row of pawns on its side of the board, white (seat 0) below and black above. White begins. A turn moves
one of one's own pawns one square straight ahead, if that is empty, or diagonally forward onto a pawn of the other seat,
which is captured. The first to reach the far row wins, and a seat that cannot move loses.
"""

import numpy as np

from boardgames_env.actions import moves
from boardgames_env.board import BLACK, WHITE, Board, grid, squares
from boardgames_env.ending import ENDS, ending
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games import game
from boardgames_env.games.shared.single_men import men_features, single_men
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    State,
    evaluate,
    forcing,
    gain,
    helper,
    initial,
    markable,
    outcome,
    play,
    write_action,
)

SIDE = 4
SIZE = SIDE * SIDE
TOP, BOTTOM = tuple(range(SIDE)), tuple(range(SIZE - SIDE, SIZE))

# squares are numbered row by row from the top left; a step leads to the next row, at most one column aside
STEPS = [
    (here, there)
    for here in range(SIZE)
    for there in range(SIZE)
    if abs(here // SIDE - there // SIDE) == 1 and abs(here % SIDE - there % SIDE) <= 1
]
BOARD = Board(
    points=grid(SIDE, SIDE),
    lines=tuple(step for step in STEPS if step[0] < step[1]),
    cells=True,
    labels=squares(SIDE, SIDE),
    homes=(BOTTOM, TOP),  # where seat 0 and seat 1 begin: no symmetry exchanges them
)

# of each action, the slots of a state that it leads from and to, the sign of its seat, and whether it is diagonally
_STEPS = np.array([(1 + a, 1 + b, 1 if b < a else -1, (a - b) % SIDE != 0) for a, b in STEPS], dtype=np.int64)

_HOME, _NO_MOVE = ENDS.index("home"), ENDS.index("no_move")


@initial
def two_rows(state: State) -> None:
    """Begin with a row of pawns on either side, seat 0 to move."""
    state[:] = 0
    for column in range(SIDE):
        state[1 + column] = -1
        state[1 + SIZE - SIDE + column] = 1


@helper
def may_step(state: State, step: int) -> bool:
    """Return whether a step is one of the seat to move: ahead to an empty square, or diagonally onto a pawn."""
    own = 1 - 2 * state[0]
    if state[_STEPS[step, 0]] != own or _STEPS[step, 2] != own:
        return False
    return bool(state[_STEPS[step, 1]] == (-own if _STEPS[step, 3] else 0))


@markable
def steps(state: State, actions: Actions) -> int:
    """Write the steps of the seat to move."""
    count = 0
    for step in range(len(_STEPS)):
        count = write_action(actions, count, step, may_step(state, step))
    return count


@play
def go(state: State, action: int) -> None:
    """Move a pawn; what stood on its target is gone."""
    state[_STEPS[action, 1]] = state[_STEPS[action, 0]]
    state[_STEPS[action, 0]] = 0
    state[0] = 1 - state[0]


@outcome
def who_is_home(state: State) -> int:
    """Return a win for a pawn on its far row, and a loss of the seat to move if it is stuck."""
    for column in range(SIDE):
        if state[1 + column] == 1:
            return 1
        if state[1 + SIZE - SIDE + column] == -1:
            return -1
    for step in range(len(_STEPS)):
        if may_step(state, step):
            return ONGOING
    return -1 if state[0] == 0 else 1


@evaluate
def pawns(state: State) -> int:
    """Return how many more pawns the seat to move has."""
    total = 0
    for slot in range(1, 1 + SIZE):
        total += state[slot]
    return total if state[0] == 0 else -total


@gain
def captured(state: State, action: int) -> int:
    """Return how many pawns a step captures: by that it raises the value of `pawns`."""
    return int(state[_STEPS[action, 1]] != 0)


@forcing
def captures(state: State, actions: Actions) -> int:
    """Write the steps that capture."""
    count = 0
    for step in range(len(_STEPS)):
        if _STEPS[step, 3] and may_step(state, step):
            count = write_action(actions, count, step, True)
    return count


@ending
def why_it_ended(state: State) -> int:
    """Return why the board has ended a contest: a pawn is home, or the seat to move has no move."""
    for column in range(SIDE):
        if state[1 + column] == 1 or state[1 + SIZE - SIDE + column] == -1:
            return _HOME
    return _NO_MOVE


@game(version=0)
def octopawn() -> Game:
    """Hexapawn on a board of 4 × 4, with four pawns each."""
    return Game(
        title="Octopawn",
        board=BOARD,
        rules=Rules(two_rows, steps, go, who_is_home, men_features(SIZE, sides=True)),
        state_size=1 + SIZE,
        num_features=2 * SIZE + 2,
        actions=moves(STEPS),
        men=(WHITE, BLACK),
        check=single_men(BOARD),
        heuristics=Heuristics(pawns, captured, captures),
        board_end=why_it_ended,
        can_draw=False,
    )
