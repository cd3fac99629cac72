"""Benchmarks and their results."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple


class Peer(NamedTuple):
    """What the package is compared with in a benchmark.

    Attributes:
        name: What it is, and by which of its interfaces it is used.
        measure: Measures it once.
        needs: The module that must be installed, if any.
    """

    name: str
    measure: Callable[..., float]
    needs: str = ""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark of the package, and of a peer if there is one.

    Attributes:
        name: Name in the table.
        unit: Unit of the figures; ``s`` for seconds, of which fewer are better.
        ours: Measures the package once.
        bar: The figure or ratio to reach.
        copies: Returns the number of copies in a batch, which both measures are then called with.
    """

    name: str
    unit: str
    ours: Callable[..., float]
    bar: str
    peer: Peer | None = None
    copies: Callable[[], int] | None = None


@dataclass(frozen=True)
class Measured:
    """The medians of a benchmark.

    Attributes:
        copies: The number of copies in a batch, if it is one.
        ours: Figure of the package.
        theirs: Figure of the peer, if it is installed.
        ratio: Median of the rounds' ratios of ours to theirs.
    """

    benchmark: Benchmark
    copies: int | None
    ours: float
    theirs: float | None
    ratio: float | None


def seconds_of(run: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = perf_counter()
    run()
    return perf_counter() - start
