"""Jobs on a Ray cluster, whose results come back to this process, which alone stores them.

Everything a job needs travels with it; snapshots of learners are put into Ray's object store, from which a machine
fetches each once. Ray sends a task out again if its worker is lost. This process takes one answer for each task, so a
job that ran twice is counted once. Workers with another program refuse, because their results could differ.
"""

import io
import pickle
import platform
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from warnings import warn

from boardgames_agents.experiments.job import Batch, Job, Result
from boardgames_agents.experiments.own_error import OwnError, explained
from boardgames_agents.experiments.program import Modules, Program, import_all, modules, program
from boardgames_agents.policy import Snapshot
from boardgames_env.errors import BadInputError, MissingLibraryError

TASK_SECONDS = 2.0
"""Duration of a task. Sending one out and back takes some milliseconds."""

AHEAD = 2
"""Tasks sent out for each worker: one that it works on, and one that waits for it."""

RETRIES = 5
"""How often a task that was lost with its worker is sent out again."""

PATIENCE = 30.0
"""Seconds within which a cluster must answer."""

_KNOCK = "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, logging_level='ERROR')"


@dataclass(frozen=True)
class Answer:
    """The results of a task's first jobs, their durations, and why the next job, or the whole task, failed.

    An error in code that is not of this project is as `explained` returns it, because the class may be unknown here.
    """

    results: Sequence[Any] = ()
    seconds: Sequence[float] = ()
    problem: BadInputError | OwnError | None = None


