"""The moves of the morris games on bit masks, forwards and backwards, and what they make a position worth.

Each set of men is a mask of points. What a position is worth for the seat to move is one number, its *code*: 0 for
a draw, otherwise 1 + the plies to the end, of which the winner needs an odd number and the loser is left an even
one. So an odd code is a loss, an even one a win, and a move to a child with a code makes that code + 1.

These are the rules of `boardgames_env.games.morris_rules` again, in the form that a solver needs; a test holds
them equal.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.kernels import helper
from boardgames_env.solve.morris.index import Index, count_points, row_of

if TYPE_CHECKING:
    from boardgames_env.games.morris_rules import MorrisRules

Codes = NDArray[np.int16]

LOST_NOW = 1
"""The code of a seat that cannot move."""
WON_NEXT = 2
"""The code of a seat that captures and leaves the other too few men."""


class Frame(NamedTuple):
    """A board and rules, as kernels read them.

    Attributes:
        points: How many points the board has.
        neighbours: The points next to each, as masks.
        mills: For each point, the other two points of each of its mills; −1 where it has no more.
        fly_at: A seat with no more men than this may move anywhere.
        any_capture: Whether men in mills may be captured like others.
    """

    points: int
    neighbours: NDArray[np.int64]
    mills: NDArray[np.int64]
    fly_at: int
    any_capture: int


FRAME: Any = types.NamedTuple(
    (types.int64, types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C"), types.int64, types.int64), Frame
)


def make_frame(rules: "MorrisRules") -> Frame:
    """The frame of some rules."""
    board = rules.board
    mills: list[list[int]] = [[] for _ in range(board.size)]
    for line in board.winning_lines:
        for point in line:
            mills[point].append(sum(1 << other for other in line if other != point))
    width = max(map(len, mills))
    return Frame(
        points=board.size,
        neighbours=np.array([sum(1 << there for there in each) for each in board.adjacency], dtype=np.int64),
        mills=np.array([each + [-1] * (width - len(each)) for each in mills], dtype=np.int64),
        fly_at=rules.fly_at,
        any_capture=int(rules.any_capture),
    )


@helper
def closes_mill(frame: Frame, own: int, point: int) -> bool:
    """Whether a man on a point stands in a mill of its own set."""
    closed = False
    for k in range(frame.mills.shape[1]):
        closed |= (own & frame.mills[point, k]) == frame.mills[point, k]
    return closed


@helper
def capturable(frame: Frame, other: int) -> int:
    """The men of a set that may be captured: those outside mills, or all if there are none."""
    if frame.any_capture:
        return other
    outside = 0
    for point in range(frame.points):
        if (other >> point) & 1 and not closes_mill(frame, other, point):
            outside |= 1 << point
    return outside if outside else other


@helper
def targets(frame: Frame, own: int, other: int, point: int) -> int:
    """Where a man may move to: next to it, or anywhere if its side flies."""
    empty = ~(own | other) & ((1 << frame.points) - 1)
    return empty if count_points(own) <= frame.fly_at else empty & int(frame.neighbours[point])


@helper
def point_of(single: int) -> int:
    """The point of a set of one."""
    return count_points(single - 1)


@helper
def code_after_capture(frame: Frame, own: int, other: int, loses: bool, below_index: Index, below: Codes) -> int:
    """The best code for the seat that may now capture, from the codes of what each capture leads to.

    ``loses``: whether the other seat has lost with one man less; ``below`` are the codes of the class with one man
    less of the other seat, which is to move there.
    """
    if loses:
        return WON_NEXT
    best = 0
    worst = 0
    drawn = False
    rest = capturable(frame, other)
    while rest:
        captured = rest & -rest
        rest ^= captured
        code = int(below[row_of(below_index, other ^ captured, own)])
        drawn |= code == 0
        if code & 1 and (best == 0 or code + 1 < best):
            best = code + 1
        if code & 1 == 0 and code + 1 > worst:
            worst = code + 1
    return best if best else 0 if drawn else worst


@helper
def sliding_code(
    frame: Frame,
    own: int,
    other: int,
    loses: bool,
    next_index: Index,
    next_codes: Codes,
    below_index: Index,
    below: Codes,
    known: int,
    hopeful: bool,
) -> int:
    """The code of a sliding position, from its children's.

    Args:
        frame: The frame.
        own: The mover's men.
        other: The other seat's.
        loses: Whether the other seat has lost with one man less.
        next_index: The index of the positions that moves without a capture lead to.
        next_codes: Their codes.
        below_index: The index of those that captures lead to.
        below: Their codes.
        known: Codes of ``next_codes`` beyond this are not known yet, which is as good as a draw.
        hopeful: Whether it might be won. If not, the first child that is not won for the other seat settles it.
    """
    best = 0
    worst = 0
    drawn = False
    movable = own
    while movable:
        man = movable & -movable
        movable ^= man
        rest = targets(frame, own, other, point_of(man))
        while rest:
            target = rest & -rest
            rest ^= target
            moved = own ^ man ^ target
            if closes_mill(frame, moved, point_of(target)):
                after = code_after_capture(frame, moved, other, loses, below_index, below)
            else:
                code = int(next_codes[row_of(next_index, other, moved)])
                after = code + 1 if 0 < code <= known else 0
            if after & 1:
                worst = max(worst, after)
            elif after:
                best = after if best == 0 else min(best, after)
            else:
                drawn = True
            if not hopeful and after & 1 == 0:
                return 0
    if best:
        return best
    if drawn or own | other == (1 << frame.points) - 1:  # nobody can move on a full board
        return 0
    return max(worst, LOST_NOW)


@helper
def placing_code(
    frame: Frame,
    own: int,
    other: int,
    loses: bool,
    next_index: Index,
    next_codes: Codes,
    below_index: Index,
    below: Codes,
) -> int:
    """The code of a position in which the mover places a man; the arguments are those of `sliding_code`."""
    best = 0
    worst = 0
    drawn = False
    rest = ~(own | other) & ((1 << frame.points) - 1)
    while rest:
        target = rest & -rest
        rest ^= target
        placed = own | target
        if other and closes_mill(frame, placed, point_of(target)):
            after = code_after_capture(frame, placed, other, loses, below_index, below)
        else:
            code = int(next_codes[row_of(next_index, other, placed)])
            after = code + 1 if code else 0
        if after & 1:
            worst = max(worst, after)
        elif after:
            best = after if best == 0 else min(best, after)
        else:
            drawn = True
    return best if best else 0 if drawn else worst
