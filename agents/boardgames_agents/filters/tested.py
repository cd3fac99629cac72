"""A learner that wraps another one and accepts its knowledge only if it does better in an exam."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.filters.parts import SelfTest
from boardgames_agents.filters.pipeline import FILTER_CURVES, Gate, Pipeline
from boardgames_agents.policy import ContestInfo, Episodes, Learner, Policy, Rng, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import agent, make_learner, make_player
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.position import Position

_LATEST, _PASSED = "latest ", "passed "


@agent("self_tested", curves={**FILTER_CURVES, "{name}": "the curves of its learner, as the learner says them"})
class SelfTested(Learner):
    """Another learner, whose knowledge is examined at intervals and undone or not used if it does no better.

    Args:
        learner: The learner's spec, such as ``"td(seed=1)"``.
        tester: The opponent in exams; by default the learner as it was before it learned anything.
        every: The number of contests between exams.
        contests: The number of contests in an exam, always with the same random numbers; its score is the mean of the
            points.
        place: The effect of failing: with ``acquisition`` learning goes on from the knowledge that passed last; with
            ``utilization`` learning goes on from the new knowledge, but the knowledge that passed last is played by.
        seed: Seed of the exams.

    Raises:
        BadInputError: If the learner does not learn, the tester is a person, or a number is not allowed.
    """

    def __init__(
        self,
        game: Game,
        learner: str = "td",
        tester: str = "",
        every: int = 1000,
        contests: int = 100,
        place: Literal["acquisition", "utilization"] = "acquisition",
        seed: int = 0,
    ) -> None:
        require(1, every=every, contests=contests)
        require(0, seed=seed)
        self._game, self._every, self._exam = game, every, (contests, seed)
        self._learner = make_learner(learner, game)
        self._candidate = make_learner(learner, game)  # takes the exams: the learner may be in a contest
        self._tester = make_player(tester or learner, game)
        if self._tester.interactive:
            raise BadInputError(f"tester={tester} is not allowed: a person cannot play the same exam again")
        self._first = self._passed = self._learner.snapshot()
        self._gate, self._undoes = Gate(SelfTest(self._score, lambda: self._first)), place == "acquisition"
        self._filters: Pipeline[Any, Snapshot] = Pipeline(**{place: self._gate})
        self._contests = 0

    def _score(self, snapshot: Snapshot) -> float:
        """Return the mean of the points in an exam, contests against the tester."""
        self._candidate.restore(snapshot)
        return tournament(self._game, self._candidate, self._tester, *self._exam).score.points_per_contest

    def prepare(self, info: ContestInfo) -> None:
        """Pass the information on."""
        super().prepare(info)
        self._learner.prepare(info)

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest of the learner."""
        super().begin(game, seats, rng)
        self._learner.begin(game, seats, rng)

    def choose(self, position: Position) -> int:
        """Return the learner's choice."""
        return self._learner.choose(position)

    def saw(self, position: Position, action: int) -> None:
        """Pass the action on to the learner."""
        self._learner.saw(position, action)

    def given(self, position: Position, action: int) -> None:
        """Pass the action on to the learner."""
        self._learner.given(position, action)

    def end(self, record: Record) -> None:
        """Finish the learner's contest, and examine it if an exam is due."""
        self._learner.end(record)
        self._count(1)

    def self_play(self, seed: Sequence[int], contests: range) -> Episodes | None:
        """Let the learner play itself, from exam to exam."""
        parts = []
        while len(contests):
            until_exam = self._every - self._contests % self._every
            part = self._learner.self_play(seed, contests[:until_exam])
            if part is None:
                return None
            parts.append(part)
            self._count(len(part.points))
            contests = contests[until_exam:]
        return Episodes(
            points=np.concatenate([part.points for part in parts]), plies=np.concatenate([part.plies for part in parts])
        )

    @property
    def teacher(self) -> Policy | None:
        """The learner's teacher."""
        return self._learner.teacher

    def _count(self, contests: int) -> None:
        """Count contests, and examine the knowledge if an exam is due."""
        self._contests += contests
        if self._contests % self._every:
            return
        learned = self._learner.snapshot()
        if self._gate.admits(learned):
            self._passed = learned
        elif self._undoes:
            self._learner.restore(self._passed)

    def frozen(self) -> Policy:
        """Return a player that uses the knowledge that passed last."""
        self._candidate.restore(self._passed)
        return self._candidate.frozen()

    def knowledge(self) -> Mapping[str, float]:
        """Return the learner's numbers, the counts of passed and failed exams, and the score to surpass."""
        return {**self._learner.knowledge(), **self._filters.counts()}

    def snapshot(self) -> Snapshot:
        """Return the learner's snapshot and the one that passed last."""
        latest, passed = self._learner.snapshot(), self._passed
        arrays = {_LATEST + name: array for name, array in latest.arrays.items()}
        arrays |= {_PASSED + name: array.copy() for name, array in passed.arrays.items()}
        data = {"learner": dict(latest.data), "passed": dict(passed.data), "filters": self._filters.snapshot()}
        return Snapshot(arrays, {**data, "contests": self._contests})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore both snapshots."""
        if set(snapshot.data) != {"learner", "passed", "filters", "contests"}:
            raise BadInputError("this is not a snapshot of a learner that is tested")
        latest, passed = (
            Snapshot(
                {name[len(of) :]: array.copy() for name, array in snapshot.arrays.items() if name.startswith(of)}, data
            )
            for of, data in ((_LATEST, snapshot.data["learner"]), (_PASSED, snapshot.data["passed"]))
        )
        for each in (latest, passed):
            self._candidate.restore(each)  # (raises for a wrong snapshot before anything has changed)
        self._filters.restore(snapshot.data["filters"])
        self._learner.restore(latest)
        self._passed = passed
        self._contests = int(snapshot.data["contests"])
