"""Features that expert players use: the race, blockades, bearing off, mobility."""

import math

import numpy as np
from numpy.typing import NDArray

from boardgames_env.games.backgammon.inputs.side import BOARD_BITS, HOME_BITS, Side, highest, in_contact, lowest, size
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, HOME, POINTS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

_AT_START = 167
_ROLL_AHEAD = 4
_TIME = 100


@helper
def contact(state: State, side: Side) -> float:
    """Return 1 if a man has yet to pass one of the other's, 0 in a race."""
    return 1.0 if in_contact(side) else 0.0


@helper
def racing_chance(state: State, side: Side) -> float:
    """Return the chance to win in a race, by Kleinman's metric (D + 4)²/(S - 4).

    D is by how many pips the seat to roll leads, and S the pips of both; the square root of the metric goes through
    the error function. It counts a turn as 8 pips, of which the seat to roll has half.
    """
    lead = side.their_pips - side.pips + (_ROLL_AHEAD if side.to_roll else -_ROLL_AHEAD)
    both = max(side.pips + side.their_pips - _ROLL_AHEAD, 1)
    return 0.5 + 0.5 * math.erf(lead / math.sqrt(both))


@helper
def pip_count(state: State, side: Side) -> float:
    """Return the seat's pips, of 167, which it has at the start."""
    return side.pips / _AT_START


@helper
def lead(state: State, side: Side) -> float:
    """Return the pips the seat is ahead, as a part of the pips of both; 0 if it is behind."""
    return max(side.their_pips - side.pips, 0) / max(side.pips + side.their_pips, 1)


@helper
def pips_to_pass(state: State, side: Side) -> float:
    """Return the pips of the seat's men to the other's rearmost man, of those behind it; of 167."""
    total = (POINTS + 1 - side.their_rear) * side.bar
    for point in range(side.their_rear + 1, POINTS + 1):
        total += max(count(state, side.seat, point), 0) * (point - side.their_rear)
    return total / _AT_START


@helper
def timing(state: State, side: Side) -> float:
    """Return the pips the seat can play before it must break its home board or run; of 100.

    They are those from its points 7 to 18 to the 6 point, and those from its points 2 to 6 to the 1 point of all but
    two men on each.
    """
    total = 0
    for point in range(2, HOME + 1):
        total += max(count(state, side.seat, point) - 2, 0) * (point - 1)
    for point in range(HOME + 1, POINTS - HOME + 1):
        total += max(count(state, side.seat, point), 0) * (point - HOME)
    return total / _TIME


_AHEAD = 12
_ROLLS = 36
_LONGEST = 6
_TRAPPING = 4
_THEIR_HOME_BITS = HOME_BITS << (POINTS - HOME)
_ANCHOR_BITS = BOARD_BITS & -(1 << (POINTS - HOME))  # their home board and bar point


def _escapes() -> NDArray[np.int64]:
    """Return `rolls_to_go` by the closed points of the twelve ahead of a man, bit 0 the next."""
    closed = np.arange(1 << _AHEAD)
    rolls = np.zeros(len(closed), dtype=np.int64)
    for high in range(1, 7):
        for low in range(1, high + 1):
            halfway = (closed >> (high - 1) & 1 == 0) | (closed >> (low - 1) & 1 == 0)
            rolls += (2 - (high == low)) * (halfway & (closed >> (high + low - 1) & 1 == 0))
    return rolls


_ESCAPES = _escapes()


@helper
def home_points(state: State, side: Side) -> float:
    """Return the number of points of its home board that the seat has made, of 6."""
    return size(side.made & HOME_BITS) / HOME


@helper
def keeping_out(state: State, side: Side) -> float:
    """Return the rolls that would leave a man of the other seat on the bar, of 36."""
    return size(side.made & HOME_BITS) ** 2 / _ROLLS


@helper
def longest_run(points: int) -> int:
    """Return the length of the longest run of points."""
    length = 0
    while points:
        points &= points >> 1
        length += 1
    return length


@helper
def longest_prime(state: State, side: Side) -> float:
    """Return the length of the seat's longest prime, of 6; longer ones count as 6."""
    return min(longest_run(side.made), _LONGEST) / _LONGEST


@helper
def prime_ahead(state: State, side: Side) -> float:
    """Return the length of the longest prime ahead of the other's rearmost man, at most 6; of 6."""
    return min(longest_run(side.made & -(2 << side.their_rear)), _LONGEST) / _LONGEST


@helper
def trapped(state: State, side: Side) -> float:
    """Return the share of the other's men that have a prime of four points ahead of them."""
    end = highest(side.made & side.made >> 1 & side.made >> 2 & side.made >> (_TRAPPING - 1))
    if end == 0:
        return 0.0
    held = int(count(state, 1 - side.seat, BAR))
    for point in range(1, end):
        held += max(-count(state, side.seat, point), 0)
    return held / side.total


@helper
def rolls_to_go(made: int, point: int) -> int:
    """Return the rolls of which a lone man on a point could play both dice (two of a double)."""
    return int(_ESCAPES[made >> (point + 1) & ((1 << _AHEAD) - 1)])


@helper
def holding(state: State, side: Side) -> float:
    """Return the rolls of which the other's rearmost man alone could not play both dice, of 36."""
    return 1 - rolls_to_go(side.made, side.their_rear) / _ROLLS


