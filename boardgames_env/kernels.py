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

``legal`` and ``play`` are only asked about positions that are not over, and in which nothing is left to chance. A
game with dice has two more, which no other game needs to write; a turn begins when chance has decided all it must:

=========== ============================================ ==============================================
``chances`` ``(state, cases) -> n``                      writes how many equally likely cases each event has;
                                                         no event where nothing is left to chance
``happen``  ``(state, event)``                           makes an event happen in place
=========== ============================================ ==============================================

A game that knows a faster way to all whole moves than to play action by action can say so:

=========== ============================================ ==============================================
``moves``   ``(state, afterstates, actions) -> n``       writes the distinct positions that whole moves
                                                         lead to, and for each the actions of one such move,
                                                         followed by -1
=========== ============================================ ==============================================

What a search needs to know beyond the rules of a game can be told by three more, which are only asked about positions
that are not over, too:

============ =========================================== ==============================================
``evaluate`` ``(state) -> worth``                        how good the position looks for the seat to move
``gain``     ``(state, action) -> difference``           by how much an action betters that, for who plays it
``forcing``  ``(state, actions) -> n``                   writes the legal actions a search must not stop before
============ =========================================== ==============================================

Worths are whole numbers in units of the game's own, less than 10,000 either way. Decorate such a function with the
decorator of its name, and what it calls with `helper`. Nothing is compiled until a kernel is first used; what
is compiled is kept on disk under a hash of the sources, because Numba does not notice a change in another file.

An algorithm that works for every game takes kernels as arguments (``@kernel(void(POINTER_TO_PLAY, ...))``): it
receives them as function pointers, so it is compiled once for all games. With ``NUMBA_DISABLE_JIT=1`` all of it
is plain Python to step through.
"""

import hashlib
import inspect
import pickle
import re
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.types import WrapperAddressProtocol
from numba.extending import typeof_impl
from numpy.typing import NDArray

from boardgames_env.files import cache_root, digest, sources_of

State = NDArray[np.int8]
Actions = NDArray[np.int32]
Features = NDArray[np.float32]

ONGOING = 127
"""What ``outcome`` answers while a contest goes on."""

STATE = types.Array(types.int8, 1, "C")
READ_ONLY_STATE = types.Array(types.int8, 1, "C", readonly=True)
STATES = types.Array(types.int8, 2, "C")
INDICES = types.Array(types.int32, 1, "C")
TABLE = types.Array(types.int32, 2, "C")
FEATURES = types.Array(types.float32, 1, "C")

_INITIAL = types.void(STATE)
_LEGAL = types.int64(READ_ONLY_STATE, INDICES)
_PLAY = types.void(STATE, types.int64)
_OUTCOME = types.int64(READ_ONLY_STATE)
_ENCODE = types.void(READ_ONLY_STATE, types.int64, FEATURES)
_CHANCES = types.int64(READ_ONLY_STATE, INDICES)
_HAPPEN = types.void(STATE, types.int64)
_MOVES = types.int64(READ_ONLY_STATE, STATES, TABLE)
_EVALUATE = types.int64(READ_ONLY_STATE)
_GAIN = types.int64(READ_ONLY_STATE, types.int64)

# what a generic algorithm's signature calls a kernel that it is passed
INITIAL = types.FunctionType(_INITIAL)
LEGAL = types.FunctionType(_LEGAL)
PLAY = types.FunctionType(_PLAY)
OUTCOME = types.FunctionType(_OUTCOME)
ENCODE = types.FunctionType(_ENCODE)
CHANCES = types.FunctionType(_CHANCES)
HAPPEN = types.FunctionType(_HAPPEN)
MOVES = types.FunctionType(_MOVES)
EVALUATE = types.FunctionType(_EVALUATE)
GAIN = types.FunctionType(_GAIN)

Function = TypeVar("Function", bound=Callable[..., Any])

# kernels divide by nothing that can be 0; asked to see to it themselves, compilers could not divide many at a time
_ERRORS = "numpy"

_PACKAGE = Path(__file__).parent
_imported_at = time.time()
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
        with _compiling, _uninterrupted(), _cached_in(self.folder) as on_disk, warnings.catch_warnings():
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
        _add_sources(self._source.function if self._source else self.function, found, set())
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
        version = _version(self.sources)
        if version is None:
            return None
        # by module too: Numba ties what it keeps to the module's name, which is another when a file is run as a script
        folder = cache_root() / "kernels" / version / self.function.__module__
        # and what differs by no more than what it closes over is kept apart: Numba numbers such files without a lock,
        # so two processes that compile different ones at once would take each other's
        return folder / fingerprint(self.function) if self.function.__closure__ else folder


@cache
def _version(sources: tuple[Path, ...]) -> str | None:
    """A hash of the files, or ``None`` if one has changed since this process began."""
    return None if any(file.stat().st_mtime > _imported_at for file in sources) else digest(sources)


def _add_sources(function: Any, found: dict[Path, None], seen: set[int]) -> None:
    """Add the files of a function, and of every function it names or closes over, and so on."""
    plain = getattr(function, "py_func", getattr(function, "function", function))
    if not inspect.isfunction(plain) or id(plain) in seen:
        return
    seen.add(id(plain))
    file = Path(inspect.getsourcefile(plain) or "")
    if file.is_file():
        found.update(dict.fromkeys(sources_of(file)))
    named = [plain.__globals__.get(name) for name in plain.__code__.co_names]
    for other in named + [cell.cell_contents for cell in plain.__closure__ or ()]:
        _add_sources(other, found, seen)


def fingerprint(function: Any) -> str:
    """What tells a function from others: its file and line, its code, and what it closes over."""
    plain = getattr(function, "py_func", function)
    code = plain.__code__
    parts = [code.co_filename, str(code.co_firstlineno), code.co_code.hex(), repr(code.co_consts), repr(code.co_names)]
    for cell in plain.__closure__ or ():
        held = cell.cell_contents
        if isinstance(held, np.ndarray):
            parts.append(f"{held.dtype}{held.shape}{held.tobytes().hex()}")
        elif hasattr(held, "py_func") or inspect.isfunction(held):
            parts.append(fingerprint(held))
        else:
            parts.append(pickle.dumps(held).hex())
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:12]


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
chances = kernel(_CHANCES)
happen = kernel(_HAPPEN)
moves = kernel(_MOVES)
evaluate = kernel(_EVALUATE)
gain = kernel(_GAIN)
forcing = kernel(_LEGAL)


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
    with suppress(OSError):  # said by _cached_in: without a cache every process compiles, and says so
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