class Tasks:
    """A list of jobs that is dealt out in tasks, each job to one task at a time.

    A task has several jobs, so that sending it out costs little beside them, and a duration. It ends with the job
    during which that time is over, and its other jobs are dealt out again. So jobs may be of any length, which need
    not be known in advance, and a lost task costs no more than that time, or one long job.
    """

    def __init__(self, jobs: int, seconds: float = TASK_SECONDS) -> None:
        self._waiting = deque(range(jobs))
        self._seconds = seconds
        self._latest = seconds  # seconds per job of the latest task: the first tasks are of one job

    def deal(self, workers: int) -> tuple[int, ...]:
        """Return the indices of the next task's jobs, none if no job waits.

        A task gets at most half of a worker's even share of the waiting jobs, so that all workers end together.
        """
        share = -(-len(self._waiting) // (2 * max(workers, 1)))
        size = min(max(1, int(self._seconds / max(self._latest, 1e-6))), share)
        return tuple(self._waiting.popleft() for _ in range(size))

    def back(self, dealt: Sequence[int], seconds: Sequence[float]) -> None:
        """Take back a task and the seconds of its jobs that are done, which are the first ones."""
        if seconds:
            self._latest = sum(seconds) / len(seconds)
        self._waiting.extendleft(reversed(dealt[len(seconds) :]))


def run_on_ray(jobs: Sequence[Job[Result]], address: str) -> Iterator[Batch[Result]]:
    """Run jobs on the cluster at an address, as in `Workers`. A process that has joined a cluster stays with it.

    Yields:
        Indices and results of the jobs done since the last batch; each job once, in any order.

    Raises:
        BadInputError: If Ray is not installed, the cluster does not answer or has another program, a job raises it,
            or a job was lost with its worker too often.
    """
    if not jobs:
        return
    for job in jobs:
        if type(job).__module__ == "__main__":
            name = type(job).__name__
            raise BadInputError(f"{name} is defined in the program's main file, which workers lack; put it in a module")
    cluster = JoinedCluster(address)
    tasks = Tasks(len(jobs))
    running: dict[Any, tuple[int, ...]] = {}
    try:
        while True:
            workers = max(1, cluster.processors)
            while len(running) < AHEAD * workers and (dealt := tasks.deal(workers)):
                running[cluster.send([jobs[index] for index in dealt])] = dealt
            if not running:
                return
            done: list[tuple[int, Result]] = []
            problem = None
            for task in cluster.ready(running):
                answer = cluster.answer(task)
                dealt = running.pop(task)
                tasks.back(dealt, answer.seconds)
                done += zip(dealt, answer.results, strict=False)
                problem = problem or answer.problem
            if done:
                yield done
            if problem:
                raise problem
    finally:
        cluster.cancel(running)


class JoinedCluster:
    """A cluster that this process has joined."""

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ImportError:
            raise MissingLibraryError("the backend ray needs Ray", "ray") from None
        self._ray: Any = ray
        if not self._ray.is_initialized():
            self._join(address)
        self._task = self._ray.remote(_run_task).options(max_retries=RETRIES)
        self._program, self._modules = program(), modules()
        if not self.processors:
            warn(f"the Ray cluster at {address} has no processors yet; jobs wait for them", stacklevel=3)
        self._stored: dict[int, tuple[Snapshot, Any]] = {}

    @property
    def processors(self) -> int:
        """The number of tasks that can run at once; it may change."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def send(self, jobs: Sequence[Job[Any]]) -> Any:
        """Send out a task."""
        luggage: dict[Any, int] = {}
        packed = []
        for job in jobs:
            file = io.BytesIO()
            _Packer(file, lambda snapshot: self._number(snapshot, luggage)).dump(job)
            packed.append(file.getvalue())
        return self._task.remote(self._program, self._modules, packed, TASK_SECONDS, *luggage)

    def _number(self, snapshot: Snapshot, luggage: dict[Any, int]) -> int:
        """Return a snapshot's number in the luggage; put it into the object store the first time."""
        if id(snapshot) not in self._stored:
            self._stored[id(snapshot)] = snapshot, self._ray.put(pickle.dumps(snapshot))
        return luggage.setdefault(self._stored[id(snapshot)][1], len(luggage))

    def ready(self, running: Mapping[Any, object]) -> list[Any]:
        """Wait for a task to come back; return all that are back."""
        tasks = list(running)
        self._ray.wait(tasks, num_returns=1)
        done: list[Any] = self._ray.wait(tasks, num_returns=len(tasks), timeout=0)[0]
        return done

    def answer(self, task: Any) -> Answer:
        """Return the answer of a task that is back."""
        try:
            answer = pickle.loads(self._ray.get(task))
        except self._ray.exceptions.RayTaskError:
            raise  # an error in the program, with where it was
        except self._ray.exceptions.RayError as error:
            why = (
                f"a task was lost with its worker ({type(error).__name__}) {1 + RETRIES} times on the Ray "
                "cluster; its machines may have too little memory; the same command resumes"
            )
            return Answer(problem=BadInputError(why))
        assert isinstance(answer, Answer)
        return answer

    def cancel(self, running: Mapping[Any, object]) -> None:
        """Cancel tasks."""
        for task in running:
            self._ray.cancel(task, force=True)

    def _join(self, address: str) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        if address == "local":
            self._ray.init(address="local", include_dashboard=False, **quiet)
            return
        # Ray waits for minutes for an address that does not answer, and has no option for it
        knock = [sys.executable, "-c", _KNOCK, address]
        why = ""
        try:
            subprocess.run(knock, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=True)
        except subprocess.TimeoutExpired:
            why = f"no answer within {PATIENCE:g} seconds"
        except subprocess.CalledProcessError as error:
            why = " ".join(error.stderr.strip().splitlines()[-1:]) or "no error was reported"
        if why:
            raise BadInputError(
                f"no Ray cluster answers at {address} ({why}); give the host:port that `ray start` printed"
            )
        self._ray.init(address=address, **quiet)


class _Packer(pickle.Pickler):
    """A pickler of jobs that writes a number in the luggage in place of each snapshot."""

    def __init__(self, file: io.BytesIO, number: Callable[[Snapshot], int]) -> None:
        super().__init__(file)
        self._number = number

    def persistent_id(self, thing: Any) -> int | None:
        return self._number(thing) if isinstance(thing, Snapshot) else None


class _Unpacker(pickle.Unpickler):
    """The unpickler of the bytes of a `_Packer`."""

    def __init__(self, packed: bytes, luggage: Sequence[bytes]) -> None:
        super().__init__(io.BytesIO(packed))
        self._luggage = luggage

    def persistent_load(self, number: int) -> Any:
        return pickle.loads(self._luggage[number])  # (a copy for each job, as in processes of their own)


def _run_task(asked: Program, known: Modules, packed: Sequence[bytes], seconds: float, *luggage: bytes) -> bytes:
    """Run the jobs of a task, at the worker, until the time is over."""
    try:
        import_all(known)
        different = asked.difference(program())
    except (ImportError, BadInputError) as error:
        different = f"not all modules that are needed ({error})"
    if different:
        where = platform.node()
        why = f"the worker at {where} has {different}; install the same on all machines of the cluster"
        return pickle.dumps(Answer(problem=BadInputError(why)))
    results, times, problem = [], [], None
    begun = perf_counter()
    for each in packed:
        before = perf_counter()
        try:
            results.append(_Unpacker(each, luggage).load().run())
        except BaseException as error:
            told = explained(error)
            if not isinstance(told, (BadInputError, OwnError)):
                raise
            problem = told
            break
        times.append(perf_counter() - before)
        if perf_counter() - begun >= seconds:
            break
    return pickle.dumps(Answer(results, times, problem))
