"""Compiling kernels, and the decorators for functions that kernels call."""

import inspect
import pickle
import re
import shutil
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.types import WrapperAddressProtocol
from numba.extending import typeof_impl

from boardgames_env.files import cache_root, sources_of
from boardgames_env.kernels.disk_cache import add_sources, cached_in, fingerprint, version_of

Function = TypeVar("Function", bound=Callable[..., Any])

# kernels divide by nothing that can be 0; asked to see to it themselves, compilers could not divide many at a time
_ERRORS = "numpy"

_PACKAGE = Path(__file__).parent.parent
_compiling = threading.RLock()


def helper(function: Function) -> Function:
    """Mark a function that kernels call. It is compiled into them."""
    compiled: Function = numba.njit(nogil=True, error_model=_ERRORS)(function)
    return compiled


def inlined(function: Function) -> Function:
    """Mark a helper that becomes part of whatever calls it: one whose many arrays take longer to pass than to use."""
    compiled: Function = numba.njit(nogil=True, forceinline=True, error_model=_ERRORS)(function)
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
        with _compiling, _uninterrupted(), cached_in(self.folder) as on_disk, warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            try:
                return self._compiled(on_disk)
            except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError, OSError) as error:
                if not on_disk:
                    raise
                warnings.warn(
                    f"the compiled kernels in {self.folder} are damaged ({error!r}); compiling {self!r} again",
                    RuntimeWarning,
                    stacklevel=2,
                )
                shutil.rmtree(self.folder or "", ignore_errors=True)
                return self._compiled(on_disk)

    def _compiled(self, on_disk: bool) -> Callable[..., Any]:
        options = {"cache": on_disk, "nogil": True, "parallel": self._parallel, "error_model": _ERRORS}
        if self.function.__closure__ and fingerprint(self.function) not in self.function.__qualname__:
            # machine code goes by this name and a number that starts afresh in every process: of two kernels compiled
            # in different processes that have both in common, one would be taken for the other
            self.function.__qualname__ += f".{fingerprint(self.function)}"
        compiled: Any = numba.njit(**options)(self.function)
        if on_disk and self.function.__closure__:
            # Numba would know it by a pickle of what it closes over, which for a helper is another in every process;
            # the folder tells that already
            compiled._cache._index_key = lambda signature, codegen: (signature, codegen.magic_tuple())
        compiled.compile(self._signature)
        compiled.disable_compile()
        run: Callable[..., Any] = compiled
        return run

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
    def sources(self) -> tuple[Path, ...]:
        """Every file that what is compiled may depend on: this package, and where the function's own helpers are."""
        found: dict[Path, None] = dict.fromkeys(sources_of(_PACKAGE / "__init__.py"))
        add_sources(self._source.function if self._source else self.function, found, set())
        return tuple(found)

    @cached_property
    def folder(self) -> Path | None:
        """The cache folder of exactly this version of everything the kernel may depend on.

        ``None`` if it cannot be told which version that is: the function comes from no file (it was typed in), or a
        file has changed since this process began, and what was imported may be older.
        """
        if self._source:
            return self._source.folder
        if not Path(inspect.getsourcefile(self.function) or "").is_file():
            return None
        version = version_of(self.sources)
        if version is None:
            return None
        # by module too: Numba ties what it keeps to the module's name, which is another when a file is run as a script
        folder = cache_root() / "kernels" / version / self.function.__module__
        # and what differs by no more than what it closes over is kept apart: Numba numbers such files without a lock,
        # so two processes that compile different ones at once would take each other's
        return folder / fingerprint(self.function) if self.function.__closure__ else folder


@typeof_impl.register(Kernel)
def _pointer_type(value: Kernel, context: object) -> Any:
    """Answer from `Kernel.pointer_type`: Numba would make the type anew whenever a kernel is passed."""
    return value.pointer_type


def kernel(signature: Any, parallel: bool = False) -> Callable[[Callable[..., Any]], Kernel]:
    """Make a kernel with the given Numba signature; if ``parallel``, its ``prange`` loops run on several threads."""
    return lambda function: Kernel(function, signature, parallel=parallel)


def announce_compilation(what: str, kernels: list[Kernel]) -> None:
    """Compile kernels now, saying so in one line if this version of them has not been compiled before."""
    if numba.config.DISABLE_JIT:
        return
    folder = kernels[0].folder
    mark = folder / f"{re.sub(r'[^-=.,A-Za-z0-9_]', '_', what)}.compiled" if folder else None
    if not (mark and mark.exists()):
        kept = f"once; kept in {folder}" if folder else "not kept: no file holds the source that was imported"
        print(f"Compiling {what} ({kept}) ...", file=sys.stderr, flush=True)
    for each in kernels:
        _ = each.run
    with suppress(OSError):  # said by cached_in: without a cache every process compiles, and says so
        if mark:
            mark.touch()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait: while Numba compiles, it would be swallowed, or leave half a library behind."""
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
