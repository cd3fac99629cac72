"""One step of a whole batch of contests, in one kernel for all games."""

from typing import Any

import numpy as np
from numba import prange, types
from numpy.typing import NDArray

from boardgames_env.chance import MOST_EVENTS, settle
from boardgames_env.envs.copies import (
    ALONE,
    CONSTANTS,
    COPIES,
    INTEGERS,
    KEPT,
    SEEN,
    Constants,
    Copies,
    Kept,
    Seen,
)
from boardgames_env.envs.rows import CHOOSE_ROWS, ENCODE_ROWS, MASK_ROWS, OUTCOME_ROWS, PLAY_ROWS
from boardgames_env.history import CUT, note_position
from boardgames_env.kernels import CHANCES, HAPPEN, ONGOING, Actions, helper, kernel

_ILLEGAL = 125
"""The result of a contest that an illegal action has ended."""

Results = NDArray[np.int64]
Flags = NDArray[np.bool_]

_RULES = (CHOOSE_ROWS, PLAY_ROWS, OUTCOME_ROWS, ENCODE_ROWS, MASK_ROWS, CHANCES, HAPPEN)


@kernel(KEPT(*_RULES, CONSTANTS, COPIES, KEPT, INTEGERS, SEEN))
def step_batch(
    choose: Any,
    play: Any,
    outcome: Any,
    encode: Any,
    mask: Any,
    chances: Any,
    happen: Any,
    constants: Constants,
    copies: Copies,
    kept: Kept,
    actions: NDArray[np.int64],
    seen: Seen,
) -> Kept:
    """Let every copy take a step: play its action and the opponent's answers, or begin a new contest.

    Args:
        choose: The game's row rules: ``choose``,
        play: ``play``,
        outcome: ``outcome``,
        encode: ``encode`` and
        mask: ``mask``.
        chances: Its kernels ``chances`` and
        happen: ``happen``.
        constants: What stays the same.
        copies: What goes on; updated.
        kept: The positions that may recur, shape ``(N, rows, key_length)``; updated.
        actions: The callers' actions, legal or not, shape ``(N,)``.
        seen: What there is to tell; written.

    Returns:
        ``kept``, or a longer array in its place.
    """
    return _step(choose, play, outcome, encode, mask, chances, happen, constants, copies, kept, actions, seen)


