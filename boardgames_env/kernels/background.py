"""The thread that compiles kernels while they run as plain Python, and what callers say who must wait for one."""

import atexit
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

from boardgames_env.kernels.disk_cache import kernels_folder

Result = TypeVar("Result")


class Stopped(BaseException):
    """The process ends: what is being compiled is dropped."""


class _Compiler:
    """A thread that runs one compilation after another, and ends when there is none left."""

    def __init__(self) -> None:
        self._asked: deque[Callable[[], None]] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._making = 0
        self.is_ending = False

    def ask(self, compile_: Callable[[], None]) -> None:
        """Let the thread compile something after what it was asked for before."""
        with self._lock:
            if self.is_ending:
                return
            self._asked.append(compile_)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="boardgames-compiler", daemon=True)
                try:
                    self._thread.start()
                except RuntimeError:  # no thread may be started, such as when the interpreter is about to end
                    self._thread = None
                    self._asked.clear()

    def call(self, function: Callable[[], Result]) -> "Future[Result]":
        """Let the thread call a function, for which it makes the machine code that is missing."""
        called: Future[Result] = Future()

        def run() -> None:
            try:
                called.set_result(function())
            except Exception as error:
                called.set_exception(error)

        self.ask(run)
        return called

    def is_done(self, called: "Future[Result]") -> bool:
        """Wait for a function that the thread calls, but not while machine code is made; return whether it is done."""
        while not (called.done() or self._making or self._thread is None):
            wait([called], 0.05)
        return called.done()

    @contextmanager
    def making(self) -> Iterator[None]:
        """Note that machine code is made in the block, in whichever thread."""
        self._making += 1
        try:
            yield
        finally:
            self._making -= 1

    def demand_time(self) -> None:
        """Raise `Stopped` in the thread if the process ends; a compilation calls it from time to time."""
        if self.is_ending and self.is_this_thread:
            raise Stopped

    @property
    def is_this_thread(self) -> bool:
        """Whether the thread asks that runs the compilations."""
        return threading.current_thread() is self._thread

    def _run(self) -> None:
        try:
            while compile_ := self._next():
                compile_()
        except Stopped:
            pass

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            if self._asked and not self.is_ending:
                return self._asked.popleft()
            self._thread = None
            return None

    def wait(self, seconds: float | None = None) -> None:
        """Wait until everything that was asked for is compiled, or for some seconds."""
        if thread := self._thread:
            thread.join(seconds)

    def end(self) -> None:
        """Finish what is being compiled if that does not take long, and drop the rest: no compiler may outlive Python.

        A process waits for a quarter of its time until then at most.
        """
        with self._lock:
            self._asked.clear()
        try:
            self.wait(min((perf_counter() - _BEGAN) / 4, _LONGEST_END))
        finally:  # (after Ctrl-C as well)
            self.is_ending = True
            self.wait()


_BEGAN = perf_counter()
_LONGEST_END = 3.0
"""The most seconds that the end of a process waits for a kernel."""

compiler = _Compiler()
atexit.register(compiler.end)

compiling = threading.RLock()
"""Held by the thread that compiles, whichever it is."""


def _after_fork() -> None:
    compiling.release()
    compiler.__init__()  # type: ignore[misc]  # a new process has none of the threads


if hasattr(os, "register_at_fork"):  # a process must not be forked off while it compiles: nobody would finish
    os.register_at_fork(before=compiling.acquire, after_in_parent=compiling.release, after_in_child=_after_fork)


class _Waits(threading.local):
    """What a thread waits for, and for how long it has waited in all."""

    now: str = ""
    seconds: float = 0.0


waits = _Waits()
_announced: list[str] = []
_told: set[str] = set()
_shown_by: list[object] = []

_QUIET = 1.0
"""The seconds of waiting for which nothing is printed."""


@contextmanager
def waiting(what: str, is_kept: bool, total: int = 1) -> Iterator[Callable[[int], None]]:
    """Say on stderr that something is compiled, once the thread has waited for a second.

    The function that the block gets tells how many kernels are done, of how many; a terminal shows that.
    """
    kept, begun = f"once; kept in {kernels_folder()}" if is_kept else "in every process anew", perf_counter()
    waited, printed, counts = waits.seconds, "", sys.stderr.isatty()

    def tell(done: int) -> None:
        nonlocal printed
        if _shown_by:
            return
        if waited + perf_counter() - begun > _QUIET and (counts or what not in _told):
            printed = f"Compiling {what} ({kept})"
            counted = f"\r{printed}: {done} of {total}" if total > 1 else f"\r{printed}"
            print(counted if counts else printed, end="" if counts else "\n", file=sys.stderr, flush=True)
            _told.add(what)

    timer = threading.Timer(max(_QUIET - waited, 0) + 0.1, tell, (0,))
    timer.daemon = True
    timer.start()
    _announced.append(what)
    waits.now = what
    try:
        yield tell
    finally:
        timer.cancel()
        waits.now = ""
        _announced.remove(what)
        waits.seconds = 0.0 if printed else waited + perf_counter() - begun
        if printed and counts:
            print(file=sys.stderr, flush=True)


@contextmanager
def shown_elsewhere() -> Iterator[None]:
    """Print nothing of what is compiled while the block runs, which shows `being_compiled` itself."""
    mark = object()
    _shown_by.append(mark)
    try:
        yield
    finally:
        _shown_by.remove(mark)


def being_compiled() -> list[str]:
    """Return what callers in Python wait for now, in any thread of this process."""
    return list(_announced)
