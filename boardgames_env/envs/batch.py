"""One step of a whole batch of contests, in one kernel for all games."""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.envs.opponent import STREAMS, draw
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS, CUT, note_position
from boardgames_env.kernels import (
    ENCODE,
    INDICES,
    LEGAL,
    ONGOING,
    OUTCOME,
    PLAY,
    STATE,
    STATES,
    State,
    helper,
    kernel,
)

ALONE = -1
"""Instead of a seat: the caller plays both."""
_ILLEGAL = 125
"""The result of a contest that an illegal action has ended."""

Kept = NDArray[np.int8]


class Frame(NamedTuple):
    """What is the same for all copies and stays so.

    Attributes:
        initial: The initial state.
        symmetries: `Game.slot_symmetries`.
        limits: `Limits.as_array`.
        is_limited: Whether there are any.
        turn: 1 if the caller's seat alternates, otherwise 0.
    """

    initial: State
    symmetries: NDArray[np.int32]
    limits: NDArray[np.int32]
    is_limited: bool
    turn: int


class Copies(NamedTuple):
    """What goes on in each of N copies.

    Attributes:
        states: The states, shape ``(N, state_size)``.
        masks: The legal actions, shape ``(N, num_actions)``; all ones when a contest is over.
        over: Whether the contest is over, so that the next step begins another.
        seats: The caller's seat, or `ALONE`.
        streams: The streams of the random opponents.
        counters: See `boardgames_env.history.COUNTERS`.
    """

    states: NDArray[np.int8]
    masks: NDArray[np.int8]
    over: NDArray[np.bool_]
    seats: NDArray[np.int64]
    streams: NDArray[np.uint64]
    counters: NDArray[np.int32]


class Seen(NamedTuple):
    """What a step has to tell of each copy; ``observations`` must come as zeros."""

    observations: NDArray[np.float32]
    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    seats: NDArray[np.int64]


def _array(dtype: Any, dimensions: int) -> Any:
    return types.Array(dtype, dimensions, "C")


def make_frame(game: Game, alternates: bool) -> Frame:
    """What the copies of a game have in common."""
    limits = game.limits.as_array()
    is_limited = bool(game.limits.recurrences or game.limits.plies)
    return Frame(game.initial.state.copy(), game.slot_symmetries, limits, is_limited, int(alternates))


def make_copies(game: Game, size: int) -> Copies:
    """Copies in which no contest has begun."""
    return Copies(
        states=np.zeros((size, game.state_size), dtype=np.int8),
        masks=np.ones((size, game.num_actions), dtype=np.int8),
        over=np.ones(size, dtype=np.bool_),
        seats=np.full(size, ALONE, dtype=np.int64),
        streams=np.ones(size, dtype=np.uint64),
        counters=np.zeros((size, COUNTERS), dtype=np.int32),
    )


_FLAGS = _array(types.boolean, 1)
_INTEGERS = _array(types.int64, 1)
_FRAME = types.NamedTuple((STATE, _array(types.int32, 2), INDICES, types.boolean, types.int64), Frame)
_COPIES = types.NamedTuple((STATES, STATES, _FLAGS, _INTEGERS, STREAMS, _array(types.int32, 2)), Copies)
_SEEN = types.NamedTuple((_array(types.float32, 2), _array(types.float64, 1), _FLAGS, _FLAGS, _INTEGERS), Seen)
_KEPT = _array(types.int8, 3)


@kernel(_KEPT(LEGAL, PLAY, OUTCOME, ENCODE, _FRAME, _COPIES, _KEPT, _INTEGERS, _SEEN))
def step_batch(
    legal: Any,
    play: Any,
    outcome: Any,
    encode: Any,
    frame: Frame,
    copies: Copies,
    kept: Kept,
    actions: NDArray[np.int64],
    seen: Seen,
) -> Kept:
    """Let every copy take a step: play its action and the opponent's answers, or begin a new contest.

    Args:
        legal: The game's kernels: ``legal``,
        play: ``play``,
        outcome: ``outcome`` and
        encode: ``encode``.
        frame: What stays the same.
        copies: What goes on; updated.
        kept: The positions that may recur, shape ``(N, rows, state_size)``; updated.
        actions: The callers' actions, legal or not, shape ``(N,)``.
        seen: What there is to tell; written.

    Returns:
        ``kept``, or a longer array in its place.
    """
    actors = copies.seats.copy()
    for i in range(len(actors)):
        if actors[i] == ALONE:
            actors[i] = copies.states[i, 0]
    results = np.full(len(actions), ONGOING, dtype=np.int64)
    _begin(frame, copies, kept)
    kept = _play_actions(play, outcome, frame, copies, kept, actions, results)
    kept = _play_answers(legal, play, outcome, frame, copies, kept, results)
    _settle(copies, results, actors, seen)
    _look(legal, encode, copies, seen)
    return kept


