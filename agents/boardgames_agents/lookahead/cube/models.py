"""The value of the cube to a seat: in money play, and at the score of a match.

All values are in units of the stake: dropping a double costs 1. In a match the unit is half the difference that winning
and losing the stake make to the probability of winning the match, and 0 is the middle between them (others call this
the *equivalent to money*), so that the same decisions are made by the same comparisons.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from boardgames_agents.lookahead.cube.formulas import Formula, Prospects, line_through

WinAfter = Callable[[int], float]
"""A seat's probability of winning the match after a game that gives it some points, or costs it less than 0."""


@dataclass(frozen=True)
class MoneyCube:
    """The value of the cube in money play, at some stake, to the seat whose prospects are given.

    Attributes:
        formula: The doubling formula.
        jacoby: Whether gammons do not count, and no more than 1 can be won, before the cube is turned.
        is_dead: Whether the seat gains nothing from a higher stake.
        unit: The probability of winning the match that 1 stands for; 0 without a match.
    """

    formula: Formula
    jacoby: bool = False

    is_dead: ClassVar[bool] = False
    unit: ClassVar[float] = 0.0

    def cubeless(self, prospects: Prospects) -> float:
        """Return the expected points, if nobody doubles any more."""
        return prospects.equity

    def centred(self, prospects: Prospects) -> float:
        """Return the value if both seats may double."""
        turned = prospects.turned
        wins, losses = (1.0, 1.0) if self.jacoby else (prospects.wins, prospects.losses)
        low, high = 1 - _live_point(turned), _live_point(prospects)
        weight = (self._weight(prospects) + self._weight(turned)) / 2
        lines = line_through(prospects.win, (0, -losses), (low, -1), (high, 1), (1, wins))
        return weight * lines + (1 - weight) * line_through(prospects.win, (0, -losses), (1, wins))

    def owned(self, prospects: Prospects) -> float:
        """Return the value if only the seat may double."""
        live, weight = _live_point(prospects), self._weight(prospects)
        lines = line_through(prospects.win, (0, -prospects.losses), (live, 1), (1, prospects.wins))
        return weight * lines + (1 - weight) * prospects.equity

    def unavailable(self, prospects: Prospects) -> float:
        """Return the value if only the other seat may double."""
        return -self.owned(prospects.turned)

    def taken(self, prospects: Prospects) -> float:
        """Return the value if the seat doubles and the other takes, in units of the stake before that."""
        return 2 * self.unavailable(prospects)

    def take_point(self, prospects: Prospects) -> float:
        """Return the lowest probability of winning with which the other seat takes, with the gammons given."""
        taker = prospects.turned
        weight = self._weight(taker)
        slope = (1 + taker.losses) * (weight / _live_point(taker) + (1 - weight) / _dead_point(taker))
        return (taker.losses - 0.5) / slope

    def _weight(self, prospects: Prospects) -> float:
        """Return the weight of the live model."""
        return self.formula.live_weight(_live_point(prospects), _dead_point(prospects))


def _live_point(prospects: Prospects) -> float:
    return (1 + prospects.losses) / (prospects.wins + prospects.losses + 0.5)


def _dead_point(prospects: Prospects) -> float:
    """Return the probability of winning at which the value without a cube is 1."""
    return (1 + prospects.losses) / (prospects.wins + prospects.losses)


