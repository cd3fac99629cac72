"""Learners that play themselves, such as TD(λ) with a self-test filter, and tests on the way."""

from dataclasses import dataclass
from typing import Any

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import challengers_at
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import make_game

_LEARNING, _TESTING = 0, 1


@dataclass(frozen=True)
class SelfTrainingJob(PaperJob):
    """A learner that plays itself, and is tested on the way.

    Its seeds are [seed, number, ...]: learners with the same number play the same first contests.

    The result: at each milestone, the contests ``lost`` to each challenger, in per cent; and its ``knowledge`` at the
    end.

    Attributes:
        learner: The learner's spec, in which ``SEED`` stands for the number.
        milestones: The numbers of contests after which it is tested, ascending; the last is the end.
    """

    game: str
    learner: str
    milestones: tuple[int, ...]
    testing: int

    def run(self) -> dict[str, Any]:
        """Train the learner and test it at the milestones."""
        game = make_game(self.game).ready
        learner = make_learner(self.learner.replace("SEED", str(self.number)), game)
        loop = TrainingLoop(
            game,
            learner,
            make_trainer("self", game),
            StoppingRule(self.milestones[-1]),
            (self.seed, self.number, _LEARNING),
            pause=lambda contests: next(milestone for milestone in self.milestones if milestone > contests),
        )
        lost = [self._tested(learner) for step in loop.steps() if step.contests in self.milestones]
        return {"lost": lost, "knowledge": dict(learner.knowledge())}

    def _tested(self, learner: Learner) -> list[float]:
        """Return the contests lost to each challenger, in per cent, with the same random numbers at every milestone."""
        game, player, seeds = make_game(self.game), learner.frozen(), (self.seed, self.number, _TESTING)
        scores = [
            tournament(game, player, spec, self.testing, (*seeds, which)).score
            for which, spec in enumerate(challengers_at(game).values())
        ]
        return [100 - score.reliability for score in scores]
