"""What the moves of a morris game make a position worth.

Each set of men is a mask of points. What a position is worth for the seat to move is one number, its *code*: 0 for
a draw, otherwise 1 + the plies to the end, of which the winner needs an odd number and the loser is left an even
one. So an odd code is a loss, an even one a win, and a move to a child with a code makes that code + 1.

Mills, captures and the points next to a man are those of the games' own kernels. Going through the moves is done
again here, as a solver must, on masks instead of states; a test holds the two equal.
"""

from typing import Any, NamedTuple

from numba import types

from boardgames_env.games.morris.bitboards import Frame, capturable, count, make_frame, mills_closed
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.kernels import helper
from boardgames_env.kernels.signatures import INT64_1D, INT64_2D, Int16s
from boardgames_env.solve.morris.index import Index, row_of

LOST_NOW = 1
"""The code of a seat that cannot move."""
WON_NEXT = 2
"""The code of a seat that captures and leaves the other too few men."""


class Ground(NamedTuple):
    """A board and rules, as the solver's kernels read them.

    Attributes:
        frame: The board.
        fly_at: A seat with no more men than this may move anywhere.
        any_capture: Whether men in mills may be captured like others.
    """

    frame: Frame
    fly_at: int
    any_capture: bool


GROUND: Any = types.NamedTuple(
    (
        types.NamedTuple((types.int64, INT64_1D, INT64_1D, INT64_2D, INT64_2D, INT64_2D), Frame),
        types.int64,
        types.boolean,
    ),
    Ground,
)


def make_ground(rules: MorrisRules) -> Ground:
    """The ground of some rules."""
    return Ground(make_frame(rules.board, rules.fly_at > 0), rules.fly_at, rules.any_capture)


@helper
def empty_points(ground: Ground, own: int, other: int) -> int:
    """The points on which nobody stands."""
    return ~(own | other) & ((1 << ground.frame.size) - 1)


@helper
def targets(ground: Ground, own: int, other: int, point: int) -> int:
    """Where a man may move to: next to it, or anywhere if its side flies."""
    empty = empty_points(ground, own, other)
    return empty if count(own) <= ground.fly_at else empty & int(ground.frame.neighbours[point])


@helper
def point_of(single: int) -> int:
    """The point of a set of one."""
    return count(single - 1)


@helper
def code_after_capture(ground: Ground, own: int, other: int, loses: bool, below_index: Index, below: Int16s) -> int:
    """The best code for the seat that may now capture, from the codes of what each capture leads to.

    ``loses``: whether the other seat has lost with one man less; ``below`` are the codes of the class with one man
    less of the other seat, which is to move there.
    """
    if loses:
        return WON_NEXT
    best = 0
    worst = 0
    drawn = False
    rest = other if ground.any_capture else capturable(ground.frame, other)
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
    ground: Ground,
    own: int,
    other: int,
    loses: bool,
    next_index: Index,
    next_codes: Int16s,
    below_index: Index,
    below: Int16s,
    known: int,
    hopeful: bool,
) -> int:
    """The code of a sliding position, from its children's.

    Args:
        ground: The board and rules.
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
        rest = targets(ground, own, other, point_of(man))
        while rest:
            target = rest & -rest
            rest ^= target
            moved = own ^ man ^ target
            if mills_closed(ground.frame, moved, point_of(target)):
                after = code_after_capture(ground, moved, other, loses, below_index, below)
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
    if drawn or empty_points(ground, own, other) == 0:  # nobody can move on a full board
        return 0
    return max(worst, LOST_NOW)


@helper
def placing_code(
    ground: Ground,
    own: int,
    other: int,
    loses: bool,
    next_index: Index,
    next_codes: Int16s,
    below_index: Index,
    below: Int16s,
) -> int:
    """The code of a position in which the mover places a man; the arguments are those of `sliding_code`."""
    best = 0
    worst = 0
    drawn = False
    rest = empty_points(ground, own, other)
    while rest:
        target = rest & -rest
        rest ^= target
        placed = own | target
        if other and mills_closed(ground.frame, placed, point_of(target)):
            after = code_after_capture(ground, placed, other, loses, below_index, below)
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
