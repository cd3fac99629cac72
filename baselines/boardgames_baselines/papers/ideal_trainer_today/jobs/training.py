"""What the jobs of the study have in common: a training, and its seeds."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import Game


@dataclass(frozen=True)
class TrainingJob(PaperJob):
    """A training of a learner by a trainer at a game, all given by their specs.

    Contest k is seeded with [seed, digest of game, learner and trainer, number, k]. Learners with an option ``seed``
    have the number there.
    """

    game: str
    learner: str
    trainer: str

    @property
    def seeds(self) -> tuple[int, ...]:
        """The first numbers of the seeds of all contests."""
        digest = hashlib.sha256(json.dumps([self.game, self.learner, self.trainer]).encode()).hexdigest()
        return self.seed, int(digest[:8], 16), self.number


def trained(game: Game, learner: str, trainer: str, contests: int, seeds: Sequence[int], number: int) -> Learner:
    """Return a learner after a number of contests with a trainer, one by one; ``number`` is that of `make_learner`."""
    made, rule = make_learner(learner, game, number), StoppingRule(contests)
    for _ in TrainingLoop(game, made, make_trainer(trainer, game), rule, tuple(seeds), in_a_row=False).steps():
        pass
    return made
