"""The five places at which a learner may hold information back, on its way from experience to use.

Markovitch and Scott (1989) see a learner as a channel: experiences are met, instances are drawn from them, knowledge is
acquired from instances, kept, and used. At each place a filter may stand, and let through only what is likely to help:

=============== ================================== ===========================================================
place           what is judged there               what the gate's refusal means
=============== ================================== ===========================================================
``experience``  an experience                      it is passed over, and nothing drawn from it
``attention``   an instance drawn from it          nothing is learned from that instance
``acquisition`` the knowledge proposed after it    what was known before stays
``retention``   knowledge that was acquired        it is given up
``utilization`` knowledge that is kept             it is kept, and not played by
=============== ================================== ===========================================================

What the items are is the learner's own affair: a filter is made for a kind of item, or told how to measure it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from boardgames_env.errors import BadInputError

Item = TypeVar("Item")
Experience = TypeVar("Experience")
Instance = TypeVar("Instance")
Knowledge = TypeVar("Knowledge")


class Filter(ABC, Generic[Item]):
    """Lets through what is likely to help.

    Attributes:
        name: What the log calls it.
    """

    name: str = ""

    @abstractmethod
    def admits(self, item: Item) -> bool:
        """Whether an item may pass."""

    def passed(self, item: Item) -> None:
        """The item it has just admitted was admitted by all filters of its gate."""

    def knowledge(self) -> Mapping[str, float]:
        """Named numbers of its own, for the log."""
        return {}

    def snapshot(self) -> Mapping[str, float]:
        """What it remembers, if it remembers anything; `restore` brings it back."""
        return {}

    def restore(self, data: Mapping[str, float]) -> None:
        """Remember what a snapshot says."""


class Gate(Generic[Item]):
    """The filters at one place: an item is asked of one after the other, up to the first that refuses it.

    So the cheap ones stand before the dear ones.

    Attributes:
        filters: The filters.
        accepted: How many items each has admitted,
        refused: and how many refused, in their order.
    """

    def __init__(self, *filters: Filter[Item]) -> None:
        self.filters = filters
        self.accepted = [0] * len(filters)
        self.refused = [0] * len(filters)

    def admits(self, item: Item) -> bool:
        """Whether every filter admits an item; all do where there are none."""
        for number, each in enumerate(self.filters):
            if not each.admits(item):
                self.refused[number] += 1
                return False
            self.accepted[number] += 1
        for each in self.filters:
            each.passed(item)
        return True


@dataclass(frozen=True)
class Pipeline(Generic[Experience, Instance, Knowledge]):
    """A gate at each of the five places; one without filters is open."""

    experience: Gate[Experience] = field(default_factory=Gate)
    attention: Gate[Instance] = field(default_factory=Gate)
    acquisition: Gate[Knowledge] = field(default_factory=Gate)
    retention: Gate[Knowledge] = field(default_factory=Gate)
    utilization: Gate[Knowledge] = field(default_factory=Gate)

    def learn(
        self,
        knowledge: Knowledge,
        experience: Experience,
        attend: Callable[[Experience], Iterable[Instance]],
        acquire: Callable[[Knowledge, Instance], Knowledge | None],
    ) -> Knowledge:
        """What is known after an experience: the way through the first three gates.

        Args:
            knowledge: What is known before it.
            experience: The experience.
            attend: Draws instances from it.
            acquire: What would be known after an instance; ``None`` if it teaches nothing.
        """
        if self.experience.admits(experience):
            for instance in attend(experience):
                proposed = acquire(knowledge, instance) if self.attention.admits(instance) else None
                if proposed is not None and self.acquisition.admits(proposed):
                    knowledge = proposed
        return knowledge

    def retained(self, kept: Iterable[Knowledge]) -> list[Knowledge]:
        """What of the knowledge is still kept: the fourth gate."""
        return [each for each in kept if self.retention.admits(each)]

    def used(self, kept: Iterable[Knowledge]) -> list[Knowledge]:
        """What of the knowledge is played by: the fifth gate."""
        return [each for each in kept if self.utilization.admits(each)]

    def counts(self) -> dict[str, float]:
        """For the log: how many items each filter has accepted and refused, and its own numbers."""
        found: dict[str, float] = {}
        for gate in self._gates().values():
            for each, accepted, refused in zip(gate.filters, gate.accepted, gate.refused, strict=True):
                found |= {f"accepted by {each.name}": accepted, f"refused by {each.name}": refused}
                found |= each.knowledge()
        return found

    def snapshot(self) -> dict[str, Any]:
        """What the gates have counted and their filters remember, as JSON can hold it."""
        return {
            place: {
                "accepted": list(gate.accepted),
                "refused": list(gate.refused),
                "filters": [[each.name, dict(each.snapshot())] for each in gate.filters],
            }
            for place, gate in self._gates().items()
            if gate.filters
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Go on from a snapshot.

        Raises:
            BadInputError: If it is the snapshot of another pipeline.
        """
        gates = {place: gate for place, gate in self._gates().items() if gate.filters}
        if {place: [name for name, _ in each["filters"]] for place, each in data.items()} != {
            place: [each.name for each in gate.filters] for place, gate in gates.items()
        }:
            raise BadInputError("the snapshot is one of a learner with other filters")
        for place, gate in gates.items():
            gate.accepted[:], gate.refused[:] = data[place]["accepted"], data[place]["refused"]
            for each, (_, remembered) in zip(gate.filters, data[place]["filters"], strict=True):
                each.restore(remembered)

    def _gates(self) -> dict[str, Gate[Any]]:
        return {place.name: getattr(self, place.name) for place in fields(self)}
