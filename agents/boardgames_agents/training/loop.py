"""The only training loop: a learner plays contests that a trainer arranges until a stopping rule is met."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from boardgames_agents.policy import Episodes, Learner, demand_kind
from boardgames_agents.record import Record
from boardgames_agents.training.trainers import Meeting, Trainer
from boardgames_env.errors import require
from boardgames_env.game import Game

MOST_CONTESTS = 100_000
"""The default limit of contests for a training that ends by a behavioral standard."""


@dataclass(frozen=True)
class StoppingRule:
    """The end of a training: a number of contests, or a behavioral standard.

    The behavioral standard n of Epstein 1994 (section 2.1) is met by n *consecutive* contests, counted across lessons
    and practice, in each of which the learner wins or draws against an external trainer, or draws against itself.

    Attributes:
        contests: The greatest number of contests.
        standard: n; 0 for none.

    Raises:
        BadInputError: If a number is not allowed.
    """

    contests: int
    standard: int = 0

    def __post_init__(self) -> None:
        require(1, contests=self.contests)
        require(0, standard=self.standard)

    def is_met(self, contests: int, streak: int) -> bool:
        """Return whether a training ends after ``contests``, the last ``streak`` of which were up to the standard."""
        return contests >= self.contests or 0 < self.standard <= streak


@dataclass(frozen=True)
class Step:
    """One contest of a training, or several that the learner played in a row, and where the training stands after.

    ``streak`` is the number of contests, the last ones in a row, that were up to the behavioral standard.
    """

    contests: int
    streak: int
    done: bool
    played: tuple[Meeting, Record] | Episodes


@dataclass(frozen=True)
class TrainingLoop:
    """A training.

    Attributes:
        seed: Base seed; contest k is seeded with ``[*seed, k]``.
        pause: Where contests in a row must stop: the number of contests at the next pause after the one given. By
            default they stop at the end only.
        in_a_row: Whether a learner may play contests in its own faster way. It never does under a behavioral standard,
            which looks at each contest.
    """

    game: Game
    learner: Learner
    trainer: Trainer
    rule: StoppingRule
    seed: tuple[int, ...]
    pause: Callable[[int], int] | None = None
    in_a_row: bool = True

    @property
    def plays_in_a_row(self) -> bool:
        """Whether the learner has a faster way to play, whose results may depend on where it pauses."""
        if not self.in_a_row or self.rule.standard:
            return False
        learner = type(self.learner)
        if self.trainer.alone:
            return learner.self_play is not Learner.self_play
        return bool(self.trainer.opponent) and learner.play_episodes_against is not Learner.play_episodes_against

    def steps(self, contests: int = 0, streak: int = 0) -> Iterator[Step]:
        """Train, one step at a time; the learner may be tested, logged and saved between steps.

        ``contests`` and ``streak`` are those of the training so far.
        """
        done = False
        while not done:
            stop = min(self.pause(contests), self.rule.contests) if self.pause else self.rule.contests
            episodes = None
            if self.in_a_row and not self.rule.standard:
                episodes = self.trainer.play_in_a_row(self.learner, self.seed, range(contests, stop))
            if episodes:
                contests += len(episodes.points)
                done = self.rule.is_met(contests, streak)
                yield Step(contests, streak, done, episodes)
                continue
            meeting = self.trainer.meeting(contests, self.learner)
            demand_kind(f"the trainer {self.trainer.spec}", "meeting", meeting, Meeting)
            record = meeting.play(self.game, self.learner, (*self.seed, contests))
            contests, streak = contests + 1, streak_after(streak, meeting, record)
            done = self.rule.is_met(contests, streak)
            yield Step(contests, streak, done, (meeting, record))


def streak_after(streak: int, meeting: Meeting, record: Record) -> int:
    """Return how many contests in a row have been up to the standard, after one more.

    A contest that the learner only watched does not count. One that a limit cut short is not a draw and ends the
    streak.
    """
    if not meeting.seats:
        return streak
    itself = len(meeting.seats) == 2
    up_to_it = record.outcome == 0 if itself else record.points_for(meeting.seats[0]) >= 0
    return streak + 1 if up_to_it and not record.cut else 0
