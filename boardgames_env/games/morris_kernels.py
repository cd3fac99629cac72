"""The kernels of the morris family; the rules they follow are told in `boardgames_env.games.morris_rules`.

Sets of points are bit masks. Few loops here branch on where the men are: that costs more than the arithmetic. Each
kernel is made from no more than it must know, so that games which differ elsewhere share it.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import Board
from boardgames_env.game import Rules
from boardgames_env.games.morris_rules import MorrisRules, move_pairs
from boardgames_env.games.place_and_move import steps_on
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Features,
    Kernel,
    State,
    encode,
    helper,
    initial,
    legal,
    outcome,
    play,
)


class Frame(NamedTuple):
    """A board as kernels read it.

    Attributes:
        size: How many points it has.
        neighbours: The points next to each.
        mills: The points of each mill.
        others: For each point, the other two of each mill through it; -1 where there are no more.
        pairs: From where to where each move goes, in the order of the actions.
        steps: From where to where a man may slide, and the number of that action.
    """

    size: int
    neighbours: NDArray[np.int64]
    mills: NDArray[np.int64]
    others: NDArray[np.int64]
    pairs: NDArray[np.int64]
    steps: NDArray[np.int64]


@cache
def make_frame(board: Board, flying: bool) -> Frame:
    """The frame of a board on which men may fly, or only slide."""
    pairs = move_pairs(board, flying)
    numbers = {pair: board.size + move for move, pair in enumerate(pairs)}
    through = [[mill for mill in board.winning_lines if point in mill] for point in range(board.size)]
    most = max(map(len, through))
    return Frame(
        size=board.size,
        neighbours=np.array([_mask(each) for each in board.adjacency], dtype=np.int64),
        mills=np.array([_mask(mill) for mill in board.winning_lines], dtype=np.int64),
        others=np.array(
            [
                [_mask(mill) - (1 << point) for mill in mills] + [-1] * (most - len(mills))
                for point, mills in enumerate(through)
            ],
            dtype=np.int64,
        ),
        pairs=np.array(pairs, dtype=np.int64),
        steps=np.array([(*step, numbers[step]) for step in steps_on(board)], dtype=np.int64),
    )


def _mask(points: tuple[int, ...]) -> int:
    return sum(1 << point for point in points)


def kernels_of(rules: MorrisRules) -> Rules:
    """The kernels of a game."""
    board, flying = rules.board, rules.fly_at > 0
    return Rules(
        _initial(board.size, rules.men),
        _legal(board, rules.fly_at, rules.any_capture),
        _play(board, flying, rules.capture_each_mill, rules.placing_captures, rules.extra_turn, rules.placing_ends),
        _outcome(board, rules.fly_at, rules.lose_at),
        _encode(board.size, rules.men, rules.most_captures),
    )


@helper
def men_on(state: State) -> tuple[int, int]:
    """The points on which the seat to move has men, and those on which the other seat has."""
    ones = 0
    signs = 0
    # the length is the state's, which no compiler knows: a loop of a known length is unrolled rather than vectorized
    for point in range(len(state) - 4):
        man = int(state[1 + point])
        ones |= (man & 1) << point
        signs |= (man & 2) << point
    signs >>= 1
    return (signs, ones ^ signs) if state[0] else (ones ^ signs, signs)


@helper
def count(points: int) -> int:
    """How many points a set has; they are numbered below 32."""
    pairs = points - ((points >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    return ((((fours + (fours >> 4)) & 0x0F0F0F0F) * 0x01010101) & 0xFFFFFFFF) >> 24


@helper
def mills_closed(frame: Frame, men: int, point: int) -> int:
    """How many mills a man on a point belongs to, with men of its own."""
    closed = 0
    for mill in range(frame.others.shape[1]):
        others = frame.others[point, mill]
        closed += int(men & others == others)
    return closed


@helper
def capturable(frame: Frame, men: int) -> int:
    """Which men may be captured: those in no mill, or all if every man is in one."""
    in_mills = 0
    for mill in range(len(frame.mills)):
        points = frame.mills[mill]
        in_mills |= points * int(men & points == points)
    return men if men == in_mills else men & ~in_mills


@helper
def can_slide(frame: Frame, men: int, empty: int) -> bool:
    """Whether a man has an empty point next to it."""
    beside = 0
    for point in range(frame.size):
        beside |= frame.neighbours[point] * ((empty >> point) & 1)
    return men & beside != 0


@helper
def write_points(points: int, size: int, first: int, actions: Actions) -> int:
    """Write the actions at some points, of which the one at point 0 has the number ``first``; how many there are."""
    number = 0
    for point in range(size):
        actions[number] = first + point
        number += (points >> point) & 1
    return number


@helper
def write_slides(frame: Frame, men: int, empty: int, actions: Actions) -> int:
    """Write the slides of some men to the next points; how many there are."""
    number = 0
    for step in range(len(frame.steps)):
        actions[number] = frame.steps[step, 2]
        number += (men >> frame.steps[step, 0]) & (empty >> frame.steps[step, 1]) & 1
    return number


@helper
def write_flights(frame: Frame, men: int, empty: int, actions: Actions) -> int:
    """Write the moves of some men to all empty points; how many there are."""
    number = 0
    for source in range(frame.size):
        if (men >> source) & 1:
            for target in range(frame.size):
                # pairs of a point with itself have no number
                actions[number] = frame.size + source * (frame.size - 1) + target - int(target > source)
                number += (empty >> target) & 1
    return number


@helper
def write_legal(frame: Frame, fly_at: int, any_capture: bool, state: State, actions: Actions) -> int:
    """Write the legal actions; how many there are."""
    size = frame.size
    own, other = men_on(state)
    empty = (own | other) ^ ((1 << size) - 1)
    if state[3 + size] > 0:
        allowed = other if any_capture else capturable(frame, other)
        return write_points(allowed, size, size + len(frame.pairs), actions)
    if state[1 + size + state[0]] > 0:
        return write_points(empty, size, 0, actions)
    if count(own) <= fly_at:
        return write_flights(frame, own, empty, actions)
    return write_slides(frame, own, empty, actions)


@helper
def points_of(frame: Frame, fly_at: int, lose_at: int, state: State) -> int:
    """`ONGOING`, or the points of the seat to move."""
    size, seat = frame.size, state[0]
    if state[3 + size] > 0:
        return ONGOING
    own, other = men_on(state)
    if count(own) + state[1 + size + seat] <= lose_at:
        return -1
    if count(other) + state[2 + size - seat] <= lose_at:
        return 1
    empty = (own | other) ^ ((1 << size) - 1)
    if state[1 + size + seat] > 0 or can_slide(frame, own, empty):
        return ONGOING
    if empty == 0:
        return 0
    return ONGOING if count(own) <= fly_at else -1


@helper
def end_turn(state: State, size: int, placing_ends: int, again: bool) -> None:
    """Pass the turn, or keep it; while men are placed, only a seat that has some in hand is to move."""
    if placing_ends > 0:
        own, other = men_on(state)
        if size - count(own | other) <= placing_ends:
            state[1 + size] = 0
            state[2 + size] = 0
    if not again:
        state[0] = 1 - state[0]
    if state[1 + size + state[0]] == 0 and state[2 + size - state[0]] > 0:
        state[0] = 1 - state[0]


@cache
def _initial(size: int, men: int) -> Kernel:
    @initial
    def all_in_hand(state: State) -> None:
        state[:] = 0
        state[1 + size] = men
        state[2 + size] = men

    return all_in_hand


@cache
def _legal(board: Board, fly_at: int, any_capture: bool) -> Kernel:
    frame = make_frame(board, fly_at > 0)

    @legal
    def place_move_or_capture(state: State, actions: Actions) -> int:
        return write_legal(frame, fly_at, any_capture, state, actions)

    return place_move_or_capture


@cache
def _play(
    board: Board, flying: bool, each_mill: bool, placing_captures: bool, extra_turn: bool, placing_ends: int
) -> Kernel:
    frame = make_frame(board, flying)
    size, first_capture = board.size, len(frame.pairs)
    most = size if each_mill else 1
    pending = 3 + size

    @play
    def place_move_or_capture(state: State, action: int) -> None:
        own = 1 - 2 * state[0]
        move = action - size
        mills = 1
        if move >= first_capture:
            state[1 + move - first_capture] = 0
            state[pending] -= 1
        else:
            target = action
            if move < 0:
                state[1 + size + state[0]] -= 1
            else:
                state[1 + frame.pairs[move, 0]] = 0
                target = frame.pairs[move, 1]
            state[1 + target] = own
            men, others = men_on(state)
            mills = mills_closed(frame, men, target)
            if mills > 0 and (placing_captures or move >= 0):
                state[pending] = min(mills, most, count(others))
        if state[pending] == 0:
            end_turn(state, size, placing_ends, extra_turn and mills > 0)

    return place_move_or_capture


@cache
def _outcome(board: Board, fly_at: int, lose_at: int) -> Kernel:
    frame = make_frame(board, fly_at > 0)

    @outcome
    def too_few_or_blocked(state: State) -> int:
        points = points_of(frame, fly_at, lose_at, state)
        return -points if state[0] and points != ONGOING else points

    return too_few_or_blocked


@cache
def _encode(size: int, men: int, most_captures: int) -> Kernel:
    """Features, all from 0 to 1.

    Own men by point, the other seat's men by point, own men in hand and the other seat's as parts of all its men, the
    captures still to make as a part of the most there can be, and whether the viewer is to move.
    """

    @encode
    def men_hands_and_captures(state: State, viewer: int, features: Features) -> None:
        own = 1 - 2 * viewer
        for point in range(size):
            features[point] = state[1 + point] == own
        for point in range(size):
            features[size + point] = state[1 + point] == -own
        features[2 * size] = state[1 + size + viewer] / men
        features[2 * size + 1] = state[2 + size - viewer] / men
        features[2 * size + 2] = state[3 + size] / most_captures
        features[2 * size + 3] = state[0] == viewer

    return men_hands_and_captures
