"""Sweeps on a Ray cluster: tasks go out, results come back to this process, which alone writes them down.

Everything that a piece of work needs travels with it; snapshots of learners are put into Ray's object store, from
which a machine fetches each once. A task whose worker is lost is sent out again by Ray. This process takes one answer
for each task, so a piece that was done twice is counted once. Workers with another program refuse, because their
results might be others.
"""

import io
import pickle
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from warnings import warn

from boardgames_agents.experiments.program import Program, import_all, modules, program
from boardgames_agents.experiments.tasks import AHEAD, TASK_SECONDS, Tasks
from boardgames_agents.experiments.work import Done, Result, Work
from boardgames_agents.policy import Snapshot
from boardgames_env.errors import BadInputError, MissingLibraryError

RETRIES = 5
"""How often a task is sent out again that was lost with its worker."""

PATIENCE = 30.0
"""Seconds within which a cluster must answer."""

_KNOCK = "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, logging_level='ERROR')"


@dataclass(frozen=True)
class Answer:
    """What a task comes back with.

    Attributes:
        results: Those of its first pieces.
        seconds: How long each took.
        problem: What was wrong with the next, or with the worker, or with every worker that it was sent to.
    """

    results: Sequence[Any] = ()
    seconds: Sequence[float] = ()
    problem: str = ""


def carry_out_on_ray(works: Sequence[Work[Result]], address: str) -> Iterator[Done[Result]]:
    """Carry out pieces of work on a cluster.

    Args:
        works: The pieces.
        address: See `Workers`; a process that has joined a cluster stays with it.

    Yields:
        The numbers and the results of all that has been done since the last time; each once, in any order.

    Raises:
        BadInputError: If Ray is not installed, the cluster does not answer or has another program, a piece of work
            raises it, or was lost with its worker too often.
    """
    if not works:
        return
    _demand_importable(works)
    cluster = JoinedCluster(address)
    tasks = Tasks(len(works))
    running: dict[Any, tuple[int, ...]] = {}
    try:
        while True:
            workers = cluster.workers
            while len(running) < AHEAD * workers and (numbers := tasks.deal(workers)):
                running[cluster.send([works[number] for number in numbers])] = numbers
            if not running:
                return
            done: list[tuple[int, Result]] = []
            problem = ""
            for task in cluster.ready(running):
                answer = cluster.answer(task)
                numbers = running.pop(task)
                tasks.back(numbers, answer.seconds)
                done += zip(numbers, answer.results, strict=False)
                problem = problem or answer.problem
            if done:
                yield done
            if problem:
                raise BadInputError(problem)
    finally:
        cluster.cancel(running)


def _demand_importable(works: Sequence[Work[Any]]) -> None:
    for work in works:
        if type(work).__module__ == "__main__":
            name = type(work).__name__
            raise BadInputError(f"{name} is defined in the program's main file, which workers lack; put it in a module")


