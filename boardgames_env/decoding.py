"""Text that people and other programs write, in any encoding: files, and the standard input.

This package itself writes files in UTF-8 only.
"""

import codecs
import io
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from boardgames_env.errors import BadInputError

_OTHERWISE_WINDOWS = "boardgames.otherwise_windows"
"""An error handler of codecs: bytes that are no UTF-8 are in Windows' code page 1252, which extends Latin 1."""

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",  # (it begins with that of UTF-16)
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What files begin with that are not in UTF-8, and their encodings."""

_ENOUGH = 64
"""The number of bytes that tell UTF-16 without a mark."""


def decoded(content: bytes) -> str:
    r"""Return the text of a file that people or other programs may have written, with ``\n`` at the end of lines.

    It may be in UTF-8, UTF-16 or UTF-32, with a byte order mark or without, or in Windows' code page 1252. The ends of
    lines may be those of Windows and of old Macintoshes. Byte order marks, and the NULs and Control-Z that old programs
    fill a file up with, are left out.
    """
    text = content.decode(_encoding_of(content), _OTHERWISE_WINDOWS).replace("\ufeff", "").rstrip("\0\x1a")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def data_in(path: Path, what: str) -> Any:
    """Return the data of a file in TOML or JSON that people may have written; ``what`` it is, such as "a league file".

    Raises:
        BadInputError: If the file cannot be read, or is something else.
    """
    read: Callable[[str], Any] = json.loads
    if path.suffix == ".toml":
        if sys.version_info < (3, 11):
            kind = what.partition(" ")[2]
            raise BadInputError(f"{path}: this Python reads {kind}s in JSON only; TOML takes Python 3.11")
        import tomllib

        read = tomllib.loads
    elif path.suffix != ".json":
        raise BadInputError(f"{path} is not {what}; it is one in TOML or JSON, and ends in .toml or .json")
    try:
        return read(decoded(path.read_bytes()))
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # of both readers; the latter for brackets in brackets in ...
        raise BadInputError(f"{path} is not {what}: {error}") from error


def _encoding_of(content: bytes) -> str:
    """Return the encoding of a text by its mark; without one, it is UTF-16 if every other byte is mostly zero."""
    for mark, name in _MARKS.items():
        if content.startswith(mark):
            return name
    zeros = [content[start:_ENOUGH:2].count(0) for start in (0, 1)]
    if max(zeros) <= 4 * min(zeros) or 4 * max(zeros) <= len(content[:_ENOUGH]):
        return "utf-8"
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def read_line(prompt: str = "") -> str:
    """Print a prompt and return the next line of the standard input, which is decoded as files are.

    Raises:
        EOFError: If there is none.
    """
    given = sys.stdin
    if isinstance(given, io.TextIOWrapper) and given.errors != _OTHERWISE_WINDOWS:
        with suppress(io.UnsupportedOperation):  # (somebody else has read from it)
            given.reconfigure(encoding=given.encoding, errors=_OTHERWISE_WINDOWS)
            if not given.isatty() and isinstance(given.buffer, io.BufferedReader):
                given.reconfigure(encoding=_encoding_of(given.buffer.peek(1)), errors=_OTHERWISE_WINDOWS)
    return input(prompt).strip("\ufeff\0\x1a\r")


def _in_windows_code_page(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in wrong), error.end


codecs.register_error(_OTHERWISE_WINDOWS, _in_windows_code_page)
