"""Kernels: they run as plain Python until they are compiled, which a thread does in the background."""

import itertools
import secrets
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from time import perf_counter
from types import FrameType, SimpleNamespace
from typing import Any, ClassVar

import numba
import numba.core.compiler
import numba.core.errors
import numba.core.object_mode_passes
import numba.core.utils
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.errors import NumbaValueError
from numba.core.types import WrapperAddressProtocol
from numba.core.typing.typeof import Purpose, typeof
from numba.extending import typeof_impl

from boardgames_env.kernels.background import compiler, compiling, waiting, waits
from boardgames_env.kernels.content_key import NoContentError
from boardgames_env.kernels.disk_cache import KernelFile, has_entry, kernel_key, one_process_at_a_time, was_used
from boardgames_env.kernels.helpers import OPTIONS, link_helpers
from boardgames_env.kernels.interpreted import interpreted, interpreted_function, with_signature
from boardgames_env.kernels.references import BorrowingCompiler
from boardgames_env.kernels.signatures import PointerType

_silent_warnings = SimpleNamespace(
    warn=lambda *_, **__: None,
    warn_explicit=lambda *_, **__: None,
    simplefilter=lambda *_, **__: None,
    filterwarnings=lambda *_, **__: None,
    catch_warnings=lambda **_: nullcontext([]),
)


class _ThreadWarnings(threading.local):
    """What Numba takes for the module `warnings`: it does nothing in a thread that compiles kernels.

    Numba sets filters of warnings for every step of a compilation and restores those that it found. They belong to the
    whole process: what another thread had set meanwhile would be lost.
    """

    silent: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(_silent_warnings if self.silent else warnings, name)


_numba_warnings = _ThreadWarnings()
for _module in (numba.core.compiler, numba.core.errors, numba.core.object_mode_passes):
    _module.warnings = _numba_warnings
numba.core.utils.warnings = _silent_warnings  # (pointers to functions are "experimental" to Numba, in any thread)


class _once:  # noqa: N801  (a decorator, like those of Python)
    """A `functools.cached_property` without the lock that those of Python 3.11 and older have for all instances.

    One thread would wait until another has compiled another kernel, and a fork could leave the lock locked.
    """

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make, self.__doc__ = make, make.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        made = instance.__dict__[self._make.__name__] = self._make(instance)
        return made


