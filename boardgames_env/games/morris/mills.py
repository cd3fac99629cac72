"""Mills and captures of the morris family, on bitboards, for kernels and solvers.

Sets of points are bit masks. (Few loops branch on the men's places, which would cost more than the arithmetic.)
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import Board
from boardgames_env.games.morris.morris_rules import move_pairs
from boardgames_env.kernels import State, helper

_NOWHERE = 32
"""The number of no point."""

# What is multiplied by each power of two below 2**32 gives another number in its highest five of 32 bits (de Bruijn).
_SEQUENCE = 0x077CB531
_POINTS = np.zeros(32, dtype=np.int64)
for _point in range(32):
    _POINTS[((_SEQUENCE << _point) & 0xFFFFFFFF) >> 27] = _point


class Bitboard(NamedTuple):
    """A board as bit masks.

    Attributes:
        size: The number of points.
        neighbours: The points next to each point.
        mills: The points of each mill.
        others: For each point, the other two points of each mill through it; -1 where there are no more.
        pairs: Origin and target of each move, in the order of the actions.
        slides: For each point, the target of each slide from it and then its action number, in turn; where there are
            no more, a target that is never empty and an action that is no move.
    """

    size: int
    neighbours: NDArray[np.int64]
    mills: NDArray[np.int64]
    others: NDArray[np.int64]
    pairs: NDArray[np.int64]
    slides: NDArray[np.int64]


@cache
def make_bitboard(board: Board, flying: bool) -> Bitboard:
    """Return the bitboard of a board on which men may fly, or only slide."""
    pairs = move_pairs(board, flying)
    numbers = {pair: board.size + move for move, pair in enumerate(pairs)}
    through = [[mill for mill in board.winning_lines if point in mill] for point in range(board.size)]
    most = max(map(len, through))
    steps = [[(there, numbers[here, there]) for there in board.adjacency[here]] for here in range(board.size)]
    most_steps = max(map(len, steps))
    return Bitboard(
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
        slides=np.array([sum(each, ()) + (_NOWHERE, 0) * (most_steps - len(each)) for each in steps], dtype=np.int64),
    )


def _mask(points: tuple[int, ...]) -> int:
    return sum(1 << point for point in points)


@helper
def men_on(state: State) -> tuple[int, int]:
    """Return the points with men of the seat to move, and those with men of the other seat."""
    ones = 0
    signs = 0
    # (the length is not a constant on purpose: a loop of constant length is unrolled rather than vectorized)
    for point in range(len(state) - 4):
        man = int(state[1 + point])
        ones |= (man & 1) << point
        signs |= (man & 2) << point
    signs >>= 1
    return (signs, ones ^ signs) if state[0] else (ones ^ signs, signs)


@helper
def count(points: int) -> int:
    """Return the number of points in a set; points are below 32."""
    pairs = points - ((points >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    return ((((fours + (fours >> 4)) & 0x0F0F0F0F) * 0x01010101) & 0xFFFFFFFF) >> 24


@helper
def lowest(points: int) -> int:
    """Return the lowest point of a set that is not empty; points are below 32."""
    return int(_POINTS[(((points & -points) * _SEQUENCE) & 0xFFFFFFFF) >> 27])


@helper
def mills_closed(bitboard: Bitboard, men: int, point: int) -> int:
    """Return the number of mills that a man on a point completes with men of its own."""
    closed = 0
    for mill in range(bitboard.others.shape[1]):
        others = bitboard.others[point, mill]
        closed += int(men & others == others)
    return closed


@helper
def capturable(bitboard: Bitboard, men: int) -> int:
    """Return the men that may be captured: those in no mill, or all if every man is in one."""
    in_mills = 0
    for mill in range(len(bitboard.mills)):
        points = bitboard.mills[mill]
        in_mills |= points * int(men & points == points)
    return men if men == in_mills else men & ~in_mills


@helper
def can_slide(bitboard: Bitboard, men: int, empty: int) -> bool:
    """Return whether a man has an empty point next to it."""
    beside = 0
    for point in range(bitboard.size):
        beside |= bitboard.neighbours[point] * ((empty >> point) & 1)
    return men & beside != 0
