"""What comes between two plays: the end of a turn, the doubling cube, the dice, and between the games of a match."""

import numpy as np

from boardgames_env.games.backgammon.rules.backgammon_board import (
    BEAVER,
    BEAVERED,
    CRAWFORD,
    CUBE,
    DICE,
    DOUBLE,
    DOUBLED,
    DOUBLING,
    DROP,
    DROPPED,
    MOST_TURNS_OF_THE_CUBE,
    MOVING,
    OPENING,
    OVER,
    OWNER,
    ROLL,
    ROLLING,
    STAGE,
    STATE_SIZE,
    TAKE,
)
from boardgames_env.kernels import Actions, State, chance_events, happen, helper

# the 15 rolls of two different dice, the larger first, and the 6 doubles after them
ROLLS = np.array([(high, low) for high in range(2, 7) for low in range(1, high)] + [(d, d) for d in range(1, 7)])
_ROLLS: list[list[int]] = ROLLS.tolist()
MIXED_ROLLS = 15
"""The number of rolls of two different dice, which are twice as likely as doubles."""
OPENING_ROLLS = 2 * MIXED_ROLLS
"""The number of opening rolls, each with the seat that wins it."""


def event_of(one: int, other: int, opening_seat: int | None = None) -> int:
    """Return the event of a roll; in the opening, also of the seat that begins."""
    high, low = max(one, other), min(one, other)
    return _ROLLS.index([high, low]) + MIXED_ROLLS * (opening_seat or 0)


def for_the_other_seat(event: int) -> int:
    """Return the same opening roll with the other seat to begin."""
    return (event + MIXED_ROLLS) % OPENING_ROLLS


@helper
def end_contest(state: State) -> None:
    """End the contest: the seat to move has borne off all its men, and stays the seat to move."""
    for die in range(1, 7):
        state[DICE + die] = 0
    state[STAGE] = OVER


@helper
def pass_turn(state: State, cube: bool) -> None:
    """End a turn: the other seat is to roll, or to double before it does if it may."""
    for die in range(1, 7):
        state[DICE + die] = 0
    state[0] = 1 - state[0]
    may_double = cube and state[OWNER] != 2 * state[0] - 1 and state[CUBE] < MOST_TURNS_OF_THE_CUBE
    if len(state) > STATE_SIZE and state[CRAWFORD] != 0:
        may_double = False
    state[STAGE] = DOUBLING if may_double else ROLLING


@helper
def answer(state: State, action: int) -> None:
    """Play an action that rolls or handles the cube."""
    own = 1 - 2 * state[0]
    if action == ROLL:
        state[STAGE] = ROLLING
    elif action == DOUBLE:
        state[STAGE] = DOUBLED
        state[0] = 1 - state[0]
    elif action == DROP:
        state[STAGE] = DROPPED
    elif action == BEAVER:
        state[CUBE] += 1
        state[OWNER] = own
        state[STAGE] = BEAVERED
        state[0] = 1 - state[0]
    elif state[STAGE] == DOUBLED:  # take: the doubler is to roll
        state[CUBE] += 1
        state[OWNER] = own
        state[STAGE] = ROLLING
        state[0] = 1 - state[0]
    else:  # take a beaver: the doubler takes it, and is to roll
        state[CUBE] += 1
        state[STAGE] = ROLLING


@helper
def write_answers(state: State, beavers: bool, actions: Actions) -> int:
    """Write the decisions about the cube. Return their number, 0 in other stages."""
    stage = state[STAGE]
    if stage == DOUBLING:
        actions[0], actions[1] = ROLL, DOUBLE
        return 2
    if stage not in (DOUBLED, BEAVERED):
        return 0
    actions[0], actions[1] = TAKE, DROP
    if beavers and stage == DOUBLED and state[CUBE] + 2 <= MOST_TURNS_OF_THE_CUBE:
        actions[2] = BEAVER
        return 3
    return 2


def stake(state: State) -> int:
    """Return the number on the cube, by which all points are multiplied."""
    return 1 << int(state[CUBE])


@helper
def write_rolls(state: State, cases: Actions) -> int:
    """Write the 21 rolls; in the opening, 15 that seat 0 wins, then 15 that seat 1 wins."""
    if state[STAGE] == OPENING:
        cases[:OPENING_ROLLS] = 1
        return OPENING_ROLLS
    if state[STAGE] == ROLLING:
        cases[:MIXED_ROLLS] = 2
        cases[MIXED_ROLLS : MIXED_ROLLS + 6] = 1
        return MIXED_ROLLS + 6
    return 0


@helper
def roll(state: State, event: int) -> None:
    """Roll the dice; in the opening, the seat with the larger die begins, and plays both."""
    which = event
    if state[STAGE] == OPENING:
        state[0] = event // MIXED_ROLLS
        which = event % MIXED_ROLLS
    high, low = ROLLS[which]
    state[DICE + high] += 1
    state[DICE + low] += 1
    if high == low:
        state[DICE + high] = 4
    state[STAGE] = MOVING


@chance_events
def dice(state: State, cases: Actions) -> int:
    """Write the rolls."""
    return int(write_rolls(state, cases))


@happen
def rolled(state: State, event: int) -> None:
    """Roll the dice."""
    roll(state, event)