@dataclass(frozen=True)
class MatchCube:
    """The value of the cube at the score of a match, to the seat whose prospects are given.

    It is the mean of the two models of `boardgames_agents.lookahead.cube.formulas`, with probabilities of winning the
    match in the place of points. A seat's *live* cash point is where the other seat, which would own a live cube at
    twice the stake, is as well off dropping: a recursion over stakes, which ends where the cube is dead. Its *dead*
    cash point is where the match is as likely won without any cube as by cashing.

    Attributes:
        formula: The doubling formula.
        stake: The number on the cube.
        win_after: The seat's probability of winning the match after some points of this game.
    """

    formula: Formula
    stake: int
    win_after: WinAfter

    @property
    def is_dead(self) -> bool:
        """Whether the seat wins the match with the stake."""
        return self.win_after(self.stake) >= 1

    @property
    def unit(self) -> float:
        """Half of the probability of winning the match that the stake decides."""
        return (self.win_after(self.stake) - self.win_after(-self.stake)) / 2

    @property
    def other(self) -> "MatchCube":
        """The cube to the other seat."""
        return MatchCube(self.formula, self.stake, lambda points: 1 - self.win_after(-points))

    @property
    def doubled(self) -> "MatchCube":
        """The cube at twice the stake."""
        return MatchCube(self.formula, 2 * self.stake, self.win_after)

    def cubeless(self, prospects: Prospects) -> float:
        """Return the value if nobody doubles any more."""
        return self._scaled(self._dead(prospects))

    def centred(self, prospects: Prospects) -> float:
        """Return the value if both seats may double."""
        return self._scaled(self.centred_chance(prospects))

    def owned(self, prospects: Prospects) -> float:
        """Return the value if only the seat may double."""
        return self._scaled(self._owned(prospects))

    def unavailable(self, prospects: Prospects) -> float:
        """Return the value if only the other seat may double."""
        return self._scaled(1 - self.other._owned(prospects.turned))

    def taken(self, prospects: Prospects) -> float:
        """Return the value if the seat doubles and the other takes, in units of the stake before that."""
        return self._scaled(1 - self.doubled.other._owned(prospects.turned))

    def take_point(self, prospects: Prospects) -> float:
        """Return the lowest probability with which the other seat takes."""
        taker, turned = self.doubled.other, prospects.turned
        low, high = taker._ends(turned)
        point, weight = taker._live_point(turned), taker._weight(turned)
        live = (point, taker.win_after(taker.stake)) if point < 1 else high
        slope = weight * _slope(low, live) + (1 - weight) * _slope(low, high)
        needed = 1 - self.win_after(self.stake) - low[1]
        return min(needed / slope, 1.0) if needed > 0 else 0.0

    def centred_chance(self, prospects: Prospects) -> float:
        """Return the probability of winning the match if both seats may double."""
        low, high = self._ends(prospects)
        turned, cash = prospects.turned, self._live_point(prospects)
        dropped = min(1 - self.other._live_point(turned), cash)
        between = ((dropped, self.win_after(-self.stake)), (cash, self.win_after(self.stake)))
        weight = (self._weight(prospects) + self.other._weight(turned)) / 2
        mean = weight * line_through(prospects.win, low, *between, high) + (1 - weight) * self._dead(prospects)
        # (where the weights of the seats differ, as those of a live and a dead cube do)
        return min(max(mean, 1 - self.other._owned(turned)), self._owned(prospects))

    def _weight(self, prospects: Prospects) -> float:
        """Return the weight of the live model."""
        return self.formula.live_weight(self._live_point(prospects), self._dead_point(prospects))

    def _live_point(self, prospects: Prospects) -> float:
        """Return the probability at which the seat cashes if that never jumps.

        It is no higher than the dead point, beyond which the seat plays on for the gammon though the other still takes.
        """
        if self.is_dead:
            return 1.0
        taker, turned = self.doubled.other, prospects.turned
        cashes = taker._live_point(turned), taker.win_after(taker.stake)
        live = 1 - _place_of(1 - self.win_after(self.stake), taker._ends(turned)[0], cashes)
        return min(live, self._dead_point(prospects))

    def _dead_point(self, prospects: Prospects) -> float:
        """Return the probability at which the match is as likely won without any cube as by cashing."""
        return _place_of(self.win_after(self.stake), *self._ends(prospects))

    def _owned(self, prospects: Prospects) -> float:
        """Return the probability of winning the match if only the seat may double."""
        low, high = self._ends(prospects)
        point, weight = self._live_point(prospects), self._weight(prospects)
        between = [(point, self.win_after(self.stake))] if point < 1 else []
        return weight * line_through(prospects.win, low, *between, high) + (1 - weight) * self._dead(prospects)

    def _dead(self, prospects: Prospects) -> float:
        """Return the probability of winning the match if nobody doubles any more."""
        return line_through(prospects.win, *self._ends(prospects))

    def _ends(self, prospects: Prospects) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the probabilities of winning the match if the game is lost and won at this stake, with gammons."""
        lost, won = (
            sum(share * self.win_after(sign * (k + 1) * self.stake) for k, share in enumerate(shares))
            for sign, shares in ((-1, prospects.lost), (1, prospects.won))
        )
        return (0.0, lost), (1.0, won)

    def _scaled(self, chance: float) -> float:
        """Return a probability of winning the match in units of the stake."""
        middle = (self.win_after(self.stake) + self.win_after(-self.stake)) / 2
        return (chance - middle) / self.unit


Cube = MoneyCube | MatchCube


def _slope(low: tuple[float, float], high: tuple[float, float]) -> float:
    """Return the slope of the line through two points."""
    return (high[1] - low[1]) / (high[0] - low[0])


def _place_of(value: float, low: tuple[float, float], high: tuple[float, float]) -> float:
    """Return where a line through two points has a value, from 0 to the higher point."""
    (left, bottom), (right, top) = low, high
    if value <= bottom or top <= bottom:
        return left
    return min(left + (right - left) * (value - bottom) / (top - bottom), right)
