"""Lessons at the page: contests that a person has been set, from the first action to what went wrong."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock

from boardgames_agents.people.examination import Result, new_examination, next_question, result_of
from boardgames_agents.people.judging.mistakes import Findings, find_mistakes
from boardgames_agents.people.lessons import meeting_of, names_of, next_assignment, words_on
from boardgames_agents.people.pupil import Assignment, PupilContest, errors_of
from boardgames_agents.people.pupil_file import PupilFiles, Study
from boardgames_agents.people.session import PERSON
from boardgames_agents.policy import Policy
from boardgames_agents.training.trainers import Meeting
from boardgames_cli.web.kept import Kept
from boardgames_cli.web.sitting import Sitting, continued, new_sitting, session_of
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.store import SittingStore
from boardgames_env import make_game
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game

EXAM = ""
"""The key of the open contest of an examination among those of trainers."""

_LARGEST_SEED = 2**31

_MOST_KEPT = 64
"""The number of contests that have just begun whose players are kept; those of others are made again."""


@dataclass(frozen=True)
class LessonWords:
    """A contest that was set, in words.

    Attributes:
        title: What kind of contest it is, and its number.
        note: What the person should know of it; may be empty.
        goes_on: Whether another contest follows.
    """

    title: str
    note: str
    goes_on: bool = True


class Tutor:
    """Sets contests to people, and keeps what they have played.

    What takes long is for one of the threads that think: making a contest, results, and looking for mistakes.

    Args:
        store: The store of contests.
        checker: What reads specs from pages.
        folder: The folder of the people's files.
    """

    def __init__(self, store: SittingStore, checker: Checker, folder: Path) -> None:
        self._store, self._checker = store, checker
        self.files = PupilFiles(folder)
        self._begun_meetings = Kept[str, Meeting](_MOST_KEPT)
        self._locks: dict[str, Lock] = {}

    def study(self, pupil: str, game: Game) -> Study:
        """Return what a person has done at a game."""
        return self.files.study(pupil, game.spec)

    def next_lesson(self, pupil: str, game: Game, trainer: str) -> Sitting:
        """Return the next contest of a course, or the one that goes on.

        Raises:
            BadInputError: If the trainer cannot be made, or cannot train at this game.
        """
        spec = str(self._checker.trainer(trainer))
        with self._one_at_a_time(pupil):
            if found := self._going_on(pupil, game, spec):
                return found
            contests = self._looked_through(pupil, game).contests
            return self._begun(pupil, game, spec, next_assignment(game, pupil, spec, contests))

    def begin_exam(self, pupil: str, game: Game, contests: int, whole_ladder: bool) -> Sitting:
        """Begin an examination, and return its first contest.

        Raises:
            BadInputError: If another one is not over, or the number is not allowed.
        """
        exam = new_examination(game, contests, whole_ladder)

        def added(study: Study) -> Study:
            if study.exams and self._question(pupil, study) is not None:
                raise BadInputError("an examination is not over yet; go on with it, or give it up")
            return replace(study, exams=(*study.exams, exam))

        self.files.change(pupil, game.spec, added)
        return self.next_question(pupil, game)

    def next_question(self, pupil: str, game: Game) -> Sitting:
        """Return the next contest of the last examination, or the one that goes on.

        Raises:
            BadInputError: If there is none.
        """
        with self._one_at_a_time(pupil):
            if found := self._going_on(pupil, game, EXAM):
                return found
            study = self.study(pupil, game)
            assignment = self._question(pupil, study) if study.exams else None
            if assignment is None:
                raise BadInputError("there is no examination to go on with; begin one")
            return self._begun(pupil, game, EXAM, assignment)

    def give_up_exam(self, pupil: str, game: Game) -> None:
        """End the last examination with the contests that have been played; it has no verdict."""

        def ended(study: Study) -> Study:
            if not study.exams or self._question(pupil, study) is None:
                raise BadInputError("there is no examination to give up")
            still = {trainer: where for trainer, where in study.open.items() if trainer != EXAM}
            return replace(study, exams=(*study.exams[:-1], replace(study.exams[-1], given_up=True)), open=still)

        self.files.change(pupil, game.spec, ended)

    def opponents(self, sitting: Sitting) -> Callable[[str], Policy]:
        """Return what makes the agents of a contest that was set, those of seat 0 first.

        Raises:
            BadInputError: If they cannot be made any more.
        """
        meeting = self._begun_meetings.pop(sitting.id)
        if meeting is None:
            game, lesson = make_game(sitting.game), _demanded(sitting)
            study = self.study(lesson.pupil, game)
            meeting = meeting_of(game, lesson, study.contests, study.exams)
        left = iter([player for seat, player in enumerate(meeting.players) if seat not in meeting.seats])
        return lambda spec: next(left)

    def note(self, sitting: Sitting) -> None:
        """Keep a contest that was set and is over."""
        lesson = _demanded(sitting)
        if not _counts(sitting, self.files.study(lesson.pupil, sitting.game)):
            return
        contest = PupilContest(lesson, sitting.id, session_of(sitting).record())
        if sitting.is_exam:  # (what went wrong is not shown, so nobody looks for it later)
            contest = replace(contest, errors=errors_of(contest, make_game(sitting.game)))

        def noted(study: Study) -> Study:
            return study.with_contest(contest) if _counts(sitting, study) else study

        self.files.change(lesson.pupil, sitting.game, noted)

    def findings(self, sitting: Sitting) -> Findings:
        """Return what went wrong in a contest that is over, and keep it; of one that was watched, for both seats.

        Raises:
            BadInputError: If the contest goes on.
        """
        lesson, findings = _demanded(sitting), _findings(sitting)
        errors = findings.errors if lesson.seats else ()

        def found(study: Study) -> Study:
            contest = next((each for each in study.contests if each.sitting == sitting.id), None)
            return study.with_contest(replace(contest, errors=errors)) if contest else study

        if found(study := self.files.study(lesson.pupil, sitting.game)) != study:
            self.files.change(lesson.pupil, sitting.game, found)
        return findings

    def words_on(self, sitting: Sitting) -> LessonWords:
        """Return a contest that was set in words."""
        lesson = _demanded(sitting)
        number = lesson.number + 1
        if lesson.exam >= 0:
            exams = self.files.study(lesson.pupil, sitting.game).exams
            if lesson.exam >= len(exams):
                return LessonWords("An examination that was forgotten", "", goes_on=False)
            exam = exams[lesson.exam]
            title = f"Examination, contest {number} of {exam.size}: {exam.name_of(lesson.number)} challenger"
            return LessonWords(
                title, "No hints, and nothing can be taken back.", not exam.given_up and number < exam.size
            )
        notes = {"practice": "Practice: you play both sides.", "watching": "Watch how they play."}
        note = notes.get(lesson.kind, "It begins where you have erred." if lesson.opening else "")
        return LessonWords(f"Contest {number}: {words_on(lesson.trainer)}", note)

    def result(self, pupil: str, game: Game, which: int) -> Result:
        """Return what an examination has found so far."""
        study = self.study(pupil, game)
        return result_of(study.exams[which], which, game, study.contests)

    def is_examined(self, study: Study, pupil: str) -> bool:
        """Return whether the last examination of a study is not over."""
        return bool(study.exams) and self._question(pupil, study) is not None

    def _question(self, pupil: str, study: Study) -> Assignment | None:
        """Return the next contest of the last examination."""
        which = len(study.exams) - 1
        return next_question(study.exams[which], which, pupil, study.contests)

    def _one_at_a_time(self, pupil: str) -> Lock:
        """Return what keeps contests of a person from beginning at the same moment, such as by a double click."""
        return self._locks.setdefault(pupil, Lock())

    def _going_on(self, pupil: str, game: Game, key: str) -> Sitting | None:
        """Return the contest of a course that is not over, if there is one; one that is over is kept."""
        where = self.study(pupil, game).open.get(key)
        sitting = self._store.get(where) if where else None
        if sitting is None or sitting.lesson is None:
            return None
        if not session_of(sitting).is_over:
            return sitting
        self.note(sitting)
        return None

    def _begun(self, pupil: str, game: Game, key: str, assignment: Assignment) -> Sitting:
        study = self.study(pupil, game)
        meeting = meeting_of(game, assignment, study.contests, study.exams)
        one, other = (PERSON if seat in meeting.seats else each.spec for seat, each in enumerate(meeting.players))
        sitting = new_sitting(game, (one, other), secrets.randbelow(_LARGEST_SEED), names_of(meeting))
        if meeting.opening:
            sitting = continued(sitting, meeting.opening, ())
        added = self._store.add(replace(sitting, lesson=assignment))
        self.files.change(pupil, game.spec, lambda study: study.opened(key, added.id))
        self._begun_meetings.put(added.id, meeting)
        return added

    def _looked_through(self, pupil: str, game: Game) -> Study:
        """Look for errors in all contests, as far as that needs no search, and return the study of the game."""
        study = self.study(pupil, game)
        if all(each.errors is not None for each in study.contests):
            return study
        study.looked_through(game)  # (may solve the game, for which the file is not locked)
        return self.files.change(pupil, game.spec, lambda study: study.looked_through(game))


def _demanded(sitting: Sitting) -> Assignment:
    if sitting.lesson is None:
        raise BadInputError("nobody has been set this contest")
    return sitting.lesson


def _counts(sitting: Sitting, study: Study) -> bool:
    """Return whether a contest is to be kept: once, and in an examination only if that was not forgotten since."""
    is_forgotten = sitting.is_exam and study.open.get(EXAM) != sitting.id
    return not is_forgotten and not study.holds(sitting.id)


@lru_cache(maxsize=64)
def _findings(sitting: Sitting) -> Findings:
    lesson, session = _demanded(sitting), session_of(sitting)
    if not session.is_over:
        raise BadInputError("what went wrong is shown when the contest is over")
    return find_mistakes(session.turns, lesson.seats or (0, 1), lesson.opening)
