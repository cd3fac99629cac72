"""The tree search of alpha_zero beside mctx's, DeepMind's reference for Gumbel AlphaZero and PUCT."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero.conclusion import Found
from boardgames_agents.alpha_zero.search import SearchOptions, TreeSearch
from boardgames_env import Game, Limits, Position, make_game
from boardgames_env.kernels.signatures import Float64s, Int8s
from tests.boardgames_agents.alpha_zero.networks import random_evaluation
from tests.variants import fast_for

jax = pytest.importorskip("jax", reason="JAX is not installed; pip install 'boardgames-env[oracles]'")
mctx = pytest.importorskip("mctx", reason="mctx is not installed; pip install 'boardgames-env[oracles]'")

ROOTS = 125
SEARCHES = [
    ("tic_tac_toe", {"simulations": 32}),
    ("connect_four", {"simulations": 64, "considered": 4}),
    ("five_mens_morris", {"simulations": 24, "considered": 8}),
    ("nine_mens_morris", {"simulations": 50}),
    ("othello", {"simulations": 16}),
    ("breakthrough", {"simulations": 7, "considered": 16}),
    ("hexapawn", {"simulations": 100, "considered": 1}),
    ("english_draughts", {"simulations": 40, "considered": 5}),
]
"""1,000 trees in all. A turn of morris and draughts may have several actions, after which the same seat moves."""


@pytest.fixture(autouse=True)
def _float64() -> Iterator[None]:
    """Let JAX compute with float64, also in the threads that call us."""
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def without_limits(name: str) -> Game:
    """Return a game whose positions alone decide when a contest is over: mctx knows no history."""
    return replace(make_game(name), limits=Limits())


def positions_of(game: Game, number: int) -> Int8s:
    """Return the states of positions of random contests in which there is something to decide."""
    rng, found, position = np.random.default_rng(3), list[Int8s](), game.initial
    while len(found) < number:
        if len(position.legal_actions) > 1 and rng.random() < 0.3:
            found.append(position.state)
        position = position.after(int(rng.choice(position.legal_actions)))
        if position.is_over or rng.random() < 0.01:
            position = game.initial
    return np.array(found)


def reference(game: Game, states: Int8s, options: SearchOptions, seed: int) -> tuple[Any, Float64s]:
    """Return what mctx finds by the same network, in float64, and its Gumbel noise."""
    evaluate, (number, actions) = random_evaluation(game, 5), (len(states), game.num_actions)

    def masked(states: Int8s) -> tuple[Float64s, Float64s]:
        logits, values = (each.astype(np.float64) for each in evaluate(states))
        for row, state in zip(logits, states, strict=True):
            legal = [*Position.unchecked(game, state).legal_actions]
            row[np.setdiff1d(np.arange(actions), legal)] = np.finfo(np.float64).min
        return logits, values

    def played(states: Any, action: Any) -> tuple[Any, ...]:
        after, rewards, discounts = np.array(states), np.zeros(number), np.zeros(number)
        for row, (state, one) in enumerate(zip(np.array(states), np.array(action), strict=True)):
            before = Position.unchecked(game, state)
            if not before.is_over:
                reached = before.after(int(one))
                after[row] = reached.state
                sign = 1 - 2 * before.seat
                rewards[row] = sign * reached.outcome if reached.is_over else 0
                discounts[row] = 0 if reached.is_over else 1 if reached.seat == before.seat else -1
        return after, rewards, discounts, *masked(after)

    floats = jax.ShapeDtypeStruct((number,), np.float64)
    logits_shape = jax.ShapeDtypeStruct((number, actions), np.float64)
    shapes = jax.ShapeDtypeStruct(states.shape, np.int8), floats, floats, logits_shape, floats

    def recurrent(_: Any, __: Any, action: Any, embedding: Any) -> Any:
        after, rewards, discounts, logits, values = jax.pure_callback(played, shapes, embedding, action)
        return mctx.RecurrentFnOutput(reward=rewards, discount=discounts, prior_logits=logits, value=values), after

    logits, values = masked(states)
    root = mctx.RootFnOutput(prior_logits=jax.numpy.array(logits), value=jax.numpy.array(values), embedding=states)
    common = (None, jax.random.PRNGKey(seed), root, recurrent, options.simulations, logits == np.finfo(np.float64).min)
    if options.rule == "puct":
        return mctx.muzero_policy(*common, dirichlet_fraction=0.0, temperature=0.0), np.zeros((number, actions))
    found = mctx.gumbel_muzero_policy(*common, max_num_considered_actions=options.considered)
    noise = jax.random.gumbel(jax.random.split(jax.random.PRNGKey(seed))[1], (number, actions), np.float64)
    return found, np.array(noise)


def searched(name: str, options: SearchOptions, seed: int) -> tuple[Found, Any]:
    """Return what our search and mctx's find of the same positions."""
    game = without_limits(name)
    states = positions_of(game, ROOTS)
    theirs, noise = reference(game, states, options, seed)
    return TreeSearch(game, random_evaluation(game, 5), options).search(states, gumbels=noise), theirs


@pytest.mark.parametrize(("name", "given"), fast_for(SEARCHES[:1], SEARCHES))
def test_gumbel_search_finds_what_mctx_does(name: str, given: dict[str, Any]) -> None:
    ours, theirs = searched(name, SearchOptions(**given, solve=False), seed=len(name))
    summary = theirs.search_tree.summary()
    visits = np.array(summary.visit_counts)
    assert (ours.visits == visits).all()
    assert (ours.actions == np.array(theirs.action)).all()
    np.testing.assert_allclose(ours.policy, np.array(theirs.action_weights), rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.values, np.array(summary.value), rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.where(visits > 0, ours.points - np.array(summary.qvalues), 0), 0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", fast_for([], ["tic_tac_toe", "connect_four", "six_mens_morris"]))
def test_puct_search_finds_what_mctx_does(name: str) -> None:
    ours, theirs = searched(name, SearchOptions(rule="puct", solve=False), seed=1)
    assert (ours.visits == np.array(theirs.search_tree.summary().visit_counts)).all()
    np.testing.assert_allclose(ours.policy, np.array(theirs.action_weights), rtol=0, atol=1e-12)
