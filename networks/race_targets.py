"""What a network for races is to learn: what one roll of look-ahead finds with the network itself."""

from typing import Any

import numpy as np
from numba import types

from boardgames_agents.backgammon.race_network import (
    OTHER_HOME,
    RACE_WEIGHTS,
    ROLLS,
    ROLLS_TO_ESCAPE,
    ROLLS_TO_FIRST,
    RaceWeights,
    find_arrangement,
    has_man_beyond,
    make_distributions,
    make_scratch,
    place,
    write_distributions,
)
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.games.backgammon.rules.backgammon_board import STATE_SIZE, TRAYS
from boardgames_env.kernels import CHANCE_EVENTS, HAPPEN, MOVES, copy_row, helper, kernel
from boardgames_env.kernels.signatures import (
    FLOAT32_2D,
    FLOAT32_2D_READONLY,
    FLOAT64_2D,
    INT8_2D,
    Float32s,
    Float64s,
    Int8s,
)
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

_STRAYING = 0.2
"""The share of moves that are not the best ones."""


@helper
def mean_of(distribution: Float64s) -> float:
    """Return the mean number of rolls."""
    mean = 0.0
    for n in range(len(distribution)):
        mean += n * distribution[n]
    return mean


@helper
def add_one_roll_later(target: Float32s, start: int, size: int, distribution: Float64s, likely: float) -> None:
    """Add a distribution, with some weight and one roll later, to the outputs from ``start`` on."""
    for n in range(1, size):
        target[start + n] += likely * distribution[n - 1]


@kernel(
    types.void(
        *(CHANCE_EVENTS, HAPPEN, MOVES, RACE_WEIGHTS, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY),
        *(INT8_2D, FLOAT64_2D, FLOAT32_2D, INT8_2D),
    ),
    compiled_first=True,
)
def find_targets(
    chance_events: Any,
    happen: Any,
    write_moves: Any,
    weights: RaceWeights,
    table: Float32s,
    table_of_first: Float32s,
    arrangements: Int8s,
    drawn: Float64s,
    targets: Float32s,
    following: Int8s,
) -> None:
    """Write what the outputs should be for some arrangements, and an arrangement that follows each.

    After each roll the seat plays for the smallest mean number of rolls, as in the bear-off tables. Rows of
    ``arrangements`` and ``following`` are arrangements, those of ``targets`` outputs. A row of ``drawn`` has two
    numbers from 0 to 1: the roll is drawn with the first; the move is the best one, or if the second is below
    `_STRAYING` another one. Where the outputs of a group are never asked for, because a man is off or none is in the
    other seat's home board, their targets are 0.
    """
    state, rolled = np.zeros(STATE_SIZE, dtype=np.int8), np.zeros(STATE_SIZE, dtype=np.int8)
    afterstates = np.empty((MOST_MOVES, STATE_SIZE), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    scratch = make_scratch(weights)
    found = make_distributions()
    best, first, escape = np.empty(ROLLS), np.empty(ROLLS_TO_FIRST), np.empty(ROLLS_TO_ESCAPE)
    for row in range(len(arrangements)):
        place(arrangements[row], state)
        asks_first, asks_escape = arrangements[row, 0] == 0, has_man_beyond(arrangements[row], OTHER_HOME)
        targets[row] = 0
        events = chance_events(state, cases)
        of = cases[:events].sum()
        passed = 0.0
        for event in range(events):
            copy_row(state, rolled)
            happen(rolled, event)
            moves = write_moves(rolled, afterstates, actions)
            least = least_first = least_escape = np.inf
            is_off, chosen = False, 0
            for which in range(moves):
                write_distributions(afterstates[which], 0, weights, table, table_of_first, scratch, found)
                mean = mean_of(found.all)
                if mean < least:
                    least, chosen = mean, which
                    best[:] = found.all
                mean = mean_of(found.first)
                if mean < least_first:
                    least_first = mean
                    first[:] = found.first
                mean = mean_of(found.escape)
                if mean < least_escape:
                    least_escape = mean
                    escape[:] = found.escape
                is_off |= afterstates[which, TRAYS] > state[TRAYS]
            likely = cases[event] / of
            add_one_roll_later(targets[row], 0, ROLLS, best, likely)
            if asks_first and is_off:
                targets[row, ROLLS + 1] += likely
            elif asks_first:
                add_one_roll_later(targets[row], ROLLS, ROLLS_TO_FIRST, first, likely)
            if asks_escape:
                add_one_roll_later(targets[row], ROLLS + ROLLS_TO_FIRST, ROLLS_TO_ESCAPE, escape, likely)
            if passed <= drawn[row, 0] < passed + likely:
                if drawn[row, 1] < _STRAYING:
                    chosen = int(drawn[row, 1] / _STRAYING * moves)
                find_arrangement(afterstates[chosen], 0, following[row])
            passed += likely
