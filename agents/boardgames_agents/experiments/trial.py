"""Trials: runs of learning and testing that differ in their seeds alone (Epstein 1994, section 2.1; 2001, 5)."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a, tournament
from boardgames_agents.hoyle import Hoyle, HoylePlayer
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.policy import Learner, Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_agents.training.regime import StoppingRule, streak_after
from boardgames_agents.training.trainers import Meeting, make_trainer
from boardgames_env import Game, Position, make_game
from boardgames_env.errors import BadInputError

_LEARNING, _TESTING = 0, 1


@dataclass(frozen=True)
class Trial:
    """What the runs of a trial have in common.

    Attributes:
        game: The game's spec.
        learner: The learner's spec.
        trainer: The trainer's spec.
        contests: Contests after which learning ends at the latest.
        standard: The behavioral standard n; 0 for none.
        challengers: Names and specs of whom the learner is tested against.
        testing: Contests against each challenger.
    """

    game: str
    learner: str
    trainer: str
    contests: int
    standard: int = 0
    challengers: tuple[tuple[str, str], ...] = ()
    testing: int = 20


@dataclass(frozen=True)
class Run:
    """One run of a trial.

    The learning phase draws its chances from [seed, a digest of all that settles it, run, 0, contest], the testing
    phase from [the same, 1, challenger, contest]: no two runs, of one trial or of two, have chances in common.

    Attributes:
        trial: The trial.
        number: Which of its runs, from 0.
        seed: The experiment's seed.
    """

    trial: Trial
    number: int
    seed: int

    def description(self) -> dict[str, Any]:
        """Everything that settles the result."""
        return {"kind": "run", **asdict(self)}

    def carry_out(self) -> dict[str, Any]:
        """Learn and be tested: the fields of `RunResult`."""
        return play_run(self).as_dict()

    @property
    def seeds(self) -> tuple[int, ...]:
        """The whole numbers that all its chances begin with."""
        learning = {name: value for name, value in asdict(self.trial).items() if name not in ("challengers", "testing")}
        digest = hashlib.sha256(json.dumps(learning, sort_keys=True).encode()).hexdigest()
        return self.seed, int(digest[:8], 16), self.number


@dataclass(frozen=True)
class RunResult:
    """What a run came to.

    Attributes:
        course: A letter for each contest of the learning phase: ``W``, ``D`` or ``L`` against a trainer (won, drawn
            or lost by the learner), ``d`` or ``x`` in practice against itself (drawn or not), ``-`` if it watched.
        met: Whether the behavioral standard was met; true if there is none.
        scores: The learner's score against each challenger.
        measures: Other numbers by name: what is known after learning, and what was seen in testing.
        patterns: The patterns that are known after learning, drawn with characters, with who wins where they are seen.
    """

    course: str
    met: bool
    scores: Mapping[str, Score]
    measures: Mapping[str, float]
    patterns: tuple[str, ...] = ()

    @property
    def contests(self) -> int:
        """Contests of the learning phase."""
        return len(self.course)

    @property
    def lessons(self) -> int:
        """Those against a trainer outside the learner."""
        return sum(letter in "WDL" for letter in self.course)

    def as_dict(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        scores = {name: asdict(score) for name, score in self.scores.items()}
        return {**vars(self), "scores": scores}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "RunResult":
        """What `as_dict` has told of."""
        scores = {name: Score(**fields) for name, fields in data["scores"].items()}
        return cls(data["course"], data["met"], scores, data["measures"], tuple(data["patterns"]))


def play_run(run: Run) -> RunResult:
    """Learn, then be tested with learning turned off.

    Raises:
        BadInputError: If the trial names no game, learner, trainer or challenger, or its numbers are not allowed.
    """
    trial = run.trial
    game = make_game(trial.game)
    learner = make_agent(trial.learner, game)
    if not isinstance(learner, Learner):
        raise BadInputError(f"{trial.learner} does not learn; a trial needs a learner, such as hoyle")
    seen = Positions(game)
    course, met = _learn(run, game, learner, seen)
    player = learner.frozen()
    player.spec = trial.learner
    scores: dict[str, Score] = {}
    witness = Witness(player, seen)
    for number, (name, challenger) in enumerate(trial.challengers):
        seeds = (*run.seeds, _TESTING, number)
        played = tournament(game, player, challenger, trial.testing, seeds, records=True)
        scores[name] = played.score
        for contest, record in enumerate(played.records):
            witness.watch(record, seat_of_a(contest))
    measures = {**learner.knowledge(), **_kept(learner), **witness.measures()}
    return RunResult(course, met, scores, measures, tuple(_patterns(learner, game)))


def _learn(run: Run, game: Game, learner: Learner, seen: "Positions") -> tuple[str, bool]:
    """The learning phase: its course, and whether the standard was met."""
    trial = run.trial
    rule = StoppingRule(trial.contests, trial.standard)
    trainer = make_trainer(trial.trainer, game)
    course, streak = "", 0
    while not rule.is_met(len(course), streak):
        meeting = trainer.meeting(len(course), learner)
        record = meeting.play(game, learner, (*run.seeds, _LEARNING, len(course)))
        streak = streak_after(streak, meeting, record)
        course += _letter(meeting, record)
        seen.add(record)
    return course, streak >= trial.standard


def _letter(meeting: Meeting, record: Record) -> str:
    if not meeting.seats:
        return "-"
    points = record.points_for(meeting.seats[0])
    if len(meeting.seats) == 2:
        return "x" if points else "d"
    return "W" if points > 0 else "L" if points < 0 else "D"


def _kept(learner: Learner) -> dict[str, float]:
    """The columns of Epstein 2001, Table 8.6, that are no items of their own."""
    if not isinstance(learner, Hoyle):
        return {}
    knowledge = learner.useful_knowledge
    return {
        "significant states": len(knowledge.states.significant),
        "dangerous states": len(knowledge.states.dangerous),
        "new Advisors": sum(len(item.advisors()) for item in knowledge.items),
    }


def _patterns(learner: Learner, game: Game) -> Iterator[str]:
    known = learner.useful_knowledge.patterns if isinstance(learner, Hoyle) else None
    if known is None:
        return
    for shown in known.entries(game):
        if shown.kind == known.name:
            yield f"{shown.text}\n{shown.title.partition(',')[0]}"


class Positions:
    """Positions that have been seen, those alike that are the same but for symmetry.

    Args:
        game: The game.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._views = ViewCache(frame_of(game))
        self._keys: set[bytes] = set()

    def add(self, record: Record) -> None:
        """A contest was seen."""
        self._keys.update(self.key(position) for position in self.of(record))

    def __contains__(self, key: bytes) -> bool:
        return key in self._keys

    def key(self, position: Position) -> bytes:
        """The same for positions that are the same but for symmetry."""
        return self._views.view_of(position).key

    def of(self, record: Record) -> list[Position]:
        """The positions of a contest in which somebody was to move."""
        return list(record.positions(self._game)[:-1])


