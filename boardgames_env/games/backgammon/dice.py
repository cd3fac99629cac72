"""The dice as kernels."""

import numpy as np

from boardgames_env.games.backgammon.backgammon_board import DICE, MOVING, OPENING, PHASE, ROLLING
from boardgames_env.kernels import Actions, State, chance_events, happen

# the 15 rolls of two different dice, the larger first, and the 6 doubles after them
ROLLS = np.array([(high, low) for high in range(2, 7) for low in range(1, high)] + [(d, d) for d in range(1, 7)])
_ROLLS: list[list[int]] = ROLLS.tolist()
_MIXED = 15


def event_of(one: int, other: int, opening_seat: int | None = None) -> int:
    """Return the event of a roll; in the opening, also of the seat that begins."""
    high, low = max(one, other), min(one, other)
    return _ROLLS.index([high, low]) + _MIXED * (opening_seat or 0)


def for_the_other_seat(event: int) -> int:
    """Return the same opening roll with the other seat to begin."""
    return (event + _MIXED) % (2 * _MIXED)


@chance_events
def dice(state: State, cases: Actions) -> int:
    """Write the 21 rolls; in the opening, 15 with seat 0 having the larger die, then 15 with seat 1 having it."""
    if state[PHASE] == OPENING:
        cases[: 2 * _MIXED] = 1
        return 2 * _MIXED
    if state[PHASE] == ROLLING:
        cases[:_MIXED] = 2
        cases[_MIXED : _MIXED + 6] = 1
        return _MIXED + 6
    return 0


@happen
def roll(state: State, event: int) -> None:
    """Roll the dice; in the opening, the seat with the larger die begins, and plays both."""
    which = event
    if state[PHASE] == OPENING:
        state[0] = event // _MIXED
        which = event % _MIXED
    high, low = ROLLS[which]
    state[DICE + high] += 1
    state[DICE + low] += 1
    if high == low:
        state[DICE + high] = 4
    state[PHASE] = MOVING
