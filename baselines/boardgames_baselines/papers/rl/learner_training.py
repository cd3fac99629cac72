"""Trainings of a learner against one opponent, or itself, with tests in each seat."""

from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import boardgames_baselines.rl
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a, tournament
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import Game, make_game

_LEARNING, _TESTING = 0, 1


@dataclass(frozen=True)
class LearnerTraining(PaperJob):
    """A training and its tests, whose random numbers are seeded with [seed, number, ...].

    The result: for each opponent and each seat, the number of contests the learner ``won``, and won or drew
    (``kept``); the number of ``actions`` it learned from, if it counts them; and the processor ``seconds`` of learning.

    Attributes:
        learner: Spec of the learner, in which ``SEED`` stands for the number.
        opponents: Specs of the opponents in the tests.
        testing: Number of contests of each test in each seat.
    """

    game: str
    learner: str
    trainer: str
    contests: int
    opponents: tuple[str, ...]
    testing: int

    @classmethod
    def source_files(cls) -> tuple[Path, ...]:
        """Return this file and those of the learners."""
        return (Path(__file__), *sorted(Path(boardgames_baselines.rl.__file__).parent.glob("*.py")))

    def run(self) -> dict[str, Any]:
        """Train and test the learner."""
        game = make_game(self.game).ready
        learner = make_learner(self.learner.replace("SEED", str(self.number)), game)
        begun = process_time()
        loop = TrainingLoop(
            game, learner, make_trainer(self.trainer, game), StoppingRule(self.contests), self._seeds(_LEARNING)
        )
        for _ in loop.steps():
            pass
        seconds = process_time() - begun
        tests = [self._test(game, learner, which) for which in range(len(self.opponents))]
        return {
            "won": [[score.wins for score in test] for test in tests],
            "kept": [[score.wins + score.draws for score in test] for test in tests],
            "actions": learner.knowledge().get("actions"),
            "seconds": seconds,
        }

    def _test(self, game: Game, learner: Learner, which: int) -> list[Score]:
        """Return the scores in seat 0 and in seat 1 against one opponent."""
        player, seeds = learner.frozen(), (*self._seeds(_TESTING), which)
        played = tournament(game, player, self.opponents[which], 2 * self.testing, seeds, records=True)
        scores = [Score(), Score()]
        for contest, record in enumerate(played.records):
            seat = seat_of_a(contest)
            scores[seat] += Score.of(record, seat)
        return scores

    def _seeds(self, purpose: int) -> tuple[int, ...]:
        return self.seed, self.number, purpose