@kernel(types.void(*_RULES, CONSTANTS, COPIES, KEPT, INTEGERS, SEEN, types.int64), parallel=True)
def step_batch_on_threads(
    choose: Any,
    play: Any,
    outcome: Any,
    encode: Any,
    mask: Any,
    chances: Any,
    happen: Any,
    constants: Constants,
    copies: Copies,
    kept: Kept,
    actions: NDArray[np.int64],
    seen: Seen,
    threads: int,
) -> None:
    """Do what `step_batch` does, each thread for its share of the copies.

    For games in which no positions are kept: threads could not make ``kept`` longer for one another.
    """
    size = -(-len(actions) // threads)
    for share in prange(threads):
        first, end = share * size, min(len(actions), (share + 1) * size)
        _step_share(
            choose, play, outcome, encode, mask, chances, happen, constants, copies, kept, actions, seen, first, end
        )


@helper
def _step_share(
    choose: Any,
    play: Any,
    outcome: Any,
    encode: Any,
    mask: Any,
    chances: Any,
    happen: Any,
    constants: Constants,
    copies: Copies,
    kept: Kept,
    actions: NDArray[np.int64],
    seen: Seen,
    first: int,
    end: int,
) -> None:
    """Let the copies from ``first`` up to ``end`` take a step."""
    mine = Copies(
        copies.states[first:end],
        copies.masks[first:end],
        copies.over[first:end],
        copies.seats[first:end],
        copies.streams[first:end],
        copies.dice[first:end],
        copies.counters[first:end],
        copies.opened[first:end],
    )
    told = Seen(
        seen.observations[first:end],
        seen.rewards[first:end],
        seen.terminations[first:end],
        seen.truncations[first:end],
        seen.seats[first:end],
    )
    _step(
        choose, play, outcome, encode, mask, chances, happen, constants, mine, kept[first:end], actions[first:end], told
    )


@helper
def _step(
    choose: Any,
    play: Any,
    outcome: Any,
    encode: Any,
    mask: Any,
    chances: Any,
    happen: Any,
    constants: Constants,
    copies: Copies,
    kept: Kept,
    actions: NDArray[np.int64],
    seen: Seen,
) -> Kept:
    """What `step_batch` does."""
    moved = np.zeros(len(actions), dtype=np.bool_)
    answers = np.zeros(len(actions), dtype=np.int64)
    found = np.empty(copies.masks.shape[1], dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    _begin(constants, copies)
    _settle(chances, happen, constants, copies, copies.over, cases)
    _begin_histories(constants, copies, kept)
    results = copies.opened.copy()
    _name_seats(copies, seen)
    _heed(copies, actions, results, moved)
    played = actions
    while True:
        play(copies.states, moved, played)
        _settle(chances, happen, constants, copies, moved, cases)
        outcome(copies.states, moved, results)
        kept = _limit(constants, copies, kept, moved, results)
        if not _await(copies, results, moved):
            break
        choose(copies.states, moved, copies.streams, found, answers)
        played = answers
    _judge(copies, results, seen)
    _name_seats(copies, seen)
    encode(copies.states, seen.seats, seen.observations)
    mask(copies.states, results != ONGOING, found, copies.masks)
    return kept


# Each of these goes through all copies. To do one thing for all of them and then the next is faster than to do all
# for one copy: a kernel that reads what another has just written has to wait for it.


@helper
def _name_seats(copies: Copies, seen: Seen) -> None:
    """Write the callers' seats: those to move, where they play both."""
    for i in range(len(copies.seats)):
        seen.seats[i] = copies.seats[i] if copies.seats[i] != ALONE else copies.states[i, 0]


@helper
def _begin(constants: Constants, copies: Copies) -> None:
    """Begin a contest where one is over."""
    for i in range(len(copies.over)):
        if copies.over[i]:
            if copies.seats[i] != ALONE:
                copies.seats[i] ^= constants.turn
            copies.states[i] = constants.initial
            copies.opened[i] = ONGOING


@helper
def _begin_histories(constants: Constants, copies: Copies, kept: Kept) -> None:
    """Begin a history where a contest has begun, as `History.begin` does."""
    states, counters = copies.states, copies.counters
    for i in range(len(states)):
        if copies.over[i]:
            counters[i, 0] = 0
            counters[i, 1] = 0
            counters[i, 2] = states[i, 0]
            if constants.is_limited:
                note_position(states[i], kept[i], counters[i], constants.symmetries, constants.limits)


@helper
def _settle(chances: Any, happen: Any, constants: Constants, copies: Copies, chosen: Flags, cases: Actions) -> None:
    """Let chance decide what it must in the chosen copies."""
    if constants.have_chances:
        for i in range(len(chosen)):
            if chosen[i]:
                settle(chances, happen, copies.states[i], cases, copies.dice, i)


@helper
def _heed(copies: Copies, actions: NDArray[np.int64], results: Results, moved: Flags) -> None:
    """Which copies play their callers' actions: those whose contest went on before this step, if it is legal."""
    masks, over = copies.masks, copies.over
    for i in range(len(over)):
        action = actions[i]
        if not over[i] and results[i] == ONGOING:
            moved[i] = 0 <= action < masks.shape[1] and masks[i, action] != 0
            if not moved[i]:
                results[i] = _ILLEGAL


@helper
def _await(copies: Copies, results: Results, moved: Flags) -> bool:
    """Which copies wait for an answer of the random opponent; whether any does."""
    states, seats = copies.states, copies.seats
    some = False
    for i in range(len(states)):
        moved[i] = results[i] == ONGOING and seats[i] != ALONE and states[i, 0] != seats[i]
        some |= moved[i]
    return some


@helper
def _limit(constants: Constants, copies: Copies, kept: Kept, moved: Flags, results: Results) -> Kept:
    """Write the results that limits give the contests in which somebody has moved, as `History.add` has them."""
    if not constants.is_limited:
        return kept
    states, counters = copies.states, copies.counters
    symmetries, limits = constants.symmetries, constants.limits
    for i in range(len(states)):
        if moved[i] and results[i] == ONGOING:
            kept = _with_room(kept, counters[i, 0])
            results[i] = note_position(states[i], kept[i], counters[i], symmetries, limits)
    return kept


@helper
def _with_room(kept: Kept, used: int) -> Kept:
    """``kept``, made twice as long if it has no more rows than are used."""
    rows = kept.shape[1]
    if used < rows:
        return kept
    longer = np.zeros((kept.shape[0], 2 * rows, kept.shape[2]), dtype=np.int64)
    longer[:, :rows] = kept
    return longer


@helper
def _judge(copies: Copies, results: Results, seen: Seen) -> None:
    """Write which contests are over, and the rewards of the seats that acted."""
    over, seats = copies.over, seen.seats
    for i in range(len(results)):
        result = results[i]
        has_begun = over[i]
        copies.opened[i] = result if has_begun else ONGOING
        over[i] = result != ONGOING and not has_begun
        seen.truncations[i] = over[i] and result == CUT
        seen.terminations[i] = over[i] and result != CUT
        points = result if seats[i] == 0 else -result
        if result == _ILLEGAL:
            points = -1
        seen.rewards[i] = points if seen.terminations[i] else 0
