"""The filters of Hasson, Markovitch and Sella (section 4), for items of any kind."""

from collections.abc import Callable, Mapping, Sequence

from boardgames_agents.filters.pipeline import Filter, Item


class Significant(Filter[Item]):
    """Admits what differs significantly from what was expected: other experiences teach little.

    Args:
        difference: Between the actual and the expected score of an item.
        threshold: The least difference that is significant, either way; 0 admits everything.
    """

    name = "significance"

    def __init__(self, difference: Callable[[Item], float], threshold: float) -> None:
        self._difference, self._threshold = difference, threshold

    def admits(self, item: Item) -> bool:
        """Whether actual and expected score are so far apart."""
        return abs(self._difference(item)) >= self._threshold


class DomainRules(Filter[Item]):
    """Admits what makes sense by rules of the domain, which cost next to nothing to ask.

    Args:
        rules: What must hold of an item.
    """

    name = "domain rules"

    def __init__(self, rules: Sequence[Callable[[Item], bool]]) -> None:
        self._rules = tuple(rules)

    def admits(self, item: Item) -> bool:
        """Whether every rule holds."""
        return all(rule(item) for rule in self._rules)


class SelfTest(Filter[Item]):
    """Admits what does better in an exam than what was admitted last, strictly; each judgement costs an exam.

    So the score of what is admitted never falls. The exam is the learner's own: how far its score is one of luck with
    that exam is for another to tell, which the filter never sees.

    Args:
        exam: The score of an item.
        first: What the first item must do better than; it sits the exam when it must.
    """

    name = "self-test"

    def __init__(self, exam: Callable[[Item], float], first: Callable[[], Item]) -> None:
        self._exam, self._first = exam, first
        self._exams = 0
        self._last: float | None = None
        self._latest = 0.0

    @property
    def score(self) -> float:
        """The score of what was admitted last."""
        if self._last is None:
            self._last = self._sit(self._first())
        return self._last

    def admits(self, item: Item) -> bool:
        """Whether it does better than what was admitted last."""
        last = self.score
        self._latest = self._sit(item)
        return self._latest > last

    def passed(self, item: Item) -> None:
        """From now on, this is to be bettered."""
        self._last = self._latest

    def _sit(self, item: Item) -> float:
        self._exams += 1
        return float(self._exam(item))

    def knowledge(self) -> Mapping[str, float]:
        """How many exams were held, and the score of what was admitted last once there is one."""
        held: dict[str, float] = {"exams": self._exams}
        return held if self._last is None else held | {"self-test score": self._last}

    def snapshot(self) -> Mapping[str, float]:
        """How many exams were held, and the last score."""
        return {"exams": self._exams} | ({} if self._last is None else {"last": self._last})

    def restore(self, data: Mapping[str, float]) -> None:
        """Go on from there."""
        self._exams, self._last = int(data["exams"]), data.get("last")
