"""Watching and playing others, in phases (Epstein 2001, sections 5 and 6)."""

from collections.abc import Callable

from boardgames_agents.policy import Learner, Policy, Snapshot, joined, parted
from boardgames_agents.training.trainers import Meeting, Trainer, against, make_opponent, make_trainer, trainer
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game


@trainer("watch")
class Watching(Trainer):
    """The learner watches two agents play each other; their seats alternate.

    Args:
        a: The spec of one agent.
        b: The spec of the other.
    """

    plays = False

    def __init__(self, game: Game, a: str = "perfect", b: str = "perfect") -> None:
        self._pair = (make_opponent(a, game), make_opponent(b, game))

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the two agents, without the learner."""
        return Meeting(self._pair if contest % 2 == 0 else self._pair[::-1], (), (0, 1))


@trainer("variety")
class Variety(Trainer):
    """The learner watches an expert against an opponent, then plays that opponent itself; then comes the next opponent.

    Args:
        expert: The spec of the agent that is watched; only its moves count as an expert's.
        opponents: The specs of the opponents, in turn.
        contests: The number of contests watched, and of contests played, with each opponent. The seats alternate.

    Raises:
        BadInputError: If there are no opponents, or no contests.
    """

    def __init__(
        self,
        game: Game,
        expert: str = "perfect",
        opponents: tuple[str, ...] = (
            "perfect",
            "reasonable(x=0.1)",
            "reasonable(x=0.25)",
            "reasonable(x=0.5)",
            "reasonable(x=1)",
        ),
        contests: int = 2,
    ) -> None:
        if not opponents or not all(isinstance(each, str) for each in opponents):
            raise BadInputError(f"opponents={opponents!r} is not allowed; give at least one agent, as text in brackets")
        require(1, contests=contests)
        self._expert = make_opponent(expert, game)
        self._opponents = tuple((make_opponent(each, game), each == expert) for each in opponents)
        self._contests = contests

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the expert or the learner against the opponent whose turn it is."""
        block, place = divmod(contest, 2 * self._contests)
        turn, played = block % len(self._opponents), place % self._contests
        opponent, is_expert = self._opponents[turn]
        seat = (block * self._contests + played) % 2
        experts = (1 - seat,) if is_expert else ()
        if place < self._contests:
            pair: tuple[Policy, Policy] = (self._expert, opponent) if seat == 0 else (opponent, self._expert)
            return Meeting(pair, (), tuple(sorted((seat, *experts))))
        return Meeting(against(opponent, seat, learner).players, (seat,), experts)


Plan = tuple[tuple[int, str], ...]


@trainer("phases")
class Phases(Trainer):
    """Several trainers one after the other, each for some contests; the last one stays until the training ends.

    The default is the example of Epstein 2001 (section 5).

    Args:
        plan: The number of contests and the trainer's spec of each phase, such as ``((20, 'watch'), (80, '2&7'))``.
            Each trainer counts the contests of its own phase.

    Raises:
        BadInputError: If the plan has no phases or another form.
    """

    def __init__(self, game: Game, plan: Plan = ((20, "watch"), (80, "perfect"))) -> None:
        if not plan or not all(_is_phase(phase) for phase in plan):
            raise BadInputError(
                f"plan={plan!r} is not allowed; it has a number of contests, at least 1, and a trainer for each phase, "
                "such as ((20, 'watch'), (80, '2&7'))"
            )
        self._phases = [(contests, make_trainer(spec, game)) for contests, spec in plan]
        self.plays = any(phase.plays for _, phase in self._phases)

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the players that the trainer of the contest's phase chooses."""
        for contests, phase in self._phases[:-1]:
            if contest < contests:
                return phase.meeting(contest, learner)
            contest -= contests
        return self._phases[-1][1].meeting(contest, learner)

    def snapshot(self) -> Snapshot:
        """Return the snapshots of the trainers, if any of them carries something."""
        carried = [phase.snapshot() for _, phase in self._phases]
        return joined(carried) if any(each.data for each in carried) else Snapshot()

    def restore(self, snapshot: Snapshot, make: Callable[[], Learner]) -> None:
        """Restore the trainers from their snapshots."""
        for (_, phase), each in zip(self._phases, parted(snapshot), strict=True):
            if each.data:
                phase.restore(each, make)


def _is_phase(phase: object) -> bool:
    return isinstance(phase, tuple) and [type(each) for each in phase] == [int, str] and phase[0] >= 1


@trainer("tutorial")
def tutorial(game: Game) -> Phases:
    """The training of Epstein 2001 (section 6) for its hardest game: 40 contests of `variety`, then 20 watched.

    The learner "alternately observes the perfect player against a variety of opponents and plays them itself, 2 at a
    time against a perfect player, and against 10%, 25%, 50%, and 100% reasonable challengers, for a total of
    40 contests, and then observes the perfect player against itself for 20". (We read this as 2 contests watched and 2
    played with each of the five opponents, twice.) If the training is longer, the learner keeps on watching.
    """
    return Phases(game, ((40, "variety"), (20, "watch")))
