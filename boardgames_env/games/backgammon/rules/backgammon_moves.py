"""All whole moves at once: the distinct positions after a roll, with one way to each.

A depth-first search over the steps, with the dice in either order; moves that play fewer dice than another are
discarded. Different steps may lead to the same position, so each position found is compared with those before it.
Doubles are played from the rear to the front, which finds every position once.
"""

import numpy as np
from numpy.typing import NDArray

from boardgames_env.games.backgammon.rules.backgammon_board import (
    BAR,
    DICE,
    MOVING,
    NO_MOVE,
    STAGE,
    TRAYS,
    BackgammonRules,
)
from boardgames_env.games.backgammon.rules.steps import dice_left, moved, points_of, sources, step
from boardgames_env.games.backgammon.rules.turns import answer, end_contest, pass_turn, write_answers
from boardgames_env.kernels import Actions, Kernel, State, copy_row, helper, moves, same_row

# the mark of a position is the sum of these over the points that men left, less those over the points that men reached
# or were hit on (a hash: it never overflows, and equal marks are compared slot by slot)
_MARKS = np.random.default_rng(24).integers(1, 1 << 55, BAR + 1)
_HITS = np.random.default_rng(25).integers(1, 1 << 55, BAR + 1)

_MOST_DICE = 4
_MARK, _OWN, _SOURCES, _NEXT, _LEADS_ON, _TAKEN = range(6)
"""The numbers of each depth: the position's mark, the points with men, the points that a step can begin at, where to
look for the next, whether there was one, and the action. (The turn is passed before the first step is played.)"""
_NUMBERS = 6
_ROWS = 200
"""The rows of an array with the numbers of each depth, and the marks of more positions than two dice lead to."""


@helper
def _marked(mark: int, point: int, die: int, hit: bool) -> int:
    """Return a position's mark after a step (none, if ``point`` is 0), given the mark before."""
    target = max(point - die, 0)
    return int(mark + _MARKS[point] - _MARKS[target] - (_HITS[target] if hit else 0))


@helper
def _is_new(afterstates: NDArray[np.int8], found: int, marks: NDArray[np.int64]) -> bool:
    for earlier in range(found):
        if marks[earlier] == marks[found] and same_row(afterstates[earlier], afterstates[found]):
            return False
    return True


@helper
def _write_answered(state: State, beavers: bool, afterstates: NDArray[np.int8], actions: Actions) -> int:
    """Write the decisions about the cube, moves of one action each."""
    found = write_answers(state, beavers, actions[0])
    for which in range(found - 1, -1, -1):
        actions[which, 0] = actions[0, which]
        actions[which, 1] = -1
        copy_row(state, afterstates[which])
        answer(afterstates[which], actions[which, 0])
    return found


@helper
def _enter(numbers: NDArray[np.int64], depth: int, own: int, barred: int, die: int, mark: int, foremost: int) -> None:
    """Begin the search for steps with a die at a depth, from a point on."""
    numbers[depth, _OWN], numbers[depth, _SOURCES] = own, sources(own, barred, die)
    numbers[depth, _MARK], numbers[depth, _NEXT], numbers[depth, _LEADS_ON] = mark, foremost, 0


@helper
def _next_source(numbers: NDArray[np.int64], depth: int) -> int:
    """Return the next point that a step can begin at; 0 if there is none."""
    point, possible = numbers[depth, _NEXT], numbers[depth, _SOURCES]
    while point > 0 and not possible >> point & 1:
        point -= 1
    return int(point)


@helper
def _finish(here: State, seat: int, point: int, die: int, men: int, after: State) -> bool:
    """Write the position after a last step (none, if ``point`` is 0). Return whether it hit."""
    copy_row(here, after)
    hit = point > 0 and step(after, seat, point, die)
    if abs(after[TRAYS + seat]) == men:
        after[0] = seat
        end_contest(after)
    return bool(hit)


@helper
def _write_line(numbers: NDArray[np.int64], length: int, line: Actions) -> None:
    for i in range(length):
        line[i] = numbers[i, _TAKEN]
    line[length] = -1


@helper
def _write_played(
    state: State,
    men: int,
    cube: bool,
    numbers: NDArray[np.int64],
    marks: NDArray[np.int64],
    afterstates: NDArray[np.int8],
    actions: Actions,
) -> int:
    """Write the moves that play the dice; ``numbers`` and ``marks`` are room for the search."""
    seat = state[0]
    high, low = dice_left(state)
    mixed = low < high
    most = 2 if mixed else state[DICE + high]
    reached = afterstates[len(afterstates) - _MOST_DICE :]  # (more rows than there are moves)
    copy_row(state, reached[0])
    pass_turn(reached[0], cube)
    own, barred = points_of(state, seat)
    found, longest, only_die = 0, 0, 0
    for order in range(2 if mixed else 1):
        first, second = (low, high) if order else (high, low)
        depth = 0
        _enter(numbers, 0, own, barred, first, 0, BAR)
        while depth >= 0:
            here, die = reached[depth], second if depth & 1 else first
            point, length = _next_source(numbers, depth), depth
            if point > 0:
                numbers[depth, _LEADS_ON], numbers[depth, _NEXT] = 1, point - 1
                numbers[depth, _TAKEN] = BAR * (die - 1) + point - 1
                length += 1
                if length < most:
                    copy_row(here, reached[length])
                    mark = _marked(numbers[depth, _MARK], point, die, step(reached[length], seat, point, die))
                    left = moved(here, seat, numbers[depth, _OWN], point, die)
                    _enter(numbers, length, left, barred, first if depth & 1 else second, mark, BAR if mixed else point)
                    depth = length
                    continue
            elif numbers[depth, _LEADS_ON] or depth < longest:
                depth -= 1
                continue
            # a whole move: all dice, or as many as can be played
            if length > longest or found == 0:
                found, longest, only_die = 0, length, first
            # (if only one of two dice can be played, it is the larger, which comes first)
            if length > 1 or only_die == first:
                hit = _finish(here, seat, point, die, men, afterstates[found])
                if mixed:
                    marks[found] = _marked(numbers[depth, _MARK], point, die, hit)
                if not mixed or _is_new(afterstates, found, marks):
                    _write_line(numbers, length, actions[found])
                    found += 1
            if point == 0:
                depth -= 1
    if longest == 0:
        actions[0, 0], actions[0, 1] = NO_MOVE, -1
    return found


def whole_moves(family: BackgammonRules) -> Kernel:
    """Return the ``moves`` kernel."""
    men, cube, beavers = family.men, family.cube, family.beavers

    @moves
    def write_moves(state: State, afterstates: NDArray[np.int8], actions: Actions) -> int:
        if state[STAGE] != MOVING:
            return int(_write_answered(state, beavers, afterstates, actions))
        room = np.empty((_ROWS, _NUMBERS), dtype=np.int64)
        marks = room[_MOST_DICE:].reshape(-1)
        return int(_write_played(state, men, cube, room[:_MOST_DICE], marks, afterstates, actions))

    return write_moves
