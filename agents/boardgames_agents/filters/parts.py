"""The filters of Hasson, Markovitch and Sella (section 4), for items of any kind."""

from collections.abc import Callable, Mapping

from boardgames_agents.filters.pipeline import Filter, Item


class Rule(Filter[Item]):
    """Admits items that satisfy a rule, which is cheap to check."""

    def __init__(self, name: str, rule: Callable[[Item], bool]) -> None:
        self.name = name
        self._rule = rule

    def admits(self, item: Item) -> bool:
        """Return whether the rule holds."""
        return self._rule(item)


class SelfTest(Filter[Item]):
    """Admits items with a higher exam score than the item admitted last; each decision costs an exam.

    The score of admitted items therefore never falls. It is the score in the learner's own exam: how much of it is
    luck with that exam must be measured by another exam, which the filter never sees.

    ``first`` returns the item that the first candidate must surpass; it is examined when it is first needed.
    """

    name = "self-test"

    def __init__(self, exam: Callable[[Item], float], first: Callable[[], Item]) -> None:
        self._exam, self._first = exam, first
        self._exams = 0
        self._last: float | None = None
        self._latest = 0.0

    def admits(self, item: Item) -> bool:
        """Return whether the item scores higher than the one admitted last."""
        if self._last is None:
            self._last = self._sit(self._first())
        self._latest = self._sit(item)
        return self._latest > self._last

    def passed(self, item: Item) -> None:
        """Take the item's score as the one to surpass."""
        self._last = self._latest

    def _sit(self, item: Item) -> float:
        self._exams += 1
        return float(self._exam(item))

    def knowledge(self) -> Mapping[str, float]:
        """Return the number of exams and, once there is one, the score of the item admitted last."""
        held: dict[str, float] = {"exams": self._exams}
        return held if self._last is None else held | {"self-test score": self._last}

    def snapshot(self) -> Mapping[str, float]:
        """Return the number of exams and the last score."""
        return {"exams": self._exams} | ({} if self._last is None else {"last": self._last})

    def restore(self, data: Mapping[str, float]) -> None:
        """Restore the state of a snapshot."""
        self._exams, self._last = int(data["exams"]), data.get("last")
