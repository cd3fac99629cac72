"""Sweeps: many pieces of work that know nothing of each other, carried out in one process or in several."""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """A piece of work. It can be pickled, and brings all that its result depends on."""

    def carry_out(self) -> Result_co:
        """Do it; the same result in whatever process."""


def carry_out(works: Sequence[Work[Result]], jobs: int = 1) -> Iterator[tuple[int, Result]]:
    """Carry out pieces of work.

    Args:
        works: The pieces.
        jobs: Processes.

    Yields:
        Each piece's number and its result, as it is done: in any order if there are several processes.
    """
    if jobs == 1 or len(works) < 2:
        for number, work in enumerate(works):
            yield number, work.carry_out()
        return
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    yield from parallel(delayed(_carry_out)(number, work) for number, work in enumerate(works))


def _carry_out(number: int, work: Work[Result]) -> tuple[int, Result]:
    return number, work.carry_out()
