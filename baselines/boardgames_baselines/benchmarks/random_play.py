"""Random play for several benchmarks: in a kernel, in our batches, and in batches of pgx."""

from time import perf_counter
from typing import Any

import numpy as np


def contests_in_a_kernel(name: str, contests: int, **options: Any) -> float:
    """Return contests per second between random players, inside one kernel."""
    from boardgames_env import make_game
    from boardgames_env.playouts import play_random

    game = make_game(name, **options)
    start = perf_counter()
    play_random(game, contests, np.random.default_rng(0))
    return contests / (perf_counter() - start)


def our_batch(name: str, copies: int, steps: int, threads: int = 1, **options: Any) -> float:
    """Return actions per second of a batch, random legal ones, whose choice is not timed."""
    import gymnasium

    from boardgames_env import registered_games
    from boardgames_env.envs.registration import gymnasium_id

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
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = _compiled_pgx_step(env, auto_reset)
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


_pgx_steps: dict[str, Any] = {}


def _compiled_pgx_step(env: Any, auto_reset: Any) -> Any:
    import jax

    if env.id not in _pgx_steps:
        _pgx_steps[env.id] = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    return _pgx_steps[env.id]
