"""Solving, searching and random play at games that are not small."""

import subprocess
import sys
import tempfile
from functools import partial
from math import nan
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from boardgames_agents.search.alpha_beta import AlphaBeta
from boardgames_agents.search.mcts import MonteCarlo
from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of
from boardgames_baselines.benchmarks.random_play import (
    backgammon_from_python,
    batch_of_pgx,
    best_size_of_pgx,
    contests_in_a_kernel,
    open_spiel_from_python,
    our_batch,
)
from boardgames_env import make_game
from boardgames_env.solve import solve_classes
from boardgames_env.solve.morris.index import make_index

Game = tuple[str, dict[str, Any]]
"""A game's name and options."""

COPIES = 1024

# the rules of OpenSpiel's game: no draw by recurrence, and none after 200 plies (which it counts as 0-0)
NINE_MENS_MORRIS: Game = ("nine_mens_morris", {"fly_at": 3, "recurrences": 0, "plies": 200})
WITH_RECURRENCES: Game = ("nine_mens_morris", {"fly_at": 3, "plies": 200})
FIVES: Game = ("fives", {})
TIC_TAC_TOE: Game = ("tic_tac_toe", {})
CONNECT_FOUR: Game = ("connect_four", {})
OTHELLO: Game = ("othello", {})
HEX: Game = ("hex", {"swap": False})
_PLAYOUTS = 1000
_OPEN_SPIEL = {
    "connect_four": "connect_four",
    "tic_tac_toe": "tic_tac_toe",
    "nine_mens_morris": "nine_mens_morris",
    "fives": "gomoku(size=10,connect=5)",
    "othello": "othello",
    "hex": "hex",
}


def _solving(name: str) -> float:
    """Return the seconds to solve a game on one core, files included, with compiled kernels."""
    make_index.cache_clear()
    game = make_game(name).ready
    with tempfile.TemporaryDirectory() as folder:
        return seconds_of(lambda: solve_classes(game, folder=Path(folder)))


def _memory(name: str) -> float:
    """Return the peak memory, in megabytes, of a process that solves a game; NaN on Windows, which does not tell."""
    if sys.platform == "win32":
        return nan
    code = f"""
import resource
from boardgames_baselines.benchmarks.large_games import _solving
_solving({name!r})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    finished = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    kilobytes = int(finished.stdout) if sys.platform != "darwin" else int(finished.stdout) / 1024
    return kilobytes / 1024


def _their_contests(which: Game, contests: int = 5_000) -> float:
    """Return contests per second of OpenSpiel's own loop in C++ with its random bots."""
    import pyspiel

    game = pyspiel.load_game(_OPEN_SPIEL[which[0]])
    bots = [pyspiel.make_uniform_random_bot(seat, 1) for seat in range(2)]
    start = perf_counter()
    for seed in range(contests):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    return contests / (perf_counter() - start)


def _alpha_beta(openings: int = 5, depth: int = 5) -> float:
    """Return leaves per second that alpha-beta evaluates on one core, always to one depth.

    Inner positions, and evaluations that only order actions, are not counted.
    """
    evaluated, spent = 0, 0.0
    for opening in range(openings):
        game = make_game("fives", opening=opening)
        player = AlphaBeta(game, nodes=10_000_000, depth=depth)
        start = perf_counter()
        player.values(game.initial)
        spent += perf_counter() - start
        evaluated += player.evaluated
    return evaluated / spent


def _our_playouts(which: Game, solve: bool, choices: int = 10) -> float:
    """Return playouts per second of our tree search on one core, choosing the first action of contests."""
    name, options = which
    player = MonteCarlo(make_game(name, **options), _PLAYOUTS, solve=solve)
    player.begin(player.game, (0,), np.random.default_rng(0))
    return choices * _PLAYOUTS / seconds_of(lambda: [player.choose(player.game.initial) for _ in range(choices)])