class Kernel(WrapperAddressProtocol):
    """A function with a fixed signature, which runs as plain Python until its machine code is there.

    Call it like the function it wraps, or pass it to another kernel as a function pointer. In a tight Python loop call
    ``kernel.run``. Machine code is loaded from the disk if an earlier process has kept it. Otherwise it is made by a
    thread once the kernel has run for `patience` seconds, or for a tenth of that in a second process; where a pointer
    to it is needed, it is made at once.

    Attributes:
        function: The Python function.
        can_mark: Whether it is a ``legal`` kernel that can write masks; see `write_action`.
        compiled_first: Whether it waits for its machine code, because plain Python would take seconds for one call, or
            other floating-point numbers would come out.
        options: Numba's compile options; with ``parallel``, ``prange`` loops run on several threads.
        patience: The seconds for which each kernel may run as plain Python before it is compiled in the background;
            compiling it takes about as long.
    """

    patience: ClassVar[float] = 1.0

    def __init__(
        self, function: Callable[..., Any], signature: Any, parallel: bool = False, compiled_first: bool = False
    ) -> None:
        self.function = function
        self.options = {**OPTIONS, "parallel": parallel}
        self.can_mark = False
        self.compiled_first = compiled_first
        self._signature = signature
        self._failure = ""
        self._is_compiled_behind = False
        self._dispatcher: Any = None

    def __call__(self, *args: Any) -> Any:
        """Run the kernel."""
        return self.run(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    @_once
    def run(self) -> Callable[..., Any]:
        """The kernel for callers in Python: its machine code if it is there or must be, else plain Python."""
        if numba.config.DISABLE_JIT:
            as_python: Callable[..., Any] = self.as_python
            return as_python
        return self._machine_code() if self.compiled_first or self.is_compiled else self._until_compiled()

    @_once
    def trusting(self) -> Callable[..., Any]:
        """`run` for arguments that are known to be of the signature's types, and its arrays contiguous.

        Numba's check of that takes longer than a rule: without it, a call from Python is 2.1 times as fast.
        """
        _ = self.run
        return self._trusting_code() if self.run is self._dispatcher else self.__call__

    def _trusting_code(self) -> Callable[..., Any]:
        """Return the function through which Numba, having checked the arguments, calls the machine code."""
        unchecked: Callable[..., Any] = self._compiled().get_compile_result(self._signature).entry_point
        return unchecked

    def run_for(self, is_short: bool) -> Callable[..., Any]:
        """Return `run` for a call; one that takes plain Python half a second at most waits for no machine code."""
        chosen: Callable[..., Any] = self._run_at_once if is_short and not numba.config.DISABLE_JIT else self.run
        return chosen

    def _run_at_once(self, *args: Any) -> Any:
        is_there = self.is_compiled and all(each.is_compiled for each in _kernels_in(args))
        return self.run(*args) if is_there else self._python_first(*args)

    @_once
    def _python_first(self) -> Callable[..., Any]:
        """Plain Python until the machine code is there, also of a kernel that is `compiled_first`."""
        return self._until_compiled()

    @_once
    def as_python(self) -> Callable[..., Any]:
        """The kernel as plain Python, which checks the bounds of arrays."""
        return with_signature(interpreted_function(self.function), self._signature)

    def _machine_code(self) -> Callable[..., Any]:
        run: Callable[..., Any] = self._compiled()
        return partial(_uninterrupted, run) if types.npy_rng in self._signature.args else run

    def _until_compiled(self) -> Callable[..., Any]:
        """Return a function that runs plain Python until the machine code is there."""
        run, spent, share, is_asked = self.as_python, 0.0, 0.1, False

        def timed(*args: Any) -> Any:
            nonlocal spent, share, is_asked
            if is_asked:
                if self._failure:
                    failure, self._failure = self._failure, ""
                    warnings.warn(f"{self} stays plain Python: {failure}", RuntimeWarning, stacklevel=2)
                return self.run(*args) if self._is_compiled_behind else run(*args)
            began = perf_counter()
            result = run(*args)
            spent += perf_counter() - began
            if spent > share * self.patience:
                is_asked = spent > self.patience or (self.key is not None and was_used(self.key))
                share = 1.0
                if is_asked:  # (also if another process has compiled it by now: then it is loaded)
                    compiler.ask(partial(self._compile_now, _kernels_in(args)))
            return result

        return timed

    def compile_behind(self) -> None:
        """Let the thread in the background compile the kernel, unless it is compiled."""
        if not self.is_compiled:
            compiler.ask(self._compile_now)

    def _compile_now(self, pointers: "Sequence[Kernel]" = ()) -> None:
        try:
            machine_code = self._machine_code()
            for each in pointers:  # (the next call would wait for them)
                _ = each.address
            self.run = machine_code
            self.trusting = self._trusting_code()
            self._is_compiled_behind = True
        except Exception as error:  # Numba does not know something that the function does
            self._failure = f"{type(error).__name__}: {error}".splitlines()[0]

    def _compiled(self) -> Any:
        """Return the compiled function."""
        if self._dispatcher is None:
            is_waited_for = not (waits.now or self.is_compiled or compiler.is_this_thread or self.patience < 0)
            what = f"kernels of {self.function.__module__.rpartition('.')[2]}"
            with waiting(what, bool(self.key)) if is_waited_for else nullcontext(), compiling, _quietly():
                self._dispatcher = self._dispatcher or _uninterrupted(self._compile)
        return self._dispatcher

    def _compile(self) -> Any:
        compiled: Any = numba.njit(pipeline_class=BorrowingCompiler, **self.options)(self.function)
        compiled.typeof_pyval = _type_of
        if self.key is not None:
            compiled._cache = KernelFile(self.key, compiled.py_func)
        # Machine code goes by the name of its function and a number that Numba starts afresh in every process. Of two
        # functions compiled in different processes that have both in common, one would be linked in place of the other.
        FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))
        is_kept = self.is_compiled
        with (
            nullcontext() if is_kept else compiler.making(),
            nullcontext() if is_kept or self.key is None else one_process_at_a_time(self.key),
        ):
            compiled.compile(self._signature)
        compiled.disable_compile()
        if not compiled.stats.cache_hits:
            link_helpers(compiled.get_compile_result(self._signature).library)
        return compiled

    @_once
    def key(self) -> str | None:
        """The name of the compiled kernel on disk; ``None`` if its content cannot be described."""
        try:
            return kernel_key(self)
        except NoContentError:
            return None

    @property
    def is_compiled(self) -> bool:
        """Whether it has been compiled, by this process or an earlier one."""
        return self._dispatcher is not None or (self.key is not None and has_entry(self.key))

    @_once
    def address(self) -> int:
        """The address of the machine code, which pointers to the kernel hold; it is compiled for it."""
        compiled = self._compiled().get_compile_result(self._signature)
        address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
        return address

    def __wrapper_address__(self) -> int:
        return int(self.address)

    def signature(self) -> Any:
        """Return the Numba signature (Numba calls this when the kernel is passed as a pointer)."""
        return self._signature

    @_once
    def pointer_type(self) -> Any:
        """The Numba type of a pointer to the kernel."""
        return PointerType(self._signature)


