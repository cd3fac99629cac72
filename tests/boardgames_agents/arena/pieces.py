"""Pieces of work for the tests of sweeps, in a module that other processes can import."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from boardgames_agents.policy import Snapshot
from boardgames_env.errors import BadInputError


@dataclass(frozen=True)
class Square:
    """Squares a number, in some seconds."""

    number: int
    seconds: float = 0.0

    def carry_out(self) -> int:
        time.sleep(self.seconds)
        return self.number**2


@dataclass(frozen=True)
class Noted:
    """Leaves a line in a file each time that it is begun: its number, and on which node of a cluster that was."""

    number: int
    file: Path
    seconds: float = 0.0

    def carry_out(self) -> int:
        import ray

        with self.file.open("a") as file:
            file.write(f"{self.number} {ray.get_runtime_context().get_node_id()}\n")
        time.sleep(self.seconds)
        return self.number


@dataclass(frozen=True)
class Refused:
    """Cannot be done."""

    def carry_out(self) -> int:
        raise BadInputError("this cannot be done")


@dataclass(frozen=True)
class Deadly:
    """Takes its worker along."""

    def carry_out(self) -> int:
        os._exit(1)


@dataclass(frozen=True)
class Sum:
    """Adds up what has been learned."""

    learned: Snapshot

    def carry_out(self) -> float:
        array = self.learned.arrays["numbers"]
        array += 1  # what has travelled is a copy of one's own
        return float(array.sum())
