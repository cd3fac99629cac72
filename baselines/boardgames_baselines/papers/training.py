"""The training job of all experiments: a learner is trained at a game by a trainer, and measured on the way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import process_time
from typing import Any, ClassVar

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a, tournament
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.policy import Episodes, Learner, Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_learner, registered_agents
from boardgames_agents.training.loop import Step, StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import Meeting, Trainer, make_trainer
from boardgames_baselines.papers.job import PaperJob
from boardgames_env import Game, make_game
from boardgames_env.spec import Spec

_TESTING = 1


@dataclass(frozen=True)
class MeasuredTraining(PaperJob):
    """A training of a learner by a trainer at a game, all given by their specs, and its tests.

    A learner's option ``seed`` is the number, unless ``SEED`` in its spec stands for it.

    Contest k of the training is seeded with [*seeds, *learning, k]. A measure continues *seeds* in another way, and it
    leaves the learner as it was, so a training does not depend on its tests.

    Attributes:
        tested: The numbers of contests after which the learner is tested, ascending; the last one ends the training.
        measures: What each test measures.
        at_end: What only the last one measures, too.
        standard: The behavioral standard n, which ends a training before the last test is due; 0 for none.
        in_a_row: Whether the learner may play contests in its own faster way.
    """

    learning: ClassVar[tuple[int, ...]] = (0,)
    """What follows *seeds* in the seeds of the contests of training."""

    game: str
    learner: str
    trainer: str
    tested: tuple[int, ...]
    measures: "tuple[Measure, ...]" = ()
    at_end: "tuple[Measure, ...]" = ()
    standard: int = 0
    in_a_row: bool = False

    def run(self) -> JsonResult:
        """Train and test the learner.

        Returns:
            Under ``tests`` for each test, what its measures return, the number of ``contests`` and the processor
            ``seconds`` of training until then. Then what the measures at the end return.
        """
        state = TrainingState(self, make_game(self.game))
        loop = TrainingLoop(
            state.game,
            state.learner,
            self.make_trainer(state.game),
            StoppingRule(max(1, self.tested[-1]), self.standard),
            (*self.seeds, *self.learning),
            pause=lambda contests: next(number for number in self.tested if number > contests),
            in_a_row=self.in_a_row,
        )
        if not self.tested[0]:
            state.test()
        began = process_time()
        for step in loop.steps() if self.tested[-1] else ():
            state.add(step, process_time() - began)
            if step.done or step.contests in self.tested:
                state.test()
            began = process_time()
        return {"tests": state.tests, **state.measured(self.at_end)}

    @property
    def seeds(self) -> tuple[int, ...]:
        """The numbers that all its seeds begin with."""
        return self.seed, self.number

    def make_learner(self, game: Game) -> Learner:
        """Return the learner, which knows nothing yet."""
        return make_learner(self._spec, game, 0 if "SEED" in self.learner else self.number)

    @property
    def _spec(self) -> Spec:
        return Spec.parse(self.learner.replace("SEED", str(self.number)))

    def make_trainer(self, game: Game) -> Trainer:
        """Return the trainer."""
        return make_trainer(self.trainer, game)

    def source_modules(self) -> tuple[str, ...]:
        """Return the modules of the class, of the measures and of the learner."""
        measures = [getattr(each, "__module__", "") for each in (*self.measures, *self.at_end)]
        entry = registered_agents().get(self._spec.name)
        return type(self).__module__, *measures, *((entry.factory.__module__,) if entry else ())


@dataclass
class TrainingState:
    """How far a training has got.

    Attributes:
        played: What has been played: contests, or several that the learner played in a row.
        contests: Their number.
        streak: The number of contests, the last ones in a row, that were up to the behavioral standard.
        seconds: The processor seconds of training.
        tests: The results of the tests so far.
        player: The learner as it plays at the latest test.
    """

    job: MeasuredTraining
    game: Game
    played: list[tuple[Meeting, Record] | Episodes] = field(default_factory=list)
    contests: int = 0
    streak: int = 0
    seconds: float = 0.0
    tests: list[dict[str, Any]] = field(default_factory=list)
    player: Policy = field(init=False)

    def __post_init__(self) -> None:
        self.learner = self.job.make_learner(self.game)

    @property
    def records(self) -> list[Record]:
        """The contests, if none was played in a row."""
        return [record for _, record in self.meetings]

    @property
    def meetings(self) -> list[tuple[Meeting, Record]]:
        """The contests with their players, if none was played in a row."""
        return [each for each in self.played if not isinstance(each, Episodes)]

    def add(self, step: Step, seconds: float) -> None:
        """Add what was played in a step."""
        self.played.append(step.played)
        self.contests, self.streak = step.contests, step.streak
        self.seconds += seconds

    def test(self) -> None:
        """Test the learner as it is."""
        self.player = self.learner.frozen()
        self.player.spec = self.job.learner
        seconds = round(self.seconds, 3)
        self.tests.append({"contests": self.contests, "seconds": seconds, **self.measured(self.job.measures)})

    def measured(self, measures: "Sequence[Measure]") -> dict[str, Any]:
        """Return what measures return together."""
        return {name: value for measure in measures for name, value in measure(self).items()}


Measure = Callable[[TrainingState], Mapping[str, Any]]
"""A measure of a training: a function of a module, or a frozen dataclass. It returns what JSON can hold, by name."""


def knowledge(state: TrainingState) -> dict[str, Any]:
    """Return what the learner reports of its ``knowledge``."""
    return {"knowledge": dict(state.learner.knowledge())}


@dataclass(frozen=True)
class Matches:
    """Contests of the learner, as it is, with opponents; they are seeded with [*seeds, 1, opponent, contest].

    The same contests follow at every test. The result: under ``scores`` for each opponent the fields of the learner's
    `Score` in each seat.

    Attributes:
        opponents: Names and specs.
        contests: The number with each of them.
    """

    opponents: tuple[tuple[str, str], ...]
    contests: int

    def __call__(self, state: TrainingState) -> dict[str, Any]:
        """Play the contests."""
        return {"scores": {name: scores_by_seat(played) for name, played in self.records(state).items()}}

    def records(self, state: TrainingState) -> dict[str, tuple[Record, ...]]:
        """Return the contests with each opponent; in contest k the learner has seat ``k % 2``."""
        return {
            name: tournament(
                state.game, state.player, spec, self.contests, (*state.job.seeds, _TESTING, number), records=True
            ).records
            for number, (name, spec) in enumerate(self.opponents)
        }


def scores_by_seat(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return the fields of a player's scores in seat 0 and in seat 1, which it has in turn."""
    scores = [Score(), Score()]
    for contest, record in enumerate(records):
        seat = seat_of_a(contest)
        scores[seat] += Score.of(record, seat)
    return [asdict(each) for each in scores]


def score_of(test: Mapping[str, Any], opponent: str) -> Score:
    """Return a learner's score against one of the opponents of `Matches`, from the results of a test."""
    first, second = (Score(**fields) for fields in test["scores"][opponent])
    return first + second
