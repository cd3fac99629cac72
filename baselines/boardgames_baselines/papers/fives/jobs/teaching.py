"""Learning sessions, and the exams between them (section 3 of the paper)."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.learner import FivesLearner
from boardgames_agents.fives.making import POSITIONS, ROLES
from boardgames_agents.registry import make_agent
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.starting_positions import save_starts
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.fives.jobs import game, reporting, starts
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env.errors import BadInputError
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class TeachingJob(PaperJob):
    """A student's course, with starting positions of its own for lessons, self-tests and the reported exam.

    The result, before the first session and after each: the student's ``coefficients`` and its scores in the
    ``reported`` exam and in its ``own``, that of the self-test. Then its knowledge under ``counts``, and the
    ``seconds`` of its sessions with their self-tests.

    Attributes:
        learner: The student's spec, without the files of exams.
        sessions: The number of sessions, each from another starting position.
        practice: The number of starting positions of its own exam; larger exams contain the smaller ones.
    """

    learner: str
    sessions: int
    practice: int = POSITIONS

    def run(self) -> dict[str, Any]:
        """Teach the student."""
        seed = reporting(self.seed, self.number)
        sizes = {"lessons": self.sessions, "self_test": self.practice, "exam": POSITIONS}
        given = {role: starts(role, seed, sizes[role]) for role in ROLES}
        exams = {"reported": Exam(game(), given["exam"]), "own": Exam(game(), given["self_test"])}
        with TemporaryDirectory() as folder:
            files = {role: str(Path(folder) / f"{role}.json") for role in ROLES}
            for role, file in files.items():
                save_starts(Path(file), given[role], "")
            student = student_of(self.learner, files["self_test"])
            trainer = make_trainer(str(Spec("teacher", {"starts": files["lessons"]})), game())
        found: dict[str, list[Any]] = {"coefficients": [], "reported": [], "own": []}
        _note(student, exams, found)
        loop = TrainingLoop(game(), student, trainer, StoppingRule(self.sessions), (self.seed, self.number))
        seconds, start = 0.0, perf_counter()
        for _ in loop.steps():
            seconds += perf_counter() - start
            _note(student, exams, found)
            start = perf_counter()
        return {**found, "counts": dict(student.knowledge()), "seconds": seconds}


def student_of(spec: str, practice_exam: str) -> FivesLearner:
    """Return the student of a spec, with the starting positions of its self-test and without a reported exam."""
    made = make_agent(Spec.parse(spec).with_options(practice_exam=practice_exam, exam=""), game())
    if not isinstance(made, FivesLearner):
        raise BadInputError(f"{spec} is no student of fives")
    return made


def _note(student: FivesLearner, exams: dict[str, Exam], found: dict[str, list[Any]]) -> None:
    """Add the student's coefficients and scores; it takes the exams only if it has learned something."""
    coefficients = list(student.coefficients.values)
    known = found["coefficients"]
    same = bool(known) and known[-1] == coefficients
    for name, exam in exams.items():
        found[name].append(found[name][-1] if same else exam.score(student.frozen().search))
    known.append(coefficients)
