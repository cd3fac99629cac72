"""Gates at which a learner holds information back, on its way from experience to use.

Markovitch and Scott (1989) describe a learner as a channel: instances are drawn from experiences, knowledge is acquired
from instances, retained and used. A filter may stand at each of these five places. Three of them have a gate here:

=============== ==================================== ============================================
gate            judges                               effect of a refusal
=============== ==================================== ============================================
``experience``  an experience                        nothing is learned from the experience
``acquisition`` the knowledge proposed after it      the previous knowledge stays
``utilization`` knowledge that has been acquired     it is kept, but not played by
=============== ==================================== ============================================

(No learner of this package filters the instances of an experience or gives up knowledge again, so there are no gates
for attention and retention.)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from boardgames_env.errors import BadInputError

Item = TypeVar("Item")
Experience = TypeVar("Experience")
Knowledge = TypeVar("Knowledge")


class Filter(ABC, Generic[Item]):
    """A test that an item must pass."""

    name: str = ""
    """The filter's name in the log."""

    @abstractmethod
    def admits(self, item: Item) -> bool:
        """Return whether the item passes the test."""

    def passed(self, item: Item) -> None:
        """Note that the item admitted last was admitted by all filters of the gate."""

    def knowledge(self) -> Mapping[str, float]:
        """Return named numbers for the log."""
        return {}

    def snapshot(self) -> Mapping[str, float]:
        """Return the filter's state, for `restore`."""
        return {}

    def restore(self, data: Mapping[str, float]) -> None:
        """Restore the state of a snapshot."""


FILTER_CURVES = {
    "accepted by {filter}": "number of items that the filter has accepted",
    "refused by {filter}": "number of items that it has refused",
    "exams": "number of exams of the filter self-test",
    "self-test score": "score, in the exam, of the knowledge that it accepted last",
}
"""The curves of a learner with filters."""


class Gate(Generic[Item]):
    """The filters at one place, asked in order up to the first refusal; list cheap ones first.

    ``accepted`` and ``refused`` hold the number of items for each filter.
    """

    def __init__(self, *filters: Filter[Item]) -> None:
        self.filters = filters
        self.accepted = [0] * len(filters)
        self.refused = [0] * len(filters)

    def admits(self, item: Item) -> bool:
        """Return whether every filter admits the item; a gate without filters admits everything."""
        for number, each in enumerate(self.filters):
            if not each.admits(item):
                self.refused[number] += 1
                return False
            self.accepted[number] += 1
        for each in self.filters:
            each.passed(item)
        return True


@dataclass(frozen=True)
class Pipeline(Generic[Experience, Knowledge]):
    """The gates of a learner; one without filters is open."""

    experience: Gate[Experience] = field(default_factory=Gate)
    acquisition: Gate[Knowledge] = field(default_factory=Gate)
    utilization: Gate[Knowledge] = field(default_factory=Gate)

    def learn(
        self,
        knowledge: Knowledge,
        experience: Experience,
        acquire: Callable[[Knowledge, Experience], Knowledge | None],
    ) -> Knowledge:
        """Return the knowledge after an experience, which passes the first two gates.

        ``acquire`` returns the knowledge proposed after it, or ``None`` if nothing is learned from it.
        """
        if self.experience.admits(experience):
            proposed = acquire(knowledge, experience)
            if proposed is not None and self.acquisition.admits(proposed):
                return proposed
        return knowledge

    def counts(self) -> dict[str, float]:
        """Return, for the log, how many items each filter has accepted and refused, and its own numbers."""
        found: dict[str, float] = {}
        for gate in self._gates().values():
            for each, accepted, refused in zip(gate.filters, gate.accepted, gate.refused, strict=True):
                found |= {f"accepted by {each.name}": accepted, f"refused by {each.name}": refused}
                found |= each.knowledge()
        return found

    def snapshot(self) -> dict[str, Any]:
        """Return the counts of the gates and the state of their filters, as JSON can hold it."""
        return {
            place: {
                "accepted": list(gate.accepted),
                "refused": list(gate.refused),
                "filters": [[each.name, dict(each.snapshot())] for each in gate.filters],
            }
            for place, gate in self._gates().items()
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore a snapshot.

        Raises:
            BadInputError: If it is the snapshot of another pipeline.
        """
        gates = self._gates()
        if {place: [name for name, _ in each["filters"]] for place, each in data.items()} != {
            place: [each.name for each in gate.filters] for place, gate in gates.items()
        }:
            raise BadInputError("the snapshot is one of a learner with other filters")
        for place, gate in gates.items():
            gate.accepted[:], gate.refused[:] = data[place]["accepted"], data[place]["refused"]
            for each, (_, state) in zip(gate.filters, data[place]["filters"], strict=True):
                each.restore(state)

    def _gates(self) -> dict[str, Gate[Any]]:
        """Return the gates that have filters, by place."""
        gates = {place.name: getattr(self, place.name) for place in fields(self)}
        return {place: gate for place, gate in gates.items() if gate.filters}
