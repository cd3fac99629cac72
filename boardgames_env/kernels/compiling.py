"""Compiling kernels, and the decorators for functions that kernels call."""

import itertools
import secrets
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import FrameType
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.errors import NumbaExperimentalFeatureWarning, NumbaWarning
from numba.core.types import WrapperAddressProtocol
from numba.extending import typeof_impl

from boardgames_env.kernels.content_key import NoContentError
from boardgames_env.kernels.disk_cache import KernelFile, entry_path, kernel_key, kernels_folder

Function = TypeVar("Function", bound=Callable[..., Any])

# kernels never divide by 0; with Numba's own check for it, the compiler could not vectorize divisions
_OPTIONS = {"nogil": True, "error_model": "numpy"}

_compiling = threading.RLock()


def helper(function: Function) -> Function:
    """Mark a function that kernels call; it is compiled into them."""
    compiled: Function = numba.njit(**_OPTIONS)(function)
    return compiled


def inlined(function: Function) -> Function:
    """Mark a helper that is inlined, because passing its arrays takes longer than running."""
    compiled: Function = numba.njit(forceinline=True, **_OPTIONS)(function)
    return compiled


class Kernel(WrapperAddressProtocol):
    """A function with a fixed signature, compiled when it is first used and kept on disk.

    Call it like the function it wraps, or pass it to another kernel as a function pointer. In a tight Python
    loop call ``kernel.run``, the compiled function itself.

    Attributes:
        function: The Python function.
        options: Numba's compile options; with ``parallel``, ``prange`` loops run on several threads.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, parallel: bool = False) -> None:
        self.function = function
        self.options = {**_OPTIONS, "parallel": parallel}
        self._signature = signature

    def __call__(self, *args: Any) -> Any:
        """Run the kernel."""
        return self.run(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    @cached_property
    def run(self) -> Callable[..., Any]:
        """The compiled function, or the plain one under ``NUMBA_DISABLE_JIT=1``."""
        if numba.config.DISABLE_JIT:
            return self.function
        with _compiling, _uninterrupted(), warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            warnings.filterwarnings("ignore", "Code running in object mode", NumbaWarning)  # (it asks Python)
            return self._compiled()

    def _compiled(self) -> Callable[..., Any]:
        compiled: Any = numba.njit(**self.options)(self.function)
        if self.key is not None:
            compiled._cache = KernelFile(self.key, compiled.py_func)
        # Machine code goes by the name of its function and a number that Numba starts afresh in every process. Of two
        # functions compiled in different processes that have both in common, one would be linked in place of the other.
        FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))
        compiled.compile(self._signature)
        compiled.disable_compile()
        run: Callable[..., Any] = compiled
        return run

    @cached_property
    def key(self) -> str | None:
        """The name of the compiled kernel on disk; ``None`` if its content cannot be described."""
        try:
            return kernel_key(self)
        except NoContentError:
            return None

    @property
    def is_compiled(self) -> bool:
        """Whether it has been compiled, by this process or an earlier one."""
        return "run" in self.__dict__ or (self.key is not None and entry_path(self.key).exists())

    @cached_property
    def _address(self) -> int:
        compiled = self.run.get_compile_result(self._signature)  # type: ignore[attr-defined]
        address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
        return address

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        """Return the Numba signature (Numba calls this when the kernel is passed as a pointer)."""
        return self._signature

    @cached_property
    def pointer_type(self) -> Any:
        """The Numba type of a pointer to the kernel."""
        return types.FunctionType(self._signature)


@typeof_impl.register(Kernel)
def _pointer_type(value: Kernel, context: object) -> Any:
    """Return `Kernel.pointer_type`; Numba would make a new type whenever a kernel is passed."""
    return value.pointer_type


def kernel(signature: Any, parallel: bool = False) -> Callable[[Callable[..., Any]], Kernel]:
    """Return a decorator that makes a kernel of a function or helper; if ``parallel``, `prange` uses threads."""
    return lambda function: Kernel(getattr(function, "py_func", function), signature, parallel=parallel)


def announce_compilation(what: str, kernels: list[Kernel]) -> None:
    """Compile kernels now, with a line on stderr if any has not been compiled before."""
    if numba.config.DISABLE_JIT:
        return
    if not all(each.is_compiled for each in kernels):
        kept = f"once; kept in {kernels_folder()}" if all(each.key for each in kernels) else "in every process anew"
        print(f"Compiling {what} ({kept}) ...", file=sys.stderr, flush=True)
    for each in kernels:
        _ = each.run


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C: during a compilation, Numba would ignore it or leave half a library behind."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    caught: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught:
        before(*caught[0])
