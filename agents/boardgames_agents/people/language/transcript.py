"""Transcripts: files of everything that a model was asked and answered, from which contests are played again.

A transcript is a JSONL file, a line for each exchange, which is written as soon as the answer is there:

* ``key``: a digest of the contest, the number of the exchange in it, the model, the messages and the options;
* ``game`` and ``state``: the game's spec, and the state of the position in which the model was asked;
* ``asked`` and ``answer``: the messages, and what the model answered;
* ``tokens`` and ``seconds``: the tokens of the prompt and of the answer, and how long it took.

What a transcript has an answer to is not asked again: a contest that was interrupted goes on where it stopped, and
one that is complete is played again without a server.
"""

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from boardgames_agents.people.language.server import ChatAnswer, Message
from boardgames_env.errors import BadInputError
from boardgames_env.files import checksum
from boardgames_env.position import Position

_BEGIN = b'{"key": "'


class Transcript:
    """A transcript of one or more models, for reading and writing; several threads and processes may write to one.

    Memory holds where in the file each answer is, and none of the answers.

    Raises:
        BadInputError: If the file is not a transcript, or cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._places: dict[bytes, int] = {}
        with self._naming("used"):
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            self._read()

    def _read(self) -> None:
        """Read the file, and cut off a last line that a killed process has left unfinished."""
        place, rest = 0, b""
        with self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    self._places.setdefault(self._entry(line)[0], place)
                    place += len(line)
                else:
                    rest = line
        if rest[: len(_BEGIN)] != _BEGIN[: len(rest)]:
            raise self._damaged()
        if rest:
            os.truncate(self.path, place)

    def _entry(self, line: bytes) -> tuple[bytes, ChatAnswer]:
        """Return the key and the answer of a line."""
        try:
            entry = json.loads(line.decode("utf-8"))
            one, other = entry["tokens"]
            answer = ChatAnswer(str(entry["answer"]), (int(one), int(other)), float(entry["seconds"]))
            return bytes.fromhex(entry["key"]), answer
        except (ValueError, TypeError, KeyError):
            raise self._damaged() from None

    def _damaged(self) -> BadInputError:
        return BadInputError(f"{self.path} is not a transcript; give the path of another file")

    @contextmanager
    def _naming(self, done: str) -> Iterator[None]:
        """Let an `OSError` in the block be a `BadInputError` that says what cannot be done with the file."""
        try:
            yield
        except OSError as error:
            raise BadInputError(f"the transcript {self.path} cannot be {done}: {error.strerror}") from None

    def find(self, key: str) -> ChatAnswer | None:
        """Return the answer to an exchange, or ``None`` if it has not been made."""
        place = self._places.get(bytes.fromhex(key))
        if place is None:
            return None
        with self._naming("read"), self.path.open("rb") as file:
            file.seek(place)
            found, answer = self._entry(file.readline())
        if found.hex() != key:
            raise self._damaged()
        return answer

    def keep(self, key: str, position: Position, messages: Sequence[Message], answer: ChatAnswer) -> None:
        """Write an exchange."""
        entry: dict[str, Any] = {"key": key, "game": position.game.spec, "state": position.state.tolist()}
        entry |= {"asked": list(messages), "answer": answer.text, "tokens": answer.tokens, "seconds": answer.seconds}
        line = json.dumps(entry).encode() + b"\n"
        with self._lock, self._naming("written"):
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                written = os.write(descriptor, line)  # (at once, so that lines of several processes do not mix)
                place = os.lseek(descriptor, 0, os.SEEK_CUR) - written
                if written < len(line):  # (a full disk)
                    os.truncate(self.path, place)
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(descriptor)
            self._places[bytes.fromhex(key)] = place


_open: WeakValueDictionary[Path, Transcript] = WeakValueDictionary()
_opening = Lock()


def transcript_at(path: Path) -> Transcript:
    """Return the transcript of a file, the same for all who use it in this process; see `Transcript` for the errors."""
    path = path.absolute()
    with _opening:
        found = _open.get(path)
        if found is None or not path.exists():
            found = _open[path] = Transcript(path)
        return found


def exchange_key(contest: int, number: int, model: str, messages: Sequence[Message], more: Mapping[str, object]) -> str:
    """Return the key of an exchange: a digest of the contest, its number in it, and all of the request."""
    return checksum([contest, number, model, list(messages), dict(more)])
