"""Simulate sweeps on Ray clusters: the load of their processors and of the head that stores the results.

The jobs are distributed by the `Tasks` that distributes them on Ray. The costs of the head were measured on one
machine; workers start late, are lost, and are replaced. Run it with ``python cluster_simulation.py``.
"""

import heapq
from collections import deque

import numpy as np

from boardgames_agents.experiments.ray_cluster import AHEAD, TASK_SECONDS, Tasks

SEND, RECEIVE, WRITE, FLUSH, WATCH = 0.16e-3, 0.01e-3, 0.25e-3, 1.2e-3, 0.22e-6
"""Seconds of the head to send a task, to receive it, to write a result, to flush what came in, and to watch a task."""

START, LATENCY, LOST_EVERY, NOTICED_AFTER, BACK_AFTER = 30.0, 0.002, 86_400.0, 10.0, 120.0
"""Seconds until a worker is ready, of a message, of a worker's mean life, until its loss is noticed, and replaced."""


class Workers:
    """The processors of the cluster and the queue before them."""

    def __init__(self, count: int, jobs: list[float], seed: int) -> None:
        self.lost, self.repeated = 0, 0.0
        self._jobs, self._rng = jobs, np.random.default_rng(seed)
        self._ends = START + self._rng.exponential(LOST_EVERY, count)
        self._queue: deque[tuple[int, ...]] = deque()
        self._idle: list[int] = []
        self._back: list[tuple[float, int, tuple[int, ...], list[float]]] = []
        self._events: list[tuple[float, int, int | tuple[int, ...]]] = []  # a worker is free, or a task arrives
        self._number = 0
        for worker in range(count):
            self.at(START, worker)

    def at(self, time: float, what: int | tuple[int, ...]) -> None:
        """Let a worker be free, or a task arrive, at a time."""
        self._number += 1
        heapq.heappush(self._events, (time, self._number, what))

    def next_answer(self, now: float) -> float:
        """Return the time of the next answer, at least now."""
        while self._events and (not self._back or self._back[0][0] > self._events[0][0]):
            self._step()
        return max(now, self._back[0][0])

    def answers(self, until: float) -> list[tuple[tuple[int, ...], list[float]]]:
        """Return the tasks that are back by a time, with the seconds of the jobs that were done."""
        while self._events and self._events[0][0] <= until:
            self._step()
        found = []
        while self._back and self._back[0][0] <= until:
            found.append(heapq.heappop(self._back)[2:])
        return found

    def _step(self) -> None:
        time, _, what = heapq.heappop(self._events)
        if isinstance(what, int):
            self._idle.append(what)
        else:
            self._queue.append(what)
        while self._idle and self._queue:
            worker = self._idle.pop()
            if self._ends[worker] <= time:
                self._replace(worker, time)
            else:
                self._work(worker, time, self._queue.popleft())

    def _work(self, worker: int, time: float, task: tuple[int, ...]) -> None:
        seconds: list[float] = []
        while len(seconds) < len(task) and sum(seconds) < TASK_SECONDS:
            seconds.append(self._jobs[task[len(seconds)]])
        end, died = time + sum(seconds), self._ends[worker]
        if end <= died:
            self._number += 1
            heapq.heappush(self._back, (end + LATENCY, self._number, task, seconds))
            self.at(end, worker)
            return
        self.lost += 1
        self.repeated += died - time
        self.at(died + NOTICED_AFTER, task)
        self._replace(worker, died)

    def _replace(self, worker: int, time: float) -> None:
        ready = max(time, self._ends[worker] + BACK_AFTER + START)
        self._ends[worker] = ready + self._rng.exponential(LOST_EVERY)
        self.at(ready, worker)


def simulate(count: int, jobs: list[float], seed: int = 0) -> tuple[float, ...]:
    """Return hours, the shares of the processors' time in use and repeated, losses, the head's share, and tasks."""
    tasks, workers = Tasks(len(jobs)), Workers(count, jobs, seed)
    now = busy = 0.0
    out = sent = 0
    while True:
        while out < AHEAD * count and (dealt := tasks.deal(count)):
            now, busy = now + SEND, busy + SEND
            workers.at(now + LATENCY, dealt)
            out, sent = out + 1, sent + 1
        if not out:
            break
        now = begun = workers.next_answer(now)
        now += WATCH * out
        for dealt, seconds in workers.answers(now):
            now += RECEIVE + WRITE * len(seconds)
            tasks.back(dealt, seconds)
            out -= 1
        now += FLUSH
        busy += now - begun
    time = count * now
    return now / 3600, sum(jobs) / time, workers.repeated / time, workers.lost, busy / now, sent


def main() -> None:
    """Print a row for each number of processors and mean length of a job, 20 jobs a processor."""
    print("processors, seconds a job, hours, in use, repeated, lost, head busy, tasks")
    for count in (160, 1_600, 16_000):
        for mean in (10, 60, 600):
            jobs = mean * np.random.default_rng((0, count)).lognormal(-0.045, 0.3, 20 * count)
            hours, used, repeated, lost, head, sent = simulate(count, jobs.tolist())
            print(
                f"{count:,}, {mean}, {hours:.2f}, {used:.1%}, {repeated:.2%}, {lost:,}, {head:.1%}, {sent:,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