def _kernels_in(values: tuple[Any, ...]) -> list[Kernel]:
    """Return the kernels among the values, and in tuples of them."""
    found = [each for each in values if isinstance(each, Kernel)]
    for each in values:
        found += _kernels_in(each) if isinstance(each, tuple) else []
    return found


@contextmanager
def compiled_when_called() -> Iterator[None]:
    """Compile every kernel that the block calls, and wait for all of them at its end; nothing is announced."""
    before, Kernel.patience = Kernel.patience, -1.0
    try:
        yield
    finally:
        Kernel.patience = before
        compiler.wait()


@contextmanager
def _quietly() -> Iterator[None]:
    """Let Numba give no warnings in this thread, and leave the filters of warnings alone."""
    before, _numba_warnings.silent = _numba_warnings.silent, True
    try:
        yield
    finally:
        _numba_warnings.silent = before


def _type_of(argument: object) -> Any:
    """Return the Numba type of an argument. (Numba's own method hashes that as well, field by field, at every call.)"""
    try:
        return typeof(argument, Purpose.argument) or types.pyobject
    except (NumbaValueError, ValueError):
        return types.pyobject


@interpreted.register
def _kernel_in_python(value: Kernel) -> Any:
    """Return the function that stands for a kernel in plain Python."""
    return interpreted_function(value.function)


@typeof_impl.register(Kernel)
def _pointer_type(value: Kernel, context: object) -> Any:
    """Return `Kernel.pointer_type`; Numba would make a new type whenever a kernel is passed."""
    return value.pointer_type


def kernel(
    signature: Any, parallel: bool = False, compiled_first: bool = False
) -> Callable[[Callable[..., Any]], Kernel]:
    """Return a decorator that makes a kernel of a function or helper; see `Kernel` for the options."""
    return lambda function: Kernel(getattr(function, "py_func", function), signature, parallel, compiled_first)


def announce_compilation(what: str, kernels: list[Kernel]) -> None:
    """Compile kernels that must be compiled first, all of them at once, under one name for people."""
    new = [each for each in kernels if each.compiled_first and not each.is_compiled]
    if numba.config.DISABLE_JIT or not new or Kernel.patience < 0 or compiler.is_this_thread:
        return
    with waiting(what, all(each.key for each in new), len(new)) as tell:
        for done, each in enumerate(new, start=1):
            _ = each.run
            tell(done)


def _uninterrupted(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function, and delay Ctrl-C until it has returned.

    During a compilation, Numba would ignore it or leave half a library behind. While it unpacks a random generator,
    which takes Python code as well, the process would end with a segmentation fault.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        return function(*args)
    caught: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append((number, frame)))
    try:
        return function(*args)
    finally:
        signal.signal(signal.SIGINT, before)
        if caught:
            before(*caught[0])
