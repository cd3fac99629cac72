"""The board from a seat's side, as bit masks, and the shots that it has.

A mask is a set of points: bit p for the seat's own point p, 1 to 24, and bit 25 for its bar. A die d shifts a set of
men by d.

A *shot* is a roll, of 36, that hits a man: its dice can bring a man there by legal steps, with one die, with both, or
with up to four steps of a double, over points that are not closed, and after all men on the bar have entered. That a
move must play as many dice as can be played, or the larger, is not asked for: in about 6 of 1,000 positions with
contact, most of them late ones, a roll counts that hits only in ways which this forbids.
"""

from typing import NamedTuple

import numpy as np

from boardgames_env.games.backgammon.rules.backgammon_board import BAR, BARS, HOME, POINTS, TRAYS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper

BOARD_BITS = (1 << (POINTS + 1)) - 2
"""All points."""
HOME_BITS = (1 << (HOME + 1)) - 2
"""The home board."""

_HALF = 13
_HIGHEST = np.array([max(n.bit_length() - 1, 0) for n in range(1 << _HALF)])
_SET = np.array([n.bit_count() for n in range(1 << _HALF)])


class Side(NamedTuple):
    """A position from a seat's side, from which all points are numbered."""

    seat: int
    total: int  # the number of all its men
    to_roll: bool  # whether it is its turn
    men: int  # the points with its men
    made: int  # the points with two or more of its men, which are closed to the other seat
    lone: int  # the points with one of its men: blots, which can be hit
    their_made: int  # the points that are closed to the seat
    their_lone: int  # the points with one man of the other seat
    bar: int  # its men on the bar
    off: int  # its men that are off
    their_off: int
    pips: int  # the points its men have to go until they are off; 25 for a man on the bar
    their_pips: int
    rear: int  # where its rearmost man is: 25 if it is on the bar, 0 if all are off
    their_rear: int  # where the other's rearmost man is: 0 if it is on the bar, 25 if all are off


@helper
def highest(points: int) -> int:
    """Return the highest of some points, 0 if there is none."""
    upper = points >> _HALF
    return int(_HIGHEST[upper] + _HALF if upper else _HIGHEST[points])


@helper
def lowest(points: int) -> int:
    """Return the lowest of some points, 0 if there is none."""
    return highest(points & -points)


@helper
def size(points: int) -> int:
    """Return the number of points in a set."""
    return int(_SET[points >> _HALF] + _SET[points & ((1 << _HALF) - 1)])


@helper
def men_on(state: State, seat: int) -> tuple[int, int, int, int, int, int]:
    """Return a seat's points with men, those with two or more, its pips; the same of the other."""
    men, made, pips = 0, 0, 0
    their_men, their_made, their_pips = 0, 0, 0
    for point in range(1, POINTS + 1):
        n = count(state, seat, point)
        men |= int(n > 0) << point
        made |= int(n > 1) << point
        pips += max(n, 0) * point
        their_men |= int(n < 0) << point
        their_made |= int(n < -1) << point
        their_pips -= min(n, 0) * (POINTS + 1 - point)
    pips += BAR * count(state, seat, BAR)
    their_pips += BAR * count(state, 1 - seat, BAR)
    return men, made, pips, their_men, their_made, their_pips


@helper
def side_of(state: State, seat: int, total: int) -> Side:
    """Return a seat's side of a position in a game with a number of men a seat."""
    men, made, pips, their_men, their_made, their_pips = men_on(state, seat)
    bar = int(abs(state[BARS + seat]))
    their_rear = 0
    if state[BARS + 1 - seat] == 0:
        their_rear = lowest(their_men) if their_men else BAR
    return Side(
        seat,
        total,
        state[0] == seat,
        men,
        made,
        men & ~made,
        their_made,
        their_men & ~their_made,
        bar,
        int(abs(state[TRAYS + seat])),
        int(abs(state[TRAYS + 1 - seat])),
        pips,
        their_pips,
        BAR if bar > 0 else highest(men),
        their_rear,
    )


@helper
def in_contact(side: Side) -> bool:
    """Return whether the seats' men have yet to pass each other."""
    return side.rear > side.their_rear


_ROLLS = 36
_STEPS = 4
_BLOTS = 5
_PIPS = 12

EXPOSURE = tuple(f"{what}_{when}" for what in ("hit", "hit_twice", "pips_at_risk") for when in ("now", "later"))
"""The rolls that hit at least one man, and that hit two, of 36; the mean pips lost by the most advanced man hit, of 12.

A shot is another thing when it is the other seat's turn, which then hits, than when the seat may still cover. So each
makes two features, one for now and one for later, of which one is 0.
"""


