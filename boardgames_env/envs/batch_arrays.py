"""The arrays of a batch of contests: how they begin, where they stand, and what a step returns of them."""

from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_env.envs.view import MASK_AT_THE_END
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS
from boardgames_env.kernels import ONGOING, STATE, State
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import (
    BOOL_1D,
    FLOAT32_2D,
    FLOAT64_1D,
    INT8_1D,
    INT8_2D,
    INT8_3D,
    INT16_2D,
    INT32_1D,
    INT32_2D,
    INT64_1D,
    UINT64_1D,
    Bools,
    Float32s,
    Float64s,
    Int8s,
    Int16s,
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
        limits: What `Limits.numbers` returns, as an array.
        most_steps: The number of the caller's steps after which a contest is truncated; 0 for no limit.
    """

    state: State
    turn: int
    symmetries: Int32s
    limits: Int32s
    most_steps: int


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
        steps: The caller's steps in the current contest; counted if they are limited.
    """

    states: Int8s
    masks: Int8s
    over: Bools
    seats: Int64s
    streams: UInt64s
    dice: UInt64s
    counters: Int32s
    opened: Int64s
    steps: Int64s


class BatchKept(NamedTuple):
    """The positions of N copies that may recur: `KeptPositions` with one more axis."""

    marks: Int16s
    keys: Int8s


def make_batch_kept(size: int, room: int, state_size: int) -> BatchKept:
    """Make room for kept positions in each copy."""
    return BatchKept(np.zeros((size, room), dtype=np.int16), np.zeros((size, room, state_size), dtype=np.int8))


class BatchTurn(NamedTuple):
    """What happens in a turn: the copies in which a seat moves, and the results."""

    moved: Bools
    results: Int64s


class Returned(NamedTuple):
    """What a step returns of each copy; ``ends`` are numbers of `boardgames_env.ending.ENDS`, or `BEGUN`."""

    observations: Float32s
    masks: Int8s
    rewards: Float64s
    terminations: Bools
    truncations: Bools
    seats: Int64s
    ends: Int8s


class Final(NamedTuple):
    """What is returned of contests whose next ones begin in the same step.

    Attributes:
        observations: The last observations of the K copies in which contests have ended, in their order.
        masks: The last masks of these copies, shape ``(N, num_actions)``; elsewhere 0.
        seats: The seats to which these belong, shape ``(N,)``; elsewhere 0.
        ends: Why these contests have ended; elsewhere `BEGUN`.
    """

    observations: Float32s
    masks: Int8s
    seats: Int64s
    ends: Int8s


def make_copies(game: Game, size: int) -> Copies:
    """Make copies in which no contest has begun."""
    return Copies(
        states=np.zeros((size, game.state_size), dtype=np.int8),
        masks=np.full((size, game.num_actions), MASK_AT_THE_END, dtype=np.int8),
        over=np.ones(size, dtype=np.bool_),
        seats=np.full(size, ALONE, dtype=np.int64),
        streams=np.ones(size, dtype=np.uint64),
        dice=np.ones(size, dtype=np.uint64),
        counters=np.zeros((size, COUNTERS), dtype=np.int32),
        opened=np.full(size, ONGOING, dtype=np.int64),
        steps=np.zeros(size, dtype=np.int64),
    )


BATCH_KEPT = named_tuple_type(BatchKept, INT16_2D, INT8_3D)
OPENING = named_tuple_type(Opening, STATE, types.int64, INT32_2D, INT32_1D, types.int64)
COPIES = named_tuple_type(
    Copies, INT8_2D, INT8_2D, BOOL_1D, INT64_1D, UINT64_1D, UINT64_1D, INT32_2D, INT64_1D, INT64_1D
)
TURN = named_tuple_type(BatchTurn, BOOL_1D, INT64_1D)
FINAL = named_tuple_type(Final, FLOAT32_2D, INT8_2D, INT64_1D, INT8_1D)
RETURNED = named_tuple_type(Returned, FLOAT32_2D, INT8_2D, FLOAT64_1D, BOOL_1D, BOOL_1D, INT64_1D, INT8_1D)


BEGUN = -1
"""In the place of an end: the contest has just begun, and nothing is said of its end."""