class JoinedCluster:
    """The cluster that this process has joined."""

    def __init__(self, address: str) -> None:
        self._ray = _ray()
        if not self._ray.is_initialized():
            self._join(address)
        self._task = self._ray.remote(_work_through).options(max_retries=RETRIES)
        self._program, self._modules = program(), modules()
        if not self._processors():
            warn(f"the Ray cluster at {address} has no processors yet; what is sent out waits for them", stacklevel=3)
        self._stored: dict[int, tuple[Snapshot, Any]] = {}

    @property
    def workers(self) -> int:
        """How many tasks can work at once; it may go up and down."""
        return max(1, self._processors())

    def _processors(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0))

    def send(self, works: Sequence[Work[Any]]) -> Any:
        """Send out a task."""
        luggage: dict[Any, int] = {}
        packed = [_packed(work, lambda snapshot: self._number(snapshot, luggage)) for work in works]
        return self._task.remote(self._program, self._modules, packed, TASK_SECONDS, *luggage)

    def _number(self, snapshot: Snapshot, luggage: dict[Any, int]) -> int:
        """A snapshot's number in the luggage; it is put into the object store once."""
        if id(snapshot) not in self._stored:
            self._stored[id(snapshot)] = snapshot, self._ray.put(pickle.dumps(snapshot))
        return luggage.setdefault(self._stored[id(snapshot)][1], len(luggage))

    def ready(self, running: Mapping[Any, object]) -> list[Any]:
        """The tasks that are back, at least one."""
        tasks = list(running)
        self._ray.wait(tasks, num_returns=1)
        done: list[Any] = self._ray.wait(tasks, num_returns=len(tasks), timeout=0)[0]
        return done

    def answer(self, task: Any) -> Answer:
        """What a task came back with."""
        try:
            answer = pickle.loads(self._ray.get(task))
        except self._ray.exceptions.RayTaskError:
            raise  # an error in the program, with where it was
        except self._ray.exceptions.RayError as error:
            return Answer(
                problem=f"a task was lost with its worker ({type(error).__name__}) {1 + RETRIES} times on the Ray "
                "cluster; see whether its machines have too little memory; the same command goes on with what is left"
            )
        assert isinstance(answer, Answer)
        return answer

    def cancel(self, running: Mapping[Any, object]) -> None:
        """Let go of tasks that nobody waits for any more."""
        for task in running:
            self._ray.cancel(task, force=True)

    def _join(self, address: str) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        if address == "local":
            self._ray.init(address="local", include_dashboard=False, **quiet)
            return
        # Ray waits for minutes for an address that does not answer, and cannot be told not to
        try:
            knocked = subprocess.run(
                [sys.executable, "-c", _KNOCK, address], capture_output=True, text=True, timeout=PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            raise _no_answer(address, f"nothing was heard for {PATIENCE:g} seconds") from None
        if knocked.returncode:
            raise _no_answer(address, " ".join(knocked.stderr.strip().splitlines()[-1:]) or "Ray ended without a word")
        self._ray.init(address=address, **quiet)


def _no_answer(address: str, why: str) -> BadInputError:
    return BadInputError(f"no Ray cluster answers at {address} ({why}); give the host:port that `ray start` has told")


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingLibraryError("the backend ray needs Ray", "ray") from None
    return ray


class _Packer(pickle.Pickler):
    """Pickles a piece of work, but of each snapshot only its number in the luggage."""

    def __init__(self, file: io.BytesIO, number: Callable[[Snapshot], int]) -> None:
        super().__init__(file)
        self._number = number

    def persistent_id(self, thing: Any) -> int | None:
        return self._number(thing) if isinstance(thing, Snapshot) else None


class _Unpacker(pickle.Unpickler):
    """Reads what a `_Packer` has written."""

    def __init__(self, packed: bytes, luggage: Sequence[bytes]) -> None:
        super().__init__(io.BytesIO(packed))
        self._luggage = luggage

    def persistent_load(self, number: int) -> Any:
        return pickle.loads(self._luggage[number])  # (a copy for each piece, as in processes of their own)


def _packed(work: Work[Any], number: Callable[[Snapshot], int]) -> bytes:
    file = io.BytesIO()
    _Packer(file, number).dump(work)
    return file.getvalue()


def _work_through(
    asked: Program, known: Sequence[str], packed: Sequence[bytes], seconds: float, *luggage: bytes
) -> bytes:
    """A task, at the worker: carry out one piece after the other until the time is over."""
    try:
        import_all(known)
        different = asked.difference(program())
    except (ImportError, BadInputError) as error:
        different = f"not all modules that are needed ({error})"
    if different:
        where = platform.node()
        return pickle.dumps(
            Answer(problem=f"the worker at {where} has {different}; install the same on all machines of the cluster")
        )
    results, times, problem = [], [], ""
    begun = perf_counter()
    for each in packed:
        before = perf_counter()
        try:
            results.append(_Unpacker(each, luggage).load().carry_out())
        except BadInputError as error:
            problem = str(error)
            break
        times.append(perf_counter() - before)
        if perf_counter() - begun >= seconds:
            break
    return pickle.dumps(Answer(results, times, problem))
