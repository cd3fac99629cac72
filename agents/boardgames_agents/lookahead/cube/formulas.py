"""Doubling formulas for money play: the value with a cube, from the probabilities without.

They share two models (Keeler and Spencer, "Optimal doubling in backgammon", Operations Research 23, 1975). The
probability ``p`` of winning moves between 0 and 1. A seat that may double does so at the *cash point*, where the other
is as well off dropping as taking; its value there is the stake, 1. In the *live* model ``p`` never jumps: the seat
reaches its cash point exactly. Because ``p`` is a martingale, the value of a position is a straight line between such
points. In the *dead* model nobody doubles again, and the value is that without a cube. Real dice jump over the cash
point, so the value is between those of the two models: a weighted mean. Beyond its cash point a seat is too good to
double where this mean exceeds the stake.

With ``W`` points for an average win and ``L`` for an average loss, both without a cube, the live cash point is ``(1 +
L) / (W + L + 1/2)``; without a cube the value is 1 at ``(1 + L) / (W + L)``, the *dead* cash point. The formulas differ
in the weight of the live model:

* `Janowski` ("Take-Points in Money Games", 1993) gives it a constant weight x, the *cube efficiency*. GNU Backgammon
  uses this general model, too. His points for redoubles, takes and drops follow, which are as others quote them: the
  article itself was not at hand. For a cube in the middle they also quote a line between the points of both seats at
  which the value with the cube would be the stake, which doubles from 67.9 % without gammons; the mean of both models
  doubles from 68.8 %.
* `ZadehKobliska` ("On optimal doubling in backgammon", Management Science 23, 1977) reckon with an *effective doubling
  number* for games that are not continuous. Of their article the introduction and first lemmas could be read, and their
  tables as others quote them (without gammons, races of 60 to 110 pips: double with 71–73 %, redouble with 72–75 %,
  drop with less than 21–23 %); not their formula. With the number 0.84 the means here give 71.8 %, 74.0 % and 21.0 %.
  (The treatment of gammons is ours: the number is the position of the point at which the owner's value would reach the
  stake, between the live and the dead cash point.)
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boardgames_env.errors import demand_named, require
from boardgames_env.spec import Entry, Spec

_LIVE = 0.8
"""The live cash point without gammons."""


Shares = tuple[float, float, float]
"""The shares of single games, gammons and backgammons."""

_SINGLE: Shares = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Prospects:
    """A seat's prospects without a cube.

    Attributes:
        win: The probability that it wins.
        wins: The mean points of the contests that it wins, 1 to 3.
        losses: The mean points of the contests that it loses, 1 to 3.
        won: The shares of 1, 2 and 3 points among the contests that it wins, which count at the score of a match.
        lost: Those among the contests that it loses.
    """

    win: float
    wins: float = 1.0
    losses: float = 1.0
    won: Shares = _SINGLE
    lost: Shares = _SINGLE

    @classmethod
    def of(cls, probabilities: Sequence[float]) -> "Prospects":
        """Convert the probabilities that it wins 1, 2, 3 points, and that it loses 1, 2, 3."""
        one, two, three, less_one, less_two, less_three = (float(each) for each in probabilities)
        win, loss = one + two + three, less_one + less_two + less_three
        return cls(
            win / (win + loss),
            (one + 2 * two + 3 * three) / win if win > 0 else 1.0,
            (less_one + 2 * less_two + 3 * less_three) / loss if loss > 0 else 1.0,
            (one / win, two / win, three / win) if win > 0 else _SINGLE,
            (less_one / loss, less_two / loss, less_three / loss) if loss > 0 else _SINGLE,
        )

    @property
    def equity(self) -> float:
        """The expected points without a cube."""
        return self.win * self.wins - (1 - self.win) * self.losses

    @property
    def turned(self) -> "Prospects":
        """The other seat's prospects."""
        return Prospects(1 - self.win, self.losses, self.wins, self.lost, self.won)


class Formula(ABC):
    """A formula for the weight of the live model; everything else follows from it (`models.MoneyCube`)."""

    @abstractmethod
    def live_weight(self, live: float, dead: float) -> float:
        """Return the weight of the live model, from 0 to 1, given the cash points of the live and the dead model."""


@dataclass(frozen=True)
class Janowski(Formula):
    """Janowski's general model.

    Attributes:
        efficiency: The cube efficiency x, from 0 (dead) to 1 (live); 2/3 is usual.

    Raises:
        BadInputError: If the efficiency is out of range.
    """

    efficiency: float = 2 / 3

    def __post_init__(self) -> None:
        require(0, 1, efficiency=self.efficiency)

    def live_weight(self, live: float, dead: float) -> float:
        """Return the efficiency."""
        return self.efficiency


@dataclass(frozen=True)
class ZadehKobliska(Formula):
    """The continuous model with an effective doubling number; see the module.

    Attributes:
        number: The effective doubling number of a game without gammons, from 0.8 (live) to 1 (dead).

    Raises:
        BadInputError: If the number is out of range.
    """

    number: float = 0.84

    def __post_init__(self) -> None:
        require(_LIVE, 1, number=self.number)

    def live_weight(self, live: float, dead: float) -> float:
        """Return the weight with which the value would reach the stake at the number, without gammons."""
        place = (self.number - _LIVE) / (1 - _LIVE)
        return live * (1 - place) / (live + place * (dead - live))


FORMULAS: Mapping[str, type[Formula]] = {"janowski": Janowski, "zadeh_kobliska": ZadehKobliska}
"""The formulas by name."""


def make_formula(spec: str) -> Formula:
    """Make a formula from its name and options, such as ``"janowski(efficiency=0.7)"``.

    Raises:
        BadInputError: For an unknown formula or option, or a number that is not allowed.
    """
    parsed = Spec.parse(spec)
    demand_named("doubling formula", parsed.name, FORMULAS)
    return Entry(parsed.name, FORMULAS[parsed.name]).make(parsed.options)


def line_through(at: float, *points: tuple[float, float]) -> float:
    """Return the value at a place of the polyline through points in ascending order."""
    (left, low), *others = points
    for right, high in others:
        if at <= right and right > left:
            return low + (high - low) * (at - left) / (right - left)
        left, low = right, high
    return low
