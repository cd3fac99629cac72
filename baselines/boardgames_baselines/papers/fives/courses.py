"""Section 3 of the paper: learning sessions, the exams between them, and exams of players that do not learn."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np

from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.exam import MOST_MOVES, Exam
from boardgames_agents.fives.learner import FivesLearner
from boardgames_agents.fives.making import POSITIONS, make_starts
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.registry import make_agent
from boardgames_agents.training.starting_positions import Starts, save_starts
from boardgames_agents.training.trainers import Trainer, make_trainer
from boardgames_baselines.papers.job import PaperJob
from boardgames_baselines.papers.training import MeasuredTraining, TrainingState, knowledge
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.spec import Spec

GAME = f"fives(paired_moves={MOST_MOVES})"
"""Lessons end after as many moves as exams do."""

SELECTION = range(10_000, 10_300)
"""Seeds of `make_starts` by which settings were chosen; no reported figure uses them."""

_REPORTING = 1_000_000


@cache
def game() -> Game:
    """Return the game."""
    return make_game(GAME).ready


def reporting(seed: int, number: int) -> int:
    """Return the seed of the starting positions of a reported set, whose number is less than a million."""
    return _REPORTING * (1 + seed) + number


@cache
def starts(role: str, seed: int, count: int = POSITIONS) -> Starts:
    """Return starting positions; making them takes longer than learning from them."""
    return make_starts(game(), role, seed, count)


@dataclass(frozen=True)
class FivesCourse(MeasuredTraining):
    """A student's course, with starting positions of its own for lessons, self-tests and the reported exam.

    Its number is that of the set, and it is tested before the first session and after each.

    Attributes:
        practice: The number of starting positions of its own exam; larger exams contain the smaller ones.
    """

    learning: ClassVar[tuple[int, ...]] = ()

    practice: int = POSITIONS

    @classmethod
    def of(cls, student: str, sessions: int, practice: int = POSITIONS, number: int = 0) -> "FivesCourse":
        """Return the course of a student, given as a spec without the files of exams."""
        tested = tuple(range(sessions + 1))
        return cls(GAME, student, "teacher", tested, (exam_scores,), (knowledge,), practice=practice, number=number)

    def make_learner(self, game: Game) -> FivesLearner:
        """Return the student, with the starting positions of its self-test and without a reported exam."""
        with self._file("self_test") as file:
            made = make_agent(Spec.parse(self.learner).with_options(practice_exam=file, exam=""), game)
        if not isinstance(made, FivesLearner):
            raise BadInputError(f"{self.learner} is no student of fives")
        return made

    def make_trainer(self, game: Game) -> Trainer:
        """Return the teacher, with the starting positions of the lessons."""
        with self._file("lessons") as file:
            return make_trainer(str(Spec.parse(self.trainer).with_options(starts=file)), game)

    def starts(self, role: str) -> Starts:
        """Return the starting positions of its set for a role."""
        sizes = {"lessons": self.tested[-1], "self_test": self.practice, "exam": POSITIONS}
        return starts(role, reporting(self.seed, self.number), sizes[role])

    @contextmanager
    def _file(self, role: str) -> Iterator[str]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / f"{role}.json"
            save_starts(file, self.starts(role), "")
            yield str(file)


def exam_scores(state: TrainingState) -> dict[str, Any]:
    """Return the student's ``coefficients`` and its scores in the ``reported`` exam and in its ``own``.

    Its own is that of the self-test. It takes the exams only if it has learned something since the last test.
    """
    course, student = state.job, state.learner
    assert isinstance(course, FivesCourse)
    assert isinstance(student, FivesLearner)
    coefficients = list(student.coefficients.values)
    if state.tests and state.tests[-1]["coefficients"] == coefficients:
        return {name: state.tests[-1][name] for name in ("coefficients", "reported", "own")}
    search = student.frozen().search
    exams = {name: Exam(state.game, course.starts(role)) for name, role in _EXAMS.items()}
    return {"coefficients": coefficients, **{name: exam.score(search) for name, exam in exams.items()}}


_EXAMS = {"reported": "exam", "own": "self_test"}
"""The exams and the roles of their starting positions."""


Player = tuple[int, int, tuple[float, ...]]
"""A level, a width, and coefficients."""


@dataclass(frozen=True)
class ExamJob(PaperJob):
    """Players that do not learn, in the reported exam of a set.

    The result, for each player: its ``score``, and the ``points`` of its contests, a position's followed by its dual's.
    """

    players: tuple[Player, ...]

    def run(self) -> dict[str, Any]:
        """Let each player take the exam."""
        exam = Exam(game(), starts("exam", reporting(self.seed, self.number)))
        found = []
        for level, width, values in self.players:
            sittings = exam.sit(FivesSearch(game(), Coefficients(values), level, width))
            score = float(np.mean([each.score for each in sittings]))
            found.append({"score": score, "points": [each.points for each in sittings]})
        return {"players": found}


@dataclass(frozen=True)
class ClimbJob(PaperJob):
    """A hill climb of coefficients by the mean score in many exams, with starting positions for selection only.

    From the initial coefficients on, each is multiplied with probability 1/2 by a log-normal number, and higher scores
    are kept. The spread grows by 30 % after a success and shrinks by 3 % otherwise, between 0.05 and 0.6.

    The result: the best ``coefficients``, and the ``score`` after each step.

    Attributes:
        exams: The number of exams, of five positions each.
    """

    steps: int
    exams: int

    def run(self) -> dict[str, Any]:
        """Search for coefficients."""
        rng = np.random.default_rng((self.seed, self.number))
        exams = [Exam(game(), starts("exam", seed)) for seed in SELECTION[: self.exams]]

        def score(values: list[float]) -> float:
            search = FivesSearch(game(), Coefficients(tuple(values)))
            return float(np.mean([exam.score(search) for exam in exams]))

        best = list(INITIAL.values)
        scores, spread = [score(best)], 0.4
        for _ in range(self.steps):
            factors = np.exp(rng.normal(0, spread, len(best)) * (rng.random(len(best)) < 0.5))
            tried = [round(value, 1) for value in (np.array(best) * factors).tolist()]
            found = score(tried)
            higher = found > scores[-1]
            best = tried if higher else best
            spread = min(0.6, 1.3 * spread) if higher else max(0.05, 0.97 * spread)
            scores.append(max(found, scores[-1]))
        return {"coefficients": best, "score": scores}
