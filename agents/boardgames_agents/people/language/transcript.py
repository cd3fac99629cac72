"""Transcripts: files of everything that a model was asked and answered, from which contests are played again.

A transcript is a JSONL file, a line for each exchange, which is written as soon as the answer is there:

* ``key``: a digest of the contest, the number of the exchange in it, the model, the messages and the options;
* ``game`` and ``state``: the game's spec, and the state of the position in which the model was asked;
* ``asked`` and ``answer``: the messages, and what the model answered;
* ``tokens`` and ``seconds``: the tokens of the prompt and of the answer, and how long it took.

What a transcript has an answer to is not asked again: a contest that was interrupted goes on where it stopped, and
one that is complete is played again without a server.
"""

import json
import os
from collections.abc import Mapping, Sequence
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

    Raises:
        BadInputError: If the file is not a transcript, or cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._answers: dict[str, ChatAnswer] = {}
        try:
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            self._read()
        except OSError as error:
            raise BadInputError(f"the transcript {path} cannot be used: {error.strerror}") from None

    def _read(self) -> None:
        """Read the file, and cut off a last line that a killed process has left unfinished."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        try:
            for line in whole.splitlines():
                entry = json.loads(line.decode("utf-8"))
                one, other = entry["tokens"]
                answer = ChatAnswer(str(entry["answer"]), (int(one), int(other)), float(entry["seconds"]))
                self._answers.setdefault(str(entry["key"]), answer)
            rest = content[len(whole) :]
            if rest[: len(_BEGIN)] != _BEGIN[: len(rest)]:
                raise ValueError("no line of a transcript")
        except (ValueError, TypeError, KeyError):
            raise BadInputError(f"{self.path} is not a transcript; give the path of another file") from None
        if rest:
            os.truncate(self.path, len(whole))

    def find(self, key: str) -> ChatAnswer | None:
        """Return the answer to an exchange, or ``None`` if it has not been made."""
        with self._lock:
            return self._answers.get(key)

    def keep(self, key: str, position: Position, messages: Sequence[Message], answer: ChatAnswer) -> None:
        """Write an exchange."""
        entry: dict[str, Any] = {"key": key, "game": position.game.spec, "state": position.state.tolist()}
        entry |= {"asked": list(messages), "answer": answer.text, "tokens": answer.tokens, "seconds": answer.seconds}
        line = json.dumps(entry).encode() + b"\n"
        with self._lock:
            self._answers[key] = answer
            try:
                descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
                try:
                    os.write(descriptor, line)  # (at once, so that lines of several processes do not mix)
                finally:
                    os.close(descriptor)
            except OSError as error:
                raise BadInputError(f"the transcript {self.path} cannot be written: {error.strerror}") from None


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
