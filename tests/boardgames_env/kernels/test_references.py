"""References to arrays are counted where that is needed, and nowhere else."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python, rtsys

from boardgames_env.kernels import Kernel, helper, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT64_2D, INT64_1D, Float64s, Int64s


class _Pair(NamedTuple):
    table: Float64s
    rows: Int64s


_PAIR = named_tuple_type(_Pair, FLOAT64_2D, INT64_1D)


@helper
def _sum_of(row: Float64s) -> float:
    total = 0.0
    for k in range(len(row)):
        total += row[k]
    return total


@helper
def _double(row: Float64s) -> Float64s:
    return row * 2


@helper
def _first(pair: _Pair) -> Float64s:
    return pair.table[pair.rows[0]]


@helper
def _sum_from(pair: _Pair, row: int) -> float:
    if row == len(pair.table):
        return 0.0
    return _sum_of(pair.table[row]) + _sum_from(pair, row + 1)


@kernel(types.float64(_PAIR))
def borrows(pair: _Pair) -> float:
    total = _sum_from(pair, 0)
    table, rows = pair
    for each in rows:
        total += each
    for i in range(len(rows)):
        row = table[rows[i]]
        total += _sum_of(row[1:]) + row[0]
        row[0] = total
        row[0:2] = total
        total += _sum_of(table[1:].reshape(4, 2)[i])
    return total


@kernel(types.float64(_PAIR))
def makes_an_array(pair: _Pair) -> float:
    return _sum_of(np.full(3, pair.table[0, 0]))


@kernel(types.float64(_PAIR))
def takes_arrays_from_helpers(pair: _Pair) -> float:
    total = 0.0
    for _ in range(3):
        total += _sum_of(_double(pair.table[0])) + _sum_of(_first(pair))
    return total


@kernel(types.float64(_PAIR))
def takes_several_rows_at_once(pair: _Pair) -> float:
    chosen = pair.table[pair.rows]
    return float(chosen.sum())


@kernel(types.float64(_PAIR))
def sums_with_numpy(pair: _Pair) -> float:
    return float(np.sum(pair.table[0]) + np.mean(pair.table[1]))


@kernel(types.float64(_PAIR))
def keeps_arrays_in_a_list(pair: _Pair) -> float:
    kept = [pair.table[0], pair.table[1]]
    return _sum_of(kept[1])


@kernel(types.float64(_PAIR))
def copies_rows(pair: _Pair) -> float:
    pair.table[0] = pair.table[1].copy()
    pair.table[1] = pair.table[0] + 1
    return _sum_of(pair.table[1])


@kernel(FLOAT64_2D(_PAIR))
def returns_what_it_was_given(pair: _Pair) -> Float64s:
    return pair.table


@helper
def _draw(rng: np.random.Generator) -> float:
    return rng.random()


@kernel(types.float64(types.npy_rng))
def draws(rng: np.random.Generator) -> float:
    return _draw(rng)


_shown: list[Float64s] = []


@helper
def _show(row: Float64s) -> None:
    with numba.objmode():
        _shown.append(row)


@kernel(types.void(_PAIR))
def shows_python_a_row(pair: _Pair) -> None:
    _show(pair.table[1])


@kernel(types.void(types.int64))
def shows_python_a_row_of_its_own(size: int) -> None:
    _show(np.full(size, 7.0))


_COUNTING = (
    *(makes_an_array, takes_arrays_from_helpers, takes_several_rows_at_once, sums_with_numpy),
    *(keeps_arrays_in_a_list, copies_rows, returns_what_it_was_given),
)


def _pair() -> _Pair:
    return _Pair(np.arange(12, dtype=np.float64).reshape(3, 4), np.array([2, 0, 1]))


@pytest.mark.slow
def test_what_only_borrows_counts_no_references(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))  # (Numba does not show machine code that it has loaded)

    def counts(made: Kernel) -> bool:
        compiled: Any = Kernel(made.function, made.signature(), compiled_first=True).run
        return any("call void @NRT_incref" in code for code in compiled.inspect_llvm().values())

    assert not counts(borrows)
    assert counts(takes_arrays_from_helpers)


def test_what_borrows_reads_and_writes_as_python_does() -> None:
    pair, same = _pair(), _pair()
    assert borrows.run(pair) == borrows.function(same)
    assert (pair.table == same.table).all()


@pytest.fixture
def statistics() -> Iterator[None]:
    """Let Numba count what is allocated."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


@pytest.mark.usefixtures("statistics")
@pytest.mark.parametrize("made", [borrows, *_COUNTING], ids=lambda made: made.function.__name__)
def test_memory_is_kept_as_long_as_it_is_used_and_no_longer(made: Kernel) -> None:
    expected = np.array(made.function(_pair()))
    made.run(_pair())
    before = rtsys.get_allocation_stats()
    for _ in range(100):
        given = _pair()
        found = made.run(given)
        del given
        assert (np.array(found) == expected).all()
        del found
    after = rtsys.get_allocation_stats()
    assert (after.alloc - before.alloc, after.mi_alloc - before.mi_alloc) == (
        after.free - before.free,
        after.mi_free - before.mi_free,
    )


def test_python_is_shown_rows_and_may_keep_them() -> None:
    _shown.clear()
    pair = _pair()
    shows_python_a_row.run(pair)
    shows_python_a_row_of_its_own.run(4)
    del pair
    _ = [np.full(12, -5.0) for _ in range(100)]
    assert [row.tolist() for row in _shown] == [[4, 5, 6, 7], [7, 7, 7, 7]]


def test_a_generator_is_let_go() -> None:
    rng, same = np.random.default_rng(3), np.random.default_rng(3)
    before = sys.getrefcount(rng)
    assert [draws(rng) for _ in range(100)] == same.random(100).tolist()
    assert sys.getrefcount(rng) == before
