"""Codes of morris positions: value and distance as one number.

The code of a position is 0 for a draw, otherwise 1 + the plies to the end of the contest. The winner needs an odd
number of plies and the loser is left an even one, so an odd code is a loss for the seat to move and an even one a win.
A move to a position with a code gives its own position that code + 1.

Mills, captures and adjacent points are those of the games' own kernels. Only the walk through the moves is written
again here, on bit masks of points instead of states; a test compares the two.
"""

from typing import Any, NamedTuple

from numba import types

from boardgames_env.games.morris.mills import Bitboard, capturable, count, make_bitboard, mills_closed
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.kernels import helper
from boardgames_env.kernels.signatures import INT16_1D, INT16_1D_READONLY, INT64_1D, INT64_2D, Int16s
from boardgames_env.solve.morris.index import INDEX, Index, row_of

LOST_NOW = 1
"""The code of a seat that cannot move."""
WON_NEXT = 2
"""The code of a seat that captures and leaves the other too few men."""


class Ground(NamedTuple):
    """A board and rules, as the solver's kernels read them; see `MorrisRules`."""

    bitboard: Bitboard
    fly_at: int
    any_capture: bool


class Rows(NamedTuple):
    """The codes of one class of positions, a code for each row of an index."""

    numbering: Index
    codes: Int16s


class Captures(NamedTuple):
    """The positions that captures lead to from one class of positions.

    Attributes:
        win: Whether every capture wins at once, because it leaves the other seat too few men.
        rows: The class that captures lead to otherwise, with the other seat to move.
    """

    win: bool
    rows: Rows


_FRAME = types.NamedTuple((types.int64, INT64_1D, INT64_1D, INT64_2D, INT64_2D, INT64_2D), Bitboard)
GROUND: Any = types.NamedTuple((_FRAME, types.int64, types.boolean), Ground)
ROWS: Any = types.NamedTuple((INDEX, INT16_1D), Rows)
KNOWN_ROWS: Any = types.NamedTuple((INDEX, INT16_1D_READONLY), Rows)
CAPTURES: Any = types.NamedTuple((types.boolean, KNOWN_ROWS), Captures)


def make_ground(rules: MorrisRules) -> Ground:
    """Return the ground of some rules."""
    return Ground(make_bitboard(rules.board, rules.fly_at > 0), rules.fly_at, rules.any_capture)


def known_rows(index: Index, codes: Int16s) -> Rows:
    """Return the rows of a class that has been solved, read-only, as kernels expect them."""
    read_only = codes.view()
    read_only.flags.writeable = False
    return Rows(index, read_only)


@helper
def empty_points(ground: Ground, own: int, other: int) -> int:
    """Return the empty points."""
    return ~(own | other) & ((1 << ground.bitboard.size) - 1)


@helper
def targets(ground: Ground, own: int, other: int, point: int) -> int:
    """Return the empty points that a man of ``own`` may move to: adjacent ones, or all if its seat flies."""
    empty = empty_points(ground, own, other)
    return empty if count(own) <= ground.fly_at else empty & int(ground.bitboard.neighbours[point])


@helper
def point_of(single: int) -> int:
    """Return the point of a set of one."""
    return count(single - 1)


@helper
def code_after_capture(ground: Ground, own: int, other: int, captures: Captures) -> int:
    """Return the best code for the seat that may now capture one of ``other``."""
    if captures.win:
        return WON_NEXT
    best = 0
    worst = 0
    drawn = False
    rest = other if ground.any_capture else capturable(ground.bitboard, other)
    while rest:
        captured = rest & -rest
        rest ^= captured
        code = int(captures.rows.codes[row_of(captures.rows.numbering, other ^ captured, own)])
        drawn |= code == 0
        if code & 1 and (best == 0 or code + 1 < best):
            best = code + 1
        if code & 1 == 0 and code + 1 > worst:
            worst = code + 1
    return best if best else 0 if drawn else worst


@helper
def sliding_code(
    ground: Ground, own: int, other: int, quiet: Rows, captures: Captures, known: int, may_win: bool
) -> int:
    """Return the code of a position in which men slide.

    Moves without and with a capture lead to ``quiet`` and ``captures``. Codes in ``quiet`` larger than ``known`` are
    not final, and count as draws. Unless ``may_win``, the search stops at the first move that does not lose, with a
    draw.
    """
    best = 0
    worst = 0
    drawn = False
    movable = own
    while movable:
        man = movable & -movable
        movable ^= man
        rest = targets(ground, own, other, point_of(man))
        while rest:
            target = rest & -rest
            rest ^= target
            moved = own ^ man ^ target
            if mills_closed(ground.bitboard, moved, point_of(target)):
                after = code_after_capture(ground, moved, other, captures)
            else:
                code = int(quiet.codes[row_of(quiet.numbering, other, moved)])
                after = code + 1 if 0 < code <= known else 0
            if after & 1:
                worst = max(worst, after)
            elif after:
                best = after if best == 0 else min(best, after)
            else:
                drawn = True
            if not may_win and after & 1 == 0:
                return 0
    if best:
        return best
    if drawn or empty_points(ground, own, other) == 0:  # nobody can move on a full board
        return 0
    return max(worst, LOST_NOW)


@helper
def placing_code(ground: Ground, own: int, other: int, quiet: Rows, captures: Captures) -> int:
    """Return the code of a position in which a man is placed; see `sliding_code`."""
    best = 0
    worst = 0
    drawn = False
    rest = empty_points(ground, own, other)
    while rest:
        target = rest & -rest
        rest ^= target
        placed = own | target
        if other and mills_closed(ground.bitboard, placed, point_of(target)):
            after = code_after_capture(ground, placed, other, captures)
        else:
            code = int(quiet.codes[row_of(quiet.numbering, other, placed)])
            after = code + 1 if code else 0
        if after & 1:
            worst = max(worst, after)
        elif after:
            best = after if best == 0 else min(best, after)
        else:
            drawn = True
    return best if best else 0 if drawn else worst
