"""What a benchmark is, and what measuring it gives."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Benchmark:
    """Something to be timed, beside what it is compared with.

    Attributes:
        name: What is timed.
        unit: What the figures count; ``s`` for plain seconds, of which less is better.
        ours: Measures the package once.
        bar: What is asked of it.
        peer: What it is compared with.
        theirs: Measures the peer once; ``None`` where there is none.
        needs: The module that the peer comes from.
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
    """A benchmark's medians.

    Attributes:
        benchmark: The benchmark.
        ours: The package's figure.
        theirs: The peer's figure, if it is installed.
        ratio: The median of the rounds' ratios, ours to theirs.
    """

    benchmark: Benchmark
    ours: float
    theirs: float | None
    ratio: float | None
