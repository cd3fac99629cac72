"""One step of a whole batch of contests, in one kernel for each game: the game's rules are compiled into its loops.

A call through a pointer takes some nanoseconds, as much as a whole rule of a small game.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import prange, types

from boardgames_env.chance import MOST_EVENTS, draw, draw_event
from boardgames_env.ending import ENDS, board_end_kernel
from boardgames_env.envs.batch_arrays import (
    ALONE,
    BATCH_KEPT,
    BEGUN,
    COPIES,
    FINAL,
    OPENING,
    RETURNED,
    TURN,
    BatchKept,
    BatchTurn,
    Copies,
    Final,
    Opening,
    Returned,
)
from boardgames_env.envs.view import ILLEGAL_REWARD, MASK_AT_THE_END
from boardgames_env.game import Game
from boardgames_env.history import CUT, KeptPositions, note_position
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Kernel,
    State,
    announce_compilation,
    copy_row,
    helper,
    inlined,
    kernel,
)
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, from_template, rule
from boardgames_env.kernels.signatures import INT8_2D, INT64_1D, Int8s, Int32s, Int64s, UInt64s

ILLEGAL_END = ENDS.index("illegal")

_ILLEGAL = 125
"""The result of a contest that an illegal action has ended."""

NOBODY, RANDOM_ACTIONS, CALLER = range(3)
"""What answers a caller's action: no opponent, random actions that the kernel draws, or actions of another call."""

_STEP = BATCH_KEPT(OPENING, COPIES, BATCH_KEPT, INT64_1D, INT64_1D, TURN, RETURNED, FINAL, types.int64, types.boolean)
_ON_THREADS = types.void(OPENING, COPIES, INT64_1D, INT64_1D, TURN, RETURNED, FINAL, types.int64, types.int64)


@cache
def step_kernel_on_threads(game: Game) -> Kernel:
    """Return the kernel of a step on threads, compiled; its arguments are those of `_step_on_threads`."""
    made = from_template(_step_on_threads, _ON_THREADS, parallel=True, compiled_first=True, step=step_kernel(game))
    announce_compilation(f"{game.spec} in batches on threads", [made])
    return made


@cache
def step_kernel(game: Game) -> Kernel:
    """Return the kernel of a step of a game's copies; its arguments are those of `_step`."""
    rules, limits = game.rules, game.limits
    settle = from_template(_settle, None, chance_events=rules.chance_events, happen=rules.happen)
    given: dict[str, Any] = {
        "is_limited": limits.are_set,
        "is_compared": limits.recurrences > 0 or limits.quiet_plies > 0,
        "has_chance": rules.has_chance,
        "settle": settle,
    }
    start = from_template(_start, None, **given)
    show = from_template(
        _show, None, encode=rules.encode, legal=rules.legal, can_mark=rules.legal.can_mark, num_actions=game.num_actions
    )
    return from_template(
        _step,
        _STEP,
        begin=from_template(_begin, None, start=start),
        begin_next=from_template(_begin_next, None, start=start),
        advance=from_template(_advance, None, **given, play=rules.play, outcome=rules.outcome),
        answer=from_template(_answer, None, legal=rules.legal),
        finish=from_template(_finish, None, show=show, board_end=board_end_kernel(game)),
        finish_next=from_template(_finish_next, None, show=show),
        is_kept=limits.recurrences > 0,
    )


# stand-ins, for which `from_template` puts what belongs to a game
legal = play = outcome = encode = chance_events = happen = settle = step = rule
start = show = begin = begin_next = advance = answer = finish = finish_next = board_end = rule
num_actions = 0
can_mark = has_chance = is_limited = is_kept = is_compared = False


