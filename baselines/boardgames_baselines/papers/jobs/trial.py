"""Trials: runs of learning and testing that differ in their seeds alone."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a, tournament
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.hoyle import Hoyle, HoylePlayer
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.policy import Episodes, Learner, Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import Meeting, make_trainer
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import Game, Position, make_game

_LEARNING, _TESTING = 0, 1


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


@dataclass(frozen=True)
class TrialRun(PaperJob):
    """One run of a trial.

    Contests of the learning phase are seeded with [seed, digest of the learning phase, number, 0, contest], those of
    the testing phase with [seed, digest, number, 1, challenger, contest], so no two runs have random numbers in common.
    Learners with an option ``seed`` have the number there.
    """

    trial: Trial

    def run(self) -> JsonResult:
        """Return the fields of `TrialResult`."""
        return asdict(play_run(self))

    @property
    def seeds(self) -> tuple[int, ...]:
        """The numbers that all its seeds begin with."""
        learning = {name: value for name, value in asdict(self.trial).items() if name not in ("challengers", "testing")}
        digest = hashlib.sha256(json.dumps(learning, sort_keys=True).encode()).hexdigest()
        return self.seed, int(digest[:8], 16), self.number


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
    def from_dict(cls, data: Mapping[str, Any]) -> "TrialResult":
        """Return the result of `TrialRun.run`."""
        scores = {name: Score(**fields) for name, fields in data["scores"].items()}
        return cls(data["course"], data["met"], scores, data["measures"], tuple(data["patterns"]))


def play_run(run: TrialRun) -> TrialResult:
    """Train the learner, then test it with learning turned off.

    Raises:
        BadInputError: If a spec or a number of the trial is not allowed.
    """
    trial = run.trial
    game = make_game(trial.game)
    learner = make_learner(trial.learner, game, run.number)
    witness = Witness(game)
    course, met = _learn(run, game, learner, witness)
    player = learner.frozen()
    player.spec = trial.learner
    scores: dict[str, Score] = {}
    for number, (name, challenger) in enumerate(trial.challengers):
        seeds = (*run.seeds, _TESTING, number)
        played = tournament(game, player, challenger, trial.testing, seeds, records=True)
        scores[name] = played.score
        for contest, record in enumerate(played.records):
            witness.watch(player, record, seat_of_a(contest))
    measures = {**learner.knowledge(), **_kept(learner), **witness.measures()}
    return TrialResult(course, met, scores, measures, _patterns(learner, game))


def _learn(run: TrialRun, game: Game, learner: Learner, witness: "Witness") -> tuple[str, bool]:
    """Play the learning phase. Return its course, and whether the standard was met."""
    trial = run.trial
    rule = StoppingRule(trial.contests, trial.standard)
    trainer = make_trainer(trial.trainer, game)
    course, streak = "", 0
    for step in TrainingLoop(game, learner, trainer, rule, (*run.seeds, _LEARNING), in_a_row=False).steps():
        assert not isinstance(step.played, Episodes)
        meeting, record = step.played
        course += _letter(meeting, record)
        witness.add(record)
        streak = step.streak
    return course, streak >= trial.standard


def _letter(meeting: Meeting, record: Record) -> str:
    if not meeting.seats:
        return "-"
    points = record.points_for(meeting.seats[0])
    if len(meeting.seats) == 2:
        return "x" if points else "d"
    return "W" if points > 0 else "L" if points < 0 else "D"


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


def _patterns(learner: Learner, game: Game) -> tuple[str, ...]:
    known = learner.useful_knowledge.patterns if isinstance(learner, Hoyle) else None
    shown = [each for each in known.entries(game) if each.kind == known.name] if known else []
    return tuple(f"{each.text}\n{each.title.partition(',')[0]}" for each in shown)


class Witness:
    """Counts of a player's decisions in testing: how many in positions unseen in learning, and Hoyle's comments.

    Positions that are equal but for symmetry are one.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._views = ViewCache(frame_of(game))
        self._seen: set[bytes] = set()
        self._met: set[bytes] = set()
        self._counts: Counter[str] = Counter()
        self._comments: Counter[str] = Counter()

    def add(self, record: Record) -> None:
        """Add the positions of a contest of the learning phase to those seen."""
        self._seen.update(self._key(position) for position in record.positions(self._game)[:-1])

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
                if isinstance(player, HoylePlayer):
                    self._listen(player, position)

    def _listen(self, player: HoylePlayer, position: Position) -> None:
        decision = player.explain(position)
        if decision.tier == 3:
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
