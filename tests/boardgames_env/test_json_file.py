"""JSON files: what is written is read, and anything else is refused in one sentence that names the file."""

import json
from pathlib import Path

import pytest

from boardgames_env import BadInputError
from boardgames_env.files import FileKind, checksum
from boardgames_env.json_file import SEAL, read_json, read_unverified, sealed, write_json

KIND = FileKind("a test", "write it again", {"format": "tests, 1"})
DATA = {"format": "tests, 1", "name": "x", "numbers": [1, 2]}


@pytest.mark.parametrize("indent", [None, 1])
def test_what_is_written_is_read(indent: int | None, tmp_path: Path) -> None:
    write_json(tmp_path / "folder" / "file", DATA, indent=indent)
    assert read_json(tmp_path / "folder" / "file", KIND) == DATA


def test_the_checksum_can_cover_a_file_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(json.dumps(sealed(DATA, b"beside")), encoding="utf-8")
    assert read_unverified(path, KIND) == {**DATA, SEAL: checksum(DATA, b"beside")}
    with pytest.raises(BadInputError, match="its checksum is wrong"):
        read_json(path, KIND)


def test_people_write_files_without_a_checksum(tmp_path: Path) -> None:
    path, kind = tmp_path / "file", FileKind("a test", is_sealed=False)
    path.write_text('{"name": 1}', encoding="utf-8")
    assert read_json(path, kind) == {"name": 1}
    write_json(path, {"name": 1})
    path.write_text(path.read_text(encoding="utf-8").replace("1", "2", 1), encoding="utf-8")
    with pytest.raises(BadInputError, match="its checksum is wrong"):
        read_json(path, kind)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is damaged, or does not hold a test"),
        (b"\xff", "is damaged, or does not hold a test"),
        (b"[1]", "is damaged, or does not hold a test"),
        (b"[" * 100_000, "is damaged, or does not hold a test"),
        (b"9" * 5000, "is damaged, or does not hold a test"),
        (b"{}", "does not hold a test: its format is None, not 'tests, 1'; write it again"),
        (b'{"format": "tests, 2"}', "its format is 'tests, 2', not 'tests, 1'; write it again"),
        (b'{"format": "tests, 1"}', "is damaged or of a version before 0.3: it has no checksum; write it again"),
        (b'{"format": "tests, 1", "sha256": "0"}', "its checksum is wrong"),
    ],
)
def test_other_content_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=message) as raised:
        read_json(path, KIND)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)
