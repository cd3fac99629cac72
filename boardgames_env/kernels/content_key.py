"""The content of kernels: everything that determines what they compute.

It does not depend on the file, line or process that a kernel comes from.

The content of a function is its bytecode and constants, its default arguments, what its closure holds, and the
values of the globals it reads, where the functions among those are followed in turn. It does not hold the text of
docstrings and comments, annotations, line numbers or paths.

Libraries (Python, NumPy, Numba) are described by name. Their versions belong to a compiled kernel's key, because
they change the machine code, and not to the key of a game's rules, which mean the same under every version.
"""

import builtins
import dis
import hashlib
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core import config
from numba.core.dispatcher import Dispatcher
from numba.core.types import WrapperAddressProtocol
from numba.core.typing.templates import Signature

from boardgames_env.errors import BadInputError

_LIBRARIES = {"builtins", "math", "cmath", "operator", "numpy", "numba"}
_PLAIN = (type(None), type(Ellipsis), bool, int, float, complex, str, bytes)


class NoContentError(BadInputError):
    """A kernel reaches an object whose content cannot be described."""


def content_key(parts: Iterable[object]) -> str:
    """Return a hash of the content of kernels, functions and constants; `NoContentError` if one has none."""
    described = _Description().of(parts)
    return hashlib.sha256(repr(described).encode()).hexdigest()[:32]


def functions_reached(part: object) -> list[FunctionType]:
    """Return the functions of a kernel or function: its own and all that it reaches."""
    description = _Description()
    description.of([part])
    return list(description.numbers)


