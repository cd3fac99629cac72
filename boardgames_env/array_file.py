"""Files of arrays and data: whole or absent, of a stated kind, and with a checksum.

They are safetensors files with one entry of metadata, an object in JSON that holds a checksum of everything else. The
same arrays and data give the same file, byte for byte. Arrays can be mapped into memory.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.json_file import SEAL

Arrays = Mapping[str, NDArray[Any]]

Content = TypeVar("Content")

_ENTRY = "data"
"""The name of the entry of metadata. (Version 0.3 called it ``table`` or ``network``.)"""

_DTYPES: dict[str, type[np.generic]] = {
    **{"BOOL": np.bool_, "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64},
    **{"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64},
    **{"F16": np.float16, "F32": np.float32, "F64": np.float64},
}


def digest(arrays: Arrays, data: Mapping[str, Any], between: str = " ") -> str:
    """Return the SHA-256 of data, as JSON with sorted keys, and of arrays.

    Of each array it covers the name, dtype, shape and values. The first three are separated by ``between``. (Version
    0.3 sealed tables with nothing between them.)
    """
    total = hashlib.sha256(json.dumps(dict(data), sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        total.update(between.join((name, str(array.dtype), str(array.shape))).encode())
        total.update(np.ascontiguousarray(array).data)
    return total.hexdigest()


def write_arrays(path: Path, arrays: Arrays, data: Mapping[str, Any]) -> None:
    """Write arrays, data that JSON can hold, and their checksum, whole or not at all.

    Raises:
        OSError: If the file cannot be written.
    """
    write_atomically(path, array_bytes(arrays, {**data, SEAL: digest(arrays, data)}))


def read_arrays(path: Path, kind: FileKind, mapped: bool = False) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the data in a file of a kind.

    Args:
        path: The file.
        kind: Its kind.
        mapped: Whether the arrays are mapped into memory, read-only, instead of being read.

    Raises:
        BadInputError: If there is no such file, or it is damaged or of another kind.
    """
    arrays, data = _open_arrays(path, kind, mapped)
    seal = data.pop(SEAL, None)
    known = digest(arrays, data)
    kind.demand_whole(path, seal, known, *([] if seal == known else [digest(arrays, data, between="")]))
    return arrays, data


def demand_kind(path: Path, kind: FileKind) -> None:
    """Raise the errors of `read_arrays` that can be found without reading the arrays."""
    _open_arrays(path, kind, mapped=True)


def _open_arrays(path: Path, kind: FileKind, mapped: bool) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    with kind.reading(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise BadInputError("it is a device or a pipe")
        content = np.memmap(path, np.uint8, "r") if mapped else np.frombuffer(bytearray(path.read_bytes()), np.uint8)
        arrays, data = _parse(content)
    kind.demand(path, data)
    return arrays, data


def array_bytes(arrays: Arrays, data: Mapping[str, Any] | None = None) -> bytes:
    """Return arrays, and data if given, in the safetensors format, without a checksum."""
    from safetensors.numpy import save

    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    # one entry, because the library writes several in no order
    return save(contiguous, None if data is None else {_ENTRY: json.dumps(data, sort_keys=True)})


def arrays_in(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that `array_bytes` has written; other content is any exception."""
    return _parse(np.frombuffer(bytearray(content), np.uint8))[0]


def _parse(content: NDArray[np.uint8]) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the data in the content of a safetensors file.

    (The library reads copies; the format, 8 bytes of header length, a JSON header and the arrays, can be mapped.)
    """
    start = 8 + int.from_bytes(content[:8].tobytes(), "little")
    if start > len(content):
        raise BadInputError(f"it ends after {len(content):,} bytes, within its header")
    header = json.loads(content[8:start].tobytes())
    entries = list(header.pop("__metadata__", {}).values())
    data = dict(json.loads(entries[0]).items()) if entries else {}
    end = max((start + entry["data_offsets"][1] for entry in header.values()), default=start)
    if len(content) != end:
        raise BadInputError(f"it has {len(content):,} bytes, and its header says {end:,}")
    arrays = {}
    for name, entry in header.items():
        first, end = (start + offset for offset in entry["data_offsets"])
        if entry["dtype"] not in _DTYPES:
            raise BadInputError(f"its numbers are {entry['dtype']}; they may be {one_of(_DTYPES)}")
        arrays[name] = content[first:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"]).view(np.ndarray)
    if sum(array.nbytes for array in arrays.values()) != len(content) - start:
        raise BadInputError("its arrays overlap, or leave bytes between them")
    return arrays, data


def load_or_make(
    path: Path,
    load: Callable[[Path], Content],
    make: Callable[[], Content],
    save: Callable[[Content, Path], None],
    what: str,
    is_default: bool,
) -> Content:
    """Load the content of a file, or make it, write the file and load that.

    A damaged file is a warning. So is one that cannot be written, if its folder is the default; otherwise an `OSError`
    is raised.
    """
    if os.path.exists(path):  # (which says no, too, of a folder that may not be read)
        try:
            return load(path)
        except BadInputError as error:
            warnings.warn(f"{error}; computing {what} again", RuntimeWarning, stacklevel=3)
    content = make()
    try:
        save(content, path)
    except OSError as error:
        if not is_default:
            raise
        warnings.warn(f"{what} is not kept: {error}", RuntimeWarning, stacklevel=3)
        return content
    return load(path)
