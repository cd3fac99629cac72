"""Random play for several benchmarks: in a kernel, in our batches, in batches of pgx, and in OpenSpiel."""

import os
import sys
from bisect import bisect
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import cycle
from multiprocessing import get_context
from statistics import median
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
from numba import types

from boardgames_baselines.benchmarks.benchmark import seconds_of
from boardgames_env import Game, make_game, registered_games
from boardgames_env.chance import MOST_EVENTS, settle, stream_from
from boardgames_env.envs.registration import gymnasium_id
from boardgames_env.errors import require
from boardgames_env.history import COUNTERS, CUT, KeptPositions, doubled, note_position
from boardgames_env.kernels import ONGOING, announce_compilation, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT64_1D, UINT64_1D, Int64s, UInt64s


@dataclass(frozen=True)
class Playouts:
    """The results of contests between random players: wins and points are seat 0's.

    ``cuts`` are contests cut short by a limit that is no rule; ``actions`` is the number of actions in all contests.
    """

    wins: int
    draws: int
    losses: int
    cuts: int
    actions: int
    points: int


def play_random(game: Game, contests: int, rng: np.random.Generator) -> Playouts:
    """Play contests, at least 1, in which both seats choose any legal action, all equally likely."""
    require(1, contests=contests)
    announce_compilation("random playouts", [_playouts])
    counts = np.zeros(6, dtype=np.int64)
    dice = np.zeros(1, dtype=np.uint64)
    if game.rules.has_chance:
        dice[0] = stream_from(rng)
    _playouts(game.kernels, contests, rng, dice, counts)
    return Playouts(*(int(count) for count in counts))


@kernel(types.void(GAME_KERNELS, types.int64, types.npy_rng, UINT64_1D, INT64_1D), compiled_first=True)
def _playouts(kernels: GameKernels, contests: int, rng: np.random.Generator, dice: UInt64s, counts: Int64s) -> None:
    state = np.zeros(kernels.state_size, dtype=np.int8)
    actions = np.zeros(kernels.num_actions, dtype=np.int32)
    kept = KeptPositions(np.zeros(64, dtype=np.int16), np.zeros((64, kernels.state_size), dtype=np.int8))
    counters = np.zeros(COUNTERS, dtype=np.int32)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    for _ in range(contests):
        kernels.initial(state)
        if kernels.has_chance:
            settle(kernels, state, cases, dice, 0)
        counters[0], counters[1], counters[2] = 0, 0, state[0]
        result = ONGOING
        if kernels.is_limited:
            note_position(state, kept, counters, kernels.symmetries, kernels.limits)
        while result == ONGOING:
            # (a draw of an integer takes ten times as long and is not measurably fairer)
            kernels.play(state, actions[int(rng.random() * kernels.legal(state, actions))])
            counts[4] += 1
            if kernels.has_chance:
                settle(kernels, state, cases, dice, 0)
            result = int(kernels.outcome(state))
            if result == ONGOING and kernels.is_limited:
                if counters[0] == len(kept.marks):
                    kept = doubled(kept)
                result = note_position(state, kept, counters, kernels.symmetries, kernels.limits)
        if result == CUT:
            counts[3] += 1
            continue
        counts[5] += result
        if result > 0:
            counts[0] += 1
        elif result < 0:
            counts[2] += 1
        else:
            counts[1] += 1


def contests_in_a_kernel(name: str, contests: int, **options: Any) -> float:
    """Return contests per second between random players, inside one kernel."""
    game = make_game(name, **options)
    return contests / seconds_of(lambda: play_random(game, contests, np.random.default_rng(0)))


def our_batch(
    name: str, copies: int, steps: int, threads: int = 1, mode: str = "NextStep", draws: bool = False, **options: Any
) -> float:
    """Return actions played per second in a batch, random legal ones; steps that only begin a contest are not counted.

    Args:
        name: The game's name.
        copies: Number of copies.
        steps: Number of steps.
        threads: Number of threads.
        mode: The batch's autoreset mode.
        draws: Whether drawing the actions is timed, too.
        **options: Options of the game.
    """
    env = gymnasium.make_vec(
        gymnasium_id(registered_games()[name]),
        copies,
        vectorization_mode="vector_entry_point",
        opponent=None,
        threads=threads,
        autoreset_mode=mode,
        **options,
    )
    rng = np.random.default_rng(0)
    _, infos = env.reset(seed=0)
    spent, played = 0.0, 0
    for _ in range(steps):
        start = perf_counter()
        actions = _random_actions(infos["action_mask"], rng)
        if not draws:
            start = perf_counter()
        _, _, terminated, truncated, infos = env.step(actions)
        spent += perf_counter() - start
        played += copies
        if mode == "NextStep":
            played -= int(np.count_nonzero(terminated | truncated))  # (their next step will play nothing)
    return played / spent


