"""Processes of this machine that work for this one, by joblib."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal, TypeVar

Result = TypeVar("Result")


def in_processes(
    function: Callable[..., Result],
    arguments: Iterable[tuple[Any, ...]],
    jobs: int,
    in_order: bool = True,
    batch_size: int | Literal["auto"] = "auto",
) -> Iterator[Result]:
    """Yield the results of a function's calls in several processes, which end with this one.

    Ctrl-C is for this process alone, which stops the others.

    Args:
        function: The function.
        arguments: The arguments of each call.
        jobs: Number of processes.
        in_order: Whether results come in the order of the arguments; otherwise each comes when it is done.
        batch_size: Number of calls that a process is given at once.
    """
    from joblib import Parallel, delayed

    return_as = "generator" if in_order else "generator_unordered"
    parallel: Any = Parallel(n_jobs=jobs, return_as=return_as, batch_size=batch_size)
    with _ctrl_c_ignored():  # by the processes that start now, too
        results: Iterator[Result] = parallel(delayed(_call)(os.getpid(), function, each) for each in arguments)
    return results


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _call(parent: int, function: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    _belong_to(parent)
    return function(*arguments)


@cache
def _belong_to(parent: int) -> None:
    """End this process, if it is a child of that one, when that has ended in any way.

    On Windows it goes on: there a process keeps the number of its parent when that has ended.
    """
    if sys.platform == "win32" or os.getppid() != parent:  # (joblib may use threads, or other machines)
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
