"""One training at a game that is too large for an exact test, with a test by contests at its end."""

from dataclasses import dataclass

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.experiments.store import JsonResult
from boardgames_baselines.papers.ideal_trainer_today.jobs.training import TrainingJob, trained
from boardgames_env import make_game
from boardgames_env.errors import BadInputError

_TEST = 1


@dataclass(frozen=True)
class SampledCell(TrainingJob):
    """A training, after which the learner plays the four challengers.

    The seeds of the test are those of the training, the number 1 and the challenger's place. As they have more numbers
    than those of the training, no random numbers are used twice.

    Attributes:
        training: The number of contests of the training.
        contests: The number of contests against each challenger.
    """

    training: int
    contests: int

    def run(self) -> JsonResult:
        """Return the wins, draws and losses against each challenger, as ``scores``.

        If the learner or the trainer refuses to go on, the sentence is returned as ``failed``.
        """
        game = make_game(self.game)
        try:
            learner = trained(game, self.learner, self.trainer, self.training, self.seeds, self.number)
        except BadInputError as error:
            return {"failed": str(error)}
        player, scores = learner.frozen(), {}
        for place, challenger in enumerate(CHALLENGERS):
            seeds = (*self.seeds, _TEST, place)
            score = tournament(game, player, str(challenger.spec()), self.contests, seeds).score
            scores[challenger.name] = [score.wins, score.draws, score.losses]
        return {"scores": scores}
