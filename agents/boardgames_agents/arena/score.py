"""Scores: wins, draws, losses, power, reliability and points of a policy."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import inf, sqrt
from typing import Any

from boardgames_agents.experiments.estimate import Interval, Z, percentage, wilson
from boardgames_agents.experiments.table import Table
from boardgames_agents.policy.explanation import counted, signed
from boardgames_agents.record import Record


@dataclass(frozen=True)
class Score:
    """The results of a policy in some contests. Scores of different contests add up.

    Attributes:
        draws: Number of contests drawn, including those cut short.
        cuts: Number of contests that a limit cut short without making them draws by rule.
        points: Sum of the policy's points, other than wins − losses where a win can count double.
        squares: Sum of the squares of its points, other than wins + losses there.
        plies: Number of plies of both seats.
        decisions: Number of the policy's decisions.
        seconds: Duration of its decisions. Not compared, because it is never twice the same.
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
    def of(cls, record: Record, seat: int) -> "Score":
        """Return the score of one contest for one of its seats."""
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
        """Return the opponent's score, with 0 for its decisions and their seconds, which are not known."""
        return Score(self.losses, self.draws, self.wins, self.cuts, -self.points, self.squares, self.plies)

    def _repr_html_(self) -> str:
        return score_table(f"{counted(self.contests, 'contest')}", {"": self}).html()

    def __str__(self) -> str:
        text = (
            f"{counted(self.contests, 'contest')}: {self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost; "
            f"power {_percentage(self.power, self.power_interval)}, "
            f"reliability {_percentage(self.reliability, self.reliability_interval)}"
        )
        return f"{text}; points per contest {self.points_text}" if self.has_multiple_points else text

    @property
    def contests(self) -> int:
        """The number of contests."""
        return self.wins + self.draws + self.losses

    @property
    def power(self) -> float:
        """The percentage of contests won; not a number for no contests."""
        return percentage(self.wins, self.contests)

    @property
    def power_interval(self) -> Interval:
        """The 95 % confidence interval of `power`, in per cent."""
        return wilson(self.wins, self.contests)

    @property
    def reliability(self) -> float:
        """The percentage of contests won or drawn; not a number for no contests."""
        return percentage(self.wins + self.draws, self.contests)

    @property
    def reliability_interval(self) -> Interval:
        """The 95 % confidence interval of `reliability`, in per cent."""
        return wilson(self.wins + self.draws, self.contests)

    @property
    def points_per_contest(self) -> float:
        """The mean of the policy's points; not a number for no contests."""
        return self.points / self.contests if self.contests else float("nan")

    @property
    def points_interval(self) -> Interval:
        """The 95 % confidence interval of `points_per_contest`, infinite for fewer than 2 contests.

        It is the mean ± 1.96 standard errors, an approximation for a dozen contests or more.
        """
        if self.contests < 2:
            return -inf, inf
        mean = self.points_per_contest
        variance = (self.squares - self.points * mean) / (self.contests - 1)
        spread = Z * sqrt(max(0.0, variance) / self.contests)
        return mean - spread, mean + spread

    @property
    def points_text(self) -> str:
        """Points per contest and their interval, as text."""
        low, high = self.points_interval
        return f"{signed(self.points_per_contest, 3)} ({signed(low, 3)} to {signed(high, 3)})"

    @property
    def has_multiple_points(self) -> bool:
        """Whether a contest was won by more than one point."""
        return self.squares > self.wins + self.losses

    @property
    def seconds_per_decision(self) -> float:
        """The policy's mean time for a decision, in seconds; 0 for no decisions."""
        return self.seconds / self.decisions if self.decisions else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return all figures as plain data, for JSON."""
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


def score_table(title: str, scores: Mapping[str, Score]) -> Table:
    """Return scores by the names of policies as a table."""
    has_points = any(score.has_multiple_points for score in scores.values())
    headings = ("", "won", "drawn", "lost", "power", "reliability", *["points per contest"] * has_points)
    rows = [
        (
            *(name, f"{score.wins:,}", f"{score.draws:,}", f"{score.losses:,}"),
            _percentage(score.power, score.power_interval),
            _percentage(score.reliability, score.reliability_interval),
            *[score.points_text] * has_points,
        )
        for name, score in scores.items()
    ]
    return Table(title, headings, rows, figures=())


def _percentage(value: float, interval: Interval) -> str:
    return f"{value:.2f} % ({interval[0]:.2f} to {interval[1]:.2f})"
