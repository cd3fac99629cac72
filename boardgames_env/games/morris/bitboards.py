"""The boards of the morris family as kernels and solvers read them, and what mills mean there.

Sets of points are bit masks. Few loops branch on where the men are: that costs more than the arithmetic.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import Board
from boardgames_env.games.morris.morris_rules import move_pairs
from boardgames_env.games.shared.place_and_move import steps_on
from boardgames_env.kernels import State, helper


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
