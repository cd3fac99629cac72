"""Files of arrays: what is written is read, by version 0.3, too, and anything else is refused in a sentence."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from boardgames_env import BadInputError
from boardgames_env.array_file import _DTYPES, array_bytes, arrays_in, demand_kind, digest, read_arrays, write_arrays
from boardgames_env.files import FileKind

KIND = FileKind("a test", "write it again", {"format": "tests, 1"})
DATA = {"format": "tests, 1", "name": "x", "numbers": [1, 2]}
ARRAYS: dict[str, Any] = {
    **{dtype.__name__: np.arange(6).astype(dtype).reshape(2, 3) for dtype in _DTYPES.values()},
    **{"none": np.zeros((0, 3), np.int8), "one": np.array(5.0), "turned": np.arange(6.0).reshape(2, 3).T},
}


@pytest.mark.parametrize("mapped", [False, True])
def test_what_is_written_is_read(mapped: bool, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    write_arrays(path, ARRAYS, DATA)
    arrays, data = read_arrays(path, KIND, mapped)
    assert data == DATA
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].flags.writeable != mapped
        np.testing.assert_array_equal(arrays[name], array, strict=True)
    first = path.read_bytes()
    write_arrays(path, dict(reversed(ARRAYS.items())), dict(reversed(DATA.items())))
    assert path.read_bytes() == first


@pytest.mark.parametrize(("entry", "between"), [("network", " "), ("table", "")])
def test_files_of_version_0_3_are_read(entry: str, between: str, tmp_path: Path) -> None:
    arrays = {"weights": np.arange(6.0).reshape(2, 3)}
    text = json.dumps({**DATA, "sha256": digest(arrays, DATA, between)})
    (tmp_path / "file").write_bytes(save(arrays, {entry: text}))
    assert read_arrays(tmp_path / "file", KIND)[1] == DATA


def test_without_a_file_there_is_no_checksum() -> None:
    np.testing.assert_array_equal(arrays_in(array_bytes(ARRAYS))["turned"], ARRAYS["turned"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"does not hold a test \(it ends after 0 bytes, within its header\)"),
        (array_bytes(ARRAYS, DATA)[:-1], r"\(it has [0-9,]+ bytes, and its header says [0-9,]+\); write it again"),
        (b"\xff" * 8 + array_bytes(ARRAYS, DATA)[8:], "it ends after [0-9,]+ bytes, within its header"),
        (array_bytes(ARRAYS, DATA) + b"0", "it has [0-9,]+ bytes, and its header says [0-9,]+"),
        (array_bytes(ARRAYS), "does not hold a test: its format is None, not 'tests, 1'; write it again"),
        (array_bytes(ARRAYS, DATA), "is damaged or of a version before 0.3: it has no checksum; write it again"),
        (array_bytes(ARRAYS, {**DATA, "sha256": "0"}), "or was edited: its checksum is wrong; write it again"),
    ],
)
def test_other_content_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BadInputError, match=message) as raised:
        read_arrays(tmp_path / "file", KIND)
    assert str(raised.value).startswith(str(tmp_path / "file"))


def test_the_kind_of_a_file_is_known_without_its_arrays(tmp_path: Path) -> None:
    write_arrays(tmp_path / "file", ARRAYS, DATA)
    demand_kind(tmp_path / "file", KIND)
    with pytest.raises(BadInputError, match="its format is 'tests, 1', not 'another'"):
        demand_kind(tmp_path / "file", FileKind("another", marks={"format": "another"}))
