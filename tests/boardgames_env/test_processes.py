"""Processes that work for this one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from boardgames_env.processes import in_processes

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="sends signals to groups of processes")]

MATCH = ("match", "tic_tac_toe", "mcts(playouts=1000000)", "random", "--contests", "1000", "--jobs", "2")


@pytest.fixture
def match() -> Iterator[Callable[[int], subprocess.Popen[str]]]:
    """Start a long match in a session of its own, and return when it has this number of worker processes."""
    started: list[subprocess.Popen[str]] = []

    def start(workers: int) -> subprocess.Popen[str]:
        words = (sys.executable, "-m", "boardgames_cli", *MATCH)
        started.append(subprocess.Popen(words, start_new_session=True, stderr=subprocess.PIPE, encoding="utf-8"))
        while len(workers_of(started[0].pid)) < workers:
            assert started[0].poll() is None
            time.sleep(0.02)
        return started[0]

    yield start
    for each in started:
        if workers_of(each.pid) or each.poll() is None:
            os.killpg(each.pid, signal.SIGKILL)
        each.communicate()


def workers_of(session: int) -> list[int]:
    """Return the worker processes of a session."""
    listed = subprocess.run(["ps", "-wweo", "pid,sess,args"], capture_output=True, encoding="utf-8", check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    return [int(pid) for pid, of, words in rows if of == str(session) and "popen_loky" in words]


@pytest.mark.parametrize("seconds", [0.1, 0.5, 3])
def test_ctrl_c_stops_all_processes(match: Callable[[int], subprocess.Popen[str]], seconds: float) -> None:
    running = match(2)
    time.sleep(seconds)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert "Stopped." in err
    assert not workers_of(running.pid)


def test_processes_end_with_one_that_was_killed(match: Callable[[int], subprocess.Popen[str]]) -> None:
    running = match(2)
    time.sleep(6)  # until they have imported and compiled what they need
    assert len(workers_of(running.pid)) == 2
    running.kill()
    deadline = time.monotonic() + 10
    while workers_of(running.pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_results_come_in_the_order_of_the_arguments() -> None:
    assert list(in_processes(divmod, [(7, each) for each in (1, 2, 3)], jobs=2)) == [(7, 0), (3, 1), (2, 1)]
    assert sorted(in_processes(abs, [(-2,), (1,)], jobs=2, in_order=False, batch_size=1)) == [1, 2]
