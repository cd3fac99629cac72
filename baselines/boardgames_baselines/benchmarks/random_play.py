"""Random play for several benchmarks: in a kernel, in our batches, in batches of pgx, and in OpenSpiel."""

from bisect import bisect
from dataclasses import dataclass
from functools import cache
from itertools import cycle
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
from boardgames_env.history import COUNTERS, CUT, doubled, key_length, note_position
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
    kept = np.zeros((64, key_length(kernels.state_size)), dtype=np.int64)
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
                if counters[0] == len(kept):
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


def our_batch(name: str, copies: int, steps: int, threads: int = 1, **options: Any) -> float:
    """Return actions per second of a batch, random legal ones, whose choice is not timed."""
    env = gymnasium.make_vec(
        gymnasium_id(registered_games()[name]),
        copies,
        vectorization_mode="vector_entry_point",
        opponent=None,
        threads=threads,
        **options,
    )
    rng = np.random.default_rng(0)
    _, infos = env.reset(seed=0)
    spent = 0.0
    for _ in range(steps):
        actions = _random_actions(infos["action_mask"], rng)
        start = perf_counter()
        *_, infos = env.step(actions)
        spent += perf_counter() - start
    return copies * steps / spent


def batch_of_pgx(name: str, copies: int, steps: int) -> float:
    """Return actions per second of pgx, compiled by JAX on the CPU, with its automatic reset."""
    import jax

    env, step = _compiled_pgx(name)
    keys = jax.random.split(jax.random.PRNGKey(0), copies)
    state = jax.jit(jax.vmap(env.init))(keys)
    rng = np.random.default_rng(0)
    spent = 0.0
    for number in range(steps):
        actions = jax.numpy.asarray(_random_actions(np.asarray(state.legal_action_mask), rng))
        keys = jax.block_until_ready(jax.random.split(jax.random.PRNGKey(number), copies))
        start = perf_counter()
        state = step(state, actions, keys)
        jax.block_until_ready(state)
        spent += perf_counter() - start
    return copies * steps / spent


def _random_actions(masks: Any, rng: np.random.Generator) -> Any:
    """Return a random legal action for each copy."""
    return np.argmax(masks * rng.random(masks.shape, dtype=np.float32), axis=1)


@cache
def _compiled_pgx(name: str) -> tuple[Any, Any]:
    """Return an environment of pgx and its compiled step."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    return env, jax.jit(jax.vmap(auto_reset(env.step, env.init)))


def open_spiel_from_python(name: str, contests: int, observed: bool = False) -> float:
    """Return actions per second of random play that drives OpenSpiel's game from Python.

    ``observed`` adds the observation before each action.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    chances = cycle(np.random.default_rng(0).random(100_000).tolist())
    actions = 0
    start = perf_counter()
    for _ in range(contests):
        state = game.new_initial_state()
        while not state.is_terminal():
            if observed:
                state.observation_tensor(state.current_player())
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
