"""Jobs for tests, in a module that other processes can import."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgames_agents.policy import Snapshot
from boardgames_env.errors import BadInputError


class Unstored:
    """A job whose result no store is to hold."""

    def description(self) -> dict[str, Any]:
        raise NotImplementedError


@dataclass(frozen=True)
class Square(Unstored):
    """Squares a number."""

    number: int

    def run(self) -> int:
        return self.number**2


@dataclass(frozen=True)
class Doubled:
    """Doubles a number; its result can be stored."""

    number: int

    def description(self) -> dict[str, Any]:
        return {"kind": "doubled", "number": self.number}

    def run(self) -> dict[str, Any]:
        return {"double": 2 * self.number}


@dataclass(frozen=True)
class Noted(Unstored):
    """Leaves a line in a file each time that it is begun: its number, and on which node of a cluster that was.

    On the node `doomed` it waits for its end, and elsewhere until that node has begun one, so that whatever the
    machine's load, that node is at work when it is killed.
    """

    number: int
    file: Path
    doomed: str
    seconds: float = 0.0

    def run(self) -> int:
        import ray

        node = ray.get_runtime_context().get_node_id()
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{self.number} {node}\n")
        latest = time.monotonic() + 120
        while time.monotonic() < latest and (
            node == self.doomed or self.doomed not in self.file.read_text(encoding="utf-8")
        ):
            time.sleep(0.05)
        time.sleep(self.seconds)
        return self.number


@dataclass(frozen=True)
class Refused(Unstored):
    """Cannot be done."""

    def run(self) -> int:
        raise BadInputError("this cannot be done")


@dataclass(frozen=True)
class Deadly(Unstored):
    """Takes its worker along."""

    def run(self) -> int:
        os._exit(1)


@dataclass(frozen=True)
class Sum(Unstored):
    """Adds up what has been learned."""

    learned: Snapshot

    def run(self) -> float:
        array = self.learned.arrays["numbers"]
        array += 1  # what has travelled is a copy of one's own
        return float(array.sum())
