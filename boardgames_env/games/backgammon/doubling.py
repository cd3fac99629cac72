"""The end of a turn, and the doubling cube that comes before the next roll."""

from boardgames_env.games.backgammon.backgammon_board import (
    BEAVER,
    BEAVERED,
    CUBE,
    DICE,
    DOUBLE,
    DOUBLED,
    DOUBLING,
    DROP,
    DROPPED,
    MOST_TURNS_OF_THE_CUBE,
    OWNER,
    PHASE,
    ROLL,
    ROLLING,
    TAKE,
)
from boardgames_env.kernels import Actions, State, helper


@helper
def pass_turn(state: State, cube: bool) -> None:
    """End a turn: the other seat is to roll, or to double before it does if it may."""
    for die in range(1, 7):
        state[DICE + die] = 0
    state[0] = 1 - state[0]
    may_double = cube and state[OWNER] != 2 * state[0] - 1 and state[CUBE] < MOST_TURNS_OF_THE_CUBE
    state[PHASE] = DOUBLING if may_double else ROLLING


@helper
def answer(state: State, action: int) -> None:
    """Play an action that rolls or handles the cube."""
    own = 1 - 2 * state[0]
    if action == ROLL:
        state[PHASE] = ROLLING
    elif action == DOUBLE:
        state[PHASE] = DOUBLED
        state[0] = 1 - state[0]
    elif action == DROP:
        state[PHASE] = DROPPED
    elif action == BEAVER:
        state[CUBE] += 1
        state[OWNER] = own
        state[PHASE] = BEAVERED
        state[0] = 1 - state[0]
    elif state[PHASE] == DOUBLED:  # take: the doubler is to roll
        state[CUBE] += 1
        state[OWNER] = own
        state[PHASE] = ROLLING
        state[0] = 1 - state[0]
    else:  # take a beaver: the doubler takes it, and is to roll
        state[CUBE] += 1
        state[PHASE] = ROLLING


@helper
def write_answers(state: State, beavers: bool, actions: Actions) -> int:
    """Write the decisions about the cube. Return their number, 0 in other phases."""
    phase = state[PHASE]
    if phase == DOUBLING:
        actions[0], actions[1] = ROLL, DOUBLE
        return 2
    if phase not in (DOUBLED, BEAVERED):
        return 0
    actions[0], actions[1] = TAKE, DROP
    if beavers and phase == DOUBLED and state[CUBE] + 2 <= MOST_TURNS_OF_THE_CUBE:
        actions[2] = BEAVER
        return 3
    return 2


def stake(state: State) -> int:
    """Return the number on the cube, by which all points are multiplied."""
    return 1 << int(state[CUBE])