def _step(
    opening: Opening,
    copies: Copies,
    kept: BatchKept,
    actions: Int64s,
    ended: Int64s,
    turn: BatchTurn,
    returned: Returned,
    final: Final,
    opponent: int,
    is_answer: bool,
) -> BatchKept:
    """Let every copy take a step: play its action and the opponent's answers, or begin a new contest.

    A second call with ``ended`` begins the next contests in the same step, where the first call has ended some.

    Where the caller answers for the opponent, the step stops at the next answers, which are then the actions of another
    call. ``turn.moved`` are the copies in which it is to answer; if there are none, the step is finished.

    Args:
        opening: How contests begin.
        copies: The contests; updated.
        kept: The positions that may recur; updated.
        actions: The callers' actions, legal or not, shape ``(N,)``; or the opponent's answers, which are legal.
        ended: Indices of the copies that begin their next contest, while the others stay as they are; or no indices.
        turn: Room for what happens in a turn.
        returned: What the step returns; written when it is finished.
        final: What the last step of the contests of ``ended`` returned, which is taken from ``returned``.
        opponent: `NOBODY`, `RANDOM_ACTIONS` or `CALLER`.
        is_answer: Whether the actions are answers in a step that has begun.

    Returns:
        ``kept``, or longer arrays in its place.
    """
    found = np.empty(copies.masks.shape[1], dtype=np.int32)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    answers = np.empty(len(copies.over), dtype=np.int64)
    is_next = len(ended) > 0
    if is_next and not is_answer:
        begin_next(opening, copies, kept, ended, turn, returned, final, cases)
    elif not is_answer:
        begin(opening, copies, kept, actions, turn, returned, cases)
    played = actions
    is_played = is_next and not is_answer
    while True:
        if not is_played:
            if is_kept:
                kept = _with_room(kept, copies.counters)
            advance(opening, copies, kept, played, turn, cases)
        if opponent == NOBODY or not _find_answering(copies, turn):
            break
        if opponent == CALLER:
            return kept
        answer(copies, turn, found, answers)
        played = answers
        is_played = False
    if is_next:
        finish_next(copies, ended, turn, returned, found)
    else:
        finish(opening, copies, turn, returned, found)
    return kept


# Each loop of these goes through all copies. To do one thing for all of them and then the next is faster than to do all
# for one copy: code that reads what other code has just written has to wait for it.


def _begin(
    opening: Opening,
    copies: Copies,
    kept: BatchKept,
    actions: Int64s,
    turn: BatchTurn,
    returned: Returned,
    cases: Actions,
) -> None:
    """Begin contests where they are over; elsewhere mark the copies that play their callers' actions, if legal."""
    states, masks, over, seats = copies.states, copies.masks, copies.over, copies.seats
    moved, results = turn
    if opening.most_steps > 0:
        for i in range(len(states)):
            copies.steps[i] += 1
    for i in range(len(states)):
        results[i] = copies.opened[i]
        moved[i] = False
        if over[i]:
            results[i] = ONGOING
            start(opening, copies, kept, i, cases)
        elif results[i] == ONGOING:
            action = actions[i]
            moved[i] = 0 <= action < masks.shape[1] and masks[i, action] != 0
            if not moved[i]:
                results[i] = _ILLEGAL
        returned.seats[i] = seats[i] if seats[i] != ALONE else states[i, 0]


def _begin_next(
    opening: Opening,
    copies: Copies,
    kept: BatchKept,
    ended: Int64s,
    turn: BatchTurn,
    returned: Returned,
    final: Final,
    cases: Actions,
) -> None:
    """Begin the next contests in some copies, of which ``final`` keeps the last; the others do not move."""
    for i in range(len(turn.moved)):
        turn.moved[i] = False
    for k in range(len(ended)):
        i = ended[k]
        copy_row(returned.observations[i], final.observations[k])
        copy_row(returned.masks[i], final.masks[i])
        final.seats[i] = returned.seats[i]
        final.ends[i] = returned.ends[i]
        returned.ends[i] = BEGUN
        turn.results[i] = ONGOING
        start(opening, copies, kept, i, cases)


