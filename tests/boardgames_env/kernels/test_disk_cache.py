"""Compiled kernels on disk: what is trusted, what is compiled again, what is removed."""

import os
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import types

from boardgames_env.files import cache_root
from boardgames_env.kernels import Kernel, disk_cache, kernel
from boardgames_env.kernels.compiling import announce_compilation
from boardgames_env.kernels.disk_cache import entries, entry_path, kernels_folder, prune, read_entry, write_entry
from tests.processes import ROOT, python, started

PAYLOAD = pickle.dumps(list(range(100)))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a cache folder of its own, and all warnings."""
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(disk_cache, "_warnings_given", set())


def plus(step: int) -> Kernel:
    """Return a new kernel that adds a number."""

    @kernel(types.int64(types.int64), compiled_first=True)
    def add(n: int) -> int:
        return n + step

    return add


def test_an_entry_is_read_back_and_belongs_to_its_key() -> None:
    write_entry("a", PAYLOAD)
    assert read_entry("a") == PAYLOAD
    assert read_entry("b") is None
    entry_path("b").write_bytes(entry_path("a").read_bytes())
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert read_entry("b") is None


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ (1 << at % 8)]) + content[at + 1 :]


@pytest.mark.parametrize("damage", [lambda content, at: content[:at], flipped])
def test_damage_anywhere_is_noticed(damage: Callable[[bytes, int], bytes]) -> None:
    write_entry("a", PAYLOAD)
    content = entry_path("a").read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at in range(len(content)):
            entry_path("a").write_bytes(damage(content, at))
            assert read_entry("a") is None
    entry_path("a").write_bytes(content)
    assert read_entry("a") == PAYLOAD


def test_a_damaged_kernel_is_compiled_again() -> None:
    assert plus(1)(2) == 3
    (path,) = entries()
    whole = path.read_bytes()
    path.write_bytes(flipped(whole, len(whole) // 2))
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert plus(1)(2) == 3
    assert read_entry(path.stem) is not None


def test_a_payload_that_cannot_be_loaded_is_compiled_again() -> None:
    key = plus(1).key
    assert key is not None
    write_entry(key, b"whole, but no pickle")
    with pytest.warns(RuntimeWarning, match="cannot be loaded"):
        assert plus(1)(2) == 3


def test_kernels_of_the_same_content_share_an_entry() -> None:
    assert [plus(1)(2), plus(1)(3), plus(5)(2)] == [3, 4, 7]
    assert len(entries()) == 2


def test_the_folder_is_for_its_user_alone() -> None:
    write_entry("a", PAYLOAD)
    assert [path.stat().st_mode & 0o777 for path in (cache_root(), kernels_folder())] == [0o700, 0o700]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_an_entry_of_another_user_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plus(1)(2) == 3
    before = entries()[0].stat().st_mtime_ns
    monkeypatch.setattr(os, "getuid", lambda: 12_345)
    with pytest.warns(RuntimeWarning) as warned:
        assert plus(1)(2) == 3
    assert [str(each.message).partition(" in /")[0] for each in warned] == [
        "compiled kernels",
        "compiled kernels are not kept, so that every process compiles its own: "
        f"{kernels_folder()} belongs to another user; set BOARDGAMES_CACHE to a folder that can be written to",
    ]
    assert "belong to another user and are not loaded" in str(warned[0].message)
    assert [path.stat().st_mtime_ns for path in entries()] == [before]


class Marking:
    """Unpickling one writes a file."""

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (cache_root() / "mark",)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_a_pickle_leaves_its_mark_only_in_an_entry_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plus(1)(2) == 3
    (entry,) = entries()
    write_entry(entry.stem, pickle.dumps(Marking()))
    with monkeypatch.context() as another, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        another.setattr(os, "getuid", lambda: 12_345)
        assert plus(1)(2) == 3
        assert not (cache_root() / "mark").exists()
    with pytest.warns(RuntimeWarning, match="cannot be loaded"):
        assert plus(1)(2) == 3
    assert (cache_root() / "mark").exists()


def test_a_cache_that_is_full_is_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(RuntimeWarning) as warned:
        assert [plus(1)(2), plus(2)(2)] == [3, 4]
    assert len(warned) == 1
    assert "No space left on device" in str(warned[0].message)


def test_without_a_folder_that_can_be_written_to_kernels_are_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept"):
        assert plus(1)(2) == 3


def test_a_cache_that_cannot_even_be_looked_at_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boardgames_env.kernels.background._QUIET", -1)
    monkeypatch.setenv("BOARDGAMES_CACHE", "a" * 300)  # (no file system takes such a name)
    with pytest.warns(RuntimeWarning, match="File name too long"):
        announce_compilation("kernels", [plus(1)])
    assert "Compiling kernels" in capfd.readouterr().err


def test_a_helper_compiled_with_an_older_global_is_not_kept() -> None:
    source = """
