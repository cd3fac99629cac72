"""Shots: the rolls, of 36, that hit, and the seat's exposure to them.

A roll hits a man if its dice can bring a man there by legal steps: with one die, with both, or with up to four steps of
a double, over points that are not closed, and after all men on the bar have entered. That a move must play as many
dice as can be played, or the larger, is not asked for: in about 6 of 1,000 positions with contact, most of them late
ones, a roll counts that hits only in ways which this forbids.
"""

from typing import NamedTuple

from boardgames_env.games.backgammon.inputs.side import Side, highest, size
from boardgames_env.games.backgammon.rules.backgammon_board import BAR
from boardgames_env.kernels import State, helper

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