@helper
def containment(state: State, side: Side) -> float:
    """Return the same for the place that holds a man best: the bar, or an open home point."""
    fewest = _ROLLS
    for point in range(HOME + 1):
        if not side.made >> point & 1:
            fewest = min(fewest, rolls_to_go(side.made, point))
    return 1 - fewest / _ROLLS


@helper
def men_back(state: State, side: Side) -> float:
    """Return the seat's men on its points 19 to 24 and on the bar, as a part of all its men."""
    back = side.bar
    for point in range(POINTS - HOME + 1, POINTS + 1):
        back += max(count(state, side.seat, point), 0)
    return back / side.total


@helper
def rearmost(state: State, side: Side) -> float:
    """Return the point of the seat's rearmost man, 25 on the bar; of 25."""
    return side.rear / BAR


@helper
def anchors(state: State, side: Side) -> float:
    """Return 1 if the seat has made two or more of its points 19 to 24, 1/2 for one."""
    return min(size(side.made & _THEIR_HOME_BITS), 2) / 2


@helper
def best_anchor(state: State, side: Side) -> float:
    """Return the advance of the foremost anchor: 1 on point 18, 1/7 on 24; 0 for none."""
    held = side.made & _ANCHOR_BITS
    return (BAR - lowest(held)) / (HOME + 1) if held else 0.0


_PIPS_A_ROLL = 49 / 6
"""The mean pips of a roll, doubles played twice."""
_MEN_A_ROLL = 2
_WASTE = 20
_TO_SAVE = 100
_GAMMON_ROLLS = 8


@helper
def waste(state: State, side: Side) -> float:
    """Return the pips by which Keith's count (2004) corrects that of a home board, of 20.

    2 for each man after the first on the 1 point, 1 for each after the first on the 2 point and for each after the
    third on the 3 point, and 1 for each of the points 4, 5 and 6 that is empty.
    """
    pips = 2 * max(count(state, side.seat, 1) - 1, 0) + max(count(state, side.seat, 2) - 1, 0)
    pips += max(count(state, side.seat, 3) - 3, 0)
    for point in range(4, HOME + 1):
        pips += count(state, side.seat, point) <= 0
    return pips / _WASTE


@helper
def has_some_off(state: State, side: Side) -> float:
    """Return 1 if the seat has a man off, which makes a gammon impossible; else 0."""
    return 1.0 if side.off > 0 else 0.0


@helper
def pips_home(state: State, side: Side, home: int) -> int:
    """Return the pips from a seat's men behind a point to that point."""
    pips = (BAR - home) * side.bar
    for point in range(home + 1, POINTS + 1):
        pips += max(count(state, side.seat, point), 0) * (point - home)
    return pips


@helper
def pips_to_save_gammon(state: State, side: Side) -> int:
    """Return the pips that a seat needs to bring all men home and one off; 0 if it has one off."""
    if side.off > 0:
        return 0
    front = 1
    while front < HOME and count(state, side.seat, front) <= 0:
        front += 1
    return pips_home(state, side, HOME) + front


@helper
def gammon_pips(state: State, side: Side) -> float:
    """Return the pips to bring all men home and one off, 0 if one is off; of 100."""
    return pips_to_save_gammon(state, side) / _TO_SAVE


@helper
def gammon_danger(state: State, side: Side) -> float:
    """Return the danger of losing a gammon: 1/2 if one roll decides; 0 with a man off.

    The rolls that it needs to save it, of 49/6 pips, less those the other needs to bear off all, the more by pips
    and by men, two a roll; less one if it is the seat's turn. 4 rolls too many make 1, 4 too few 0.
    """
    if side.off > 0:
        return 0.0
    needed = pips_to_save_gammon(state, side) / _PIPS_A_ROLL
    left = max(side.their_pips / _PIPS_A_ROLL, (side.total - side.their_off) / _MEN_A_ROLL)
    late = needed - left - side.to_roll + 0.5
    return min(max(late / _GAMMON_ROLLS + 0.5, 0.0), 1.0)


@helper
def backgammon_pips(state: State, side: Side) -> float:
    """Return the pips to leave the other's home board, 0 if a man is off; of 100."""
    if side.off > 0:
        return 0.0
    return pips_home(state, side, POINTS - HOME) / _TO_SAVE


_FACES = 6
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
def _with_three_and_four(state: State, side: Side) -> tuple[int, int]:
    """Return the points on which a seat has three men or more, and four or more."""
    three, four = 0, 0
    rest = side.made
    while rest:
        point = lowest(rest)
        n = count(state, side.seat, point)
        three |= int(n > 2) << point
        four |= int(n > 3) << point
        rest &= rest - 1
    return three, four


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
    three, pairs = _with_three_and_four(state, side)
    spares = side.lone | three
    rolls = 0
    for high in range(1, _FACES + 1):
        by_high = spares >> high
        rolls += (by_high & (waiting | by_high >> high) | pairs >> high) & wanted != 0
        for low in range(1, high):
            by_low = spares >> low
            rolls += 2 * ((by_high & by_low | (by_high | by_low) & waiting) & wanted != 0)
    return rolls / _ROLLS
