"""Leagues, on joblib and on Ray with the same processors of this machine."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from boardgames_agents.experiments.runner import Workers
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League, play
from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of

CORES = os.cpu_count() or 1

LEAGUE = League(
    ("tic_tac_toe", "achi"),
    (
        Entrant.trained("menace", contests=1000),
        *map(Entrant, ("random", "fallible(e=0.1)", "perfect", "mcts(playouts=50)", "mcts(playouts=200)")),
    ),
    contests=100,
)
"""Two trainings, then 60 blocks of 50 contests, some of milliseconds and some of seconds."""


TEN = League(
    ("tic_tac_toe",),
    (
        *map(Entrant, ("random", "reasonable", "fallible(e=0.1)", "perfect")),
        *map(Entrant, ("alpha_beta(nodes=2000)", "mcts(playouts=200)")),
        Entrant.trained("menace", trainer="fallible(e=0.3)", contests=2000),
        Entrant.trained("q_learning", trainer="fallible(e=0.7)", contests=2000),
        Entrant.trained("td", trainer="self", contests=10_000),
        Entrant.trained("hoyle", trainer="2&7", contests=20),
    ),
)
"""Ten types of agents, 100 contests of each pair."""


def _ten(workers: Workers) -> float:
    """Return the seconds of a league whose learners are trained already."""
    with tempfile.TemporaryDirectory() as folder:
        play(replace(TEN, contests=2), Path(folder), workers)
        return seconds_of(lambda: play(TEN, Path(folder), workers))


def _league(workers: Workers) -> float:
    """Return the seconds of a league, trainings included."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds_of(lambda: play(LEAGUE, Path(folder), workers))


BENCHMARKS = (
    Benchmark(
        f"a league of ten agents at tic-tac-toe, 100 contests a pair, after training, {CORES} processes",
        "s",
        lambda: _ten(Workers(CORES)),
        "≤ 60 s",
    ),
    Benchmark(
        f"a league of six agents at two games, joblib, {CORES} processes",
        "s",
        lambda: _league(Workers(CORES)),
        "≥ 0.9 ×",
        Peer(f"Ray, {CORES} workers", lambda: _league(Workers(backend="ray", address="local")), "ray"),
    ),
)
