"""The kernels of Othello: sets of squares as the bits of a number, which are shifted along all rows at once.

A state is the seat to move and the squares. Each kernel first collects the discs of either seat in 64 bits.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgames_env.game import Heuristics
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Kernel,
    State,
    evaluate,
    forcing,
    gain,
    inlined,
    markable,
    outcome,
    play,
    write_action,
)

Bits = Any
"""A set of squares as an ``np.uint64``: bit ``size * row + column`` is a square. (NumPy's types depend on the form.)"""

_NONE, _ONE = np.uint64(0), np.uint64(1)


class _Sets(NamedTuple):
    """The sets of squares that rules and heuristics need, and the side of the board, all as ``np.uint64``."""

    side: Bits
    whole: Bits
    first_column: Bits
    last_column: Bits
    corners: Bits


def _sets(size: int) -> _Sets:
    column = sum(1 << size * row for row in range(size))
    corners = (1 | 1 << size - 1) * (1 | 1 << size * (size - 1))
    return _Sets(*map(np.uint64, (size, (1 << size**2) - 1, column, column << size - 1, corners)))


@inlined
def _discs(state: State) -> tuple[Bits, Bits]:
    """Return the squares with discs of the seat to move, and of the other."""
    all_discs, white = _NONE, _NONE
    # (the length is not a constant on purpose: a loop of constant length is unrolled rather than vectorized)
    for square in range(len(state) - 1):
        all_discs |= np.uint64(state[1 + square] & 1) << np.uint64(square)
        white |= np.uint64(state[1 + square] >> 1 & 1) << np.uint64(square)
    black = all_discs ^ white
    return (white, black) if state[0] else (black, white)


@inlined
def _rows_beside(start: Bits, between: Bits, step: Bits) -> tuple[Bits, Bits]:
    """Return the unbroken rows of squares of ``between`` that begin beside ``start``, in both directions of a step."""
    up, down = start << step & between, start >> step & between
    for _ in range(5):  # (no row between two discs is longer than 6)
        up |= up << step & between
        down |= down >> step & between
    return up, down


@inlined
def _steps(other: Bits, sets: _Sets) -> tuple[tuple[Bits, Bits], ...]:
    """Return each step to a neighbour and the discs of ``other`` that can be between two discs in its direction."""
    inside = other & ~(sets.first_column | sets.last_column)
    return (_ONE, inside), (sets.side, other), (sets.side - _ONE, inside), (sets.side + _ONE, inside)


@inlined
def _targets(own: Bits, other: Bits, sets: _Sets) -> Bits:
    """Return the squares on which a disc encloses discs of ``other``."""
    found = _NONE
    for step, between in _steps(other, sets):
        up, down = _rows_beside(own, between, step)
        found |= up << step | down >> step
    return found & sets.whole & ~(own | other)


@inlined
def _enclosed(own: Bits, other: Bits, square: Bits, sets: _Sets) -> Bits:
    """Return the discs of ``other`` that a disc on a square encloses."""
    found = _NONE
    for step, between in _steps(other, sets):
        up, down = _rows_beside(square, between, step)
        found |= up if up << step & own != _NONE else _NONE
        found |= down if down >> step & own != _NONE else _NONE
    return found


@inlined
def _around(bits: Bits, sets: _Sets) -> Bits:
    """Return some squares and all their neighbours."""
    wide = bits | (bits & ~sets.last_column) << _ONE | (bits & ~sets.first_column) >> _ONE
    return (wide | wide << sets.side | wide >> sets.side) & sets.whole


@inlined
def _count(bits: Bits) -> int:
    """Return how many squares there are in a set."""
    number = 0
    while bits != _NONE:
        bits &= bits - _ONE
        number += 1
    return number


@inlined
def _worth(own: Bits, other: Bits, sets: _Sets) -> int:
    """Return the value of a position to the owner of ``own``, whoever is to move.

    Corners count, and squares beside an empty one against their owner; so do the squares on which a seat can place
    a disc, and against it its discs beside empty squares, which it may lose.
    """
    empty = sets.whole & ~(own | other)
    exposed, beside_corner = _around(empty, sets), _around(empty & sets.corners, sets)
    return (
        100 * (_count(own & sets.corners) - _count(other & sets.corners))
        - 25 * (_count(own & beside_corner) - _count(other & beside_corner))
        + 8 * (_count(_targets(own, other, sets)) - _count(_targets(other, own, sets)))
        - 4 * (_count(own & exposed) - _count(other & exposed))
    )


@inlined
def _write_squares(bits: Bits, squares: int, actions: Actions) -> int:
    """Write the squares of a set in ascending order. Return their number."""
    count = 0
    for square in range(squares):
        count = write_action(actions, count, square, bits >> np.uint64(square) & _ONE != _NONE)
    return count


def enclosing(size: int, by_discs: bool) -> tuple[Kernel, Kernel, Kernel]:
    """Return ``legal``, ``play`` and ``outcome``; ``by_discs`` whether a contest is won by the difference of discs."""
    squares, sets = size**2, _sets(size)

    @markable
    def squares_that_enclose(state: State, actions: Actions) -> int:
        own, other = _discs(state)
        count = _write_squares(_targets(own, other, sets), squares, actions)
        return write_action(actions, count, squares, count == 0)

    @play
    def place_and_turn(state: State, action: int) -> None:
        man = 1 - 2 * state[0]
        if action < squares:
            own, other = _discs(state)
            placed = _ONE << np.uint64(action)
            found = placed | _enclosed(own, other, placed, sets)
            for square in range(squares):
                is_turned = found >> np.uint64(square) & _ONE != _NONE
                state[1 + square] = man if is_turned else state[1 + square]
        state[0] = 1 - state[0]

    @outcome
    def who_has_more(state: State) -> int:
        own, other = _discs(state)
        if _targets(own, other, sets) != _NONE or _targets(other, own, sets) != _NONE:
            return ONGOING
        difference = (1 - 2 * state[0]) * (_count(own) - _count(other))
        return difference if by_discs else int(difference > 0) - int(difference < 0)

    return squares_that_enclose, place_and_turn, who_has_more


def heuristics(size: int) -> Heuristics:
    """Return the heuristics of `_worth`; forcing are discs in corners."""
    squares, sets = size**2, _sets(size)

    @evaluate
    def corners_and_mobility(state: State) -> int:
        own, other = _discs(state)
        return _worth(own, other, sets)

    @gain
    def worth_of_a_disc(state: State, action: int) -> int:
        if action == squares:
            return 0
        own, other = _discs(state)
        placed = _ONE << np.uint64(action)
        turned = _enclosed(own, other, placed, sets)
        return _worth(own | placed | turned, other & ~turned, sets) - _worth(own, other, sets)

    @forcing
    def corners(state: State, actions: Actions) -> int:
        own, other = _discs(state)
        return _write_squares(_targets(own, other, sets) & sets.corners, squares, actions)

    return Heuristics(corners_and_mobility, worth_of_a_disc, corners)
