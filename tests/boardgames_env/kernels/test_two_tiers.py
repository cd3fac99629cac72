"""Kernels run as plain Python until their machine code is there, and compute the same."""

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import types

from boardgames_env.kernels import Kernel, helper, kernel
from boardgames_env.kernels.background import compiler
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.helpers import stands_for
from boardgames_env.kernels.signatures import BOOL_1D, FLOAT32_1D, INT8_1D, INT8_2D, INT32_1D, UINT64_1D
from tests.processes import printed, started

TABLE = np.array([100, -100, 127, -128], dtype=np.int8)


class Pair(NamedTuple):
    """Two arrays, as kernels take them together."""

    state: Any
    weights: Any


PAIR = named_tuple_type(Pair, INT8_1D, INT32_1D)


@helper
def doubled(number: int) -> int:
    return number + number


@kernel(types.int64(INT8_1D))
def widens(state: Any) -> int:
    total = 0
    for i in range(len(state)):
        total += state[i] * state[i]
    for man in state:
        total += man << 3
    return int(total + doubled(state[0]) - -state[3] * 3)


@kernel(types.int64(INT8_1D, INT8_2D))
def widens_in_two_dimensions(state: Any, rows: Any) -> int:
    row = rows[1]
    return int(rows[0, 2] * rows[0, 2] + row[1] * 100 + rows[1:, 2:][0, 0] * 100 + len(state[1:3]))


@kernel(types.int64(INT8_1D))
def wraps_what_it_writes(state: Any) -> int:
    state[0] = state[1] + 100
    state[1:3] = state[0]
    state[3] -= 128
    return int(state[0] + state[2] + state[3])


@kernel(types.int64(types.int64))
def has_arrays_of_its_own(number: int) -> int:
    mine = np.zeros(4, dtype=np.int8)
    mine[0], mine[1] = number, TABLE[2]
    flags = np.ones(3, dtype=np.bool_)
    return int(mine[0] * mine[1] + TABLE[0] * TABLE[1] + flags[0] + flags[1])


@kernel(types.UniTuple(types.int64, 2)(PAIR, BOOL_1D, types.boolean))
def takes_arrays_together(pair: Any, flags: Any, more: bool) -> tuple[int, int]:
    state, weights = pair
    return state[0] * weights[0] * 1000, flags[0] + flags[1] + more


@kernel(types.float64(FLOAT32_1D, types.float32))
def rounds_to_float32(values: Any, factor: Any) -> float:
    total = np.float32(0)
    for i in range(len(values)):
        total += values[i] * factor
    return total


@kernel(types.uint64(UINT64_1D, types.uint64))
def mixes(words: Any, by: Any) -> Any:
    words[0] ^= words[0] << np.uint64(13)
    return (words[0] >> by) & np.uint64(0xFFFF)


CASES: dict[str, tuple[Kernel, Callable[[], tuple[Any, ...]]]] = {
    "integers": (widens, lambda: (np.array([100, -128, 127, 90], dtype=np.int8),)),
    "two dimensions": (
        widens_in_two_dimensions,
        lambda: (np.zeros(4, dtype=np.int8), np.array([[1, 2, 100], [3, 100, 50]], dtype=np.int8)),
    ),
    "writing": (wraps_what_it_writes, lambda: (np.array([100, 120, 3, -90], dtype=np.int8),)),
    "own arrays": (has_arrays_of_its_own, lambda: (200 - 128,)),
    "tuples": (
        takes_arrays_together,
        lambda: (
            Pair(np.array([100], dtype=np.int8), np.array([2**30], dtype=np.int32)),
            np.array([True, True]),
            np.True_,
        ),
    ),
    "float32": (rounds_to_float32, lambda: (np.linspace(0, 1, 50, dtype=np.float32), np.float32(0.1))),
    "uint64": (mixes, lambda: (np.array([2**63 + 12345], dtype=np.uint64), np.uint64(40))),
}


@pytest.mark.parametrize("case", CASES)
def test_plain_python_computes_what_machine_code_does(case: str) -> None:
    made, arguments = CASES[case]
    compiled = Kernel(made.function, made.signature(), compiled_first=True)
    for_python, for_machine = arguments(), arguments()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = made.as_python(*for_python)
    expected = compiled.run(*for_machine)
    assert (found, type(found)) == (expected, type(expected))
    np.testing.assert_equal(for_python, for_machine)


def slow_sum(step: int) -> Kernel:
    """Return a new kernel that takes some milliseconds as plain Python."""

    @kernel(types.int64(types.int64))
    def add(n: int) -> int:
        total = 0
        for i in range(n):
            total += i % step
        return total

    return add


def test_a_kernel_that_takes_its_time_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    monkeypatch.setattr(Kernel, "patience", 0.3)
    made = slow_sum(7)
    run, trusting, expected = made.run, made.trusting, made.as_python(100_000)
    began = time.perf_counter()
    while made.run is run:
        assert run(100_000) == expected
        assert time.perf_counter() - began < 120
    assert time.perf_counter() - began > 0.3
    assert run(100_000) == made.run(100_000) == expected  # the old callable has gone over to machine code
    assert trusting(100_000) == made.trusting(100_000) == expected
    assert made.trusting is not made.run
    assert made.is_compiled
    assert [path.stem for path in tmp_path.rglob("*.kernel")] == [made.key]


