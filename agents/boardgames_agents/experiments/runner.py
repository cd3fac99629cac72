"""Running jobs: in this process, in several by joblib, or on a Ray cluster."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from boardgames_agents.experiments.job import Batch, Job, Result
from boardgames_agents.experiments.own_error import in_informed_processes
from boardgames_agents.experiments.program import program
from boardgames_agents.experiments.store import JobStore, JsonResult, ResultFile
from boardgames_env.errors import BadInputError, one_of, require

Key = TypeVar("Key")

BACKENDS = ("joblib", "ray")


class ProgressBar(Protocol):
    """A count of the steps that are done."""

    def step(self) -> object:
        """Count one more step."""


Progress = Callable[[str, int], AbstractContextManager[ProgressBar]]
"""Makes a progress bar from a title and a number of steps."""


class _NoBar:
    def step(self) -> None:
        pass


def no_progress(what: str, total: int) -> AbstractContextManager[ProgressBar]:
    """Return a progress bar that does nothing."""
    return nullcontext(_NoBar())


@dataclass(frozen=True)
class Workers:
    """The processes that run jobs.

    Attributes:
        jobs: Number of processes; the result is the same with any number. A Ray cluster has one for each processor.
        backend: ``joblib``, for processes of this machine, or ``ray``, for a Ray cluster.
        address: Address of the Ray cluster: ``host:port``; ``auto``, if this machine is part of it; or ``local``, to
            start one on this machine alone.

    Raises:
        BadInputError: If a value is not allowed.
    """

    jobs: int = 1
    backend: str = "joblib"
    address: str = ""

    def __post_init__(self) -> None:
        require(1, jobs=self.jobs)
        if self.backend not in BACKENDS:
            raise BadInputError(f"there is no backend {self.backend!r}; the backends are: {one_of(BACKENDS)}")
        if self.backend == "ray" and not self.address:
            raise BadInputError("the backend ray needs an address: host:port, auto or local")
        if self.backend == "ray" and self.jobs != 1:
            raise BadInputError(f"jobs={self.jobs} is not for the backend ray, which uses every processor it is given")
        if self.backend != "ray" and self.address:
            raise BadInputError(f"address={self.address!r} is not for the backend {self.backend}; give the backend ray")

    @property
    def local(self) -> bool:
        """Whether all of them see this machine's files."""
        return self.backend == "joblib"


ONE_PROCESS = Workers()
"""This process."""


def run_jobs(jobs: Sequence[Job[Result]], workers: Workers = ONE_PROCESS) -> Iterator[tuple[int, Result]]:
    """Run jobs, and yield index and result of each as it is done, in any order if there are several processes.

    Raises:
        BadInputError: If a job raises it, or a cluster does not answer or has another program.
    """
    for batch in run_batches(jobs, workers):
        yield from batch


def run_batches(jobs: Sequence[Job[Result]], workers: Workers = ONE_PROCESS) -> Iterator[Batch[Result]]:
    """Run jobs, as `run_jobs` does, and yield those done since the last batch, at least one.

    (Adding many results to a store takes hardly longer than adding one.)
    """
    if workers.backend == "ray":
        from boardgames_agents.experiments.ray_cluster import run_on_ray

        yield from run_on_ray(jobs, workers.address)
        return
    if workers.jobs == 1 or len(jobs) < 2:
        for index, job in enumerate(jobs):
            yield [(index, job.run())]
        return
    for done in in_informed_processes(_run, enumerate(jobs), workers.jobs, in_order=False, batch_size=1):
        yield [done]


def _run(index: int, job: Job[Result]) -> tuple[int, Result]:
    return index, job.run()


def run_missing(
    jobs: Sequence[Job[Result]],
    store: JobStore[Result],
    workers: Workers,
    bar: Callable[[int], AbstractContextManager[ProgressBar]],
    steps: Callable[[Any], int] = lambda job: 1,
) -> dict[Job[Result], Result]:
    """Run the jobs whose results are not stored, each of equal ones once, and store them; return all results.

    ``bar`` makes a progress bar from a number of steps, and ``steps`` counts those of a job.
    """
    missing = [job for job in dict.fromkeys(jobs) if store.find(job) is None]
    with bar(sum(map(steps, missing))) as progress:
        for batch in run_batches(missing, workers):
            store.add_all([(missing[index], result) for index, result in batch])
            for _ in range(sum(steps(missing[index]) for index, _ in batch)):
                progress.step()
    return {job: result for job in jobs if (result := store.find(job)) is not None}


QUICK_RUNS, QUICK_SCALE = 2, 0.1
"""The options of a quick look at an experiment."""


@dataclass(frozen=True)
class RunnerOptions:
    """How experiments are run.

    Attributes:
        runs: Runs of each trial; by default as many as the paper's.
        seed: Random seed; the same seed gives the same contests.
        workers: The processes.
        scale: Factor on the length of learning, where it is ours to choose and not the paper's.

    Raises:
        BadInputError: If a number is not allowed.
    """

    runs: int | None = None
    seed: int = 0
    workers: Workers = ONE_PROCESS
    scale: float = 1.0

    def __post_init__(self) -> None:
        require(1, runs=1 if self.runs is None else self.runs)
        require(0, seed=self.seed)
        if not 0 < self.scale < float("inf"):
            raise BadInputError(f"scale={self.scale} is not allowed; it is a number greater than 0")


class Runner:
    """A runner of jobs that stores their results in a folder.

    Raises:
        BadInputError: If the results in the folder are damaged.

    Attributes:
        ignored: The number of results in the folder of other versions of the program.
    """

    def __init__(self, folder: Path, options: RunnerOptions | None = None, progress: Progress = no_progress) -> None:
        self.folder = folder
        self.options = options or RunnerOptions()
        self._progress = progress
        self._store = ResultFile(folder / "results.jsonl", program().part("boardgames_agents", "boardgames_env").digest)
        self.ignored = self._store.ignored

    def results(self, what: str, jobs: Mapping[Key, Job[JsonResult]]) -> dict[Key, JsonResult]:
        """Return the results of jobs; those that are not stored are run."""
        bar = partial(self._progress, what)
        results = run_missing(list(jobs.values()), self._store, self.options.workers, bar)
        return {name: results[job] for name, job in jobs.items()}
