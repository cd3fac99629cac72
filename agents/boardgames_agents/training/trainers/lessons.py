"""Lessons and practice (Epstein 1994, sections 1, 4, 5), a teacher's lessons, and practice against oneself."""

from bisect import bisect
from collections.abc import Callable
from functools import cached_property

from boardgames_agents.policy import Learner, Policy, Snapshot, joined, parted
from boardgames_agents.training.starting_positions import load_starts
from boardgames_agents.training.trainers import Meeting, Trainer, against, make_opponent, trainer
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game


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


@trainer("teacher")
class Teacher(Trainer):
    """A teacher against whom the learner always moves first, from given starting positions one after another.

    These are the lessons of Hasson, Markovitch and Sella.

    Args:
        teacher: The teacher's spec. The default is the learner's own teacher (`Learner.teacher`) if it has one,
            otherwise the perfect player.
        starts: A file of starting positions, or the name of a set that comes with an agent (see
            `boardgames_agents.training.starting_positions`). By default contests begin as the game does.

    Raises:
        BadInputError: If the agent cannot play the game, or the file's positions are not allowed.
    """

    def __init__(self, game: Game, teacher: str = "", starts: str = "") -> None:
        self._game = game
        self._teacher = make_opponent(teacher, game) if teacher else None
        self._openings: tuple[tuple[int, ...], ...] = ((),)
        if starts:
            if game.initial.state[1 : 1 + game.board.size].any():
                raise BadInputError(f"starts={starts!r} is not for {game.spec}, which begins with men on the board")
            self._openings = tuple(start.actions for start in load_starts(starts, game))

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the learner in seat 0, from the next starting position in turn."""
        teacher = self._teacher or learner.teacher or self._perfect
        return against(teacher, 0, learner, self._openings[contest % len(self._openings)])

    @cached_property
    def _perfect(self) -> Policy:
        try:
            return make_opponent("perfect", self._game)
        except BadInputError as error:
            raise BadInputError(
                f"the learner brings no teacher, and there is no perfect one ({error}); name one, as in "
                "teacher(teacher='alpha_beta')"
            ) from error


@trainer("self")
class SelfTraining(Trainer):
    """Self-training: the learner plays both seats of every contest."""

    alone = True

    def __init__(self, game: Game) -> None:
        pass

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the learner against itself."""
        return Meeting((learner, learner), (0, 1))


@trainer("pool")
class Pool(Trainer):
    """A pool of snapshots: the learner plays its own earlier selves, in turn, and the seats alternate.

    This trainer is not in the papers. The learner joins the pool before its first contest and then at intervals. Its
    earlier selves neither explore nor learn, and do not count as experts.

    Args:
        every: The number of contests between two snapshots.
        size: The greatest number of snapshots; the oldest one leaves.

    Raises:
        BadInputError: If a number is less than 1.
    """

    def __init__(self, game: Game, every: int = 50, size: int = 10) -> None:
        require(1, every=every, size=size)
        self._every, self._size = every, size
        self._selves: list[tuple[Policy, Snapshot]] = []

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the learner against the next of its earlier selves."""
        if contest % self._every == 0 or not self._selves:
            self._selves = [*self._selves, (learner.frozen(), learner.skill())][-self._size :]
        other = self._selves[contest // 2 % len(self._selves)][0]
        return Meeting(against(other, contest % 2, learner).players, (contest % 2,))

    def snapshot(self) -> Snapshot:
        """Return the snapshots of the pool, the oldest first."""
        return joined([each for _, each in self._selves])

    def restore(self, snapshot: Snapshot, make: Callable[[], Learner]) -> None:
        """Restore the pool of a snapshot."""
        self._selves = []
        for each in parted(snapshot):
            learner = make()
            learner.restore(each)
            self._selves.append((learner.frozen(), each))
