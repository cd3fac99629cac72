"""Environments, playouts and tournaments at tic-tac-toe, which all peers have."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import pettingzoo

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.policy.explanation import counted
from boardgames_agents.registry import make_agent
from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of
from boardgames_baselines.benchmarks.random_play import (
    batch_of_pgx,
    best_size_of_pgx,
    open_spiel_from_python,
    our_batch,
    play_random,
)
from boardgames_env import make_game, registered_games
from boardgames_env.envs.registration import gymnasium_id

GAME = "tic_tac_toe"
COPIES = 4096
STEPS = 100
_STEP_OF_PGX = "pgx on the CPU: jit of vmap of auto_reset, state donated"
_LOOP_OF_PGX = "pgx on the CPU: jit of scan, drawing inside"


def _aec_steps(make: Callable[[], Any], contests: int = 400, as_client: bool = False) -> float:
    """Return steps per second of random play through an AEC environment; a client seeds contests and calls `choice`."""
    rng = np.random.default_rng(0)
    env = make()
    steps = 0
    start = perf_counter()
    for contest in range(contests):
        env.reset(seed=contest if as_client else None)
        for _agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(rng.choice(legal) if as_client else legal[int(rng.random() * len(legal))]))
            steps += 1
    return steps / (perf_counter() - start)


def _their_aec(as_client: bool = False) -> float:
    from pettingzoo.classic import tictactoe_v3

    return _aec_steps(tictactoe_v3.env, as_client=as_client)


def _our_playouts(contests: int = 100_000) -> float:
    """Return moves per second of random play inside one kernel."""
    start = perf_counter()
    played = play_random(make_game(GAME), contests, np.random.default_rng(0))
    return played.actions / (perf_counter() - start)


def _tournament(contests: int = 10_000) -> float:
    """Return the seconds of a tournament of the perfect and the random player, after set-up."""
    game = make_game(GAME)
    perfect, random = make_agent("perfect", game), make_agent("random", game)
    return seconds_of(lambda: tournament(game, perfect, random, contests, seed=0))


def _warm_start() -> float:
    """Return the seconds of a new process until its first move, with compiled kernels."""
    code = f"from boardgames_env import make_game; make_game({GAME!r}).initial.play(4).legal_actions"
    with tempfile.TemporaryDirectory() as elsewhere:
        return seconds_of(lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=elsewhere))


def _first_step(game: str, make: str) -> float:
    """Return the seconds of a new user's process until its first step, with nothing compiled before."""
    code = f"""
import gymnasium
env = gymnasium.{make}
_, info = env.reset(seed=0)
env.step(info["action_mask"].argmax(axis=-1))
"""
    with tempfile.TemporaryDirectory() as elsewhere:
        own = {**os.environ, "BOARDGAMES_CACHE": elsewhere}
        command = [sys.executable, "-c", code.format(id=gymnasium_id(registered_games()[game]))]
        return seconds_of(lambda: subprocess.run(command, check=True, cwd=elsewhere, env=own, capture_output=True))


def _batches() -> Iterator[Benchmark]:
    """Yield the benchmarks of batches, in both modes of reset: pgx resets a contest in the step that ends it."""
    sizes: dict[str, Callable[[int], Callable[[], int]]] = {
        "": lambda cores: lambda: COPIES,
        " at pgx's best size": lambda cores: partial(best_size_of_pgx, GAME, cores),
    }
    for mode, bars in (("NextStep", ("≥ 3 ×", "≥ 2.5 ×")), ("SameStep", ("≥ 2 ×", "≥ 2 ×"))):
        for (size, copies), bar in zip(sizes.items(), bars, strict=True):
            for cores, its_bar in ((1, bar), (2, "≥ 3 ×" if mode == "NextStep" else "")):
                yield Benchmark(
                    f"batched environment, {mode}, {counted(cores, 'core')}{size}",
                    "actions played/s",
                    partial(our_batch, GAME, steps=STEPS, threads=cores, mode=mode),
                    its_bar,
                    Peer(_STEP_OF_PGX, partial(batch_of_pgx, GAME, steps=STEPS, cores=cores), "pgx"),
                    copies(cores),
                )
        yield Benchmark(
            f"batched environment, {mode}, 1 core, with drawing the actions",
            "actions played/s",
            partial(our_batch, GAME, steps=STEPS, mode=mode, draws=True),
            "",
            Peer(_LOOP_OF_PGX, partial(batch_of_pgx, GAME, steps=STEPS, draws=True), "pgx"),
            sizes[""](1),
        )


_ONE, _BATCH = "make('boardgames_env:{id}')", "make_vec('boardgames_env:{id}', 8, 'vector_entry_point')"

BENCHMARKS = (
    Benchmark(
        "AEC environment, random play",
        "steps/s",
        partial(_aec_steps, partial(pettingzoo.make, "aec", "boardgames/tic_tac_toe-v0")),
        "≥ 6 ×",
        Peer("PettingZoo classic/tictactoe", _their_aec, "pygame"),
    ),
    *_batches(),
    Benchmark(
        "random playouts in a kernel",
        "moves/s",
        _our_playouts,
        "≥ 5 ×",
        Peer("OpenSpiel from Python", partial(open_spiel_from_python, GAME, 10_000), "pyspiel"),
    ),
    Benchmark("10,000 contests, perfect v. random", "s", _tournament, "< 2 s"),
    Benchmark("first move of a second process", "s", _warm_start, "< 1 s"),
    *(
        Benchmark(f"first step of a new user, {what} of {game}", "s", partial(_first_step, game, make), bar)
        for game, bar in ((GAME, "≤ 5 s"), ("backgammon", "≤ 12 s"))
        for what, make in (("one copy", _ONE), ("a batch", _BATCH))
    ),
    Benchmark(
        "AEC environment, a client's loop: `reset(seed)` and `rng.choice`",
        "steps/s",
        partial(_aec_steps, partial(pettingzoo.make, "aec", "boardgames/tic_tac_toe-v0"), as_client=True),
        "≥ 4 ×",
        Peer("PettingZoo classic/tictactoe", partial(_their_aec, as_client=True), "pygame"),
    ),
)
