"""JSON files: whole or absent, of a stated kind, with a checksum of all else in them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardgames_env.decoding import decoded
from boardgames_env.files import FileKind, checksum, write_atomically

SEAL = "sha256"
"""The name of the entry that is the checksum of the others."""


def sealed(data: Mapping[str, Any], beside: bytes = b"") -> dict[str, Any]:
    """Return an object with its checksum, which covers a file ``beside`` it, too."""
    return {**data, SEAL: checksum(data, beside)}


def write_json(path: Path, data: Mapping[str, Any], indent: int | None = None) -> None:
    """Write an object with its checksum to a file, whole or not at all.

    Raises:
        OSError: If the file cannot be written.
    """
    write_atomically(path, json.dumps(sealed(data), indent=indent).encode())


def read_json(path: Path, kind: FileKind) -> dict[str, Any]:
    """Return the object in a file of a kind, without its checksum.

    Raises:
        BadInputError: If there is no such file, or it is damaged or of another kind.
    """
    data = read_unverified(path, kind)
    kind.demand_whole(path, data.pop(SEAL, None), checksum(data))
    return data


def read_unverified(path: Path, kind: FileKind) -> dict[str, Any]:
    """Do what `read_json` does, but do not verify the checksum, and return it, too."""
    with kind.reading(path):
        content = path.read_bytes()
    return parse_json(content, path, kind)


def parse_json(content: str | bytes, path: object, kind: FileKind) -> dict[str, Any]:
    """Return the object in the content of a file of a kind, with its checksum, unverified."""
    with kind.reading(path):
        data = json.loads(content if isinstance(content, str) else decoded(content))
    if not isinstance(data, dict):
        raise kind.damaged(path, "it is no JSON object")
    kind.demand(path, data)
    return data
