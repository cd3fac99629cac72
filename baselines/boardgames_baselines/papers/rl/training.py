"""A learner that is trained against one opponent, or itself, and then tested in each seat."""

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import boardgames_baselines.rl
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a, tournament
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.files import digest

_LEARNING, _TESTING = 0, 1


@cache
def _sources() -> str:
    algorithms = Path(boardgames_baselines.rl.__file__).parent
    return digest((Path(__file__), *sorted(algorithms.glob("*.py"))))


@dataclass(frozen=True)
class Training:
    """A training and its tests, whose chances are [seed, number, ...].

    The result: for each opponent and each seat, how often the learner ``won``, and how often it won or drew
    (``kept``); the ``actions`` that it has learned from, if it counts them; and the ``seconds`` of one processor that
    learning took.

    Attributes:
        number: Which of the trainings that differ in their chances alone, from 0.
        seed: The experiment's seed.
        game: The game's spec.
        learner: The learner's spec, in which ``SEED`` stands for the number.
        trainer: The trainer's spec.
        contests: Contests of learning.
        opponents: The specs of whom it is tested against.
        testing: Contests of each test in each seat.
    """

    number: int
    seed: int
    game: str
    learner: str
    trainer: str
    contests: int
    opponents: tuple[str, ...]
    testing: int

    def description(self) -> dict[str, Any]:
        """Everything that settles the result."""
        return {"kind": "training", "sources": _sources(), **asdict(self)}

    def carry_out(self) -> dict[str, Any]:
        """Train and test."""
        game = make_game(self.game).ready
        learner = make_agent(self.learner.replace("SEED", str(self.number)), game)
        if not isinstance(learner, Learner):
            raise BadInputError(f"{self.learner} does not learn")
        begun = process_time()
        self._train(game, learner)
        seconds = process_time() - begun
        tests = [self._test(game, learner, which) for which in range(len(self.opponents))]
        return {
            "won": [[score.wins for score in test] for test in tests],
            "kept": [[score.wins + score.draws for score in test] for test in tests],
            "actions": learner.knowledge().get("actions"),
            "seconds": seconds,
        }

    def _train(self, game: Game, learner: Learner) -> None:
        trainer, seeds, contests = make_trainer(self.trainer, game), self._seeds(_LEARNING), range(self.contests)
        if trainer.play_in_a_row(learner, seeds, contests) is not None:
            return
        for contest in contests:
            trainer.meeting(contest, learner).play(game, learner, (*seeds, contest))

    def _test(self, game: Game, learner: Learner, which: int) -> list[Score]:
        """The scores in seat 0 and in seat 1."""
        player, seeds = learner.frozen(), (*self._seeds(_TESTING), which)
        played = tournament(game, player, self.opponents[which], 2 * self.testing, seeds, records=True)
        scores = [Score(), Score()]
        for contest, record in enumerate(played.records):
            seat = seat_of_a(contest)
            scores[seat] += Score.of(record, seat)
        return scores

    def _seeds(self, purpose: int) -> tuple[int, ...]:
        return self.seed, self.number, purpose
