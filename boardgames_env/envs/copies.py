"""What a batch of contests consists of, as kernels see it."""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.chance import STREAMS
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS
from boardgames_env.kernels import INDICES, ONGOING, STATE, STATES, State

ALONE = -1
"""Instead of a seat: the caller plays both."""
Kept = NDArray[np.int64]


class Constants(NamedTuple):
    """What is the same for all copies and stays so.

    Attributes:
        initial: The initial state.
        symmetries: `Game.slot_symmetries`.
        limits: `Limits.as_array`.
        is_limited: Whether there are any.
        have_chances: Whether anything is left to chance.
        turn: 1 if the caller's seat alternates, otherwise 0.
    """

    initial: State
    symmetries: NDArray[np.int32]
    limits: NDArray[np.int32]
    is_limited: bool
    have_chances: bool
    turn: int


class Copies(NamedTuple):
    """What goes on in each of N copies.

    Attributes:
        states: The states, shape ``(N, state_size)``.
        masks: The legal actions, shape ``(N, num_actions)``; all ones when a contest is over.
        over: Whether the contest is over, so that the next step begins another.
        seats: The caller's seat, or `ALONE`.
        streams: The streams of the random opponents.
        dice: The streams of what is left to chance.
        counters: See `boardgames_env.history.COUNTERS`.
        opened: The result of a contest that the opponent's first move has ended, which the next step tells; otherwise
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


class Seen(NamedTuple):
    """What a step has to tell of each copy."""

    observations: NDArray[np.float32]
    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    seats: NDArray[np.int64]


def _array(dtype: Any, dimensions: int) -> Any:
    return types.Array(dtype, dimensions, "C")


def make_constants(game: Game, alternates: bool) -> Constants:
    """What the copies of a game have in common."""
    limits = game.limits.as_array()
    is_limited = bool(game.limits.recurrences or game.limits.plies)
    return Constants(
        *(game.initial.state.copy(), game.slot_symmetries, limits),
        *(is_limited, game.rules.have_chances, int(alternates)),
    )


def make_copies(game: Game, size: int) -> Copies:
    """Copies in which no contest has begun."""
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


FLAGS = _array(types.boolean, 1)
INTEGERS = _array(types.int64, 1)
CONSTANTS = types.NamedTuple(
    (STATE, _array(types.int32, 2), INDICES, types.boolean, types.boolean, types.int64), Constants
)
COPIES = types.NamedTuple((STATES, STATES, FLAGS, INTEGERS, STREAMS, STREAMS, _array(types.int32, 2), INTEGERS), Copies)
SEEN = types.NamedTuple((_array(types.float32, 2), _array(types.float64, 1), FLAGS, FLAGS, INTEGERS), Seen)
KEPT = _array(types.int64, 3)
