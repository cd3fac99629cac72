"""What a player's decisions add up to."""

from collections.abc import Iterable
from dataclasses import dataclass

from boardgames_agents.analysis.contests import Decision

DOUBTFUL, BAD, VERY_BAD = 0.04, 0.08, 0.16
"""From which error on a play is what GNU Backgammon calls it with its usual settings; a very bad one is a blunder."""


def mark(error: float) -> str:
    """How people mark an error: ``?!`` if it is doubtful, ``?`` if it is bad, ``??`` if it is very bad."""
    return "??" if error >= VERY_BAD else "?" if error >= BAD else "?!" if error >= DOUBTFUL else ""


@dataclass(frozen=True)
class Totals:
    """What some decisions add up to; errors and luck are points at a stake of 1.

    Attributes:
        plays: How many plays there were to decide on.
        play_errors: What the errors among them cost.
        cube_decisions: How many decisions about the cube there were.
        cube_errors: What the errors among them cost.
        doubtful: How many errors of all kinds were doubtful,
        bad: how many bad,
        blunders: and how many very bad.
        luck: How lucky the rolls were.
    """

    plays: int
    play_errors: float
    cube_decisions: int
    cube_errors: float
    doubtful: int
    bad: int
    blunders: int
    luck: float

    @classmethod
    def of(cls, decisions: Iterable[Decision]) -> "Totals":
        """Add up decisions of one player."""
        every = list(decisions)
        plays, cube = ([each for each in every if bool(each.roll) == rolled] for rolled in (True, False))
        marks = [mark(each.error) for each in every]
        return cls(
            sum(each.counts for each in plays),
            sum(each.error for each in plays),
            sum(each.counts for each in cube),
            sum(each.error for each in cube),
            marks.count("?!"),
            marks.count("?"),
            marks.count("??"),
            sum(each.luck for each in every),
        )

    @property
    def rate(self) -> float:
        """What errors cost on average, in thousandths of a point per decision that was not forced."""
        decisions = self.plays + self.cube_decisions
        return 1000 * (self.play_errors + self.cube_errors) / decisions if decisions else 0.0
