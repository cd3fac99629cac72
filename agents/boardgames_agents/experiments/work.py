"""Sweeps: many pieces of work that know nothing of each other, carried out by one process or by several machines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from boardgames_agents.experiments.program import import_all, modules
from boardgames_env.errors import BadInputError, one_of, require

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

Done = Sequence[tuple[int, Result]]
"""Numbers of pieces of work and their results."""

BACKENDS = ("joblib", "ray")


class Work(Protocol[Result_co]):
    """A piece of work. It can be pickled, and brings all that its result depends on."""

    def carry_out(self) -> Result_co:
        """Do it; the same result in whatever process, on whatever machine."""


@dataclass(frozen=True)
class Workers:
    """Who carries out a sweep.

    Attributes:
        jobs: Processes of this machine; a Ray cluster has as many as it has processors.
        backend: ``joblib`` for this machine, ``ray`` for a Ray cluster.
        address: The cluster's, ``host:port``; ``auto`` for the one that this machine is part of, ``local`` for one of
            this machine alone, which is started for the sweep.

    Raises:
        BadInputError: If that is not allowed.
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
    def here(self) -> bool:
        """Whether they all see this machine's files."""
        return self.backend == "joblib"


ALONE = Workers()
"""This process."""


def carry_out(works: Sequence[Work[Result]], workers: Workers = ALONE) -> Iterator[tuple[int, Result]]:
    """Carry out pieces of work.

    Args:
        works: The pieces.
        workers: Who does it.

    Yields:
        Each piece's number and its result, once, as it is done: in any order if there are several processes.

    Raises:
        BadInputError: What a piece of work raises; and if a cluster does not answer, or has another program.
    """
    for done in done_together(works, workers):
        yield from done


def done_together(works: Sequence[Work[Result]], workers: Workers = ALONE) -> Iterator[Done[Result]]:
    """Carry out pieces of work, as `carry_out` does, for somebody who can write down many results as fast as one.

    Yields:
        What has been done since the last time: at least one piece's number and its result, on a cluster maybe
        hundreds.
    """
    if workers.backend == "ray":
        from boardgames_agents.experiments.ray_cluster import carry_out_on_ray

        yield from carry_out_on_ray(works, workers.address)
        return
    if workers.jobs == 1 or len(works) < 2:
        for number, work in enumerate(works):
            yield [(number, work.carry_out())]
        return
    from joblib import Parallel, delayed

    known = modules()
    parallel = Parallel(n_jobs=workers.jobs, return_as="generator_unordered", batch_size=1)
    for done in parallel(delayed(_carry_out)(number, work, known) for number, work in enumerate(works)):
        yield [done]


def _carry_out(number: int, work: Work[Result], known: Sequence[str]) -> tuple[int, Result]:
    import_all(known)
    return number, work.carry_out()