class Witness:
    """Counts what a player meets in testing: positions it has never seen in learning, and who comments on them.

    Args:
        player: The player; only Hoyle has comments.
        seen: What was seen in learning.
    """

    def __init__(self, player: Policy, seen: Positions) -> None:
        self._player = player
        self._seen = seen
        self._met: set[bytes] = set()
        self._counts: Counter[str] = Counter()
        self._comments: Counter[str] = Counter()

    def watch(self, record: Record, seat: int) -> None:
        """A contest of testing, in which the player had a seat."""
        for position in self._seen.of(record):
            if position.seat == seat:
                self._counts["decisions"] += 1
                key = self._seen.key(position)
                self._met.add(key)
                self._counts["unseen"] += key not in self._seen
                if isinstance(self._player, HoylePlayer):
                    self._listen(self._player, position)

    def _listen(self, player: HoylePlayer, position: Position) -> None:
        decision = player.explain(position)
        if decision.tier == 3:
            self._counts["votes"] += 1
            self._comments.update({comment.advisor for comment in decision.comments})

    def measures(self) -> dict[str, float]:
        """Percentages, by name.

        Of decisions: those in unseen positions, and those by vote. Of the different positions: those unseen. Of votes:
        those in which an Advisor commented, for each that ever did.
        """
        decisions, votes = self._counts["decisions"], self._counts["votes"]
        if not decisions:
            return {}
        shares = {
            "unseen": 100 * self._counts["unseen"] / decisions,
            "unseen, different": 100 * sum(key not in self._seen for key in self._met) / len(self._met),
            "voted": 100 * votes / decisions,
        }
        spoken = {f"comments of {name}": 100 * count / votes for name, count in sorted(self._comments.items())}
        return {**shares, **spoken}
