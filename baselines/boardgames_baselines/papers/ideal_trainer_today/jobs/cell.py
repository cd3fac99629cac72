"""One training at a solved game, with an exact test after several numbers of contests."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from time import process_time
from typing import Any

from boardgames_agents.arena.exploitability import ExactTest, ExactTester, markov
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.policy import Episodes
from boardgames_agents.record import Record
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.ideal_trainer_today.jobs.training import TrainingJob, trained
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.position import Position

ACTIONS = 100
"""The number of actions after which a contest of a test is drawn."""


@dataclass(frozen=True)
class GridCell(TrainingJob):
    """A training at a solved game. A test draws no random numbers and leaves the learner as it was.

    Attributes:
        tested: The numbers of contests after which the learner is tested, ascending; the last one ends the training.
    """

    tested: tuple[int, ...]

    def run(self) -> JsonResult:
        """Return the stages after each number of contests, and the processor seconds of training until then.

        If the learner or the trainer refuses to go on, the sentence is returned as ``failed``.
        """
        stages: list[dict[str, Any]] = []
        seconds: list[float] = []
        try:
            self._train(stages, seconds)
        except BadInputError as error:
            return {"stages": stages, "seconds": seconds, "failed": str(error)}
        return {"stages": stages, "seconds": seconds}

    def _train(self, stages: list[dict[str, Any]], seconds: list[float]) -> None:
        game = make_game(self.game)
        trained(game, self.learner, self.trainer, 1, (0,), 0)  # (so that the seconds hold no compiling)
        learner = make_learner(self.learner, game, self.number)
        trainer = make_trainer(self.trainer, game)
        tester, rule = tester_of(game), StoppingRule(self.tested[-1])
        loop = TrainingLoop(game, learner, trainer, rule, self.seeds, self._next_test, in_a_row=False)
        visited, spent = Visited(tester), 0.0
        began = process_time()
        for step in loop.steps():
            spent += process_time() - began
            assert not isinstance(step.played, Episodes)
            visited.add(step.played[1])
            if step.contests in self.tested:
                player = learner.frozen()
                player.spec = self.learner
                stages.append(asdict(Stage(tester.test(markov(player)), visited.share)))
                seconds.append(round(spent, 3))
            began = process_time()

    def _next_test(self, contests: int) -> int:
        return min(each for each in self.tested if each > contests)


@dataclass(frozen=True)
class Stage:
    """How far a training has got.

    Attributes:
        test: What the learner can do.
        key_nodes: The share of the key nodes that have come up in training, up to symmetry. A key node is a position in
            which some action loses value.
    """

    test: ExactTest
    key_nodes: float

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Stage":
        """Return a stage from JSON's types."""
        return cls(ExactTest.from_dict(data["test"]), data["key_nodes"])


@lru_cache(maxsize=4)
def tester_of(game: Game) -> ExactTester:
    """Return the tester of a game."""
    return ExactTester(game, ACTIONS)


class Visited:
    """The key nodes that have come up."""

    def __init__(self, tester: ExactTester) -> None:
        self._tester = tester
        self._after: dict[tuple[bytes, int], Position] = {}
        self._seen: set[bytes] = set()
        self._visited: set[bytes] = set()

    def add(self, record: Record) -> None:
        """Add the positions of a contest."""
        for position in self._new(record):
            if position in self._tester.key_nodes:
                self._visited.add(position)

    def _new(self, record: Record) -> Iterator[bytes]:
        position = self._tester.graph.game.initial
        for action in record.actions:
            if position.key not in self._seen:
                self._seen.add(position.key)
                yield position.canonical
            step = position.key, action
            if step not in self._after:
                self._after[step] = position.after(action)
            position = self._after[step]

    @property
    def share(self) -> float:
        """The share of the key nodes that have come up."""
        return len(self._visited) / len(self._tester.key_nodes)
