"""Benchmarks and their results."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Benchmark:
    """A benchmark of the package and of a peer.

    Attributes:
        name: Name in the table.
        unit: Unit of the figures; ``s`` for seconds, of which fewer are better.
        ours: Measures the package once.
        bar: The figure or ratio to reach.
        peer: Name of the peer.
        theirs: Measures the peer once; ``None`` if there is no peer.
        needs: Module of the peer.
    """

    name: str
    unit: str
    ours: Callable[[], float]
    bar: str
    peer: str = ""
    theirs: Callable[[], float] | None = None
    needs: str = ""


@dataclass(frozen=True)
class Measured:
    """The medians of a benchmark.

    Attributes:
        ours: Figure of the package.
        theirs: Figure of the peer, if it is installed.
        ratio: Median of the rounds' ratios of ours to theirs.
    """

    benchmark: Benchmark
    ours: float
    theirs: float | None
    ratio: float | None


def seconds_of(run: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = perf_counter()
    run()
    return perf_counter() - start
