"""The thread that compiles kernels while they run as plain Python."""

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable


class Stopped(BaseException):
    """The process ends: what is being compiled is dropped."""


class _Compiler:
    """A thread that runs one compilation after another, and ends when there is none left."""

    def __init__(self) -> None:
        self._asked: deque[Callable[[], None]] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
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

    def demand_time(self) -> None:
        """Raise `Stopped` in the thread if the process ends; a compilation calls it from time to time."""
        if self.is_ending and threading.current_thread() is self._thread:
            raise Stopped

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

    def end(self) -> None:
        """Drop what is not compiled yet, and wait until the thread notices: no compiler may outlive Python."""
        self.is_ending = True
        if thread := self._thread:
            thread.join()


compiler = _Compiler()
atexit.register(compiler.end)

compiling = threading.RLock()
"""Held by the thread that compiles, whichever it is."""


def _after_fork() -> None:
    compiling.release()
    compiler.__init__()  # type: ignore[misc]  # a new process has none of the threads


if hasattr(os, "register_at_fork"):  # a process must not be forked off while it compiles: nobody would finish
    os.register_at_fork(before=compiling.acquire, after_in_parent=compiling.release, after_in_child=_after_fork)
