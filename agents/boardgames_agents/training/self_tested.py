"""Filters of knowledge, and the agent that filters the knowledge of any other learner.

Knowledge is harmful if an agent plays worse with it than without it (Markovitch and Scott 1989).

Sources: S. Markovitch and P. D. Scott, *Information filters and their implementation in the SYLLOG system*, Machine
Learning Workshop (1989); R. A. Hasson, S. Markovitch and Y. Sella, *Using Filters to Improve the Efficiency of
Game-playing Learning Procedures*, sections 1 and 4.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.policy import ContestInfo, Episodes, Learner, Policy, Rng, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import agent, make_learner, make_player
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.position import Position

FILTER_CURVES = {
    "accepted by {filter}": "number of items that the filter has accepted",
    "refused by {filter}": "number of items that it has refused",
    "exams": "number of exams of the filter self-test",
    "self-test score": "score, in the exam, of the knowledge that it accepted last",
}
"""The curves of a learner with filters."""

_LATEST, _PASSED = "latest ", "passed "

Item = TypeVar("Item")


class Filter(Generic[Item]):
    """A test that items must pass.

    Args:
        name: Its name in the log.
        test: Whether an item passes.

    Attributes:
        accepted: The number of items that have passed.
        refused: The number of items that have not.
    """

    def __init__(self, name: str, test: Callable[[Item], bool]) -> None:
        self.name, self._test = name, test
        self.accepted = self.refused = 0

    def admits(self, item: Item) -> bool:
        """Return whether the item passes the test, and count it."""
        passes = self._test(item)
        self.accepted, self.refused = self.accepted + passes, self.refused + (not passes)
        return passes

    def knowledge(self) -> dict[str, float]:
        """Return the counts for the log."""
        return {f"accepted by {self.name}": self.accepted, f"refused by {self.name}": self.refused}

    def snapshot(self) -> dict[str, float]:
        """Return the filter's state other than the counts, for `restore`."""
        return {}

    def restore(self, data: Mapping[str, float]) -> None:
        """Restore the state of a snapshot."""


class SelfTest(Filter[Item]):
    """A filter that admits items with a higher exam score than the item admitted last; each decision costs an exam.

    The score of admitted items therefore never falls. It is the score in the learner's own exam: how much of it is
    luck with that exam must be measured by another exam, which the filter never sees. It must be the last filter of its
    place, because the item it admits is the next to surpass.

    Args:
        exam: The score of an item.
        first: The item that the first candidate must surpass; it is examined when it is first needed.
    """

    def __init__(self, exam: Callable[[Item], float], first: Callable[[], Item]) -> None:
        super().__init__("self-test", self._surpasses)
        self._exam, self._first = exam, first
        self._exams = 0
        self._last: float | None = None

    def _surpasses(self, item: Item) -> bool:
        """Return whether the item scores higher than the one admitted last, and then take its score as the next."""
        if self._last is None:
            self._last = self._sit(self._first())
        score, last = self._sit(item), self._last
        self._last = max(score, last)
        return score > last

    def _sit(self, item: Item) -> float:
        self._exams += 1
        return float(self._exam(item))

    def knowledge(self) -> dict[str, float]:
        """Return the counts, the number of exams and, once there is one, the score of the item admitted last."""
        score = {} if self._last is None else {"self-test score": self._last}
        return super().knowledge() | {"exams": self._exams} | score

    def snapshot(self) -> dict[str, float]:
        """Return the number of exams and the last score."""
        return {"exams": self._exams} | ({} if self._last is None else {"last": self._last})

    def restore(self, data: Mapping[str, float]) -> None:
        """Restore the state of a snapshot."""
        self._exams, self._last = int(data["exams"]), data.get("last")


class Filters:
    """The filters of a learner by the place at which they stand, asked in order up to the first refusal.

    The places are those of Markovitch and Scott (1989) that learners here have: ``experience`` before anything is
    learned from one, ``acquisition`` before new knowledge takes the place of the previous, and ``utilization`` before
    acquired knowledge is played by. List cheap filters first.
    """

    def __init__(self, **places: Sequence[Filter[Any]]) -> None:
        self._places = {place: filters for place, filters in places.items() if filters}

    def admit(self, place: str, item: object) -> bool:
        """Return whether every filter of a place admits an item; a place without filters admits everything."""
        return all(each.admits(item) for each in self._places.get(place, ()))

    def knowledge(self) -> dict[str, float]:
        """Return, for the log, how many items each filter has accepted and refused, and its own numbers."""
        every = [each.knowledge() for filters in self._places.values() for each in filters]
        return {name: number for numbers in every for name, number in numbers.items()}

    def snapshot(self) -> dict[str, Any]:
        """Return the counts and the state of the filters, as JSON can hold it."""
        return {
            place: {
                "accepted": [each.accepted for each in filters],
                "refused": [each.refused for each in filters],
                "filters": [[each.name, each.snapshot()] for each in filters],
            }
            for place, filters in self._places.items()
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore a snapshot.

        Raises:
            BadInputError: If it is the snapshot of other filters.
        """
        saved = {place: [name for name, _ in each["filters"]] for place, each in data.items()}
        if saved != {place: [each.name for each in filters] for place, filters in self._places.items()}:
            raise BadInputError("the snapshot is one of a learner with other filters")
        for place, filters in self._places.items():
            counts = data[place]["accepted"], data[place]["refused"], data[place]["filters"]
            for each, accepted, refused, (_, state) in zip(filters, *counts, strict=True):
                each.accepted, each.refused = accepted, refused
                each.restore(state)


@agent(
    "self_tested",
    for_people="Learner that tests itself: forgets again what has made it no better",
    curves={**FILTER_CURVES, "{name}": "the curves of its learner, as the learner says them"},
)
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
        self._place = place
        self._filters = Filters(**{place: [SelfTest(self._score, lambda: self._first)]})
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
        if self._filters.admit(self._place, learned):
            self._passed = learned
        elif self._place == "acquisition":
            self._learner.restore(self._passed)

    def frozen(self) -> Policy:
        """Return a player that uses the knowledge that passed last."""
        self._candidate.restore(self._passed)
        return self._candidate.frozen()

    def knowledge(self) -> Mapping[str, float]:
        """Return the learner's numbers, the counts of passed and failed exams, and the score to surpass."""
        return {**self._learner.knowledge(), **self._filters.knowledge()}

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
