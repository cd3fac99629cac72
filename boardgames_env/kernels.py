"""Kernels: rules and algorithms that Numba compiles, with signatures that are the same in every game.

A game's rules are five functions over a flat ``int8`` state whose slot 0 is the seat to move:

============ =========================================== ==============================================
kernel       signature                                   does
============ =========================================== ==============================================
``initial``  ``(state)``                                 writes the initial state
``legal``    ``(state, actions) -> n``                   writes the legal actions in ascending order
``play``     ``(state, action)``                         plays one action in place
``outcome``  ``(state) -> points``                       `ONGOING`, or the points of seat 0
``encode``   ``(state, viewer, features)``               writes every feature, as the seat ``viewer`` sees it
============ =========================================== ==============================================

``legal`` and ``play`` are only asked about positions that are not over. Decorate such a function with the
decorator of its name, and what it calls with `helper`. Nothing is compiled until a kernel is first used; what
is compiled is kept on disk under a hash of the sources, because Numba does not notice a change in another file.

An algorithm that works for every game takes kernels as arguments (``@kernel(void(POINTER_TO_PLAY, ...))``): it
receives them as function pointers, so it is compiled once for all games. With ``NUMBA_DISABLE_JIT=1`` all of it
is plain Python to step through.
"""

import inspect
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.types import WrapperAddressProtocol
from numba.extending import typeof_impl
from numpy.typing import NDArray

from boardgames_env.cache import cache_root, digest, sources_of

State = NDArray[np.int8]
Actions = NDArray[np.int32]
Features = NDArray[np.float32]

ONGOING = 127
"""What ``outcome`` answers while a contest goes on."""

STATE = types.Array(types.int8, 1, "C")
READ_ONLY_STATE = types.Array(types.int8, 1, "C", readonly=True)
STATES = types.Array(types.int8, 2, "C")
INDICES = types.Array(types.int32, 1, "C")
FEATURES = types.Array(types.float32, 1, "C")

_INITIAL = types.void(STATE)
_LEGAL = types.int64(READ_ONLY_STATE, INDICES)
_PLAY = types.void(STATE, types.int64)
_OUTCOME = types.int64(READ_ONLY_STATE)
_ENCODE = types.void(READ_ONLY_STATE, types.int64, FEATURES)

# what a generic algorithm's signature calls a kernel that it is passed
INITIAL = types.FunctionType(_INITIAL)
LEGAL = types.FunctionType(_LEGAL)
PLAY = types.FunctionType(_PLAY)
OUTCOME = types.FunctionType(_OUTCOME)
ENCODE = types.FunctionType(_ENCODE)

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
_compiling = threading.RLock()


def helper(function: Function) -> Function:
    """Mark a function that kernels call. It is compiled into them."""
    compiled: Function = numba.njit(nogil=True)(function)
    return compiled


class Kernel(WrapperAddressProtocol):
    """A function with a fixed signature, compiled when it is first used and kept on disk.

    Call it like the function it wraps, or pass it to another kernel as a function pointer. In a tight Python
    loop call ``kernel.run``, the compiled function itself.

    Args:
        function: The function.
        signature: Its Numba signature.
        source: The kernel it is made from, if it is: what is compiled is kept with that.
        parallel: Whether its ``prange`` loops run on several threads.
    """

    def __init__(
        self, function: Callable[..., Any], signature: Any, source: "Kernel | None" = None, parallel: bool = False
    ) -> None:
        self.function = function
        self._signature = signature
        self._source = source
        self._parallel = parallel

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
        with _compiling, _cached_in(self.folder) as on_disk, warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            compiler = numba.njit(self._signature, cache=on_disk, nogil=True, parallel=self._parallel)
            dispatcher: Callable[..., Any] = compiler(self.function)
        return dispatcher

    @cached_property
    def _address(self) -> int:
        compiled = self.run.get_compile_result(self._signature)  # type: ignore[attr-defined]
        address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
        return address

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        """The Numba signature (asked for by Numba when the kernel is passed as a pointer)."""
        return self._signature

    @cached_property
    def pointer_type(self) -> Any:
        """The Numba type of a pointer to the kernel."""
        return types.FunctionType(self._signature)

    @cached_property
    def folder(self) -> Path | None:
        """The cache folder of exactly this version of everything the kernel may depend on.

        ``None`` if the function comes from no file (it was typed in): then it cannot be kept.
        """
        if self._source:
            return self._source.folder
        file = Path(inspect.getsourcefile(self.function) or "")
        if not file.is_file():
            return None
        sources = dict.fromkeys([*sources_of(_PACKAGE / "__init__.py"), *sources_of(file)])
        # by module too: Numba ties what it keeps to the module's name, which is another when a file is run as a script
        return cache_root() / "kernels" / digest(tuple(sources)) / self.function.__module__


@typeof_impl.register(Kernel)
def _pointer_type(value: Kernel, context: object) -> Any:
    """Answer from `Kernel.pointer_type`: Numba would make the type anew whenever a kernel is passed."""
    return value.pointer_type


def kernel(signature: Any, parallel: bool = False) -> Callable[[Callable[..., Any]], Kernel]:
    """Make a kernel with the given Numba signature; if ``parallel``, its ``prange`` loops run on several threads."""
    return lambda function: Kernel(function, signature, parallel=parallel)


initial = kernel(_INITIAL)
legal = kernel(_LEGAL)
play = kernel(_PLAY)
outcome = kernel(_OUTCOME)
encode = kernel(_ENCODE)


def announce_compilation(what: str, kernels: list[Kernel]) -> None:
    """Compile kernels now, saying so in one line if this version of them has not been compiled before."""
    if numba.config.DISABLE_JIT:
        return
    folder = kernels[0].folder
    mark = folder / f"{re.sub(r'[^-=.,A-Za-z0-9_]', '_', what)}.compiled" if folder else None
    if not (mark and mark.exists()):
        kept = f"once; kept in {folder}" if folder else "its source is in no file, so it is not kept"
        print(f"Compiling {what} ({kept}) ...", file=sys.stderr, flush=True)
    for each in kernels:
        _ = each.run
    with suppress(OSError):  # said by _cached_in: without a cache every process compiles, and says so
        if mark:
            mark.touch()


@contextmanager
def _cached_in(folder: Path | None) -> Iterator[bool]:
    """Point Numba's disk cache at a folder, if there is one; yields whether it can be written to."""
    if folder is None:
        yield False
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
    except OSError as error:
        warnings.warn(
            f"compiled kernels are not kept, so that every process compiles its own: {error}; "
            "set BOARDGAMES_CACHE to a folder that can be written to",
            RuntimeWarning,
            stacklevel=2,
        )
        yield False
        return
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before
