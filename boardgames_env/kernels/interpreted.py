"""Kernels as plain Python that computes what their machine code computes.

A kernel runs like this until its machine code is there (`boardgames_env.kernels.compiling`), and always with
``NUMBA_DISABLE_JIT=1``. The results are the same: Numba computes with 64 bits whatever the width of the integers that
it takes from an array, NumPy with the width of the array. So functions run as copies, in which arrays of narrow
integers give Python's integers, helpers and kernels are copies themselves, and new arrays are of this kind, too.
Python's integers do not overflow: code that relies on it must compute with ``np.uint64``. Code for float32 must write
its constants as ``np.float32``, or NumPy would compute in float32 what Numba computes in float64; widen by
``np.float64``, because to Numba ``float`` leaves a float32 as it is; and take exponentials of float64 by ``math.exp``.
"""

from collections.abc import Callable
from functools import partial, singledispatch
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba import types

_item, _rows, _write = np.ndarray.item, np.ndarray.__getitem__, np.ndarray.__setitem__


class WideArray(np.ndarray[Any, Any]):
    """An array whose elements are Python's numbers, and which takes any integer, of which it keeps the lowest bits."""

    def __getitem__(self, index: Any) -> Any:
        """Return an element as Python's number, or rows."""
        if self.ndim == 1 or type(index) is tuple:
            try:
                return _item(self, index)
            except (TypeError, ValueError):
                pass  # it is a part of the array
        return _rows(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write elements."""
        try:
            _write(self, index, value)
        except OverflowError:
            _write(self, index, np.array(value).astype(self.dtype))


def _wide(array: Any) -> Any:
    return array.view(WideArray)


def _is_narrow(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "b" or (dtype.kind in "iu" and dtype.itemsize < 8)


@singledispatch
def interpreted(value: Any) -> Any:
    """Return what stands for a value in a copy of a function: for most values, the value itself."""
    return value


@interpreted.register
def _array(value: np.ndarray) -> Any:  # (the registry takes no parametrized types)
    return _wide(value) if _is_narrow(value.dtype) else value


@interpreted.register
def _number(value: np.generic) -> Any:
    return value.item() if _is_narrow(value.dtype) else value


@interpreted.register
def _tuple(value: tuple) -> Any:  # type: ignore[type-arg]
    parts = list(map(interpreted, value))
    return value._make(parts) if hasattr(value, "_make") else tuple(parts)


@interpreted.register
def _module(value: ModuleType) -> Any:
    return _NUMPY if value is np else value


class _NumPy:
    """NumPy, whose new arrays are `WideArray` where they are narrow."""

    _MAKERS = (
        *("arange", "array", "empty", "full", "ones", "zeros"),
        *("empty_like", "full_like", "ones_like", "zeros_like"),
    )

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        setattr(self, name, partial(_made_by, found) if name in self._MAKERS else found)
        return getattr(self, name)


_NUMPY = _NumPy()


def _made_by(maker: Callable[..., Any], *args: Any, **options: Any) -> Any:
    made = maker(*args, **options)
    return _wide(made) if _is_narrow(made.dtype) else made


_copies: WeakKeyDictionary[FunctionType, FunctionType] = WeakKeyDictionary()


def interpreted_function(function: Any) -> FunctionType:
    """Return the copy of a function that kernels consist of; like Numba, it keeps the globals of the first use."""
    if function in _copies:
        return _copies[function]
    cells = tuple(CellType() for _ in function.__closure__ or ())
    names = dict(function.__globals__)
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__ = function.__kwdefaults__
    _copies[function] = made  # (it may call itself)
    for name in _names_of(function.__code__) & names.keys():
        names[name] = interpreted(names[name])
    for cell, old in zip(cells, function.__closure__ or (), strict=True):
        cell.cell_contents = interpreted(old.cell_contents)
    return made


def stand_in(function: FunctionType, other: Any) -> None:
    """Let another function be the copy of a function."""
    _copies[function] = other


def _names_of(code: CodeType) -> set[str]:
    nested = (each for each in code.co_consts if isinstance(each, CodeType))
    return {*code.co_names}.union(*map(_names_of, nested))


def with_signature(function: FunctionType, signature: Any) -> Callable[..., Any]:
    """Return a copy of a function for callers in Python, who pass and get what they would with its machine code."""
    passed = [_conversion(each) for each in signature.args]
    returned = _conversion(signature.return_type, is_result=True)

    def run(*args: Any) -> Any:
        converted = [each(arg) if each else arg for each, arg in zip(passed, args, strict=True)]
        result = function(*converted)
        return returned(result) if returned else result

    return run


def _conversion(of: Any, is_result: bool = False) -> Callable[[Any], Any] | None:
    """Return a conversion to what a function takes or returns for a Numba type, or ``None`` where none is needed."""
    conversion: Callable[[Any], Any] | None = None
    if isinstance(of, types.Array):
        narrow = isinstance(of.dtype, types.Boolean) or (isinstance(of.dtype, types.Integer) and of.dtype.bitwidth < 64)
        conversion = None if not narrow else np.asarray if is_result else _wide
    elif isinstance(of, types.BaseTuple):
        parts = [_conversion(each, is_result) for each in of]
        make = getattr(getattr(of, "instance_class", None), "_make", tuple)
        if any(parts):
            return lambda value: make([part(each) if part else each for part, each in zip(parts, value, strict=True)])
    elif isinstance(of, types.FunctionType):
        conversion = interpreted
    elif isinstance(of, types.Boolean):
        conversion = bool
    elif isinstance(of, types.Integer):
        conversion = int if is_result or of != types.uint64 else np.uint64
    elif isinstance(of, types.Float):
        conversion = float if is_result or of != types.float32 else np.float32
    return conversion
