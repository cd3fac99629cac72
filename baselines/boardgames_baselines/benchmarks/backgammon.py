"""Random play at backgammon."""

from bisect import bisect
from functools import partial
from time import perf_counter

import numpy as np

from boardgames_baselines.benchmarks.benchmark import Benchmark
from boardgames_baselines.benchmarks.random_play import batch_of_pgx, contests_in_a_kernel, our_batch

GAME = "backgammon"
COPIES = 1024


def _their_contests(contests: int = 200) -> float:
    """Return contests per second of random play that drives OpenSpiel's game from Python."""
    import pyspiel

    game = pyspiel.load_game(GAME)
    rng = np.random.default_rng(0)
    thresholds: dict[int, list[float]] = {}  # by how many rolls there are: fewer in the opening
    start = perf_counter()
    for _ in range(contests):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                state.apply_action(legal[int(rng.random() * len(legal))])
                continue
            if len(legal) not in thresholds:
                thresholds[len(legal)] = np.cumsum([likely for _, likely in state.chance_outcomes()]).tolist()
            state.apply_action(legal[min(bisect(thresholds[len(legal)], rng.random()), len(legal) - 1)])
    return contests / (perf_counter() - start)


BENCHMARKS = (
    Benchmark(
        "random contests at backgammon, one core",
        "contests/s",
        partial(contests_in_a_kernel, GAME, 10_000),
        "≥ 10 ×",
        "OpenSpiel from Python",
        _their_contests,
        "pyspiel",
    ),
    Benchmark(
        f"batched backgammon, {COPIES:,} copies, one thread",
        "actions/s",
        partial(our_batch, GAME, COPIES, 200),
        "≥ 10 ×",
        "pgx on the CPU",
        partial(batch_of_pgx, GAME, COPIES, 20),
        "pgx",
    ),
)
