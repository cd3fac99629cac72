"""Commands of this program that pages start: each is a process of its own, so that contests do not wait for it.

A command works on a folder. It ends with the server; what it has done until then is in the folder.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO

from boardgames_agents.experiments.program import own_imports
from boardgames_env.errors import BadInputError

_NICENESS = 10
_PATIENCE = 10.0
"""Seconds that a command has to end before it is killed."""

_LONGEST_ERROR = 2_000


@dataclass(frozen=True)
class _Started:
    name: str
    process: subprocess.Popen[bytes]
    errors: IO[bytes]

    @property
    def has_done_its_work(self) -> bool:
        return self.process.poll() == 0


class Commands:
    """The commands of the server, at most ``most`` at once."""

    def __init__(self, most: int = 2) -> None:
        self._most = most
        self._started: dict[Path, _Started] = {}
        self._lock = Lock()

    def start(self, folder: Path, name: str, *arguments: str) -> None:
        """Start a command that works on a folder.

        Raises:
            BadInputError: If too many commands run, or one works on the folder.
        """
        with self._lock:
            running = [each for each, started in self._started.items() if started.process.poll() is None]
            if folder in running:
                raise BadInputError(f"a command works on {folder.name} already; wait for its end, or stop it")
            if len(running) >= self._most:
                raise BadInputError(
                    f"{len(running)} trainings or tests that pages have started are running; stop one, or wait"
                )
            for each in [folder, *(each for each, started in self._started.items() if started.has_done_its_work)]:
                self._forget(each)
            self._started[folder] = _started(name, arguments)

    def knows(self, folder: Path) -> bool:
        """Return whether a command has been started on a folder."""
        return folder in self._started

    def running(self, folder: Path) -> str:
        """Return the name of the command that works on a folder; empty if none does."""
        started = self._started.get(folder)
        return started.name if started and started.process.poll() is None else ""

    def failure(self, folder: Path) -> str:
        """Return the last sentence of the last command on a folder, if that has failed; otherwise nothing."""
        started = self._started.get(folder)
        if started is None or not (started.process.poll() or 0) > 0:  # (one that was stopped has a negative code)
            return ""
        return _last_line(started.errors)

    def stop(self, folder: Path) -> None:
        """End the command that works on a folder, and wait until it has ended."""
        started = self._started.get(folder)
        if started:
            started.process.terminate()
            _end(started)

    def close(self) -> None:
        """End all commands."""
        for started in self._started.values():
            started.process.terminate()
        for folder, started in list(self._started.items()):
            _end(started)
            self._forget(folder)

    def _forget(self, folder: Path) -> None:
        if started := self._started.pop(folder, None):
            started.errors.close()


def _started(name: str, arguments: Sequence[str]) -> _Started:
    errors = tempfile.TemporaryFile()  # noqa: SIM115  (it is read when the command has ended)
    imports = [word for each in own_imports() for word in ("--import", each)]
    process = subprocess.Popen(
        [sys.executable, "-m", "boardgames_cli", *imports, name, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,  # (Ctrl-C is for the server, which then ends its commands)
    )
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    return _Started(name, process, errors)


def _end(started: _Started) -> None:
    try:
        started.process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        started.process.kill()
        started.process.wait()


def _last_line(errors: IO[bytes]) -> str:
    """Return the last line of what a command has written, without the word Error."""
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - _LONGEST_ERROR))
    lines = errors.read().decode(errors="replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "it ended without saying why")
    return last.removeprefix("Error: ").strip()
