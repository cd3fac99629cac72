"""Connections at Hex: whether stones join the sides of a seat, and how many more it needs for that."""

import numpy as np

from boardgames_env.board import Board
from boardgames_env.games.shared.single_men import Check
from boardgames_env.kernels import Kernel, State, evaluate, helper
from boardgames_env.kernels.signatures import Int64s, UInt16s

# From a cell to its neighbours, in turn around it.
DOWN = np.array([-1, -1, 0, 1, 1, 0])
RIGHT = np.array([0, 1, 1, 0, -1, -1])

# By neighbours of one's own as bits, whether they are in two parts or more, of which neighbours in turn are one.
IN_PARTS = np.array([(ring & ~(ring << 1 | ring >> 5)).bit_count() > 1 for ring in range(64)])

_FAR = 1000
"""More stones than any way takes."""


def around(size: int) -> tuple[UInt16s, Int64s]:
    """Return the slots of each cell's neighbours, 0 off the board; and by seat those beyond its own sides, as bits."""
    row, column = np.divmod(np.arange(size**2)[:, np.newaxis], size)
    to_row, to_column = row + DOWN, column + RIGHT
    beyond = [(to < 0) | (to == size) for to in (to_row, to_column)]
    neighbours = np.where(beyond[0] | beyond[1], 0, 1 + to_row * size + to_column)
    return neighbours.astype(np.uint16), np.array([(each << np.arange(6)).sum(axis=1) for each in beyond])


@helper
def joins_sides(state: State, size: int, seat: int) -> bool:
    """Return whether a seat's stones join its sides, by a walk along the border of what is joined to the first side.

    The walk begins in a corner, between that side and one of the other seat's, with own stones on its one hand and
    other cells on its other. It ends at a side opposite: the seat's second side, or the other seat's.
    """
    own = 1 - 2 * seat
    # In a frame in which the seat's sides are at the top and at the bottom: (row, column) is own, its neighbour on this
    # side is not. At first these are beyond the top and beyond the left of the cell in the corner.
    along, across = (size, 1) if seat == 0 else (1, size)
    row, column, side = -1, 0, 4
    while True:
        ahead = (side + 5) % 6
        to_row, to_column = row + DOWN[ahead], column + RIGHT[ahead]
        if size in (to_row, to_column):
            return bool(to_row == size)
        if to_row < 0 or (to_column >= 0 and state[1 + to_row * along + to_column * across] == own):
            row, column, side = to_row, to_column, (side + 1) % 6
        else:
            side = ahead


def has_joined(state: State, board: Board, seat: int) -> bool:
    """Return whether a seat's stones join its sides, by all that hang together with the first; for checks of states."""
    own = set((np.flatnonzero(state[1 : 1 + board.size] == 1 - 2 * seat)).tolist())
    home, reached = board.homes[seat], set[int]()
    new = own.intersection(home[: len(home) // 2])
    while new:
        reached |= new
        new = {near for cell in new for near in board.adjacency[cell]} & own - reached
    return not reached.isdisjoint(home[len(home) // 2 :])


def winner_of(board: Board, state: State) -> int:
    """Return the sign of the seat that has joined its sides, which is not to move; 0 if it has not."""
    seat = int(state[0])
    return (2 * seat - 1) * has_joined(state, board, 1 - seat)


def winner_fits(board: Board) -> Check:
    """Return the check that the winner is who has joined its sides, and that it is not to move."""

    def why_not(state: State) -> str | None:
        seat, slot = int(state[0]), 2 + board.size
        if has_joined(state, board, seat):
            return f"seat {seat} is to move, but has joined its sides, which ended the contest"
        winner = winner_of(board, state)
        return (
            None
            if state[slot] == winner
            else f"slot {slot}, the winner, is {state[slot]}; by the stones it is {winner}"
        )

    return why_not


@helper
def nearness(state: State, size: int, seat: int) -> int:
    """Return -100 for each stone that a seat needs to join its sides, and 1 for each cell where one of these may be.

    Cells with two empty cells between them count as neighbours: of these two, one is left whatever the other seat does.
    """
    own, wide = 1 - 2 * seat, size + 4
    needed = np.full(wide * wide, _FAR)  # in the frame of `joins_sides`, two cells off on each side
    for row in range(size):
        for column in range(size):
            man = state[1 + row * size + column]
            at = (row + 2) * wide + column + 2 if seat == 0 else (column + 2) * wide + row + 2
            needed[at] = 1 if man == 0 else 0 if man == own else _FAR
    from_top, from_bottom = np.full(wide * wide, _FAR), np.full(wide * wide, _FAR)
    queue = np.empty(2 * wide * wide, dtype=np.int64)
    _spread(needed, from_top, queue, wide, 1)
    _spread(needed, from_bottom, queue, wide, size + 2)
    least, cells = _FAR, 0
    for at in range(wide * wide):
        if needed[at] < _FAR:
            least = min(least, from_top[at] + from_bottom[at] - needed[at])
    for at in range(wide * wide):
        cells += int(needed[at] == 1 and from_top[at] + from_bottom[at] - 1 == least)
    return cells - 100 * least


@helper
def _spread(needed: Int64s, stones: Int64s, queue: Int64s, wide: int, row: int) -> None:
    """Write how many stones the shortest way takes from a row beyond the board to each cell, the cell's own included.

    Breadth first: cells are reached in the order of these numbers, so that the first time is by a shortest way.
    """
    head = tail = len(needed)
    for at in range(row * wide + 2, (row + 1) * wide - 2):
        stones[at], queue[tail] = 0, at
        tail += 1
    while head < tail:
        at = queue[head]
        head += 1
        for way in range(6):
            near = at + DOWN[way] * wide + RIGHT[way]
            beside = at + DOWN[(way + 1) % 6] * wide + RIGHT[(way + 1) % 6]
            is_bridge = needed[near] == 1 and needed[beside] == 1
            for to in (near, near + beside - at if is_bridge else near):
                if needed[to] == _FAR or stones[to] < _FAR:
                    continue
                stones[to] = stones[at] + needed[to]
                if needed[to] == 0:
                    head -= 1
                    queue[head] = to
                else:
                    queue[tail] = to
                    tail += 1


def nearness_on(size: int) -> Kernel:
    """Return an evaluation: how much nearer than the other a seat is to joining its sides."""

    @evaluate
    def nearer(state: State) -> int:
        difference = nearness(state, size, 0) - nearness(state, size, 1)
        return -difference if state[0] else difference

    return nearer
