"""What a tournament came to, as its first policy sees it: counts, power, reliability and points."""

from dataclasses import asdict, dataclass, field
from math import inf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardgames_agents.record import Record

Interval = tuple[float, float]

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Score:
    """A policy's results over some contests. Scores of different contests add up.

    Attributes:
        wins: Contests won.
        draws: Contests drawn, those that were cut short among them.
        losses: Contests lost.
        cuts: Contests that a limit cut short without making them draws by rule.
        points: The sum of the policy's points, which is not wins − losses where a win can count double.
        squares: The sum of their squares, which is not wins + losses there.
        plies: Plies of both seats.
        decisions: How often the policy was asked to choose.
        seconds: What its decisions took; left out of comparisons, because it is never twice the same.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    cuts: int = 0
    points: int = 0
    squares: int = 0
    plies: int = 0
    decisions: int = 0
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def of(cls, record: "Record", seat: int) -> "Score":
        """The score of one contest for one of its seats."""
        points = record.points_for(seat)
        return cls(
            wins=int(points > 0),
            draws=int(points == 0),
            losses=int(points < 0),
            cuts=int(record.cut),
            points=points,
            squares=points**2,
            plies=record.plies,
            decisions=record.decisions[seat],
            seconds=record.seconds[seat],
        )

    def __add__(self, other: "Score") -> "Score":
        return Score(**{name: value + getattr(other, name) for name, value in vars(self).items()})

    def reversed(self) -> "Score":
        """The opponent's score. How often that was asked, and what its decisions took, is not known: both are 0."""
        return Score(self.losses, self.draws, self.wins, self.cuts, -self.points, self.squares, self.plies)

    def __str__(self) -> str:
        told = (
            f"{self.contests:,} contests: {self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost; "
            f"power {_percentage(self.power, self.power_interval)}, "
            f"reliability {_percentage(self.reliability, self.reliability_interval)}"
        )
        return f"{told}; points per contest {self.points_text}" if self.has_multiple_points else told

    @property
    def contests(self) -> int:
        """How many contests were played."""
        return self.wins + self.draws + self.losses

    @property
    def power(self) -> float:
        """The percentage of contests won; not a number if there were none."""
        return percentage(self.wins, self.contests)

    @property
    def power_interval(self) -> Interval:
        """The 95 % confidence interval of `power`, in per cent."""
        return wilson(self.wins, self.contests)

    @property
    def reliability(self) -> float:
        """The percentage of contests won or drawn; not a number if there were none."""
        return percentage(self.wins + self.draws, self.contests)

    @property
    def reliability_interval(self) -> Interval:
        """The 95 % confidence interval of `reliability`, in per cent."""
        return wilson(self.wins + self.draws, self.contests)

    @property
    def points_per_contest(self) -> float:
        """The mean of the policy's points; not a number if there were no contests."""
        return self.points / self.contests if self.contests else float("nan")

    @property
    def points_interval(self) -> Interval:
        """The 95 % confidence interval of `points_per_contest`; without bounds if there were fewer than 2 contests.

        It is the mean ± 1.96 standard errors, which is meant for some dozen contests or more.
        """
        if self.contests < 2:
            return -inf, inf
        mean = self.points_per_contest
        variance = (self.squares - self.points * mean) / (self.contests - 1)
        spread = _Z * sqrt(max(0.0, variance) / self.contests)
        return mean - spread, mean + spread

    @property
    def points_text(self) -> str:
        """Points per contest and their interval, as people read them."""
        low, high = self.points_interval
        return f"{self.points_per_contest:+.3f} ({low:+.3f} to {high:+.3f})"

    @property
    def has_multiple_points(self) -> bool:
        """Whether a contest was won by more than one point."""
        return self.squares > self.wins + self.losses

    @property
    def seconds_per_decision(self) -> float:
        """The policy's mean time for a decision, in seconds; 0 if it made none."""
        return self.seconds / self.decisions if self.decisions else 0.0

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "contests": self.contests,
            **asdict(self),
            "power": self.power,
            "power_interval": list(self.power_interval),
            "reliability": self.reliability,
            "reliability_interval": list(self.reliability_interval),
            "points_per_contest": self.points_per_contest,
            "points_interval": list(self.points_interval) if self.contests > 1 else None,  # JSON knows no infinity
            "seconds_per_decision": self.seconds_per_decision,
        }


def percentage(successes: int, trials: int) -> float:
    """Successes in per cent of the trials; not a number if there were no trials."""
    return 100 * successes / trials if trials else float("nan")


def wilson(successes: float, trials: int) -> Interval:
    """Wilson's 95 % score interval of a proportion, in per cent; all of 0 to 100 if there were no trials.

    Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, Journal of the
    American Statistical Association 22 (1927). SciPy has it for whole numbers of successes only, and a known
    proportion (maximal power, say) need not be one.
    """
    if trials == 0:
        return 0.0, 100.0
    share = successes / trials
    centre = share + _Z**2 / (2 * trials)
    spread = _Z * sqrt(share * (1 - share) / trials + (_Z / (2 * trials)) ** 2)
    scale = 100 / (1 + _Z**2 / trials)
    # at the ends the interval ends there too, which rounding would just miss
    low = scale * (centre - spread) if share > 0 else 0.0
    high = scale * (centre + spread) if share < 1 else 100.0
    return low, high


def _percentage(value: float, interval: Interval) -> str:
    return f"{value:.2f} % ({interval[0]:.2f} to {interval[1]:.2f})"
