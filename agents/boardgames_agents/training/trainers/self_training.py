"""Training against oneself: self-training (Epstein 1994), and a pool of earlier selves."""

from collections.abc import Callable

from boardgames_agents.policy import Learner, Policy, Snapshot, joined, parted
from boardgames_agents.training.trainers import Meeting, Trainer, trainer
from boardgames_env.errors import require
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
        seat = contest % 2
        other = self._selves[contest // 2 % len(self._selves)][0]
        return Meeting((learner, other) if seat == 0 else (other, learner), (seat,))

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
