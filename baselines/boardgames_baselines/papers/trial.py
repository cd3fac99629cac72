"""Trials: runs of learning and testing that differ in their seeds alone."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.hoyle import Hoyle, HoylePlayer
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.policy import Learner, Policy
from boardgames_agents.record import Record
from boardgames_agents.training.trainers import Meeting
from boardgames_baselines.papers.job import number_of
from boardgames_baselines.papers.training import Matches, MeasuredTraining, TrainingState, score_of, scores_by_seat
from boardgames_env import Game, Position


@dataclass(frozen=True)
class Trial:
    """The common settings of the runs of a trial.

    Attributes:
        contests: Most contests of the learning phase.
        standard: The behavioral standard n; 0 for none.
        challengers: Names and specs of the opponents of the testing phase.
        testing: Number of contests against each challenger.
    """

    game: str
    learner: str
    trainer: str
    contests: int
    standard: int = 0
    challengers: tuple[tuple[str, str], ...] = ()
    testing: int = 20

    @property
    def job(self) -> "TrialRun":
        """The job of a run."""
        measures = course, ChallengerMatches(self.challengers, self.testing)
        return TrialRun(self.game, self.learner, self.trainer, (self.contests,), measures, standard=self.standard)


@dataclass(frozen=True)
class TrialRun(MeasuredTraining):
    """One run of a trial: a learning phase, then a testing phase with learning turned off.

    Its seeds hold a digest of all that determines the learning phase, so no two trials have random numbers in common.
    """

    @property
    def seeds(self) -> tuple[int, ...]:
        """The numbers that all its seeds begin with."""
        learning = {name: getattr(self, name) for name in ("game", "learner", "trainer", "standard")}
        text = json.dumps({**learning, "contests": self.tested[-1]}, sort_keys=True)
        return self.seed, number_of(text), self.number


@dataclass(frozen=True)
class TrialResult:
    """The result of one run of a trial.

    Attributes:
        course: A letter for each contest of the learning phase: ``W``, ``D`` or ``L`` against a trainer (won, drawn
            or lost by the learner), ``d`` or ``x`` in practice against itself (drawn or not), ``-`` if it watched.
        met: Whether the behavioral standard was met; true if there is none.
        scores: The learner's score against each challenger.
        measures: Other numbers by name, of the knowledge after learning and of the decisions in testing.
        patterns: The patterns known after learning, drawn with characters, each with its winner.
    """

    course: str
    met: bool
    scores: Mapping[str, Score]
    measures: Mapping[str, float]
    patterns: tuple[str, ...] = ()

    @property
    def contests(self) -> int:
        """Number of contests of the learning phase."""
        return len(self.course)

    @property
    def lessons(self) -> int:
        """Number of those against a trainer other than the learner."""
        return sum(letter in "WDL" for letter in self.course)

    @classmethod
    def of(cls, result: JsonResult) -> "TrialResult":
        """Return the result of `TrialRun.run`."""
        (test,) = result["tests"]
        scores = {name: score_of(test, name) for name in test["scores"]}
        return cls(test["course"], test["met"], scores, test["measures"], tuple(test["patterns"]))


def course(state: TrainingState) -> dict[str, Any]:
    """Return the ``course`` of the learning phase, and whether the standard was ``met``."""
    letters = "".join(_letter(*each) for each in state.meetings)
    return {"course": letters, "met": state.streak >= state.job.standard}


def _letter(meeting: Meeting, record: Record) -> str:
    if not meeting.seats:
        return "-"
    points = record.points_for(meeting.seats[0])
    if len(meeting.seats) == 2:
        return "x" if points else "d"
    return "W" if points > 0 else "L" if points < 0 else "D"


@dataclass(frozen=True)
class ChallengerMatches(Matches):
    """Matches with the challengers, and the other numbers of a `TrialResult`."""

    def __call__(self, state: TrainingState) -> dict[str, Any]:
        """Play the contests and watch them."""
        witness = Witness(state.game, state.records)
        records = self.records(state)
        for played in records.values():
            for contest, record in enumerate(played):
                witness.watch(state.player, record, seat_of_a(contest))
        learner = state.learner
        return {
            "scores": {name: scores_by_seat(played) for name, played in records.items()},
            "measures": {**learner.knowledge(), **_kept(learner), **witness.measures()},
            "patterns": _patterns(learner, state.game),
        }


def _kept(learner: Learner) -> dict[str, float]:
    """Return the columns of Epstein 2001, Table 8.6, that are no items of knowledge of their own."""
    if not isinstance(learner, Hoyle):
        return {}
    knowledge = learner.useful_knowledge
    return {
        "significant states": len(knowledge.states.significant),
        "dangerous states": len(knowledge.states.dangerous),
        "new Advisors": sum(len(item.advisors()) for item in knowledge.items),
    }


def _patterns(learner: Learner, game: Game) -> list[str]:
    known = learner.useful_knowledge.patterns if isinstance(learner, Hoyle) else None
    shown = [each for each in known.entries(game) if each.kind == known.name] if known else []
    return [f"{each.text}\n{each.title.partition(',')[0]}" for each in shown]


class Witness:
    """Counts of a player's decisions in testing: how many in positions unseen in learning, and Hoyle's comments.

    Positions that are equal but for symmetry are one.

    Args:
        game: The game.
        lessons: The contests of the learning phase.
    """

    def __init__(self, game: Game, lessons: Iterable[Record]) -> None:
        self._game = game
        self._views = ViewCache(frame_of(game))
        self._seen = {self._key(position) for record in lessons for position in record.positions(game)[:-1]}
        self._met: set[bytes] = set()
        self._counts: Counter[str] = Counter()
        self._comments: Counter[str] = Counter()

    def _key(self, position: Position) -> bytes:
        return self._views.view_of(position).key

    def watch(self, player: Policy, record: Record, seat: int) -> None:
        """Count the player's decisions in a contest of the testing phase."""
        for position in record.positions(self._game)[:-1]:
            if position.seat == seat:
                self._counts["decisions"] += 1
                key = self._key(position)
                self._met.add(key)
                self._counts["unseen"] += key not in self._seen
                if isinstance(player, HoylePlayer) and (decision := player.explain(position)).tier == 3:
                    self._counts["votes"] += 1
                    self._comments.update({comment.advisor for comment in decision.comments})

    def measures(self) -> dict[str, float]:
        """Return percentages by name.

        Of all decisions: those in unseen positions, and those by vote. Of the different positions: the unseen ones. Of
        votes, for each Advisor that ever commented: those it commented on.
        """
        decisions, votes = self._counts["decisions"], self._counts["votes"]
        if not decisions:
            return {}
        shares = {
            "unseen": 100 * self._counts["unseen"] / decisions,
            "unseen, different": 100 * len(self._met - self._seen) / len(self._met),
            "voted": 100 * votes / decisions,
        }
        spoken = {f"comments of {name}": 100 * count / votes for name, count in sorted(self._comments.items())}
        return {**shares, **spoken}
