"""Benchmarks of the package beside its peers, as ratios measured in the same run."""

import os
import platform
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from statistics import median

from boardgames_baselines.benchmarks import agents, environments, large_games
from boardgames_baselines.benchmarks.benchmark import Benchmark, Measured
from boardgames_env.kernels.compiling import compiled_when_called

__all__ = ["BENCHMARKS", "Benchmark", "Measured", "measure", "versions"]

BENCHMARKS = (*environments.BENCHMARKS, *large_games.BENCHMARKS, *agents.BENCHMARKS)

_TIMED = ("boardgames-env", "numpy", "numba", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "sb3_contrib")


def measure(rounds: int, chosen: Sequence[Benchmark] = BENCHMARKS) -> Iterator[Measured]:
    """Run benchmarks: a round that is not counted, in which kernels are compiled, then ours and the peer's in turn."""
    for benchmark in chosen:
        peer = (
            benchmark.peer if benchmark.peer and (not benchmark.peer.needs or find_spec(benchmark.peer.needs)) else None
        )
        copies = benchmark.copies() if benchmark.copies else None
        given = () if copies is None else (copies,)
        ours, theirs = partial(benchmark.ours, *given), partial(peer.measure, *given) if peer else None
        with compiled_when_called():
            ours()
        if theirs:
            theirs()
        pairs = [(ours(), theirs() if theirs else None) for _ in range(rounds)]
        yield Measured(
            benchmark,
            copies,
            median(ours for ours, _ in pairs),
            median(figure for _, figure in pairs if figure) if theirs else None,
            median(ours / figure for ours, figure in pairs if figure) if theirs else None,
        )


def versions() -> dict[str, str]:
    """Return the versions of all packages that are timed."""
    found = {"python": platform.python_version(), "cores": str(os.cpu_count())}
    for name in _TIMED:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
