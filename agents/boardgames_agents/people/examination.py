"""Examinations of people: contests against challengers, scored as those of any learner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from boardgames_agents.arena.exact_outcomes import Optimum, optimum
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a
from boardgames_agents.arena.turing import CHALLENGERS, LADDER, TuringVerdict, challengers_at, judge
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_agents.people.pupil import Assignment, Pupil, PupilContest
from boardgames_agents.training.trainers import Meeting, against, make_opponent
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.spec import Spec

MOST_CONTESTS = 50
"""The largest number of contests against each challenger."""

_OPTIMA_CONTESTS, _OPTIMA_SEED = 1_000, 19_940_000
"""The contests of a perfect player where its power is estimated, and their seed."""


@dataclass(frozen=True)
class Examination:
    """Contests against some challengers. The challengers take turns; against each, the seats alternate.

    Attributes:
        challengers: The names and specs of the challengers.
        contests: The number of contests against each.
        given_up: Whether it was ended before all contests were played.
    """

    challengers: tuple[tuple[str, str], ...]
    contests: int
    given_up: bool = False

    @property
    def size(self) -> int:
        """The number of all contests."""
        return self.contests * len(self.challengers)

    def name_of(self, number: int) -> str:
        """Return the name of the challenger of a contest."""
        return self.challengers[number % len(self.challengers)][0]

    def meeting(self, game: Game, number: int) -> Meeting:
        """Return the players of a contest."""
        spec = self.challengers[number % len(self.challengers)][1]
        seat = seat_of_a(number // len(self.challengers))
        return against(make_opponent(spec, game), seat, Pupil(game))


@dataclass(frozen=True)
class ExamResult:
    """What an examination has found so far.

    Attributes:
        scores: The scores against the challengers, by name.
        maximal: The power of a perfect player against each, as far as it is known.
        verdict: The result of the game players' Turing test; ``None`` where it is not defined or not all is played.
        left: The number of contests that have not been played.
    """

    scores: Mapping[str, Score]
    maximal: Mapping[str, Optimum]
    verdict: TuringVerdict | None
    left: int


def new_examination(game: Game, contests: int, whole_ladder: bool = False) -> Examination:
    """Return an examination against the challengers of every learner at a game.

    Args:
        game: The game.
        contests: The number of contests against each challenger.
        whole_ladder: Whether there are challengers of every noise, 0, 10, …, 100 %, so that a trend can show.

    Raises:
        BadInputError: If the number is not allowed, or there is no ladder of challengers at the game.
    """
    require(1, MOST_CONTESTS, contests=contests)
    if not whole_ladder:
        return Examination(tuple((name, str(spec)) for name, spec in challengers_at(game).items()), contests)
    if not can_be_perfect(game):
        raise BadInputError(f"{game.spec} has no perfect player that errs; so its challengers are few, and no ladder")
    return Examination(tuple((each.name, str(each.spec())) for each in LADDER), contests)


def next_question(exam: Examination, which: int, pupil: str, contests: Sequence[PupilContest]) -> Assignment | None:
    """Return the next contest of an examination; ``None`` after the last, or if it was given up.

    Args:
        exam: The examination.
        which: Its number among those of the person at the game.
        pupil: The person's name.
        contests: All contests of the person at the game so far.
    """
    number = len(_contests_played(which, contests))
    if exam.given_up or number >= exam.size:
        return None
    seat = seat_of_a(number // len(exam.challengers))
    return Assignment(pupil, "", number, "examination", (seat,), len(contests), exam=which)


def result_of(exam: Examination, which: int, game: Game, contests: Sequence[PupilContest]) -> ExamResult:
    """Return what an examination has found so far."""
    played = _contests_played(which, contests)
    scores = {name: Score() for name, _ in exam.challengers}
    for each in played:
        scores[exam.name_of(each.assignment.number)] += Score.of(each.record, each.assignment.seats[0])
    maximal: Mapping[str, Optimum] = maximal_powers(game) if can_be_perfect(game) else {}
    left = exam.size - len(played)
    verdict = None if left else verdict_of(game, Pupil(game).spec, exam.contests, scores)
    return ExamResult(scores, {name: maximal[name] for name in scores if name in maximal}, verdict, left)


def verdict_of(game: Game, player: str, contests: int, scores: Mapping[str, Score]) -> TuringVerdict | None:
    """Return the result of the game players' Turing test at a draw game that is solved; ``None`` at others.

    With no more than the four challengers it is a weaker one than `turing_test`: they cannot show a trend.

    Args:
        game: The game.
        player: The spec of the player.
        contests: The contests against each challenger.
        scores: The player's scores, by the challengers' names, the four among them.
    """
    if game.value != 0 or not can_be_perfect(game):
        return None
    known = {each.name: each for each in (*LADDER, *CHALLENGERS)}
    by_challenger = {known[name]: score for name, score in scores.items()}
    conditions = judge(by_challenger, {name: found.power.low for name, found in maximal_powers(game).items()})
    return TuringVerdict(game.spec, player, contests, by_challenger, conditions)


@lru_cache(maxsize=32)
def maximal_powers(game: Game) -> Mapping[str, Optimum]:
    """Return the power of a perfect player against each of the four challengers that errs."""
    return {
        each.name: optimum(game, Spec("perfect"), each.spec(), _OPTIMA_CONTESTS, _OPTIMA_SEED)
        for each in CHALLENGERS
        if each.e
    }


def _contests_played(which: int, contests: Sequence[PupilContest]) -> list[PupilContest]:
    """Return the contests of an examination, each number once."""
    found = {each.assignment.number: each for each in contests if each.assignment.exam == which}
    return list(found.values())
