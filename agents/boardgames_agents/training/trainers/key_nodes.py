"""Key-node training: lessons that lead the learner to its own errors. This trainer is ours.

Epstein 1994 ends with the demand that "a good trainer should not leave the introduction of essential material [...] to
chance; the trainer should make certain that the learner encounters it". The essential material depends on the learner:
before each lesson this trainer asks for its choices and steers towards the error that would cost it most.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.policy import Distribution, Learner, uniform
from boardgames_agents.training.error_forecast import ErrorForecast, PolicyPrediction
from boardgames_agents.training.trainers import Meeting, against, trainer
from boardgames_agents.training.trainers.lessons import LessonsAndPractice
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position

_AS_GOOD = 1e-9


@runtime_checkable
class RemembersErrors(Protocol):
    """A learner that knows which actions led to the positions in which it errs."""

    def openings_to_errors(self, seat: int) -> Sequence[tuple[int, ...]]:
        """Return the actions that led to positions in which it errs in a seat, the costliest first."""


@trainer("key_nodes")
class KeyNodes(LessonsAndPractice):
    """Lesson and practice training whose lessons lead the learner, by correct moves, to its costliest errors.

    Contests begin at the initial position. The trainer predicts the learner by its frozen policy, and chooses among its
    own correct moves those after which the learner's next error is expected to cost most points. Where no error is
    expected it plays like the perfect player. Once the learner makes no error against correct play, the trainer errs
    where that leads the learner to an error; in such a lesson it does not count as an expert. If errors cannot be seen
    from the initial position and the learner remembers some (`RemembersErrors`), the lesson begins at the costliest.

    Args:
        game: The game; it must be small enough to be solved.
        lessons: Consecutive lessons.
        practice: Consecutive practice contests.
        errors: Whether the trainer may err.
        budget: The greatest number of positions at which the learner is asked before a lesson. If it is too small for
            all positions that matter, the trainer sees errors only some plies ahead, and never errs itself.

    Raises:
        BadInputError: If the game is too large to be solved, or an option is not allowed.
    """

    def __init__(self, game: Game, lessons: int = 2, practice: int = 7, errors: bool = True, budget: int = 600) -> None:
        super().__init__(game, lessons, practice)
        require(2, budget=budget)
        self._game, self._errors, self._budget = game, errors, budget

    def lesson(self, seat: int, learner: Learner) -> Meeting:
        """Return a lesson against a `SteeringPlayer`."""
        prediction = PolicyPrediction(learner.frozen(), self._game, seat)
        player = SteeringPlayer(self._game, prediction, seat, self._budget, errs=False)
        if self._errors and player.expects == 0 and player.forecast.is_complete:
            erring = SteeringPlayer(self._game, prediction, seat, self._budget, errs=True)
            if erring.expects > 0:
                return Meeting(against(erring, seat, learner).players, (seat,))
        if player.expects == 0 and isinstance(learner, RemembersErrors):
            for opening in learner.openings_to_errors(seat)[:1]:
                return against(player, seat, learner, opening)
        return against(player, seat, learner)


class SteeringPlayer(PerfectPlayer):
    """A perfect player that leads a learner to its costliest error: if it ``errs``, not by correct actions alone."""

    def __init__(self, game: Game, prediction: PolicyPrediction, seat: int, budget: int, errs: bool) -> None:
        super().__init__(game)
        self.spec = "steering"
        self._errs = errs
        self.forecast = ErrorForecast(self.table, prediction, seat, self._allowed, budget)

    @property
    def expects(self) -> float:
        """The points that the learner's first error in a contest is expected to cost."""
        return self.forecast.of(self.table.game.initial)

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the actions after which the learner is expected to lose most, the correct ones if there are any."""
        correct = super().distribution(position, left)[0]
        allowed = position.legal_actions if self._errs else correct
        costs = {action: self.forecast.of(position.after(action)) for action in allowed}
        most = max(costs.values())
        best = [action for action in allowed if costs[action] >= most - _AS_GOOD]
        return uniform(tuple(action for action in best if action in correct) or tuple(best))

    def _allowed(self, position: Position) -> tuple[int, ...]:
        return position.legal_actions if self._errs else super().distribution(position)[0]
