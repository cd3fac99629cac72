"""Games in which men are placed on points and then moved to empty ones.

A state is the seat to move, the points and, where men are placed, how many have been. In the *placing stage* a turn
puts a man on an empty point; when all are on the board, a turn moves a man of one's own. ``men`` is everywhere how
many each seat places: 0 where the contest begins with all of them on the board.
"""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import Board
from boardgames_env.errors import require
from boardgames_env.game import Game, Rules
from boardgames_env.games.shared.single_men import (
    Check,
    count_men,
    line_owner,
    men_features,
    men_that_stay,
    placed_in_turn,
    write_where,
)
from boardgames_env.history import Limits, RecurrenceKey
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Kernel,
    State,
    helper,
    initial,
    markable,
    outcome,
    play,
    write_action,
)


@initial
def empty_board(state: State) -> None:
    """Begin with an empty board."""
    state[:] = 0


def start(board: Board, first: Collection[int], second: Collection[int]) -> Kernel:
    """Return an ``initial`` kernel with the men of the two seats on given points. Seat 0 begins."""
    men = np.zeros(board.size, dtype=np.int8)
    men[list(first)] = 1
    men[list(second)] = -1

    @initial
    def arranged(state: State) -> None:
        state[:] = 0
        for location in range(len(men)):
            state[1 + location] = men[location]

    return arranged


def steps_on(board: Board) -> tuple[tuple[int, int], ...]:
    """Return every step along a predrawn line to the next point, as pairs of origin and target."""
    return tuple((here, there) for here, neighbours in enumerate(board.adjacency) for there in neighbours)


def drawn_at(recurrences: int, key: RecurrenceKey = "position") -> Limits:
    """Return limits with a draw when a position comes up for a number of times, at least 2."""
    require(2, recurrences=recurrences)
    return Limits(recurrences=recurrences, key=key)


def check_men(board: Board, men: int, placing: bool = True) -> Check:
    """Return the check of a game in which each seat has ``men`` men, which it places, or begins with on the board."""
    return (
        placed_in_turn(board, lambda state: int(state[1 + board.size]), 2 * men)
        if placing
        else men_that_stay(board, men)
    )


def men_game(
    title: str,
    board: Board,
    men: int,
    moves: tuple[Kernel, Kernel],
    outcome: Kernel,
    limits: Limits,
    initial: Kernel = empty_board,
    **others: Any,
) -> Game:
    """Return a game in which each seat places ``men`` men, or has them on the board where ``initial`` puts them.

    ``moves`` are the kernels ``legal`` and ``play``, and ``others`` further fields of `Game`. On a board with homes the
    observation says whose is whose.
    """
    placing, sides = initial is empty_board, bool(board.homes)
    return Game(
        title=title,
        board=board,
        rules=Rules(initial, *moves, outcome, men_features(board.size, sides)),
        state_size=board.size + 1 + placing,
        num_features=2 * board.size + 1 + sides,
        limits=limits,
        check=check_men(board, men, placing),
        complete=partial(_count_placed, board) if placing else None,
        **others,
    )


def _count_placed(board: Board, state: State) -> None:
    """Write how many men have been placed: those on the board, since none is captured."""
    state[1 + board.size] = sum(count_men(state, board))


@helper
def is_placing(state: State, size: int, men: int) -> bool:
    """Return whether men are still to be placed."""
    return men > 0 and state[1 + size] < 2 * men


@helper
def empty_point(state: State, size: int) -> int:
    """Return the only empty point."""
    point = 0
    for location in range(size):
        point += location * int(state[1 + location] == 0)
    return point


def place_and_move(
    size: int, men: int, pairs: Sequence[tuple[int, int]], barred: int | None = None
) -> tuple[Kernel, Kernel]:
    """Return ``legal`` and ``play`` for games in which several points stay empty.

    Actions are first, if men are placed, one at each point, and then the ``pairs``: the origins and targets of moves.
    The first man may not be placed on the point ``barred``.
    """
    slots = np.array(pairs, dtype=np.int64) + 1
    offset = size if men else 0
    skipped = size if barred is None else barred

    @markable
    def place_or_move_one(state: State, actions: Actions) -> int:
        count = 0
        if is_placing(state, size, men):
            first = skipped < size and state[1 + size] == 0
            for point in range(size):
                may = (state[1 + point] == 0) & (not first or point != skipped)
                count = write_action(actions, count, point, may)
            return count
        own = 1 - 2 * state[0]
        for pair in range(len(slots)):
            may = (state[slots[pair, 0]] == own) & (state[slots[pair, 1]] == 0)
            count = write_action(actions, count, offset + pair, may)
        return count

    @play
    def move(state: State, action: int) -> None:
        own = 1 - 2 * state[0]
        if is_placing(state, size, men):
            state[1 + action] = own
            state[1 + size] += 1
        else:
            state[slots[action - offset, 0]] = 0
            state[slots[action - offset, 1]] = own
        state[0] = 1 - state[0]

    return place_or_move_one, move


def place_and_fill(joined: NDArray[np.bool_], men: int, may_pass: bool = False) -> tuple[Kernel, Kernel]:
    """Return ``legal`` and ``play`` for games in which one point stays empty.

    Action *i* places a man on point *i*, or moves the man on point *i* to the empty point, if the matrix ``joined``
    has it. With ``may_pass`` a blocked seat passes, with the action after those of the points.
    """
    size = len(joined)

    @markable
    def place_or_fill(state: State, actions: Actions) -> int:
        if is_placing(state, size, men):
            return write_where(state, size, 0, actions)
        own = 1 - 2 * state[0]
        target = empty_point(state, size)
        count = 0
        for point in range(size):
            count = write_action(actions, count, point, (state[1 + point] == own) & joined[point, target])
        if may_pass and count == 0:
            count = write_action(actions, 0, size, True)
        return count

    @play
    def fill(state: State, action: int) -> None:
        own = 1 - 2 * state[0]
        if is_placing(state, size, men):
            state[1 + action] = own
            state[1 + size] += 1
        elif action < size:
            state[1 + empty_point(state, size)] = own
            state[1 + action] = 0
        state[0] = 1 - state[0]

    return place_or_fill, fill


def line_wins(board: Board) -> Kernel:
    """Return an ``outcome`` kernel: a winning line wins for its owner, in either stage."""
    lines = board.winning_slots

    @outcome
    def whose_line(state: State) -> int:
        owner = line_owner(state, lines)
        return ONGOING if owner == 0 else owner

    return whose_line
