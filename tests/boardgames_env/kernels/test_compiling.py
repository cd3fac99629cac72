"""Compilation, the disk cache and plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import boardgames_env
from tests.variants import EACH_GAME, by_turns

PACKAGE = Path(boardgames_env.__file__).parent

FIRST_MOVE = "from boardgames_env import make_game; print(make_game('tic_tac_toe').initial.play(0).play(1).outcome)"


def python(code: str, folder: Path = PACKAGE.parent, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, which imports from ``folder`` first."""
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env={**os.environ, **environment}, cwd=folder, capture_output=True, text=True, check=True
    )


def test_a_second_process_does_not_compile(tmp_path: Path) -> None:
    first = python(FIRST_MOVE, BOARDGAMES_CACHE=str(tmp_path))
    assert f"Compiling tic_tac_toe (once; kept in {tmp_path}" in first.stderr
    compiled = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")}
    assert compiled
    assert python(FIRST_MOVE, BOARDGAMES_CACHE=str(tmp_path)).stderr == ""
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")} == compiled


def test_without_a_writable_cache_it_still_plays(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    told = python(FIRST_MOVE, BOARDGAMES_CACHE=str(blocked))
    assert told.stdout.strip() == "None"
    assert "compiled kernels are not kept" in told.stderr
    assert "Traceback" not in told.stderr


CLOSURES = """
from ctypes import CFUNCTYPE, c_int64
from numba import types
from boardgames_env.kernels import kernel

def adding(step):
    @kernel(types.int64(types.int64))
    def add(n):
        return n + step
    return add

def results(*steps):
    kernels = [adding(step) for step in steps]
    directly = [kernel(3) for kernel in kernels]
    return directly, [CFUNCTYPE(c_int64, c_int64)(kernel.__wrapper_address__())(3) for kernel in kernels]
"""


def test_kernels_compiled_in_different_processes_are_told_apart(tmp_path: Path) -> None:
    """Machine code is linked by name: two kernels must not have the same one if each was the first of its process."""
    (tmp_path / "closures.py").write_text(CLOSURES)
    environment = {"BOARDGAMES_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(PACKAGE.parent)}
    for steps, wanted in (("1", "([4], [4])"), ("2", "([5], [5])"), ("1, 2", "([4, 5], [4, 5])")):
        done = python(f"from closures import results; print(results({steps}))", tmp_path, **environment)
        assert (done.stdout.strip(), done.stderr) == (wanted, "")


@pytest.mark.parametrize("name", by_turns(4, EACH_GAME))
def test_plain_python_does_the_same(name: str) -> None:
    """With NUMBA_DISABLE_JIT=1 a game plays its golden record without compiling anything."""
    code = f"""
from boardgames_env import make_game
from tests.golden_records import path_of, play_out
game = make_game({name!r})
assert play_out(game) == path_of(game.spec).read_text()
print(type(game.rules.play.run).__name__)
"""
    told = python(code, NUMBA_DISABLE_JIT="1")
    assert told.stdout.strip() == "function"
    assert told.stderr == ""


def test_a_game_typed_in_without_a_file_can_be_played() -> None:
    code = (
        "from dataclasses import replace\n"
        "from boardgames_env import make_game\n"
        "from boardgames_env.games import game, tic_tac_toe\n"
        "from boardgames_env.kernels import initial\n"
        "@initial\n"
        "def second_first(state):\n"
        "    state[:] = 0\n"
        "    state[0] = 1\n"
        "@game(version=0)\n"
        "def o_begins():\n"
        "    made = tic_tac_toe.tic_tac_toe()\n"
        "    return replace(made, rules=replace(made.rules, initial=second_first))\n"
        "print(make_game('o_begins').initial.seat)\n"
    )
    told = python(code)
    assert told.stdout.strip() == "1"
    assert "Traceback" not in told.stderr


def test_ctrl_c_waits_until_a_kernel_is_compiled(tmp_path: Path) -> None:
    code = """
import os, signal, threading
from boardgames_env import make_game
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
game = make_game("tic_tac_toe")
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    game.initial
except KeyboardInterrupt:
    print("stopped;", len(game.initial.legal_actions))
"""
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "BOARDGAMES_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout == "stopped; 9\n", told.stderr
