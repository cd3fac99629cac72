"""Lessons of Hasson, Markovitch and Sella: the learner moves first, from given starting positions."""

from functools import cached_property

from boardgames_agents.policy import Learner, Policy
from boardgames_agents.training.starting_positions import load_starts
from boardgames_agents.training.trainers import Meeting, Trainer, against, make_opponent, trainer
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game


@trainer("teacher")
class Teacher(Trainer):
    """A teacher against whom the learner always moves first, from given starting positions one after another.

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
