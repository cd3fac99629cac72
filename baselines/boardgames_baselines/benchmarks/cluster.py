"""A cluster that one does not have: how busy its workers would be, simulated from figures measured here.

The pieces of work are dealt out by the very `Tasks` that deal them out on Ray, and the head does what it does there,
one thing after the other: it waits for answers, writes results down, and sends out tasks. What is simulated is the
rest: when workers are free, when they are lost, and how long messages take.
"""

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.experiments.ray_cluster import AHEAD, TASK_SECONDS, Tasks


@dataclass(frozen=True)
class Head:
    """What the process that writes everything down spends, in seconds.

    Attributes:
        send: To send out a task.
        receive: To take the answer of one.
        write: To write down the result of a piece, with others.
        flush: To get all results that have come in to the disk.
        watch: To look after a task that is out, each time that answers are waited for.
    """

    send: float
    receive: float
    write: float
    flush: float
    watch: float


@dataclass(frozen=True)
class Cluster:
    """A cluster.

    Attributes:
        workers: Processors, each of which carries out one task at a time.
        start: Seconds until a new worker is ready: Python, imports, kernels.
        latency: Seconds of a message each way.
        lost_every: The mean of how long a worker lives, in seconds.
        noticed_after: Seconds until its task is sent out again.
        back_after: Seconds until another takes its place; it has to start, too.
    """

    workers: int
    start: float = 30.0
    latency: float = 0.002
    lost_every: float = float("inf")
    noticed_after: float = 10.0
    back_after: float = 120.0


@dataclass(frozen=True)
class Simulated:
    """How a sweep went.

    Attributes:
        seconds: From its beginning to its end.
        utilisation: The share of all workers' time that went into results.
        repeated: The share that went into tasks that were lost.
        head: The share of the time for which the head was busy.
        tasks: How many were sent out by the head.
        lost: How many were lost, and sent out again.
    """

    seconds: float
    utilisation: float
    repeated: float
    head: float
    tasks: int
    lost: int


def simulate(cluster: Cluster, head: Head, pieces: Sequence[float], seed: int = 0) -> Simulated:
    """Carry out a sweep in thought.

    Args:
        cluster: Who does it.
        head: Who writes it down.
        pieces: Seconds that each piece takes, in the order in which they are dealt out.
        seed: Settles when workers are lost.
    """
    tasks = Tasks(len(pieces))
    crew = _Crew(cluster, np.random.default_rng(seed))
    now = busy = 0.0
    out = sent = 0
    while True:
        while out < AHEAD * cluster.workers and (dealt := tasks.deal(cluster.workers)):
            now, busy = now + head.send, busy + head.send
            crew.take(now + cluster.latency, dealt, _done(pieces, dealt))
            out, sent = out + 1, sent + 1
        if not out:
            break
        now = max(now, crew.next_answer())
        begun = now
        now += head.watch * out
        for dealt, seconds in crew.answers(now):
            now += head.receive + head.write * len(seconds)
            tasks.back(dealt, seconds)
            out -= 1
        now += head.flush
        busy += now - begun
    time = cluster.workers * now
    return Simulated(now, sum(pieces) / time, crew.repeated / time, busy / now, sent, crew.lost)


def _done(pieces: Sequence[float], dealt: Sequence[int]) -> tuple[float, ...]:
    """How long the pieces take that a task comes to."""
    seconds: list[float] = []
    while len(seconds) < len(dealt) and sum(seconds) < TASK_SECONDS:
        seconds.append(pieces[dealt[len(seconds)]])
    return tuple(seconds)


_Task = tuple[tuple[int, ...], tuple[float, ...]]
_ENTERS, _FREE = 0, 1


class _Crew:
    """The workers, and the queue before them."""

    def __init__(self, cluster: Cluster, rng: np.random.Generator) -> None:
        self.repeated = 0.0
        self.lost = 0
        self._cluster = cluster
        self._rng = rng
        self._ends: NDArray[np.float64] = cluster.start + self._lives(cluster.workers)
        self._events: list[tuple[float, int, int, object]] = []
        self._number = 0
        self._idle: list[int] = []
        self._queue: deque[_Task] = deque()
        self._back: list[tuple[float, int, _Task]] = []
        for worker in range(cluster.workers):
            self._at(cluster.start, _FREE, worker)

    def take(self, time: float, dealt: tuple[int, ...], seconds: tuple[float, ...]) -> None:
        """A task reaches the cluster at a time."""
        self._at(time, _ENTERS, (dealt, seconds))

    def next_answer(self) -> float:
        """When the next answer is at the head."""
        while self._events and (not self._back or self._back[0][0] > self._events[0][0]):
            self._step()
        return self._back[0][0]

    def answers(self, until: float) -> list[_Task]:
        """The answers that are at the head by a time."""
        while self._events and self._events[0][0] <= until:
            self._step()
        found = []
        while self._back and self._back[0][0] <= until:
            found.append(heapq.heappop(self._back)[2])
        return found

    def _lives(self, workers: int) -> NDArray[np.float64]:
        if self._cluster.lost_every == float("inf"):
            return np.full(workers, np.inf)
        return self._rng.exponential(self._cluster.lost_every, workers)

    def _at(self, time: float, kind: int, what: object) -> None:
        self._number += 1
        heapq.heappush(self._events, (time, self._number, kind, what))

    def _step(self) -> None:
        """Let the next thing happen."""
        time, _, kind, what = heapq.heappop(self._events)
        if kind == _FREE:
            assert isinstance(what, int)
            self._idle.append(what)
        else:
            self._queue.append(what)  # type: ignore[arg-type]
        while self._idle and self._queue:
            worker = self._idle.pop()
            if self._ends[worker] <= time:
                self._replace(worker, time)
            else:
                self._work(worker, time, self._queue.popleft())

    def _work(self, worker: int, time: float, task: _Task) -> None:
        end = time + sum(task[1])
        died = self._ends[worker]
        if end <= died:
            self._number += 1
            heapq.heappush(self._back, (end + self._cluster.latency, self._number, task))
            self._at(end, _FREE, worker)
            return
        self.lost += 1
        self.repeated += died - time
        self._at(died + self._cluster.noticed_after, _ENTERS, task)
        self._replace(worker, died)

    def _replace(self, worker: int, time: float) -> None:
        ready = max(time, self._ends[worker] + self._cluster.back_after + self._cluster.start)
        self._ends[worker] = ready + self._lives(1)[0]
        self._at(ready, _FREE, worker)
