"""Self-training, and lesson and practice training (Epstein 1994, sections 1, 4 and 5)."""

from bisect import bisect

from boardgames_agents.policy import Learner
from boardgames_agents.training.trainers import Meeting, Trainer, against, make_opponent, trainer
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game


@trainer("self")
class SelfTraining(Trainer):
    """Self-training: the learner plays both seats of every contest."""

    alone = True

    def __init__(self, game: Game) -> None:
        pass

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the learner against itself."""
        return Meeting((learner, learner), (0, 1))


@trainer("lessons")
class LessonsAndPractice(Trainer):
    """Lesson and practice training ℓ&p: ℓ contests against an expert, then p against itself, and so on.

    Args:
        lessons: ℓ, consecutive lessons. The seats alternate over all lessons of the training.
        practice: p, consecutive practice contests.
        expert: The agent that gives the lessons.
        growth: The number of practice contests that each cycle has more than the one before, so that "the ratio of ℓ to
            p decrease[s]" (1994, section 5). (The paper says "as the learner knows more", without a measure; we
            count cycles.)

    Raises:
        BadInputError: If there are neither lessons nor practice, or `growth` is negative.
    """

    def __init__(
        self, game: Game, lessons: int = 2, practice: int = 7, expert: str = "perfect", growth: int = 0
    ) -> None:
        if min(lessons, practice) < 0 or lessons + practice < 1:
            raise BadInputError(f"{lessons}&{practice} is not allowed; both are at least 0, and not both 0")
        require(0, growth=growth)
        self._lessons, self._practice, self._growth = lessons, practice, growth
        self._expert = make_opponent(expert, game)

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return a lesson or practice, depending on the contest's place in its cycle."""
        cycle = bisect(range(contest + 1), contest, key=self._begins) - 1
        place = contest - self._begins(cycle)
        if place < self._lessons:
            return self.lesson((cycle * self._lessons + place) % 2, learner)
        return Meeting((learner, learner), (0, 1), practice=True)

    def lesson(self, seat: int, learner: Learner) -> Meeting:
        """Return a lesson with the learner in the given seat."""
        return against(self._expert, seat, learner)

    def _begins(self, cycle: int) -> int:
        """Return the first contest of a cycle."""
        return cycle * (self._lessons + self._practice) + self._growth * cycle * (cycle - 1) // 2