def _start(opening: Opening, copies: Copies, kept: BatchKept, i: int, cases: Actions) -> None:
    """Begin a contest in copy ``i``."""
    state, counters = copies.states[i], copies.counters[i]
    copies.seats[i] ^= opening.turn
    copies.steps[i] = 0
    copy_row(opening.state, state)
    if has_chance:
        settle(state, cases, copies.dice, i)
    if is_limited:
        counters[0], counters[1], counters[2], counters[3] = 0, 0, state[0], 0
    if is_compared:  # (with later positions)
        note_position(state, KeptPositions(kept.marks[i], kept.keys[i]), counters, opening.symmetries, opening.limits)


def _advance(
    opening: Opening, copies: Copies, kept: BatchKept, actions: Int64s, turn: BatchTurn, cases: Actions
) -> None:
    """Play an action where a seat moves, and write the results."""
    states, counters = copies.states, copies.counters
    moved, results = turn
    for i in range(len(states)):
        if moved[i]:
            play(states[i], actions[i])
    if has_chance:
        for i in range(len(states)):
            if moved[i]:
                settle(states[i], cases, copies.dice, i)
    for i in range(len(states)):
        if moved[i]:
            results[i] = outcome(states[i])
    if is_limited:
        for i in range(len(states)):
            if moved[i] and results[i] == ONGOING:
                results[i] = note_position(
                    states[i],
                    KeptPositions(kept.marks[i], kept.keys[i]),
                    counters[i],
                    opening.symmetries,
                    opening.limits,
                )


def _answer(copies: Copies, turn: BatchTurn, found: Actions, answers: Int64s) -> None:
    """Draw the actions of the random opponent where it is to move."""
    states = copies.states
    for i in range(len(states)):
        if turn.moved[i]:
            answers[i] = found[draw(copies.streams, i, legal(states[i], found))]


@inlined
def _find_answering(copies: Copies, turn: BatchTurn) -> bool:
    """Mark the copies in which the opponent is to move. Return whether there are any."""
    states, seats = copies.states, copies.seats
    moved, results = turn
    some = False
    for i in range(len(states)):
        moved[i] = (results[i] == ONGOING) & (states[i, 0] != seats[i])
        some |= moved[i]
    return some


def _finish(opening: Opening, copies: Copies, turn: BatchTurn, returned: Returned, found: Actions) -> None:
    """Write which contests are over, the rewards of the seats that acted, observations and masks."""
    states, over, seats, opened = copies.states, copies.over, copies.seats, copies.opened
    rewards, terminations, truncations, viewers, ends = returned[2:]
    results = turn.results
    ended = np.empty(len(states), dtype=np.int64)
    for i in range(len(states)):
        ends[i] = BEGUN if over[i] else 0
    for i in range(len(states)):
        result = results[i]
        has_begun = over[i]
        opened[i] = result if has_begun else ONGOING
        over[i] = result != ONGOING and not has_begun
        truncations[i] = over[i] and result == CUT
        terminations[i] = over[i] and result != CUT
        points = result if viewers[i] == 0 else -result
        if result == _ILLEGAL:
            points = ILLEGAL_REWARD
        rewards[i] = points if terminations[i] else 0
        viewers[i] = seats[i] if seats[i] != ALONE else states[i, 0]
    count = 0
    # (without branches, since which contests end cannot be foretold: the whole step takes 1.5 times as long with them)
    for i in range(len(states)):
        ended[count] = i
        count += int(over[i])
    for k in range(count):
        i = ended[k]
        ends[i] = ILLEGAL_END if results[i] == _ILLEGAL else copies.counters[i, 3] or board_end(states[i])
    if opening.most_steps > 0:
        for i in range(len(states)):
            truncations[i] |= copies.steps[i] >= opening.most_steps
            over[i] |= truncations[i]
    for i in range(len(states)):
        show(copies, turn, returned, i, found)


def _finish_next(copies: Copies, ended: Int64s, turn: BatchTurn, returned: Returned, found: Actions) -> None:
    """Write observations and masks where the next contest has begun in the same step."""
    states, seats = copies.states, copies.seats
    for k in range(len(ended)):
        i = ended[k]
        copies.over[i] = False
        copies.opened[i] = turn.results[i]
        returned.seats[i] = seats[i] if seats[i] != ALONE else states[i, 0]
        show(copies, turn, returned, i, found)