def _their_playouts(which: Game, solve: bool, choices: int = 10) -> float:
    """Return playouts per second of OpenSpiel's bot in C++, with one random contest to evaluate a position."""
    import pyspiel

    game = pyspiel.load_game(_OPEN_SPIEL[which[0]])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, _PLAYOUTS, 1000, solve, 0, False)
    return choices * _PLAYOUTS / seconds_of(lambda: [bot.step(game.new_initial_state()) for _ in range(choices)])


BENCHMARKS = (
    Benchmark("five men's morris solved whole, one core", "s", lambda: _solving("five_mens_morris"), "≤ 10 s"),
    Benchmark("six men's morris solved whole, one core", "s", lambda: _solving("six_mens_morris"), "≤ 30 s"),
    Benchmark("six men's morris solved, peak memory", "MB", lambda: _memory("six_mens_morris"), "≤ 1,000 MB"),
    Benchmark("alpha-beta at fives, leaves on one core", "positions/s", _alpha_beta, "≥ 3 M/s"),
    *(
        Benchmark(
            f"random contests at {which[0]}, one core",
            "contests/s",
            partial(contests_in_a_kernel, which[0], 20_000, **which[1]),
            bar,
            Peer("OpenSpiel's evaluate_bots, C++", partial(_their_contests, which), "pyspiel"),
        )
        for which, bar in (
            *((game, "≥ 1 ×") for game in (NINE_MENS_MORRIS, FIVES)),
            *((game, "≥ 3 ×") for game in (CONNECT_FOUR, OTHELLO, HEX)),
        )
    ),
    *(
        Benchmark(
            f"batched {name}, SameStep, 1 core at pgx's best size",
            "actions played/s",
            partial(our_batch, name, steps=20, mode="SameStep"),
            "≥ 2 ×",
            Peer(
                "pgx on the CPU: jit of vmap of auto_reset, state donated", partial(batch_of_pgx, name, steps=20), "pgx"
            ),
            partial(best_size_of_pgx, name),
        )
        for name in ("connect_four", "othello", "hex")
    ),
    *(
        Benchmark(
            f"batched {which[0]}{rule}, {mode}, {COPIES:,} copies, one thread",
            "actions played/s",
            partial(our_batch, which[0], COPIES, 200, mode=mode, **which[1]),
            bar,
            Peer(
                "OpenSpiel from Python: legal_actions, make_observation",
                partial(open_spiel_from_python, _OPEN_SPIEL[which[0]], 200, observed=True),
                "pyspiel",
            ),
        )
        for which, rule, bar in (
            (NINE_MENS_MORRIS, "", "≥ 12 ×"),
            (WITH_RECURRENCES, " with draws by recurrence", "≥ 9 ×"),
            (FIVES, "", "≥ 25 ×"),
        )
        for mode in ("NextStep", "SameStep")
    ),
    Benchmark(
        "random contests at backgammon, one core",
        "contests/s",
        partial(contests_in_a_kernel, "backgammon", 10_000),
        "≥ 10 ×",
        Peer("OpenSpiel from Python", backgammon_from_python, "pyspiel"),
    ),
    Benchmark(
        f"batched backgammon, {COPIES:,} copies, one thread",
        "actions played/s",
        partial(our_batch, "backgammon", COPIES, 200),
        "≥ 10 ×",
        Peer("pgx on the CPU", partial(batch_of_pgx, "backgammon", COPIES, 20), "pgx"),
    ),
    *(
        Benchmark(
            f"mcts at {which[0]}, {'values proven' if solve else 'plain UCT'}, {_PLAYOUTS:,} playouts a choice",
            "playouts/s",
            partial(_our_playouts, which, solve),
            bar,
            Peer("OpenSpiel's MCTSBot, C++", partial(_their_playouts, which, solve), "pyspiel"),
        )
        for which, bar in ((TIC_TAC_TOE, "≥ 1.2 ×"), (NINE_MENS_MORRIS, "≥ 2 ×"), (FIVES, "≥ 3.8 ×"))
        for solve in (True, False)
    ),
)