def batch_of_pgx(name: str, copies: int, steps: int, cores: int = 1, draws: bool = False) -> float:
    """Return actions per second of pgx on some cores, compiled by JAX for the CPU, with its automatic reset.

    The state's memory is donated to the next. With ``draws``, all steps are one compiled loop that draws the actions.
    """
    return _process_on(cores).submit(_loop_of_pgx if draws else _steps_of_pgx, name, copies, steps).result()


@cache
def best_size_of_pgx(name: str, cores: int = 1) -> int:
    """Return the number of copies at which pgx plays most actions per second; 32,768 if it is not installed."""
    rates = {32_768: 0.0}
    if not find_spec("pgx"):
        return 32_768
    for copies in (4096, 16_384, 32_768, 65_536):
        steps = 400_000 // copies
        batch_of_pgx(name, copies, 2, cores)
        rates[copies] = median(batch_of_pgx(name, copies, steps, cores) for _ in range(3))
    return max(rates, key=rates.__getitem__)


@cache
def _process_on(cores: int) -> ProcessPoolExecutor:
    """Return a process for a library that takes all the cores it sees; it sees some of them, where systems allow it."""
    return ProcessPoolExecutor(1, get_context("spawn"), initializer=_stay_on, initargs=(cores,))


def _stay_on(cores: int) -> None:
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def _steps_of_pgx(name: str, copies: int, steps: int) -> float:
    import jax

    env, step, _ = _compiled_pgx(name, copies)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), copies))
    rng = np.random.default_rng(0)
    spent = 0.0
    for number in range(steps):
        actions = jax.numpy.asarray(_random_actions(np.array(state.legal_action_mask), rng))
        keys = jax.block_until_ready(jax.random.split(jax.random.PRNGKey(number), copies))
        start = perf_counter()
        state = step(state, actions, keys)
        jax.block_until_ready(state)
        spent += perf_counter() - start
    return copies * steps / spent


def _loop_of_pgx(name: str, copies: int, steps: int) -> float:
    import jax

    env, _, loop = _compiled_pgx(name, copies)
    keys = jax.random.split(jax.random.PRNGKey(0), copies)
    state = jax.block_until_ready(jax.jit(jax.vmap(env.init))(keys))
    keys = jax.block_until_ready(jax.random.split(jax.random.PRNGKey(1), steps))
    return copies * steps / seconds_of(lambda: jax.block_until_ready(loop(state, keys)))


def _random_actions(masks: Any, rng: np.random.Generator) -> Any:
    """Return a random legal action for each copy."""
    return np.argmax(masks * rng.random(masks.shape, dtype=np.float32), axis=1)


@cache
def _compiled_pgx(name: str, copies: int) -> tuple[Any, Any, Any]:
    """Return an environment of pgx, its compiled step, and a compiled loop of steps that draws the actions."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def random_step(state: Any, key: Any) -> tuple[Any, None]:
        draws, resets = jax.random.split(key)
        legal = state.legal_action_mask
        actions = jax.numpy.argmax(legal * jax.random.uniform(draws, legal.shape), axis=1)
        return step(state, actions, jax.random.split(resets, copies)), None

    def loop(state: Any, keys: Any) -> Any:
        return jax.lax.scan(random_step, state, keys)[0]

    return env, jax.jit(step, donate_argnums=0), jax.jit(loop, donate_argnums=0)


def open_spiel_from_python(name: str, contests: int, observed: bool = False) -> float:
    """Return actions per second of random play that drives OpenSpiel's game from Python.

    ``observed`` adds the observation before each action, in the buffer of `make_observation`, its fastest interface.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    observation = make_observation(game)
    chances = cycle(np.random.default_rng(0).random(100_000).tolist())
    actions = 0
    start = perf_counter()
    for _ in range(contests):
        state = game.new_initial_state()
        while not state.is_terminal():
            if observed:
                observation.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(next(chances) * len(legal))])
            actions += 1
    return actions / (perf_counter() - start)


def backgammon_from_python(contests: int = 200) -> float:
    """Return contests per second of random play that drives OpenSpiel's backgammon from Python."""
    import pyspiel

    game = pyspiel.load_game("backgammon")
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
