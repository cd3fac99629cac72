"""Lessons at the page: contests that a person has been set, from the first action to what went wrong."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from threading import Lock

from boardgames_agents.people.course import Course, LessonWords, findings_in, names_of
from boardgames_agents.people.judging.mistakes import Findings
from boardgames_agents.people.pupil import Assignment
from boardgames_agents.people.pupil_file import EXAM, PupilFiles
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

_MOST_KEPT = 64
"""The number of contests that have just begun whose players are kept; those of others are made again."""


class Tutor:
    """Sets contests to people, and keeps what they have played.

    What takes long is for one of the threads that think: making a contest, results, and looking for mistakes.
    """

    def __init__(self, store: SittingStore, checker: Checker, folder: Path, today: Callable[[], date]) -> None:
        self._store, self._checker, self.today = store, checker, today
        self.files = PupilFiles(folder)
        self._begun_meetings = Kept[str, Meeting](_MOST_KEPT)
        self._locks: dict[str, Lock] = {}

    def course(self, pupil: str, game: Game) -> Course:
        """Return what a person is taught at a game."""
        return Course(self.files, pupil, game, self.today)

    def next_lesson(self, pupil: str, game: Game, trainer: str) -> Sitting:
        """Return the next contest of a course, or the one that goes on.

        Raises:
            BadInputError: If the trainer cannot be made, or cannot train at this game.
        """
        spec = str(self._checker.trainer(trainer))
        return self._next(pupil, game, spec, lambda course: course.next_lesson(spec))

    def begin_exam(self, pupil: str, game: Game, contests: int, whole_ladder: bool) -> Sitting:
        """Begin an examination, and return its first contest.

        Raises:
            BadInputError: If another one is not over, or the number is not allowed.
        """
        self.course(pupil, game).begin_exam(contests, whole_ladder)
        return self.next_question(pupil, game)

    def next_question(self, pupil: str, game: Game) -> Sitting:
        """Return the next contest of the last examination, or the one that goes on; raise an error if there is none."""
        return self._next(pupil, game, EXAM, Course.next_question)

    def opponents(self, sitting: Sitting) -> Callable[[str], Policy]:
        """Return what makes the agents of a contest that was set, those of seat 0 first.

        Raises:
            BadInputError: If they cannot be made any more.
        """
        meeting = self._begun_meetings.pop(sitting.id) or self._course_of(sitting).meeting(_demanded(sitting))
        left = iter([player for seat, player in enumerate(meeting.players) if seat not in meeting.seats])
        return lambda spec: next(left)

    def note(self, sitting: Sitting) -> None:
        """Keep a contest that was set and is over."""
        self._course_of(sitting).keep(_demanded(sitting), session_of(sitting).record(), sitting.id)

    def findings(self, sitting: Sitting) -> Findings:
        """Return what went wrong in a contest that is over, and keep it; of one that was watched, for both seats.

        Raises:
            BadInputError: If the contest goes on.
        """
        findings = _findings_of_contest(sitting)
        self._course_of(sitting).keep_findings(_demanded(sitting), sitting.id, findings)
        return findings

    def words_on(self, sitting: Sitting) -> LessonWords:
        """Return a contest that was set in words."""
        return self._course_of(sitting).words_on(_demanded(sitting))

    def _course_of(self, sitting: Sitting) -> Course:
        return self.course(_demanded(sitting).pupil, make_game(sitting.game))

    def _next(self, pupil: str, game: Game, key: str, assigned: Callable[[Course], Assignment]) -> Sitting:
        """Return the contest of a course that goes on, or begin the next one; one that is over is kept."""
        course = self.course(pupil, game)
        # (contests of a person do not begin at the same moment, such as by a double click)
        with self._locks.setdefault(pupil, Lock()):
            where = course.study.open.get(key)
            sitting = self._store.get(where) if where else None
            if sitting is not None and sitting.lesson is not None:
                if not session_of(sitting).is_over:
                    return sitting
                self.note(sitting)
            return self._begun(course, game, key, assigned(course))

    def _begun(self, course: Course, game: Game, key: str, assignment: Assignment) -> Sitting:
        meeting = course.meeting(assignment)
        one, other = (PERSON if seat in meeting.seats else each.spec for seat, each in enumerate(meeting.players))
        sitting = new_sitting(game, (one, other), names_of(meeting))
        if meeting.opening:
            sitting = continued(sitting, meeting.opening, ())
        added = self._store.add(replace(sitting, lesson=assignment))
        course.change(lambda study: study.opened(key, added.id))
        self._begun_meetings.put(added.id, meeting)
        return added


def _demanded(sitting: Sitting) -> Assignment:
    if sitting.lesson is None:
        raise BadInputError("nobody has been set this contest")
    return sitting.lesson


@lru_cache(maxsize=64)
def _findings_of_contest(sitting: Sitting) -> Findings:
    session = session_of(sitting)
    if not session.is_over:
        raise BadInputError("what went wrong is shown when the contest is over")
    return findings_in(_demanded(sitting), session.turns)