class _Description:
    """Objects as nested tuples of numbers, texts and names; ``numbers`` has the functions in order."""

    def __init__(self) -> None:
        self.numbers: dict[FunctionType, int] = {}

    def of(self, parts: Iterable[object]) -> tuple[Any, ...]:
        described = [self._function(part) if isinstance(part, FunctionType) else self._value(part) for part in parts]
        functions: list[tuple[Any, ...]] = []
        while len(functions) < len(self.numbers):
            functions.append(self._body(list(self.numbers)[len(functions)]))
        return (*described, *functions)

    def _function(self, function: FunctionType) -> tuple[Any, ...]:
        return "function", self.numbers.setdefault(function, len(self.numbers))

    def _body(self, function: FunctionType) -> tuple[Any, ...]:
        """Describe a function; functions that it reaches become numbers, so that recursion ends."""
        code = function.__code__
        return (
            _code_content(code),
            [self._read(function, names) for names in _globals_read(code)],
            [self._value(_held(cell)) for cell in function.__closure__ or ()],
            self._value(function.__defaults__),
            self._items(function.__kwdefaults__ or {}),
        )

    def _read(self, function: FunctionType, names: tuple[str, ...]) -> tuple[Any, ...]:
        """Describe the value of ``names[0]``, followed by attributes if it is a module."""
        first, *attributes = names
        if first not in function.__globals__:
            return "builtin", first, hasattr(builtins, first)
        value = function.__globals__[first]
        while isinstance(value, ModuleType) and not _in_library(value.__name__) and attributes:
            value = getattr(value, attributes.pop(0), None)
        return self._value(value)

    def _value(self, value: Any) -> tuple[Any, ...]:
        kind = type(value)
        if kind in _PLAIN:
            return kind.__name__, value
        if isinstance(value, Dispatcher):
            return "helper", self._function(value.py_func), self._items(value.targetoptions)
        if isinstance(value, FunctionType) and config.DISABLE_JIT:  # (a helper, then)
            return self._function(value)
        if isinstance(value, WrapperAddressProtocol):
            return self._kernel(value)
        if isinstance(value, types.Type | Signature):
            return self._numba_type(value)
        return self._data(value)

    def _data(self, value: Any) -> tuple[Any, ...]:
        kind = type(value)
        if isinstance(value, tuple):
            return self._class(kind), *map(self._value, value)
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            flags = value.flags
            layout = value.dtype.descr, value.shape, flags.c_contiguous, flags.f_contiguous, flags.aligned
            return kind.__name__, layout, hashlib.sha256(value.tobytes()).hexdigest()
        if isinstance(value, Enum):
            return "enum", self._class(kind), value.name, self._value(value.value)
        if isinstance(value, type) and not _is_of_library(value):
            return self._class(value)
        return _library_object(value)

    def _kernel(self, value: Any) -> tuple[Any, ...]:
        if not hasattr(value, "options"):
            raise NoContentError(f"{value!r} is a function pointer of unknown content")
        return "kernel", self._function(value.function), self._numba_type(value.signature()), self._items(value.options)

    def _items(self, named: Mapping[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
        return [(name, self._value(named[name])) for name in sorted(named)]

    def _class(self, kind: type) -> tuple[Any, ...]:
        """Describe a class that kernels can use: a named tuple or an enumeration."""
        name = kind.__module__, kind.__qualname__
        fields: Any = getattr(kind, "_fields", None)
        if kind is tuple:
            return name
        if issubclass(kind, tuple) and fields:
            return *name, fields, self._items(getattr(kind, "_field_defaults", {}))
        if issubclass(kind, Enum):
            return *name, *((member.name, self._value(member.value)) for member in kind)
        raise NoContentError(f"{kind!r} is a class of unknown content")

    def _numba_type(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, Signature):
            return "signature", *map(self._numba_type, (value.return_type, *value.args))
        if isinstance(value, types.FunctionType):
            return "pointer", self._numba_type(value.signature)
        if isinstance(value, types.BaseTuple):
            named = self._class(value.instance_class) if isinstance(value, types.BaseNamedTuple) else ()
            return "tuple", named, *map(self._numba_type, value.types)
        text = str(value)
        if "0x" in text or "<" in text:
            raise NoContentError(f"{text} is a Numba type of unknown content")
        return type(value).__name__, text


def _held(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise NoContentError("a closure reads a variable that has no value") from None


def _library_object(value: Any) -> tuple[Any, ...]:
    """Describe an object of a library by its name.

    Others raise `NoContentError`, such as a plain function, which can only mean something to Numba by an overload that
    is registered elsewhere.
    """
    if isinstance(value, ModuleType) and _in_library(value.__name__):
        return "module", value.__name__
    if isinstance(value, np.ufunc) and getattr(np, name := str(value.__name__), None) is value:
        return "ufunc", name
    if isinstance(value, np.dtype) and not value.hasobject:
        return "dtype", value.descr
    if _is_of_library(value):
        return "library", value.__module__, value.__qualname__
    raise NoContentError(f"a kernel reads {value!r}, whose content cannot be described")


def _is_of_library(value: Any) -> bool:
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not (isinstance(module, str) and isinstance(name, str) and _in_library(module)):
        return False
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


def _in_library(module: str) -> bool:
    return module.partition(".")[0] in _LIBRARIES


@cache
def _code_content(code: CodeType) -> tuple[Any, ...]:
    """Describe a code object and those nested in it, without its docstring."""
    constants = list(code.co_consts)
    if constants and isinstance(constants[0], str) and not _reads_first_constant(code):
        constants[0] = None
    return (
        code.co_code.hex(),
        [_constant(each) for each in constants],
        (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars),
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags),
        getattr(code, "co_exceptiontable", b"").hex(),
    )


def _reads_first_constant(code: CodeType) -> bool:
    return any(each.opcode in dis.hasconst and each.arg == 0 for each in dis.get_instructions(code))


def _constant(value: Any) -> tuple[Any, ...]:
    if isinstance(value, CodeType):
        return "code", _code_content(value)
    if isinstance(value, tuple):
        return "tuple", *map(_constant, value)
    if isinstance(value, frozenset):
        return "set", *sorted(map(repr, map(_constant, value)))
    return type(value).__name__, repr(value)


@cache
def _globals_read(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """List the globals that a code object and those nested in it read, with the attributes read from each."""
    found: dict[tuple[str, ...], None] = {}
    names: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("EXTENDED_ARG", "CACHE"):
            continue
        if names and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            names = (*names, instruction.argval)
            continue
        if names:
            found[names] = None
        names = (instruction.argval,) if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") else ()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.update(dict.fromkeys(_globals_read(constant)))
    return tuple(found)
