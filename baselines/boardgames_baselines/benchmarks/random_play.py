"""Random play for several benchmarks: in a kernel, in our batches, in batches of pgx, and in OpenSpiel."""

from functools import cache
from itertools import cycle
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
