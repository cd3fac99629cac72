"""Key-node training: lessons that lead the learner to where it errs. This one is ours.

Epstein 1994 demands it in the end: "a good trainer should not leave the introduction of essential material [...] to
chance; the trainer should make certain that the learner encounters it". What is essential depends on the learner, so
this trainer asks it, before each lesson, what it would play, and steers towards what would cost it most.
"""

from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.policy import Distribution, Learner, uniform
from boardgames_agents.training.error_forecast import Outlook, Prediction
from boardgames_agents.training.trainers import Meeting, against, trainer
from boardgames_agents.training.trainers.practice import LessonsAndPractice
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position

_AS_GOOD = 1e-9


@trainer("key_nodes")
class KeyNodes(LessonsAndPractice):
    """Lesson and practice training whose lessons lead the learner, by correct moves, to its costliest errors.

    Contests begin as they always do. The trainer predicts the learner by what it would play if it stopped learning, and
    chooses among its own correct moves those after which the learner is expected to throw most points away by
    its next error; where no error is in sight, it plays as the perfect player does. Once the learner makes none against
    correct play, the trainer errs, too, where that leads the learner to an error; in such a lesson the learner is not
    told that its opponent is an expert.

    Args:
        game: The game; it must have been solved, or be small enough to be.
        lessons: Consecutive lessons.
        practice: Consecutive practice contests.
        errors: Whether the trainer may err.
        budget: At how many positions the learner may be asked for a lesson. Where that does not reach all that matter,
            the trainer sees errors only some plies ahead, and errs itself in no lesson.

    Raises:
        BadInputError: If the game is too large to be solved, or an option is not allowed.
    """

    def __init__(self, game: Game, lessons: int = 2, practice: int = 7, errors: bool = True, budget: int = 600) -> None:
        super().__init__(game, lessons, practice)
        require(2, budget=budget)
        self._game, self._errors, self._budget = game, errors, budget

    def lesson(self, seat: int, learner: Learner) -> Meeting:
        """A lesson against a player that steers."""
        prediction = Prediction(learner.frozen(), self._game, seat)
        player = SteeringPlayer(self._game, prediction, seat, self._budget, errs=False)
        if self._errors and player.expects == 0 and player.sees_all:
            erring = SteeringPlayer(self._game, prediction, seat, self._budget, errs=True)
            if erring.expects > 0:
                return Meeting(against(erring, seat, learner).players, (seat,))
        return against(player, seat, learner)


class SteeringPlayer(PerfectPlayer):
    """A perfect player that chooses, among correct actions, those that lead a learner to its costliest error.

    Args:
        game: The game.
        prediction: What the learner is likely to play.
        seat: The learner's seat.
        budget: See `Outlook`.
        errs: Whether it may choose among all legal actions, where that makes a difference.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game, prediction: Prediction, seat: int, budget: int, errs: bool) -> None:
        super().__init__(game)
        self.spec = "steering"
        self._errs = errs
        self._outlook = Outlook(self.table, prediction, seat, self._allowed, budget)

    @property
    def expects(self) -> float:
        """How many points it expects the learner to throw away in a contest by its first error."""
        return self._outlook.of(self.table.game.initial)

    @property
    def sees_all(self) -> bool:
        """Whether its budget was enough to look at all that can be reached."""
        return self._outlook.is_complete

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Of the actions after which the learner is expected to throw most away the correct ones, if there are such."""
        correct = super().distribution(position, left)[0]
        allowed = position.legal_actions if self._errs else correct
        costs = {action: self._outlook.of(position.after(action)) for action in allowed}
        most = max(costs.values())
        best = [action for action in allowed if costs[action] >= most - _AS_GOOD]
        return uniform(tuple(action for action in best if action in correct) or tuple(best))

    def _allowed(self, position: Position) -> tuple[int, ...]:
        return position.legal_actions if self._errs else super().distribution(position)[0]