def _show(copies: Copies, turn: BatchTurn, returned: Returned, i: int, found: Actions) -> None:
    """Write the observation and the mask of copy ``i``."""
    state, mask = copies.states[i], returned.masks[i]
    encode(state, returned.seats[i], returned.observations[i])
    if turn.results[i] != ONGOING:
        for action in range(num_actions):
            mask[action] = MASK_AT_THE_END
    else:
        for action in range(num_actions):
            mask[action] = 0
        if can_mark:
            legal(state, mask)
        else:
            for k in range(legal(state, found)):
                mask[found[k]] = 1
    for action in range(num_actions):
        copies.masks[i, action] = mask[action]


def _settle(state: State, cases: Actions, dice: UInt64s, which: int) -> None:
    """Let chance events happen, in place, until a seat can move or the contest is over."""
    events = chance_events(state, cases)
    while events > 0:
        happen(state, draw_event(cases, events, dice, which))
        events = chance_events(state, cases)


@kernel(types.int64(GAME_KERNELS, INT8_2D, INT64_1D))
def first_illegal(game: GameKernels, states: Int8s, actions: Int64s) -> int:
    """Return the index of the first action that is not legal in its state, or -1 if all are."""
    found = np.empty(game.num_actions, dtype=np.int32)
    for i in range(len(states)):
        is_legal = False
        for k in range(game.legal(states[i], found)):
            is_legal |= found[k] == actions[i]
        if not is_legal:
            return i
    return -1


def _step_on_threads(
    opening: Opening,
    copies: Copies,
    actions: Int64s,
    ended: Int64s,
    turn: BatchTurn,
    returned: Returned,
    final: Final,
    opponent: int,
    threads: int,
) -> None:
    """Do what `_step` does where the caller does not answer, each thread for its share of the copies.

    The next contests of the same step, which are few, are begun by one thread.

    For games in which no positions are kept: threads could not make ``kept`` longer for one another.
    """
    size = -(-len(actions) // (threads if len(ended) == 0 else 1))
    for share in prange(-(-len(actions) // size)):  # (the last threads may be left without a share)
        first, end = share * size, min(len(actions), (share + 1) * size)
        mine = Copies(
            copies.states[first:end],
            copies.masks[first:end],
            copies.over[first:end],
            copies.seats[first:end],
            copies.streams[first:end],
            copies.dice[first:end],
            copies.counters[first:end],
            copies.opened[first:end],
            copies.steps[first:end],
        )
        my_returned = Returned(
            returned.observations[first:end],
            returned.masks[first:end],
            returned.rewards[first:end],
            returned.terminations[first:end],
            returned.truncations[first:end],
            returned.seats[first:end],
            returned.ends[first:end],
        )
        my_turn = BatchTurn(turn.moved[first:end], turn.results[first:end])
        unused = BatchKept(np.zeros((end - first, 1), dtype=np.int16), np.zeros((end - first, 1, 1), dtype=np.int8))
        step(opening, mine, unused, actions[first:end], ended, my_turn, my_returned, final, opponent, False)


@helper
def _with_room(kept: BatchKept, counters: Int32s) -> BatchKept:
    """Return ``kept``, with room for twice as many positions if a copy uses all there is."""
    size, room = kept.marks.shape
    used = 0
    for i in range(len(counters)):
        used = max(used, counters[i, 0])
    if used < room:
        return kept
    marks = np.zeros((size, 2 * room), dtype=np.int16)
    keys = np.zeros((size, 2 * room, kept.keys.shape[2]), dtype=np.int8)
    for i in range(size):
        copy_row(kept.marks[i], marks[i, :room])
        for number in range(room):
            copy_row(kept.keys[i, number], keys[i, number])
    return BatchKept(marks, keys)
