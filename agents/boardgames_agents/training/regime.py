"""A training regime: a trainer and a stopping rule."""

from dataclasses import dataclass

from boardgames_agents.record import Record
from boardgames_agents.training.trainers import Meeting
from boardgames_env.errors import require

MOST_CONTESTS = 100_000
"""Where a training by a behavioral standard ends at the latest, unless it is told another number."""


@dataclass(frozen=True)
class StoppingRule:
    """When a training ends: after some contests, or when the learner meets a behavioral standard.

    The behavioral standard n of Epstein 1994 (section 2.1) is met by n *consecutive* contests, counted across lessons
    and practice, in each of which the learner wins or draws against an external trainer, or draws against itself.

    Attributes:
        contests: The training ends after so many contests at the latest.
        standard: n; 0 for none.

    Raises:
        BadInputError: If either makes no sense.
    """

    contests: int
    standard: int = 0

    def __post_init__(self) -> None:
        require(1, contests=self.contests)
        require(0, standard=self.standard)

    def is_met(self, contests: int, streak: int) -> bool:
        """Whether the training ends after so many contests, the last ``streak`` of them up to the standard."""
        return contests >= self.contests or 0 < self.standard <= streak


def streak_after(streak: int, meeting: Meeting, record: Record) -> int:
    """How many contests in a row have been up to the standard, after one more.

    A contest that the learner only watched says nothing of its behavior, and leaves the streak as it was; one that a
    limit cut short was not drawn, and ends it.
    """
    if not meeting.seats:
        return streak
    itself = len(meeting.seats) == 2
    up_to_it = record.outcome == 0 if itself else record.points_for(meeting.seats[0]) >= 0
    return streak + 1 if up_to_it and not record.cut else 0
