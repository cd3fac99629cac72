"""Watching others play, and playing them oneself (Epstein 2001, sections 5 and 6)."""

from boardgames_agents.policy import Learner, Policy
from boardgames_agents.training.trainers import Meeting, Trainer, against, make_opponent, trainer
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
