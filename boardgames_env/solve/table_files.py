"""Files of arrays: whole or absent, checksummed, and mapped into memory."""

import json
import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.files import checksum, write_atomically

Table = TypeVar("Table")

_DTYPES = {"I8": np.int8, "I16": np.int16, "I32": np.int32, "F32": np.float32}


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> None:
    """Write arrays and metadata, whole or not at all."""
    from safetensors.numpy import save

    checked = {**metadata, "sha256": _checksum(arrays, metadata)}
    # one entry, because the library writes several in no order
    data = save({name: np.ascontiguousarray(each) for name, each in arrays.items()}, {"table": json.dumps(checked)})
    write_atomically(path, data)


def map_arrays(path: Path, identity: Mapping[str, str], what: str) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Map the arrays of a file of `write_arrays` into memory, read-only. Return them and the metadata.

    `BadInputError` is raised if it is damaged, or not ``what``: its metadata have other entries than ``identity``.
    """
    arrays, metadata = map_unchecked(path, identity, what)
    if metadata.pop("sha256", None) != _checksum(arrays, metadata):
        raise BadInputError(f"{path} is damaged: its checksum is wrong")
    return arrays, metadata


def map_unchecked(path: Path, identity: Mapping[str, str], what: str) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Do what `map_arrays` does, but read no arrays and leave their checksum among the metadata."""
    try:
        arrays, metadata = _map(path)
        is_ours = {key: metadata.get(key) for key in identity} == dict(identity)
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # a damaged header can cause any of them
        raise BadInputError(f"{path} is damaged or not a table: {error!r}") from error
    if not is_ours:
        raise BadInputError(
            f"{path} is not {what}: it is for other rules or from another version; choose another folder"
        )
    return arrays, metadata


def load_or_make(
    path: Path,
    load: Callable[[Path], Table],
    make: Callable[[], Table],
    save: Callable[[Table, Path], None],
    what: str,
    is_default: bool,
) -> Table:
    """Load a table from a file, or make it, write the file and load that.

    A damaged file is a warning. So is one that cannot be written, if its folder is the default; otherwise an `OSError`
    is raised.
    """
    if os.path.exists(path):  # (which says no, too, of a folder that may not be read)
        try:
            return load(path)
        except BadInputError as error:
            warnings.warn(f"{error}; computing {what} again", RuntimeWarning, stacklevel=3)
    table = make()
    try:
        save(table, path)
    except OSError as error:
        if not is_default:
            raise
        warnings.warn(f"{what} is not kept: {error}", RuntimeWarning, stacklevel=3)
        return table
    return load(path)


def _checksum(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> str:
    parts: list[bytes | memoryview] = []
    for name, array in sorted(arrays.items()):
        parts += [f"{name}{array.dtype}{array.shape}".encode(), np.ascontiguousarray(array).data]
    return checksum(dict(metadata), *parts)


def _map(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return the arrays of a safetensors file and its metadata.

    (The library reads copies; the format, 8 bytes of header length, a JSON header and the data, can be mapped.)
    """
    content = np.memmap(path, dtype=np.uint8, mode="r")
    length = int.from_bytes(content[:8].tobytes(), "little")
    header = json.loads(content[8 : 8 + length].tobytes())
    metadata = json.loads(header.pop("__metadata__")["table"])
    arrays = {}
    for name, entry in header.items():
        first, end = (8 + length + offset for offset in entry["data_offsets"])
        arrays[name] = content[first:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"]).view(np.ndarray)
    return arrays, metadata
