"""Lessons of people: trainers set the contests of a person as they set those of any learner."""

from collections.abc import Sequence
from dataclasses import dataclass

from boardgames_agents.people.examination import Examination
from boardgames_agents.people.levels import levels_of
from boardgames_agents.people.pupil import Assignment, Kind, Pupil, PupilContest
from boardgames_agents.registry import registered_agents
from boardgames_agents.training.trainers import Meeting, make_trainer
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.spec import Spec

_GUIDE = "your trainer"


@dataclass(frozen=True)
class Suggestion:
    """A trainer that is worth trying.

    Attributes:
        trainer: Its spec.
        words: What it does, in a few words.
    """

    trainer: str
    words: str


_FIRST = (
    Suggestion("key_nodes(lessons=1, practice=0)", "a trainer that leads you to the positions in which you err"),
    Suggestion("perfect", "a perfect player in every contest"),
)
_LAST = (
    Suggestion("2&7", "two lessons with a perfect player, then seven contests in which you play both sides, and again"),
    Suggestion("tutorial", "a tutorial: watch a perfect player, and play opponents that err more and more"),
    Suggestion("self", "practice: you play both sides"),
)


def suggestions(game: Game) -> list[Suggestion]:
    """Return the trainers to begin with that there are at a game: usual ones, and the computer at every level."""
    first, last = ([each for each in some if _is_there(each.trainer, game)] for some in (_FIRST, _LAST))
    known = {each.trainer for each in first}
    levels = [each for each in levels_of(game).values() if each.agent not in known]
    return [*first, *(Suggestion(each.agent, f"computer, {each.name}: {each.strength}") for each in levels), *last]


def words_on(trainer: str) -> str:
    """Return what a trainer does in a few words, if it is one to begin with; otherwise its spec."""
    return next((each.words for each in (*_FIRST, *_LAST) if each.trainer == trainer), trainer)


def _is_there(trainer: str, game: Game) -> bool:
    try:
        make_trainer(trainer, game)
    except BadInputError:
        return False
    return True


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
    return Assignment(
        pupil, trainer, number, _kind_of(meeting), meeting.seats, len(contests), opening=len(meeting.opening)
    )


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
    one, other = (
        "" if seat in meeting.seats or _is_known(player.spec) else _GUIDE for seat, player in enumerate(meeting.players)
    )
    return one, other


def _set_by(game: Game, trainer: str, number: int, contests: Sequence[PupilContest]) -> Meeting:
    return make_trainer(trainer, game).meeting(number, Pupil(game, contests))


def _kind_of(meeting: Meeting) -> Kind:
    if not meeting.seats:
        return "watching"
    return "practice" if len(meeting.seats) == 2 else "lesson"


def _is_known(spec: str) -> bool:
    return Spec.parse(spec).name in registered_agents()
