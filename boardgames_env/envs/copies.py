"""The state of a batch of contests, for kernels."""

from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_env.game import Game
from boardgames_env.history import COUNTERS
from boardgames_env.kernels import ONGOING, STATE, State
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import (
    BOOL_1D,
    FLOAT32_2D,
    FLOAT64_1D,
    INT8_2D,
    INT32_1D,
    INT32_2D,
    INT64_1D,
    UINT64_1D,
    Bools,
    Float32s,
    Float64s,
    Int8s,
    Int32s,
    Int64s,
    UInt64s,
)

ALONE = -1
"""In the place of a seat: the caller plays both."""


class Opening(NamedTuple):
    """How contests begin.

    Attributes:
        state: The initial state.
        turn: 1 if the caller's seat alternates, otherwise 0.
        symmetries: `Game.slot_symmetries`.
        limits: `Limits.as_array`.
    """

    state: State
    turn: int
    symmetries: Int32s
    limits: Int32s


class Copies(NamedTuple):
    """The contests of N copies.

    Attributes:
        states: The states, shape ``(N, state_size)``.
        masks: The legal actions, shape ``(N, num_actions)``; all ones when a contest is over.
        over: Whether the contest is over, so that the next step begins another.
        seats: The caller's seat, or `ALONE`.
        streams: The streams of the random opponents.
        dice: The streams of chance events.
        counters: See `boardgames_env.history.COUNTERS`.
        opened: The result of a contest that the opponent's first move has ended, which the next step returns; otherwise
            `ONGOING`.
    """

    states: Int8s
    masks: Int8s
    over: Bools
    seats: Int64s
    streams: UInt64s
    dice: UInt64s
    counters: Int32s
    opened: Int64s


class Turn(NamedTuple):
    """What happens in a turn: the copies in which a seat moves, and the results."""

    moved: Bools
    results: Int64s


class Returned(NamedTuple):
    """What a step returns of each copy."""

    observations: Float32s
    rewards: Float64s
    terminations: Bools
    truncations: Bools
    seats: Int64s


def make_copies(game: Game, size: int) -> Copies:
    """Make copies in which no contest has begun."""
    return Copies(
        states=np.zeros((size, game.state_size), dtype=np.int8),
        masks=np.ones((size, game.num_actions), dtype=np.int8),
        over=np.ones(size, dtype=np.bool_),
        seats=np.full(size, ALONE, dtype=np.int64),
        streams=np.ones(size, dtype=np.uint64),
        dice=np.ones(size, dtype=np.uint64),
        counters=np.zeros((size, COUNTERS), dtype=np.int32),
        opened=np.full(size, ONGOING, dtype=np.int64),
    )


OPENING = named_tuple_type(Opening, STATE, types.int64, INT32_2D, INT32_1D)
COPIES = named_tuple_type(Copies, INT8_2D, INT8_2D, BOOL_1D, INT64_1D, UINT64_1D, UINT64_1D, INT32_2D, INT64_1D)
TURN = named_tuple_type(Turn, BOOL_1D, INT64_1D)
RETURNED = named_tuple_type(Returned, FLOAT32_2D, FLOAT64_1D, BOOL_1D, BOOL_1D, INT64_1D)
