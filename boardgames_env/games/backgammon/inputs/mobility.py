"""Mobility: the rolls that can be played, and those that make a point."""

from boardgames_env.games.backgammon.inputs.side import BOARD_BITS, Side, size
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, HOME
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

_FACES = 6
_ROLLS = 36
_WANTED_BITS = (1 << (HOME + 2)) - (1 << 2)  # the points 2 to 7


@helper
def steps_with(side: Side, die: int) -> int:
    """Return the points that men can step to with a die; bit 0 if one can be borne off."""
    if side.bar > 0:
        return 1 << (BAR - die) & ~side.their_made
    steps = side.men >> die & BOARD_BITS & ~side.their_made
    # of the home board a man is borne off exactly, or the rearmost with a larger die
    return steps | int(side.rear <= HOME and (side.men >> die & 1 == 1 or side.rear < die))


@helper
def playable_rolls(state: State, side: Side) -> float:
    """Return the rolls of which the seat could play at least one die, of 36."""
    blocked = 0
    for die in range(1, _FACES + 1):
        blocked += steps_with(side, die) == 0
    return 1 - blocked * blocked / _ROLLS


@helper
def open_steps(state: State, side: Side) -> float:
    """Return the share of the steps that are open, of all steps if no point was closed.

    A step is a point with men, or the bar and then no other, together with a die that leads from it to a point.
    """
    there, in_all = 0, 0
    men = 1 << BAR if side.bar > 0 else side.men
    for die in range(1, _FACES + 1):
        there += size(men >> die & BOARD_BITS & ~side.their_made)
        in_all += size(men >> die & BOARD_BITS)
    return there / max(in_all, 1)


@helper
def _with_men(state: State, side: Side, men: int) -> int:
    """Return the points on which a seat has at least a number of men."""
    points = 0
    for point in range(1, BAR):
        points |= int(count(state, side.seat, point) >= men) << point
    return points


@helper
def point_making_rolls(state: State, side: Side) -> float:
    """Return the rolls that make a new point of 2 to 7, of 36; 0 with men on the bar.

    A spare is a man alone on its point, or one beyond two. A roll counts if its dice bring two spares to a point that
    the seat has not made and the other has not, each with one die; or one spare to a lone man there. Of a double, a
    spare may also come two steps by way of a point that another comes from; and both may come from one point, if it
    has four men or more.
    """
    if side.bar > 0:
        return 0.0
    wanted = _WANTED_BITS & ~side.made & ~side.their_made
    if wanted == 0:
        return 0.0
    waiting = wanted & side.lone
    spares, pairs = side.lone | _with_men(state, side, 3), _with_men(state, side, 4)
    rolls = 0
    for high in range(1, _FACES + 1):
        by_high = spares >> high
        rolls += (by_high & (waiting | by_high >> high) | pairs >> high) & wanted != 0
        for low in range(1, high):
            by_low = spares >> low
            rolls += 2 * ((by_high & by_low | (by_high | by_low) & waiting) & wanted != 0)
    return rolls / _ROLLS
