"""Random play for several benchmarks: in a kernel, in our batches, in batches of pgx, and in OpenSpiel."""

from bisect import bisect
from functools import cache
from itertools import cycle
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np

from boardgames_baselines.benchmarks.benchmark import seconds_of
from boardgames_baselines.benchmarks.playouts import play_random
from boardgames_env import make_game, registered_games
from boardgames_env.envs.registration import gymnasium_id


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
        actions = _chosen(infos["action_mask"], rng)
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
        actions = jax.numpy.asarray(_chosen(np.asarray(state.legal_action_mask), rng))
        keys = jax.block_until_ready(jax.random.split(jax.random.PRNGKey(number), copies))
        start = perf_counter()
        state = step(state, actions, keys)
        jax.block_until_ready(state)
        spent += perf_counter() - start
    return copies * steps / spent


def _chosen(masks: Any, rng: np.random.Generator) -> Any:
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
