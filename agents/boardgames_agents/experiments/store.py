"""Results on disk: a line of JSON for each piece of work, so that an experiment that was killed goes on."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from boardgames_env.errors import BadInputError


class Work(Protocol):
    """A piece of work whose result depends on its description and on the program alone.

    The program is `agents` and `boardgames_env` (`experiments.runner.program`): what else a result is computed with
    belongs into the description, as a digest of its files.
    """

    def description(self) -> dict[str, Any]:
        """Everything that settles the result, as JSON can hold it."""

    def carry_out(self) -> dict[str, Any]:
        """The result, as JSON can hold it."""


class Store:
    """Results, kept by the descriptions of the work and the program that did it.

    A last line that a killed process has left unfinished is cut off. Results of another program stay in the file, and
    are not found. Several processes may add to it at once.

    Args:
        path: The file; made when the first result is added.
        program: A digest of everything in the program that results depend on.

    Raises:
        BadInputError: If a line of the file is damaged.
    """

    def __init__(self, path: Path, program: str) -> None:
        self._path = path
        self._program = program
        self._results: dict[str, dict[str, Any]] = {}
        if path.exists():
            self._read()

    def find(self, work: Work) -> dict[str, Any] | None:
        """The result of a piece of work, if it has been done."""
        return self._results.get(self._key(work))

    def add(self, work: Work, result: Mapping[str, Any]) -> None:
        """Keep a result."""
        self.add_all([(work, result)])

    def add_all(self, done: Sequence[tuple[Work, Mapping[str, Any]]]) -> None:
        """Keep results; it takes the disk hardly longer than one."""
        entries = [self._entry(work, result) for work, result in done]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            _wait_for(file)
            file.writelines(json.dumps(entry, sort_keys=True).encode() + b"\n" for entry in entries)
            file.flush()
            os.fsync(file.fileno())
        self._results.update((entry["key"], entry["result"]) for entry in entries)

    def _entry(self, work: Work, result: Mapping[str, Any]) -> dict[str, Any]:
        kept = json.loads(json.dumps(result))  # what is found now is what will be found later
        return {"key": self._key(work), "check": _digest(kept), "work": work.description(), "result": kept}

    def _key(self, work: Work) -> str:
        return _digest([self._program, work.description()])

    def _read(self) -> None:
        with self._path.open("r+b") as file:
            _wait_for(file)
            content = file.read()
            whole = content.rfind(b"\n") + 1
            file.truncate(whole)
        for number, line in enumerate(content[:whole].splitlines(), start=1):
            try:
                entry = json.loads(line)
                key, result, check = entry["key"], entry["result"], entry["check"]
            except (ValueError, KeyError, TypeError) as error:
                raise self._damaged(number, repr(error)) from error
            if check != _digest(result):
                raise self._damaged(number, "its checksum is wrong")
            self._results[key] = result

    def _damaged(self, line: int, why: str) -> BadInputError:
        return BadInputError(
            f"{self._path}, line {line} is damaged ({why}); remove that line, and its run is played again"
        )


def _wait_for(file: IO[bytes]) -> None:
    """Have an open file for oneself, until it is closed."""
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]
