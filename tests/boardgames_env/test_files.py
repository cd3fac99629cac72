"""Files are written whole or not at all, and errors name them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from boardgames_env import BadInputError
from boardgames_env.array_file import read_arrays
from boardgames_env.files import FileKind, demand_writable, package_files, write_atomically
from boardgames_env.json_file import read_json


@pytest.mark.parametrize("path", ["/", ".", "..", "a" * 300])
def test_what_cannot_be_a_file_is_an_error_that_names_it(path: str, here: Path) -> None:
    for attempt in (demand_writable, lambda path: write_atomically(path, b"new")):
        with pytest.raises(OSError, match=r"directory|too long") as raised:
            attempt(Path(path))
        assert raised.value.filename == path
    assert not list(here.iterdir())


def test_a_full_disk_is_an_error_that_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*/file'"):
        write_atomically(tmp_path / "file", b"new")
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize("read", [read_arrays, read_json])
def test_files_that_cannot_be_read_are_refused(read: Callable[[Path, FileKind], object], tmp_path: Path) -> None:
    kind = FileKind("a test", "write it again", {"format": "tests, 1"})
    with pytest.raises(BadInputError, match=r"there is no file .*none, which should hold a test; write it again"):
        read(tmp_path / "none", kind)
    with pytest.raises(BadInputError, match="cannot be read: Is a directory"):
        read(tmp_path, kind)


def test_asking_whether_a_file_can_be_written_leaves_it_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    for name in ("file", "other"):
        demand_writable(tmp_path / name)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old"]


def test_the_files_of_a_package_are_all_that_results_may_depend_on(tmp_path: Path) -> None:
    counted = ["__init__.py", "data/nets/a.safetensors", "data/weights", "mod.py", "room/__init__.py", "room/mod.py"]
    others = [".mod.py.swp", ".git/config", "__pycache__/mod.cpython-311.pyc", "data/.hidden", "runs/first/config.json"]
    for name in (*counted, *others):
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for module in ("mod.py", "room/mod.py", "room/__init__.py"):
        found = package_files(tmp_path / "package" / module)
        assert [path.relative_to(tmp_path / "package").as_posix() for path in found] == counted
    (tmp_path / "alone.py").touch()
    assert package_files(tmp_path / "alone.py") == (tmp_path / "alone.py",)