class Shots(NamedTuple):
    """The shots of a seat at the other's men, of its 36 rolls."""

    now: bool  # whether it is the seat's turn; if not, they are the shots that it would have
    hits: int  # rolls that hit at least one man
    doubled: int  # rolls that hit two
    pips: int  # sum over the rolls of the pips lost by the most advanced man that is hit


@helper
def of_exposure(shots: Shots) -> tuple[float, ...]:
    """Return the features of a seat at which the other has shots: `EXPOSURE`."""
    hit, hit_twice, pips_at_risk = shots.hits / _ROLLS, shots.doubled / _ROLLS, shots.pips / (_ROLLS * _PIPS)
    if shots.now:
        return hit, 0.0, hit_twice, 0.0, pips_at_risk, 0.0
    return 0.0, hit, 0.0, hit_twice, 0.0, pips_at_risk


@helper
def blots(state: State, side: Side) -> float:
    """Return the number of the seat's blots that a man of the other has still to pass, of 5."""
    return size(side.lone & -(1 << side.their_rear)) / _BLOTS


@helper
def shots_of(side: Side) -> Shots:
    """Return the shots that a seat has, or would have if it were to roll, at the other's men."""
    if side.their_lone & ((1 << side.rear) - 1) == 0:  # no man alone that it has not passed
        return Shots(side.to_roll, 0, 0, 0)
    hits, doubled, pips = 0, 0, 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            if high == low:
                targets, twice = _double(side, high)
            elif side.bar == 0:
                targets, twice = _two_dice(side, high, low)
            else:
                targets, twice = _two_dice_from_the_bar(side, high, low)
            if targets:
                cases = 1 if high == low else 2
                hits += cases
                doubled += cases * twice
                pips += cases * highest(targets)
    return Shots(side.to_roll, hits, doubled, pips)


@helper
def _two_dice(side: Side, high: int, low: int) -> tuple[int, bool]:
    """Return the other's men that two dice hit, and whether they hit two; no man is on the bar."""
    lone, closed = side.their_lone, side.their_made
    by_high, by_low = (side.men >> high) & ~closed, (side.men >> low) & ~closed
    onward = ((by_high >> low) | (by_low >> high)) & lone
    by_high &= lone
    by_low &= lone
    if not (by_high or by_low):
        return onward, False
    twice = (by_high >> low | by_low >> high) & lone != 0 or _by_two_men(
        side, by_high << high, by_low << low, high, low
    )
    return by_high | by_low | onward, twice


@helper
def _by_two_men(side: Side, from_high: int, from_low: int, high: int, low: int) -> bool:
    """Return whether two men hit two, one with each die, given where they could hit from."""
    while from_high and from_low:
        one = from_high & -from_high
        # not the same man again, and not the same target
        if from_low & ~(one & side.lone) & ~(one >> high << low):
            return True
        from_high &= from_high - 1
    return False


@helper
def _two_dice_from_the_bar(side: Side, high: int, low: int) -> tuple[int, bool]:
    """Return the same as `_two_dice` with men on the bar, which enter first."""
    lone, closed = side.their_lone, side.their_made
    targets, twice = 0, False
    for first, second in ((high, low), (low, high)):
        entry = 1 << (BAR - first)
        if entry & closed:
            continue
        following = (1 << BAR if side.bar > 1 else side.men | entry) >> second
        hit, then = entry & lone, following & lone & ~entry
        targets |= hit | then
        twice |= hit != 0 and then != 0
    return targets, twice


@helper
def _double(side: Side, die: int) -> tuple[int, bool]:
    """Return the same for a double, with the steps that are left when all men have entered."""
    lone, closed = side.their_lone, side.their_made
    men, steps, targets = side.men, _STEPS, 0
    if side.bar > 0:
        entry = 1 << (BAR - die)
        if entry & closed:
            return 0, False
        steps -= side.bar
        men |= entry
        targets = entry & lone
        lone &= ~entry
    had, twice = targets != 0, False
    # where one man can be after this many steps, and where if it has hit; what it hits with its first, its second step
    after, having_hit, first, second = men, 0, 0, 0
    for taken in range(1, steps + 1):
        after = (after >> die) & ~closed
        having_hit = (having_hit >> die) & ~closed
        hit = after & lone
        targets |= hit
        twice |= having_hit & lone != 0
        having_hit |= hit
        if taken == 1:
            first = hit
        elif taken == 2:
            second = hit
        if taken < steps and first and hit:  # two men, one of them with one step
            twice |= size(first | hit) > 1
    if steps == _STEPS:  # two men with two steps each
        twice |= size(second) > 1
    return targets, twice or (had and targets & lone != 0)
