"""What a person is taught at a game: contests that trainers and examinations set, and what went wrong in them.

Trainers set the contests of a person as they set those of any learner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from boardgames_agents.people.cards import Card, CardAnswer, with_mistakes
from boardgames_agents.people.examination import Examination, ExamResult, new_examination, next_question, result_of
from boardgames_agents.people.judging.mistakes import Findings, find_mistakes
from boardgames_agents.people.levels import levels_of, name_for_people
from boardgames_agents.people.pupil import Assignment, Kind, Pupil, PupilContest
from boardgames_agents.people.pupil_file import EXAM, PupilFiles, Study
from boardgames_agents.record import Record
from boardgames_agents.registry import registered_agents
from boardgames_agents.training.trainers import Meeting, make_trainer, registered_trainers, trainer_spec
from boardgames_env.contest import Turn
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class Suggestion:
    """A trainer that is worth trying.

    Attributes:
        trainer: Its spec.
        words: What it does, in a few words.
    """

    trainer: str
    words: str


_DECISIVE = "decisive_moves"

_FIRST = (
    Suggestion("key_nodes(lessons=1, practice=0)", "a trainer that leads you to places where mistakes are easy"),
    Suggestion("perfect", "a perfect player in every contest"),
    Suggestion(_DECISIVE, "lessons that begin where a single move decides, or where you went wrong"),
)
_LAST = (
    Suggestion("2&7", "two lessons with a perfect player, then seven contests in which you play both sides, and again"),
    Suggestion("tutorial", "a tutorial: watch a perfect player, and play opponents that err more and more"),
    Suggestion("self", "practice: you play both sides"),
)


def suggestions(game: Game) -> list[Suggestion]:
    """Return the trainers to begin with that there are at a game: usual ones, and the computer at every level."""
    first, last = ([each for each in some if can_train(each.trainer, game)] for some in (_FIRST, _LAST))
    known = {each.trainer for each in first}
    levels = [each for each in levels_of(game).values() if each.agent not in known]
    return [*first, *(Suggestion(each.agent, f"computer, {each.name}: {each.strength}") for each in levels), *last]


def words_on(trainer: str) -> str:
    """Return what a trainer does in a few words, if it is one to begin with; otherwise its spec."""
    return next((each.words for each in (*_FIRST, *_LAST) if each.trainer == trainer), trainer)


def title_of(trainer: str) -> str:
    """Return `words_on` a trainer, but for people who read no specs: its name, that of an agent or a level."""
    words, name = words_on(trainer), trainer_spec(trainer).name
    if words != trainer:
        return words
    return f"the trainer {name.replace('_', ' ')}" if name in registered_trainers() else name_for_people(trainer)


def can_train(trainer: str, game: Game) -> bool:
    """Return whether a trainer, or an agent as one, can be made for a game."""
    try:
        make_trainer(trainer, game)
    except BadInputError:
        return False
    return True


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


class Course:
    """What a person is taught at a game: what is set, how it is judged, and what is kept in the person's file.

    Args:
        files: The files of people.
        pupil: The person's name.
        game: The game.
        today: Returns the date, by which cards come back.
    """

    def __init__(self, files: PupilFiles, pupil: str, game: Game, today: Callable[[], date] = date.today) -> None:
        self._files, self._pupil, self._game, self._today = files, pupil, game, today

    @property
    def study(self) -> Study:
        """What the person has done at the game."""
        return self._files.study(self._pupil, self._game.spec)

    def change(self, change: Callable[[Study], Study]) -> Study:
        """Change what is kept, and return it."""
        return self._files.change(self._pupil, self._game.spec, change)

    def next_lesson(self, trainer: str) -> Assignment:
        """Return the next contest with a trainer.

        Errors are looked for in all contests before it, as far as that needs no search.

        Raises:
            BadInputError: For an unknown trainer or option, or if it cannot train at this game.
        """
        study = self.study
        if any(each.errors is None for each in study.contests):
            study.looked_through(self._game)  # (may solve the game, for which the file is not locked)
            study = self.change(lambda study: study.looked_through(self._game))
        return next_assignment(self._game, self._pupil, trainer, study.contests)

    def begin_exam(self, contests: int, whole_ladder: bool) -> None:
        """Begin an examination, as `new_examination` makes it.

        Raises:
            BadInputError: If another one is not over, or the number is not allowed.
        """
        exam = new_examination(self._game, contests, whole_ladder)

        def added(study: Study) -> Study:
            if self._question(study) is not None:
                raise BadInputError("an examination is not over yet; go on with it, or give it up")
            return replace(study, exams=(*study.exams, exam))

        self.change(added)

    def next_question(self) -> Assignment:
        """Return the next contest of the last examination.

        Raises:
            BadInputError: If there is none.
        """
        assignment = self._question(self.study)
        if assignment is None:
            raise BadInputError("there is no examination to go on with; begin one")
        return assignment

    def give_up_exam(self) -> None:
        """End the last examination with the contests that have been played; it has no verdict.

        Raises:
            BadInputError: If there is none.
        """

        def ended(study: Study) -> Study:
            if self._question(study) is None:
                raise BadInputError("there is no examination to give up")
            still = {trainer: where for trainer, where in study.open.items() if trainer != EXAM}
            return replace(study, exams=(*study.exams[:-1], replace(study.exams[-1], given_up=True)), open=still)

        self.change(ended)

    def is_examined(self) -> bool:
        """Return whether the last examination is not over."""
        return self._question(self.study) is not None

    def exam_result(self, which: int) -> ExamResult:
        """Return what an examination has found so far."""
        study = self.study
        return result_of(study.exams[which], which, self._game, study.contests)

    def meeting(self, assignment: Assignment) -> Meeting:
        """Return the players of a contest that was set, and how it begins; see `meeting_of`."""
        study = self.study
        return meeting_of(self._game, assignment, study.contests, study.exams)

    def keep(self, assignment: Assignment, record: Record, sitting: str = "", findings: Findings | None = None) -> None:
        """Keep a contest that is over, once; one of an examination only if that was not forgotten since.

        Args:
            assignment: How it was set.
            record: What was played.
            sitting: Where it was played.
            findings: What went wrong in it, if that has been looked for.
        """
        if not self.study.awaits(assignment, sitting):
            return
        contest = PupilContest(assignment, sitting, record)
        if findings is not None:
            contest = replace(contest, errors=assignment.errors_in(findings))
            self._keep_mistakes(assignment, findings, sitting or f"contest {len(self.study.contests) + 1}")
        elif assignment.exam >= 0:  # (what went wrong is not shown, so nobody looks for it later)
            contest = contest.judged(self._game)
        self.change(lambda study: study.with_contest(contest) if study.awaits(assignment, sitting) else study)

    def keep_findings(self, assignment: Assignment, sitting: str, findings: Findings) -> None:
        """Keep what went wrong in a contest that has been kept."""
        errors = assignment.errors_in(findings)

        def found(study: Study) -> Study:
            contest = next((each for each in study.contests if each.sitting == sitting), None)
            return study.with_contest(replace(contest, errors=errors)) if contest else study

        if found(study := self.study) != study:
            self.change(found)
        self._keep_mistakes(assignment, findings, sitting)

    def keep_cards(self, cards: Sequence[Card]) -> None:
        """Keep positions in which the person went wrong; see `with_mistakes`."""

        def changed(study: Study) -> Study:
            return replace(study, cards=with_mistakes(study.cards, cards, self._game))

        if changed(study := self.study) != study:
            self.change(changed)

    def answer(self, card: Card, actions: Sequence[int]) -> tuple[CardAnswer, Card]:
        """Judge the turn that a person plays in the position of a card; return the answer, and the card after it.

        It counts once, when the card is due.

        Raises:
            BadInputError: If it is no card of the person, or the actions are not those of a whole turn.
        """
        found, today = CardAnswer.of(card, self._game, actions), self._today()

        def answered(study: Study) -> Study:
            if all(each.state != card.state for each in study.cards):
                raise BadInputError("this position is not among your mistakes any more")
            is_asked = [each.state == card.state and each.due <= today for each in study.cards]
            cards = zip(study.cards, is_asked, strict=True)
            return replace(
                study, cards=tuple(each.answered(found.is_right, today) if asked else each for each, asked in cards)
            )

        return found, next(each for each in self.change(answered).cards if each.state == card.state)

    def _keep_mistakes(self, assignment: Assignment, findings: Findings, source: str) -> None:
        if assignment.seats:
            self.keep_cards([Card.of(each, self._today(), source) for each in findings.mistakes])

    def words_on(self, assignment: Assignment) -> LessonWords:
        """Return a contest that was set in words."""
        number = assignment.number + 1
        if assignment.exam >= 0:
            exams = self.study.exams
            if assignment.exam >= len(exams):
                return LessonWords("An examination that was forgotten", "", goes_on=False)
            exam = exams[assignment.exam]
            title = f"Examination, contest {number} of {exam.size}: {exam.name_of(assignment.number)} challenger"
            goes_on = not exam.given_up and number < exam.size
            return LessonWords(title, "No hints, and nothing can be taken back.", goes_on)
        notes = {"practice": "Practice: you play both sides.", "watching": "Watch how they play."}
        note = notes.get(assignment.kind, beginning_of(assignment))
        return LessonWords(f"Contest {number}: {title_of(assignment.trainer)}", note)

    def _question(self, study: Study) -> Assignment | None:
        """Return the next contest of the last examination; ``None`` if there is none that goes on."""
        which = len(study.exams) - 1
        return next_question(study.exams[which], which, self._pupil, study.contests) if study.exams else None


def beginning_of(assignment: Assignment) -> str:
    """Return where a contest that was set begins, as a sentence; empty if that is the usual position."""
    if not assignment.opening:
        return ""
    is_decisive = Spec.parse(assignment.trainer).name == _DECISIVE
    return "It begins where the right move decides: find it." if is_decisive else "It begins where you have erred."


def findings_in(assignment: Assignment, turns: Sequence[Turn]) -> Findings:
    """Return what went wrong in a contest that was set; in one that was watched, for both seats."""
    return find_mistakes([turn for turn in turns if assignment.judges(turn)], turns)


_KINDS: tuple[Kind, ...] = ("watching", "lesson", "practice")
"""The kinds of contests with a trainer, by the number of seats that the person plays."""


def next_assignment(game: Game, pupil: str, trainer: str, contests: Sequence[PupilContest]) -> Assignment:
    """Return the next contest of a person's course with a trainer.

    Args:
        game: The game.
        pupil: The person's name.
        trainer: The trainer's spec.
        contests: All contests of the person at the game so far.

    Raises:
        BadInputError: For an unknown trainer or option, or if it cannot train at this game.
    """
    number = sum(each.assignment.trainer == trainer for each in contests)
    meeting = _set_by(game, trainer, number, contests)
    kind = _KINDS[len(meeting.seats)]
    return Assignment(pupil, trainer, number, kind, meeting.seats, len(contests), opening=len(meeting.opening))


def meeting_of(
    game: Game, assignment: Assignment, contests: Sequence[PupilContest], exams: Sequence[Examination]
) -> Meeting:
    """Return the players of a contest that was set, and how it begins.

    Raises:
        BadInputError: If the contests by which the trainer knew the person are gone, and for `make_trainer`.
    """
    if assignment.exam >= len(exams) or assignment.known > len(contests):
        raise BadInputError("what you had played was forgotten after this contest had begun; begin another one")
    if assignment.exam >= 0:
        return exams[assignment.exam].meeting(game, assignment.number)
    return _set_by(game, assignment.trainer, assignment.number, contests[: assignment.known])


def names_of(meeting: Meeting) -> tuple[str, str]:
    """Return the names of both seats' players for people, where their specs are no names; otherwise empty."""
    known = registered_agents()
    one, other = (
        "" if seat in meeting.seats or Spec.parse(player.spec).name in known else "your trainer"
        for seat, player in enumerate(meeting.players)
    )
    return one, other


def _set_by(game: Game, trainer: str, number: int, contests: Sequence[PupilContest]) -> Meeting:
    return make_trainer(trainer, game).meeting(number, Pupil(game, contests))
