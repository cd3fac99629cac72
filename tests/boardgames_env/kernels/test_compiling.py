"""Compilation, the disk cache and plain Python."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types
from numpy.typing import NDArray

from boardgames_env.kernels import helper, kernel
from boardgames_env.kernels.background import being_compiled
from boardgames_env.kernels.compiling import announce_compilation
from tests.processes import printed, python
from tests.variants import EACH_GAME

SEARCHES = """
from numba import types
from boardgames_env.kernels import background, kernel
from boardgames_env.kernels.compiling import announce_compilation

@kernel(types.int64(types.int64), compiled_first=True)
def long_search(n):
    return n + 1

announce_compilation("a search", [long_search])
print(long_search(2))
"""


def test_a_second_process_does_not_compile(tmp_path: Path) -> None:
    told = SEARCHES.replace("\nannounce", "\nbackground._QUIET = -1\nannounce")
    first = python(code=told, BOARDGAMES_CACHE=str(tmp_path))
    assert first.stderr == f"Compiling a search (once; kept in {tmp_path / 'kernels'})\n"
    compiled = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")}
    assert compiled
    assert python(code=told, BOARDGAMES_CACHE=str(tmp_path)).stderr == ""
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")} == compiled


def test_waiting_for_a_pointer_is_announced(tmp_path: Path) -> None:
    told = SEARCHES.partition("\nannounce")[0] + "\nbackground._QUIET = -1\nprint(long_search.address > 0)"
    first = python(code=told, BOARDGAMES_CACHE=str(tmp_path))
    assert first.stderr == f"Compiling kernels of __main__ (once; kept in {tmp_path / 'kernels'})\n"
    assert python(code=told, BOARDGAMES_CACHE=str(tmp_path)).stderr == ""


def test_what_is_being_compiled_can_be_asked() -> None:
    class Slow:
        compiled_first, is_compiled, key = True, False, "some"

        @property
        def run(self) -> list[str]:
            during.extend(being_compiled())
            return during

    during: list[str] = []
    kernels: Any = [Slow()]
    announce_compilation("a game", kernels)
    assert during == ["a game"]
    assert not being_compiled()


@pytest.mark.parametrize("names", [EACH_GAME[::4], pytest.param(EACH_GAME, marks=pytest.mark.slow)], ids=len)
def test_plain_python_does_the_same(names: list[str]) -> None:
    """With NUMBA_DISABLE_JIT=1 games play their golden records without compiling anything."""
    code = f"""
from boardgames_env import make_game
from tests.golden_records import path_of, play_out
for name in {names}:
    game = make_game(name)
    assert play_out(game) == path_of(game.spec).read_text(encoding="utf-8"), name
    assert type(game.rules.play.run).__name__ == "function"
"""
    assert python(code=code, NUMBA_DISABLE_JIT="1").stderr == ""


@pytest.mark.slow
def test_helpers_print_and_raise_when_compiled_and_when_loaded(tmp_path: Path) -> None:
    module = tmp_path / "doubling.py"
    module.write_text(
        "from numba import types\n"
        "from boardgames_env.kernels import helper, kernel\n"
        "@helper\n"
        "def twice(number):\n"
        "    print('twice', number)\n"
        "    if number > 2:\n"
        "        raise ValueError('too large')\n"
        "    return 2 * number\n"
        "@kernel(types.int64(types.int64), compiled_first=True)\n"
        "def doubled(number):\n"
        "    return twice(number)\n",
        encoding="utf-8",
    )
    code = f"""
import sys
sys.path.append({str(tmp_path)!r})
from doubling import doubled
print(doubled(2), flush=True)
try:
    doubled(3)
except ValueError as error:
    print(error, doubled.is_compiled)
"""
    for _ in range(2):
        words = printed(code, BOARDGAMES_CACHE=str(tmp_path)).split()
        assert " ".join(words) == "twice 2 4 twice 3 too large True"
    assert len(list(tmp_path.rglob("*.kernel"))) == 1


@helper
def visits(states: NDArray[np.int8], depth: int) -> int:
    """Count the nodes of a tree with three branches; below the root, arrays have another layout."""
    number = 1
    if depth > 0:
        for _ in range(3):
            number += visits(states[::2], depth - 1)
    return number


@helper
def is_even(number: int) -> bool:
    return True if number == 0 else is_odd(number - 1)


@helper
def is_odd(number: int) -> bool:
    return False if number == 0 else is_even(number - 1)


def test_helpers_call_themselves_with_other_types() -> None:
    deep = kernel(types.int64(types.int8[:, :, ::1]))(lambda states: visits(states[0], 3))
    assert deep.run(np.zeros((1, 4, 4), dtype=np.int8)) == visits.py_func(np.zeros((4, 4), dtype=np.int8), 3) == 40


def test_helpers_call_themselves_by_way_of_others() -> None:
    even = kernel(types.boolean(types.int64))(lambda number: not is_odd(number))
    assert [even.run(number) for number in range(4)] == [True, False, True, False]


@pytest.mark.slow
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
    assert printed(code) == "1\n"


@pytest.mark.slow
def test_ctrl_c_waits_until_a_kernel_is_compiled(tmp_path: Path) -> None:
    code = """
import os, signal, threading
from boardgames_env import make_game
from boardgames_env.envs.batch import step_kernel
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
made = step_kernel(make_game("tic_tac_toe"))
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    _ = made.address
except KeyboardInterrupt:
    print("stopped;", made.is_compiled)
"""
    assert printed(code, BOARDGAMES_CACHE=str(tmp_path)) == "stopped; True\n"


ENTER = """
import os, signal, sys
import numpy as np
from numba import types
from boardgames_env import make_game
from boardgames_env.kernels import kernel
from boardgames_env.kernels.bundle import GAME_KERNELS

@kernel(types.void(GAME_KERNELS))
def with_pointers(kernels):
    pass

@kernel(types.void(types.npy_rng))
def with_generator(rng):
    pass

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
for entered, argument in ((with_pointers, make_game("tic_tac_toe").kernels), (with_generator, np.random.default_rng())):
    run = entered.run
    run(argument)
    for _ in range(int(sys.argv[1])):
        try:
            os.write(1, b".")
            while True:
                run(argument)
        except KeyboardInterrupt:
            pass
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl-C to a process")
def test_ctrl_c_is_ctrl_c_while_arguments_are_passed() -> None:
    times = 1000
    words = [sys.executable, "-c", ENTER, str(times)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        sent = 0
        while running.stdout.read(1):
            time.sleep(1e-3 + sent % 97 * 3e-6)
            running.send_signal(signal.SIGINT)
            sent += 1
        err = running.stderr.read().decode()
    assert (running.returncode, sent) == (0, 2 * times), err
