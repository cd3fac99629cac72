"""Copies and comparisons of rows of numbers, for kernels."""

from typing import Any

from numpy.typing import NDArray

from boardgames_env.kernels import helper


@helper
def copy_row(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy an array to another of the same length. (``target[:] = source`` does so, but takes seconds to compile.)"""
    for i in range(len(target)):
        target[i] = source[i]


@helper
def same_row(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two arrays of the same length are equal."""
    for i in range(len(one)):
        if one[i] != other[i]:
            return False
    return True


@helper
def is_new(rows: NDArray[Any], row: int) -> bool:
    """Return whether a row differs from all the rows before it."""
    for earlier in range(row):
        if same_row(rows[earlier], rows[row]):
            return False
    return True