@helper
def _begin(frame: Frame, copies: Copies, kept: Kept) -> None:
    """Begin a contest where one is over."""
    states, counters = copies.states, copies.counters
    for i in range(len(states)):
        if not copies.over[i]:
            continue
        if copies.seats[i] != ALONE:
            copies.seats[i] ^= frame.turn
        states[i] = frame.initial
        counters[i, 0] = 0
        counters[i, 1] = 0
        counters[i, 2] = frame.initial[0]
        if frame.is_limited:
            note_position(states[i], kept[i], counters[i], frame.symmetries, frame.limits)


@helper
def _play_actions(
    play: Any,
    outcome: Any,
    frame: Frame,
    copies: Copies,
    kept: Kept,
    actions: NDArray[np.int64],
    results: NDArray[np.int64],
) -> Kept:
    """Play the callers' actions where a contest was going on before this step."""
    states, masks, over, counters = copies.states, copies.masks, copies.over, copies.counters
    symmetries, limits, is_limited = frame.symmetries, frame.limits, frame.is_limited
    for i in range(len(states)):
        action = actions[i]
        if over[i]:
            continue
        if not 0 <= action < masks.shape[1] or not masks[i, action]:
            results[i] = _ILLEGAL
            continue
        state = states[i]
        play(state, action)
        results[i] = outcome(state)
        if is_limited and results[i] == ONGOING:
            kept = _with_room(kept, counters[i, 0])
            results[i] = note_position(state, kept[i], counters[i], symmetries, limits)
    return kept


@helper
def _play_answers(
    legal: Any, play: Any, outcome: Any, frame: Frame, copies: Copies, kept: Kept, results: NDArray[np.int64]
) -> Kept:
    """Let the random opponents play until it is the callers' turn."""
    states, seats, counters = copies.states, copies.seats, copies.counters
    found = np.empty(copies.masks.shape[1], dtype=np.int32)
    for i in range(len(states)):
        if seats[i] == ALONE:
            continue
        state = states[i]
        while results[i] == ONGOING and state[0] != seats[i]:
            play(state, found[draw(copies.streams, i, legal(state, found))])
            results[i] = outcome(state)
            if frame.is_limited and results[i] == ONGOING:
                kept = _with_room(kept, counters[i, 0])
                results[i] = note_position(state, kept[i], counters[i], frame.symmetries, frame.limits)
    return kept


@helper
def _with_room(kept: Kept, used: int) -> Kept:
    """``kept``, made twice as long if it has no more rows than are used."""
    rows = kept.shape[1]
    if used < rows:
        return kept
    longer = np.zeros((kept.shape[0], 2 * rows, kept.shape[2]), dtype=np.int8)
    longer[:, :rows] = kept
    return longer


@helper
def _settle(copies: Copies, results: NDArray[np.int64], actors: NDArray[np.int64], seen: Seen) -> None:
    """Note which contests are over, and the rewards of the seats that acted."""
    for i in range(len(results)):
        result = results[i]
        copies.over[i] = result != ONGOING
        seen.truncations[i] = result == CUT
        seen.terminations[i] = result not in (ONGOING, CUT)
        if result in (ONGOING, CUT):
            seen.rewards[i] = 0
        elif result == _ILLEGAL:
            seen.rewards[i] = -1
        else:
            seen.rewards[i] = result if actors[i] == 0 else -result


@helper
def _look(legal: Any, encode: Any, copies: Copies, seen: Seen) -> None:
    """Write what the callers see, and what is legal."""
    states, masks, observations = copies.states, copies.masks, seen.observations
    found = np.empty(masks.shape[1], dtype=np.int32)
    indices = np.empty(observations.shape[1], dtype=np.int32)
    values = np.empty(observations.shape[1], dtype=np.float32)
    for i in range(len(states)):
        state = states[i]
        seat = copies.seats[i] if copies.seats[i] != ALONE else state[0]
        seen.seats[i] = seat
        for k in range(encode(state, seat, indices, values)):
            observations[i, indices[k]] = values[k]
        fill = 1 if copies.over[i] else 0
        for action in range(masks.shape[1]):
            masks[i, action] = fill
        if not copies.over[i]:
            for k in range(legal(state, found)):
                masks[i, found[k]] = 1
