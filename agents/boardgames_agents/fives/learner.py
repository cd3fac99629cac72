"""The student: it learns what to value by predicting a teacher's moves, and filters what it learns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from boardgames_agents.explanation import Explanation
from boardgames_agents.filters.parts import DomainRules, SelfTest, Significant
from boardgames_agents.filters.pipeline import Gate, Pipeline
from boardgames_agents.fives.coefficients import Coefficients
from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.features import contents
from boardgames_agents.fives.learning import Contents, difference, gain, is_in_order, updated
from boardgames_agents.fives.minimax import FIVE_VALUE, FivesSearch
from boardgames_agents.fives.player import FivesPlayer, Ties
from boardgames_agents.policy import Learner, Policy, Rng, Snapshot
from boardgames_agents.training.starting_positions import load_starts
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.spec import Spec

if TYPE_CHECKING:
    from boardgames_agents.record import Record


@dataclass(frozen=True)
class WrongPrediction:
    """A move of the teacher's that was not the expected one: an experience.

    Attributes:
        actual: The contents of the board after the actual move,
        expected: and after the expected one, both from the side of `Study.viewer`.
        surprise: What the student evaluates the first board at, less the second, from the teacher's side.
    """

    actual: Contents
    expected: Contents
    surprise: float


@dataclass(frozen=True)
class Study:
    """How the student learns.

    Attributes:
        experience: Whether only predictions teach that were significantly wrong,
        threshold: by this difference between the evaluations of the two boards.
        rules: Whether coefficients must keep their order.
        self_test: Whether they must do better in an exam,
        practice_exam: from these starting positions.
        viewer: From whose side contents are counted: with the ``teacher``'s, P is what the teacher got more of; with
            the ``student``'s, what the student did.
        shared: Whether the teacher plays by what the student has learned.
        asks: Whether the student asks its own teacher where no expert plays.
        exam: The starting positions of the exam that is reported; the student learns nothing from it.

    Raises:
        BadInputError: If the threshold is not allowed.
    """

    experience: bool
    threshold: float
    rules: bool
    self_test: bool
    practice_exam: str
    viewer: Literal["teacher", "student"]
    shared: bool
    asks: bool
    exam: str

    def __post_init__(self) -> None:
        require(0, threshold=self.threshold)


class FivesLearner(Learner):
    """The student, with its teacher; `boardgames_agents.fives` numbers the details.

    Args:
        game: The game.
        coefficients: Those to begin with.
        student: The student's level and width.
        teacher: The teacher's.
        study: How it learns.
        ties: How both break ties.

    Raises:
        BadInputError: If the game is of another kind, or a number or file is not allowed.
    """

    def __init__(
        self,
        game: Game,
        coefficients: Coefficients,
        student: tuple[int, int],
        teacher: tuple[int, int],
        study: Study,
        ties: Ties = "lowest",
    ) -> None:
        self._game, self._study, self._ties = game, study, ties
        self._first = self.coefficients = coefficients
        self._student = FivesPlayer(game, *student, coefficients, ties)
        self._teacher = FivesPlayer(game, *teacher, coefficients, ties)
        self._teacher.spec = str(Spec("fives_teacher", {"level": teacher[0], "width": teacher[1]}))
        self._reported = Exam(game, load_starts(study.exam, game)) if study.exam else None
        self._filters = self._make_filters()
        self._tally = dict.fromkeys(("contests", "predictions", "right"), 0)

    def _make_filters(self) -> Pipeline[WrongPrediction, Coefficients]:
        study = self._study
        experience: list[Significant[WrongPrediction]] = []
        if study.experience:
            experience.append(Significant(lambda prediction: prediction.surprise, study.threshold))
        acquisition: list[DomainRules[Coefficients] | SelfTest[Coefficients]] = []
        if study.rules:
            acquisition.append(DomainRules(is_in_order))
        if study.self_test:
            exam = Exam(self._game, load_starts(study.practice_exam, self._game))
            acquisition.append(SelfTest(lambda each: exam.score(self._searching(each)), lambda: self._first))
        return Pipeline(experience=Gate(*experience), acquisition=Gate(*acquisition))

    def _searching(self, coefficients: Coefficients) -> FivesSearch:
        """The student's search by other coefficients."""
        solver = self._student.search.solver
        return FivesSearch(self._game, coefficients, solver.level, solver.width)

    @property
    def teacher(self) -> Policy:
        """The student's teacher."""
        return self._teacher

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins."""
        super().begin(game, seats, rng)
        self._student.begin(game, seats, rng)
        self._teacher.begin(game, seats, rng)

    def choose(self, position: Position) -> int:
        """What the student thinks best."""
        return self._student.choose(position)

    def saw(self, position: Position, action: int) -> None:
        """Learn from an expert's move; where no expert plays, from what its teacher would have played, if it asks."""
        if position.seat in self.lesson.experts:
            self._learn(position, action)
        elif self._study.asks and not self.lesson.experts:
            self._learn(position, self._teacher.choose(position))

    def _learn(self, position: Position, actual: int) -> None:
        """Predict the teacher's move, and learn if it was another."""
        expected = self._student.choose(position)
        self._tally["predictions"] += 1
        if expected == actual:
            self._tally["right"] += 1
            return
        learned = self._filters.learn(self.coefficients, self._compared(position, actual, expected), _acquire)
        if learned is not self.coefficients:
            self._become(learned)

    def _compared(self, position: Position, actual: int, expected: int) -> WrongPrediction:
        """What sets the boards after two moves apart."""
        boards = position.after(actual), position.after(expected)
        # contents are seat 0's less seat 1's; the seat to move is the teacher's
        viewer = position.seat if self._study.viewer == "teacher" else 1 - position.seat
        side, features = 1 - 2 * viewer, len(self.coefficients.values)
        seen = [side * contents(board)[:features] for board in boards]
        worths = [-self._student.search.score(board.state, 0) for board in boards]  # (the other seat is to move)
        return WrongPrediction(seen[0], seen[1], worths[0] - worths[1])

    def _become(self, coefficients: Coefficients) -> None:
        """Play by other coefficients from now on; so does the teacher, if it shares them."""
        self.coefficients = coefficients
        for player in (self._student, self._teacher) if self._study.shared else (self._student,):
            solver = player.search.solver
            player.coefficients = coefficients
            player.search = FivesSearch(self._game, coefficients, solver.level, solver.width)

    def end(self, record: "Record") -> None:
        """The contest is over; how it ended teaches nothing."""
        self._tally["contests"] += 1

    def frozen(self) -> FivesPlayer:
        """The student as it plays now."""
        solver = self._student.search.solver
        return FivesPlayer(self._game, solver.level, solver.width, self.coefficients, self._ties)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Why it plays as it does: see `FivesPlayer.explanation`."""
        return self._student.explanation(position, played)

    def knowledge(self) -> Mapping[str, float]:
        """The coefficients, how often it predicted right, what the filters did, and the score of the reported exam."""
        tally = {name: float(self._tally[name]) for name in ("predictions", "right")}
        exam = {"exam score": self._exam_score(self.coefficients)} if self._reported else {}
        return {**self.coefficients.named, **tally, **self._filters.counts(), **exam}

    def _exam_score(self, coefficients: Coefficients) -> float:
        assert self._reported
        return self._reported.score(self._searching(coefficients))

    def snapshot(self) -> Snapshot:
        """The coefficients, and what has been counted."""
        values = np.array(self.coefficients.values)
        return Snapshot({"coefficients": values}, {**self._tally, "filters": self._filters.snapshot()})

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot."""
        data: dict[str, Any] = dict(snapshot.data)
        values = snapshot.arrays.get("coefficients")
        if values is None or values.shape != (len(self._first.values),) or set(data) != {*self._tally, "filters"}:
            raise BadInputError(f"the snapshot holds no {len(self._first.values)} coefficients of such a learner")
        self._filters.restore(data.pop("filters"))
        self._become(Coefficients(tuple(values.tolist())))
        self._tally = {name: int(count) for name, count in data.items()}


def _acquire(coefficients: Coefficients, prediction: WrongPrediction) -> Coefficients | None:
    """Return the coefficients after a lesson; ``None`` if it changes nothing or values a feature above a five."""
    values = np.array(coefficients.values)
    delta = difference(prediction.actual, prediction.expected)
    if not gain(values, delta):
        return None
    learned = updated(values, delta)
    return Coefficients(tuple(learned.tolist())) if np.abs(learned).max() < FIVE_VALUE else None