def test_a_kernel_that_is_hardly_used_is_not_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    made = slow_sum(11)
    assert made(10) == made.as_python(10)
    assert compiler._thread is None
    assert not made.is_compiled


def test_a_kernel_that_a_second_process_uses_is_compiled_there(tmp_path: Path) -> None:
    code = """
import time
from boardgames_env import make_game
from boardgames_env.kernels.background import compiler
game, began = make_game("tic_tac_toe"), time.perf_counter()
while time.perf_counter() - began < 0.5:
    game.rules.outcome(game.initial.state)
compiler.wait()
print(game.rules.outcome.is_compiled)
"""
    suffixes = set[str]()
    for expected in ("False", "True"):
        assert printed(code, BOARDGAMES_CACHE=str(tmp_path)).strip() == expected
        suffixes |= {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert suffixes == {".used", ".kernel"}
    assert not list(tmp_path.rglob("*.used"))


def test_what_cannot_be_compiled_stays_python_with_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))

    @kernel(types.int64(types.int64))
    def reads_a_file(n: int) -> int:
        with Path(__file__).open(encoding="utf-8") as file:  # (Numba knows no files)
            return len(file.read(n))

    monkeypatch.setattr(Kernel, "patience", 0.0)
    assert reads_a_file(9) == 9
    while not reads_a_file._failure:
        time.sleep(0.01)
    with pytest.warns(RuntimeWarning, match="reads_a_file> stays plain Python: "):
        assert reads_a_file(9) == 9
    assert reads_a_file(9) == 9  # and says so once


def test_what_a_thread_compiles_leaves_the_filters_of_warnings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "patience", 0.0)
    monkeypatch.setattr("boardgames_env.kernels.compiling.kernel_key", lambda _: None)  # (so that it is compiled)
    found = list(warnings.filters)

    @kernel(types.int64(INT8_1D))
    def total(state: Any) -> int:
        return int(state.sum() + state.max() + np.argsort(state)[0])

    state, expected = np.arange(4, dtype=np.int8), 9
    while not total._dispatcher:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            inside = list(warnings.filters)
            assert total(state) == expected
            time.sleep(0.001)
            assert warnings.filters == inside
        assert warnings.filters == found
    compiler.wait()
    assert warnings.filters == found


def test_another_function_may_stand_for_a_helper() -> None:
    @helper
    def one_by_one(values: Any) -> None:
        for i in range(len(values)):
            values[i] += 1

    called = []

    @stands_for(one_by_one)
    def at_once(values: Any) -> None:
        called.append(len(values))
        values += 1

    @kernel(types.void(FLOAT32_1D))
    def made(values: Any) -> None:
        one_by_one(values)

    values = np.zeros(3, dtype=np.float32)
    made(values)
    one_by_one(values)
    assert (values.tolist(), called) == ([2.0, 2.0, 2.0], [3, 3])


BUSY = """
import sys, time
from boardgames_env.kernels import compiling
compiling.Kernel.patience = 0.0
from boardgames_env import make_game
games = [make_game(name) for name in ("backgammon", "nine_mens_morris", "qubic", "fives")]
for game in games:
    _ = game.initial.legal_actions
"""


def test_a_process_ends_while_it_compiles(tmp_path: Path) -> None:
    code = f"{BUSY}\nprint(sum(len(game.rules.kernels) for game in games))"
    kernels = int(printed(code, BOARDGAMES_CACHE=str(tmp_path)))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) < kernels / 2
    assert all(path.suffix == ".kernel" for path in files)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_process_is_forked_off_while_it_compiles(tmp_path: Path) -> None:
    code = f"""{BUSY}
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # newer versions of Python warn of threads in general
time.sleep(0.2)
child = os.fork()
_ = games[2].rules.play.address
print("child" if child == 0 else "parent", games[0].initial.seat in (0, 1), flush=True)
if child == 0:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    assert sorted(printed(code, BOARDGAMES_CACHE=str(tmp_path)).split("\n")) == ["", "0", "child True", "parent True"]


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_processes_killed_while_they_compile_leave_nothing_behind(kills: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    forever = (
        f"{BUSY}\nprint('ready', flush=True)\nfor game in games:\n    for each in game.rules.kernels: each.address"
    )
    for number in range(kills):
        running = [started(forever, BOARDGAMES_CACHE=str(tmp_path)) for _ in range(1 + (number % 3 == 0))]
        for each in running:
            assert each.stdout is not None
            assert each.stdout.readline() == "ready\n"
        time.sleep(rng.random() * 2)
        for each in running:
            each.kill()
            each.communicate()
        for entry in sorted(tmp_path.rglob("*.kernel"))[::2]:
            entry.unlink()
    code = f"{BUSY}\nprint([int(game.initial.play(game.initial.legal_actions[0]).seat) for game in games[1:]])"
    assert printed(code, BOARDGAMES_CACHE=str(tmp_path)) == "[1, 1, 1]\n"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".kernel"]
