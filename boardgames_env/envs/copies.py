"""The state of a batch of contests, for kernels."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.chance import STREAMS
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS
from boardgames_env.kernels import ONGOING, STATE, STATES, TABLE, State
from boardgames_env.kernels.bundle import named_tuple_type

ALONE = -1
"""In the place of a seat: the caller plays both."""
Kept = NDArray[np.int64]


class Opening(NamedTuple):
    """How contests begin.

    Attributes:
        state: The initial state.
        turn: 1 if the caller's seat alternates, otherwise 0.
    """

    state: State
    turn: int


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

    states: NDArray[np.int8]
    masks: NDArray[np.int8]
    over: NDArray[np.bool_]
    seats: NDArray[np.int64]
    streams: NDArray[np.uint64]
    dice: NDArray[np.uint64]
    counters: NDArray[np.int32]
    opened: NDArray[np.int64]


class Returned(NamedTuple):
    """What a step returns of each copy."""

    observations: NDArray[np.float32]
    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    seats: NDArray[np.int64]


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


FLAGS = types.Array(types.boolean, 1, "C")
INTEGERS = types.Array(types.int64, 1, "C")
OPENING = named_tuple_type(Opening, STATE, types.int64)
COPIES = named_tuple_type(Copies, STATES, STATES, FLAGS, INTEGERS, STREAMS, STREAMS, TABLE, INTEGERS)
RETURNED = named_tuple_type(
    Returned, types.Array(types.float32, 2, "C"), types.Array(types.float64, 1, "C"), FLAGS, FLAGS, INTEGERS
)
KEPT = types.Array(types.int64, 3, "C")
