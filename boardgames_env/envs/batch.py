"""One step of a whole batch of contests, in one kernel for all games."""

import numpy as np
from numba import prange, types

from boardgames_env.chance import MOST_EVENTS, settle
from boardgames_env.envs.copies import ALONE, COPIES, OPENING, RETURNED, Copies, Opening, Returned
from boardgames_env.envs.rows import BATCH_KERNELS, BatchKernels
from boardgames_env.history import CUT, note_position
from boardgames_env.kernels import ONGOING, Actions, helper, kernel
from boardgames_env.kernels.signatures import INT64_1D, INT64_3D, Bools, Int64s

_ILLEGAL = 125
"""The result of a contest that an illegal action has ended."""


@kernel(
    types.void(BATCH_KERNELS, OPENING, COPIES, INT64_1D, RETURNED, types.int64),
    parallel=True,
)
def step_batch_on_threads(
    kernels: BatchKernels,
    opening: Opening,
    copies: Copies,
    actions: Int64s,
    returned: Returned,
    threads: int,
) -> None:
    """Do what `step` does, each thread for its share of the copies.

    For games in which no positions are kept: threads could not make ``kept`` longer for one another.
    """
    size = -(-len(actions) // threads)
    for share in prange(threads):
        first, end = share * size, min(len(actions), (share + 1) * size)
        _step_share(kernels, opening, copies, actions, returned, (first, end))


@helper
def _step_share(
    kernels: BatchKernels,
    opening: Opening,
    copies: Copies,
    actions: Int64s,
    returned: Returned,
    share: tuple[int, int],
) -> None:
    """Let the copies of a share, from its first up to its end, take a step."""
    first, end = share
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
    my_returned = Returned(
        returned.observations[first:end],
        returned.rewards[first:end],
        returned.terminations[first:end],
        returned.truncations[first:end],
        returned.seats[first:end],
    )
    unused = np.zeros((end - first, 1, 1), dtype=np.int64)
    step(kernels, opening, mine, unused, actions[first:end], my_returned)


@helper
def step(
    kernels: BatchKernels,
    opening: Opening,
    copies: Copies,
    kept: Int64s,
    actions: Int64s,
    returned: Returned,
) -> Int64s:
    """Let every copy take a step: play its action and the opponent's answers, or begin a new contest.

    Args:
        kernels: The game's kernels.
        opening: How contests begin.
        copies: The contests; updated.
        kept: The positions that may recur, shape ``(N, rows, key_length)``; updated.
        actions: The callers' actions, legal or not, shape ``(N,)``.
        returned: What the step returns; written.

    Returns:
        ``kept``, or a longer array in its place.
    """
    moved = np.zeros(len(actions), dtype=np.bool_)
    answers = np.zeros(len(actions), dtype=np.int64)
    found = np.empty(copies.masks.shape[1], dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    _begin(opening, copies)
    _settle(kernels, copies, copies.over, cases)
    _begin_histories(kernels, copies, kept)
    results = copies.opened.copy()
    _write_seats(copies, returned)
    _accept(copies, actions, results, moved)
    played = actions
    while True:
        kernels.play(copies.states, moved, played)
        _settle(kernels, copies, moved, cases)
        kernels.outcome(copies.states, moved, results)
        kept = _apply_limits(kernels, copies, kept, moved, results)
        if not _find_answering(copies, results, moved):
            break
        kernels.choose(copies.states, moved, copies.streams, found, answers)
        played = answers
    _write_results(copies, results, returned)
    _write_seats(copies, returned)
    kernels.encode(copies.states, returned.seats, returned.observations)
    kernels.mask(copies.states, results != ONGOING, found, copies.masks)
    return kept


step_batch = kernel(INT64_3D(BATCH_KERNELS, OPENING, COPIES, INT64_3D, INT64_1D, RETURNED))(step)

# Each of these goes through all copies. To do one thing for all of them and then the next is faster than to do all
# for one copy: a kernel that reads what another has just written has to wait for it.


@helper
def _write_seats(copies: Copies, returned: Returned) -> None:
    """Write the callers' seats: those to move, where they play both."""
    for i in range(len(copies.seats)):
        returned.seats[i] = copies.seats[i] if copies.seats[i] != ALONE else copies.states[i, 0]


@helper
def _begin(opening: Opening, copies: Copies) -> None:
    for i in range(len(copies.over)):
        if copies.over[i]:
            if copies.seats[i] != ALONE:
                copies.seats[i] ^= opening.turn
            copies.states[i] = opening.state
            copies.opened[i] = ONGOING


@helper
def _begin_histories(kernels: BatchKernels, copies: Copies, kept: Int64s) -> None:
    """Begin a history where a contest has begun, as `History.begin` does."""
    states, counters = copies.states, copies.counters
    for i in range(len(states)):
        if copies.over[i]:
            counters[i, 0] = 0
            counters[i, 1] = 0
            counters[i, 2] = states[i, 0]
            if kernels.is_limited:
                note_position(states[i], kept[i], counters[i], kernels.symmetries, kernels.limits)


@helper
def _settle(kernels: BatchKernels, copies: Copies, chosen: Bools, cases: Actions) -> None:
    if kernels.has_chance:
        for i in range(len(chosen)):
            if chosen[i]:
                settle(kernels, copies.states[i], cases, copies.dice, i)


@helper
def _accept(copies: Copies, actions: Int64s, results: Int64s, moved: Bools) -> None:
    """Mark the copies that play their callers' actions: contests that were not over before, if it is legal."""
    masks, over = copies.masks, copies.over
    for i in range(len(over)):
        action = actions[i]
        if not over[i] and results[i] == ONGOING:
            moved[i] = 0 <= action < masks.shape[1] and masks[i, action] != 0
            if not moved[i]:
                results[i] = _ILLEGAL


@helper
def _find_answering(copies: Copies, results: Int64s, moved: Bools) -> bool:
    """Mark the copies in which the random opponent is to move. Return whether there are any."""
    states, seats = copies.states, copies.seats
    some = False
    for i in range(len(states)):
        moved[i] = results[i] == ONGOING and seats[i] != ALONE and states[i, 0] != seats[i]
        some |= moved[i]
    return some


@helper
def _apply_limits(kernels: BatchKernels, copies: Copies, kept: Int64s, moved: Bools, results: Int64s) -> Int64s:
    """Write the results by the limits of the contests in which a seat has moved, as `History.add` returns them."""
    if not kernels.is_limited:
        return kept
    states, counters = copies.states, copies.counters
    symmetries, limits = kernels.symmetries, kernels.limits
    for i in range(len(states)):
        if moved[i] and results[i] == ONGOING:
            kept = _with_room(kept, counters[i, 0])
            results[i] = note_position(states[i], kept[i], counters[i], symmetries, limits)
    return kept


@helper
def _with_room(kept: Int64s, used: int) -> Int64s:
    """Return ``kept``, twice as long if it has no more rows than are used."""
    rows = kept.shape[1]
    if used < rows:
        return kept
    longer = np.zeros((kept.shape[0], 2 * rows, kept.shape[2]), dtype=np.int64)
    longer[:, :rows] = kept
    return longer


@helper
def _write_results(copies: Copies, results: Int64s, returned: Returned) -> None:
    """Write which contests are over, and the rewards of the seats that acted."""
    over, seats = copies.over, returned.seats
    for i in range(len(results)):
        result = results[i]
        has_begun = over[i]
        copies.opened[i] = result if has_begun else ONGOING
        over[i] = result != ONGOING and not has_begun
        returned.truncations[i] = over[i] and result == CUT
        returned.terminations[i] = over[i] and result != CUT
        points = result if seats[i] == 0 else -result
        if result == _ILLEGAL:
            points = -1
        returned.rewards[i] = points if returned.terminations[i] else 0