from numba import types
from boardgames_env.kernels import helper, kernel

STEP = 1

@helper
def add(n):
    return n + STEP

def make():
    @kernel(types.int64(types.int64), compiled_first=True)
    def rule(n):
        return add(n) + FIRST
    return rule
"""
    module = {"__name__": __name__, "FIRST": 0}
    exec(source, module)
    make = module["make"]
    assert callable(make)
    assert make()(1) == 2
    module.update(STEP=10, FIRST=100)
    make()(1)
    assert len(entries()) == 1


def test_unused_entries_are_pruned() -> None:
    for name in ("used", "unused"):
        write_entry(name, PAYLOAD)
    os.utime(entry_path("unused"), (0, 0))
    other = kernels_folder() / "mine"
    other.mkdir()
    size = entry_path("unused").stat().st_size
    assert prune(30) == size
    assert sorted(path.name for path in kernels_folder().iterdir()) == ["mine", "used.kernel"]


def test_loading_an_entry_marks_it_as_used() -> None:
    write_entry("a", PAYLOAD)
    os.utime(entry_path("a"), (0, 0))
    read_entry("a")
    prune(30)
    assert [path.stem for path in entries()] == ["a"]


PROCESS = """
from ctypes import CFUNCTYPE, c_int64
import numpy as np
from numba import types
from boardgames_env.kernels import READ_ONLY_STATE, helper, kernel
from rules import judged

print(judged.is_compiled, judged(3))

def adding(step):
    @kernel(types.int64(types.int64), compiled_first=True)
    def add(n):
        return n + step
    return add

added = [adding(step) for step in steps]
print([each(3) for each in added], [CFUNCTYPE(c_int64, c_int64)(each.__wrapper_address__())(3) for each in added])

@helper
def visit(state, depth, visited):
    visited[0] += 1
    if depth > 0:
        for choice in range(3):
            after = state.copy()  # (of another type than a read-only state)
            after[0] = choice
            visit(after, depth - 1, visited)
    return 0

@kernel(types.int64(READ_ONLY_STATE, types.int64), compiled_first=True)
def nodes(state, depth):
    visited = np.zeros(1, dtype=np.int64)
    visit(state, depth, visited)
    return visited[0]

state = np.zeros(4, dtype=np.int8)
state.flags.writeable = False
print(nodes(state, 4))
"""


@pytest.mark.slow
def test_processes_that_follow_each_other_load_what_is_theirs(tmp_path: Path) -> None:
    """A kernel with an edited helper is compiled anew, and one with its former helper is loaded.

    Machine code is linked by name: kernels of one name must differ if each was the first of its process. And
    a helper that calls itself with other types works in the next process.
    """
    (tmp_path / "rules.py").write_text(
        "from numba import types\nfrom boardgames_env.kernels import kernel\nfrom helpers import verdict\n"
        "@kernel(types.int64(types.int64), compiled_first=True)\ndef judged(n):\n    return verdict(n)\n",
        encoding="utf-8",
    )
    source = "from boardgames_env.kernels import helper\n@helper\ndef verdict(n):\n    return {}\n"
    for verdict, steps, output in [
        ("n + 1", [1], "False 4\n[4] [4]\n121\n"),
        ("n + 22", [2], "False 25\n[5] [5]\n121\n"),
        ("n + 1", [1, 2], "True 4\n[4, 5] [4, 5]\n121\n"),
    ]:
        (tmp_path / "helpers.py").write_text(source.format(verdict), encoding="utf-8")
        process = f"steps = {steps}\n{PROCESS}"
        done = python(code=process, cwd=tmp_path, PYTHONPATH=str(ROOT), PYTHONDONTWRITEBYTECODE="1")
        told = [line for line in done.stderr.splitlines() if not line.startswith("Compiling ")]
        assert (done.stdout, told) == (output, [])


@pytest.mark.slow
def test_of_two_processes_one_compiles_and_the_other_finds_it() -> None:
    code = """
import time
from boardgames_env.kernels.disk_cache import one_process_at_a_time, read_entry, write_entry

with one_process_at_a_time("a"):
    if read_entry("a") is None:
        print("compiles", flush=True)
        time.sleep(0.5)
        write_entry("a", b"compiled")
    else:
        print("finds it")
"""
    found = sorted(each.communicate(timeout=60)[0] for each in [started(code) for _ in range(2)])
    assert found == ["compiles\n", "finds it\n"]
    assert [path.name for path in kernels_folder().iterdir()] == ["a.kernel"]
