"""Stored results of jobs, so that an experiment that was killed is resumed."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from boardgames_agents.experiments.job import Job, Result
from boardgames_env.files import FileKind, checksum, lock
from boardgames_env.json_file import parse_json

_LINE = FileKind("the result of a job", "remove it, and its job is run again")

JsonResult = dict[str, Any]
"""A result made of JSON's types."""


class JobStore(Protocol[Result]):
    """A store of results by jobs."""

    def find(self, job: Any) -> Result | None:
        """Return the result of a job, or ``None`` if it is not stored."""

    def add_all(self, done: Sequence[tuple[Any, Result]]) -> object:
        """Store the results of jobs, all or none."""


class ResultFile:
    """A file with a line of JSON for each result, by the job's description and the program.

    An unfinished last line, left by a process that was killed, is cut off. Several processes may add to the
    file at once.

    Args:
        path: The file; made when the first result is added.
        program: A digest of everything in the program that results depend on.

    Raises:
        BadInputError: If a line of the file is damaged.

    Attributes:
        ignored: The number of results of other programs: they stay in the file and are not found.
    """

    def __init__(self, path: Path, program: str) -> None:
        self.ignored = 0
        self._path = path
        self._program = program
        self._results: dict[str, JsonResult] = {}
        if path.exists():
            self._read()

    def find(self, job: Job[JsonResult]) -> JsonResult | None:
        """Return the result of a job, or ``None`` if it is not stored."""
        return self._results.get(self._key(job))

    def add_all(self, done: Sequence[tuple[Job[JsonResult], JsonResult]]) -> None:
        """Store results; many take the disk hardly longer than one."""
        entries = [self._entry(job, result) for job, result in done]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            lock(file)
            file.writelines(json.dumps(entry, sort_keys=True).encode() + b"\n" for entry in entries)
            file.flush()
            os.fsync(file.fileno())
        self._results.update((entry["key"], entry["result"]) for entry in entries)

    def _entry(self, job: Job[JsonResult], result: JsonResult) -> dict[str, Any]:
        entry = {"key": self._key(job), "program": self._program, "job": job.description(), "result": result}
        kept = json.loads(json.dumps(entry))  # so that it is the same now as when it is read back
        return {**kept, "check": _digest_of_entry(kept)}

    def _key(self, job: Job[JsonResult]) -> str:
        return _digest_of_entry([self._program, job.description()])

    def _read(self) -> None:
        with self._path.open("r+b") as file:
            lock(file)
            content = file.read()
            whole = content.rfind(b"\n") + 1
            file.truncate(whole)
        for number, line in enumerate(content[:whole].splitlines(), start=1):
            name = f"{self._path}, line {number}"
            entry = parse_json(line, name, _LINE)
            _LINE.demand_whole(name, entry.pop("check", None), _digest_of_entry(entry))
            with _LINE.reading(name):
                program, key, result = entry["program"], entry["key"], entry["result"]
            if program == self._program:
                self._results[key] = result
            else:
                self.ignored += 1


def _digest_of_entry(data: object) -> str:
    return checksum(data)[:32]
