"""All whole moves at once: the distinct positions that a roll can lead to, with one way to each.

A depth-first search over the steps, with the dice in either order; what plays fewer dice than something else is thrown
away. Different steps may lead to the same position: what two dice find is held against all that was found before.
Doubles are played from the rear to the front, which finds every position once.
"""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.games.backgammon.board import BAR, DICE, MOVING, NO_MOVE, OVER, PHASE, POINTS, STATE_SIZE, TRAYS
from boardgames_env.games.backgammon.cube import answer, pass_turn, write_answers
from boardgames_env.games.backgammon.steps import count, dice_left, may_step, rearmost, step
from boardgames_env.kernels import Actions, Kernel, State, helper, moves

_MEN_SLOTS = 1 + POINTS + 4
# the sum of these, each times the men in its slot, tells positions apart (nearly: it never overflows, and may coincide)
_MARKS = np.random.default_rng(24).integers(1, 1 << 55, _MEN_SLOTS)

_MOST_DICE = 4
_MOST_MIXED = 1024
"""Two dice that are not alike lead to far fewer positions."""


@helper
def end_contest(state: State) -> None:
    """Write that a seat has borne off all its men; it stays the seat to move."""
    for die in range(1, 7):
        state[DICE + die] = 0
    state[PHASE] = OVER


@helper
def _mark(state: State) -> int:
    total = 0
    for slot in range(1, _MEN_SLOTS):
        total += state[slot] * _MARKS[slot]
    return total


@helper
def _copy(state: State, other: State) -> None:
    for slot in range(STATE_SIZE):
        other[slot] = state[slot]


@helper
def _is_new(afterstates: NDArray[np.int8], found: int, marks: NDArray[np.int64]) -> bool:
    """Whether the last position, after the ``found`` ones that are different, differs from all of them."""
    marks[found] = _mark(afterstates[found])
    for earlier in range(found):
        if marks[earlier] == marks[found]:
            same = True
            for slot in range(1, _MEN_SLOTS):
                same &= afterstates[earlier, slot] == afterstates[found, slot]
            if same:
                return False
    return True


@helper
def _write_dice(state: State, dice: Actions) -> tuple[int, int]:
    """Write the dice in the orders they may be played in; how many orders there are, and how many dice."""
    high, low = dice_left(state)
    if high == low:
        dice[0, :] = high
        return 1, state[DICE + high]
    dice[0, 0] = dice[1, 1] = high
    dice[0, 1] = dice[1, 0] = low
    return 2, 2


@helper
def _write_answered(state: State, beavers: bool, afterstates: NDArray[np.int8], actions: Actions) -> int:
    """Write the moves that are about the cube: one action each."""
    found = write_answers(state, beavers, actions[0])
    for which in range(found - 1, -1, -1):
        actions[which, 0] = actions[0, which]
        actions[which, 1] = -1
        afterstates[which] = state
        answer(afterstates[which], actions[which, 0])
    return found


@helper
def _next_source(state: State, seat: int, die: int, rear: int, point: int) -> int:
    """The foremost point from ``point`` down with a man that can be moved with a die; 0 if there is none."""
    while point > 0 and not (count(state, seat, point) > 0 and may_step(state, seat, point, die, rear)):
        point -= 1
    return point


@helper
def _finish(state: State, seat: int, men: int, cube: bool) -> None:
    """End the turn after a whole move, or the contest."""
    if abs(state[TRAYS + seat]) == men:
        end_contest(state)
    else:
        pass_turn(state, cube)


@helper
def _keep(
    here: State,
    point: int,
    die: int,
    men: int,
    cube: bool,
    mixed: bool,
    afterstates: NDArray[np.int8],
    marks: NDArray[np.int64],
    found: int,
) -> bool:
    """Write where a last step (none, if ``point`` is 0) leads to in row ``found``; whether it is new."""
    after, seat = afterstates[found], here[0]
    _copy(here, after)
    if point > 0:
        step(after, seat, point, die)
    if mixed and not _is_new(afterstates, found, marks):
        return False
    _finish(after, seat, men, cube)
    return True


@helper
def _write_played(state: State, men: int, cube: bool, afterstates: NDArray[np.int8], actions: Actions) -> int:
    """Write the moves that play the dice."""
    seat = state[0]
    dice = np.empty((2, _MOST_DICE), dtype=np.int32)
    orders, most = _write_dice(state, dice)
    # by depth: the position, its rearmost man, where to look for the next source, whether there was one, and what
    # was played there
    reached = np.empty((_MOST_DICE, STATE_SIZE), dtype=np.int8)
    rears = np.empty(_MOST_DICE, dtype=np.int64)
    following = np.empty(_MOST_DICE, dtype=np.int64)
    leads_on = np.empty(_MOST_DICE, dtype=np.bool_)
    taken = np.empty(_MOST_DICE, dtype=np.int32)
    marks = np.empty(_MOST_MIXED, dtype=np.int64)
    found, longest, only_die = 0, 0, 0
    _copy(state, reached[0])
    for order in range(orders):
        depth, rears[0], leads_on[0] = 0, rearmost(state, seat), False
        following[0] = rears[0]
        while depth >= 0:
            die = dice[order, depth]
            point = _next_source(reached[depth], seat, die, rears[depth], following[depth])
            length = depth
            if point > 0:
                leads_on[depth] = True
                following[depth] = point - 1
                taken[depth] = BAR * (die - 1) + point - 1
                length += 1
                if length < most:
                    _copy(reached[depth], reached[length])
                    step(reached[length], seat, point, die)
                    rears[length], leads_on[length] = rearmost(reached[length], seat), False
                    following[length] = point if orders == 1 else rears[length]
                    depth = length
                    continue
            elif leads_on[depth] or depth < longest:
                depth -= 1
                continue
            # a whole move: all dice, or as many as can be played
            if length > longest or found == 0:
                found, longest, only_die = 0, length, dice[order, 0]
            # (if only one of two dice can be played, it is the larger, which comes first)
            counts = length > 1 or only_die == dice[order, 0]
            if counts and _keep(reached[depth], point, die, men, cube, orders == 2, afterstates, marks, found):
                for i in range(length):
                    actions[found, i] = taken[i]
                actions[found, length] = -1
                found += 1
            if point == 0:
                depth -= 1
    if longest == 0:
        actions[0, 0], actions[0, 1] = NO_MOVE, -1
    return found


def whole_moves(men: int, cube: bool, beavers: bool) -> Kernel:
    """A ``moves`` kernel for contests with so many men a seat; see `boardgames_env.games.backgammon.rules`."""

    @moves
    def write_moves(state: State, afterstates: NDArray[np.int8], actions: Actions) -> int:
        if state[PHASE] == MOVING:
            return int(_write_played(state, men, cube, afterstates, actions))
        return int(_write_answered(state, beavers, afterstates, actions))

    return write_moves
