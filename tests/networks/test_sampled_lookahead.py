"""The look-ahead by drawn rolls: its mean over the draws is the look-ahead of all rolls."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.improve.examples import targets
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.td.network import FilteredNetwork
from boardgames_agents.td.options import Design
from boardgames_env import Game
from boardgames_env.kernels.signatures import Float64s, Int8s
from networks.examples import WorkshopExampleOptions
from networks.sampled_lookahead import SampledLookahead
from tests.boardgames_agents.improve.improvements import untrained
from tests.boardgames_agents.td.test_best_replies import OneByOne
from tests.networks.test_examples import collect

GAME = "hypergammon"
ALL = 36
"""As many draws as there are cases of two dice: each roll is drawn as often as it is likely."""


@cache
def positions() -> Int8s:
    return collect(WorkshopExampleOptions(candidates=3), 12, 4).states


def draws(plies: int, first: float = 0.3) -> Float64s:
    return np.full((len(positions()), plies - 2), first)


def exact(evaluator: Evaluator, game: Game, plies: int) -> Probabilities:
    return Expectimax(game, evaluator, plies, replies=1).outcome_probabilities(positions())


@pytest.mark.parametrize("tables", [False, True], ids=["network", "with tables"])
def test_every_roll_drawn_once_for_each_case_is_three_plies(game: Game, tables: bool) -> None:
    evaluator: Evaluator = with_tables(untrained(), game) if tables else untrained()
    found = SampledLookahead(game, evaluator, ALL).outcome_probabilities(positions(), draws(3))
    assert_allclose(found, exact(evaluator, game, 3), atol=2e-6)


@pytest.mark.parametrize("samples", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_the_mean_over_all_draws_is_three_plies(game: Game, samples: int) -> None:
    look = SampledLookahead(game, untrained(), samples)
    shares = (np.arange(ALL) + 0.5) / ALL
    found = [look.outcome_probabilities(positions(), draws(3, share)) for share in shares]
    assert_allclose(np.mean(found, axis=0), exact(untrained(), game, 3), atol=2e-6)
    assert np.std(found, axis=0).max() > 0.001


@pytest.mark.slow
def test_the_mean_over_all_pairs_of_draws_is_four_plies(game: Game) -> None:
    look = SampledLookahead(game, untrained(), 1)
    states, found = positions()[:2], []
    shares = (np.arange(ALL) + 0.5) / ALL
    for first in shares:
        for second in shares:
            found.append(look.outcome_probabilities(states, np.tile([first, second], (len(states), 1))))
    wanted = Expectimax(game, untrained(), 4, replies=1).outcome_probabilities(states)
    assert_allclose(np.mean(found, axis=0), wanted, atol=5e-6)
    assert np.abs(wanted - exact(untrained(), game, 3)[:2]).max() > 1e-4


def test_lambda_weighs_the_depths(game: Game) -> None:
    two, three = exact(untrained(), game, 2), exact(untrained(), game, 3)
    found = {
        each: SampledLookahead(game, untrained(), ALL, each).outcome_probabilities(positions(), draws(3))
        for each in (0.0, 0.4)
    }
    assert_allclose(found[0.0], two, atol=1e-6)
    assert_allclose(found[0.4], two + 0.4 * (three - two), atol=2e-6)
    deeper = [SampledLookahead(game, untrained(), 2, each) for each in (1.0, 0.5, 0.0)]
    one, half, none = (each.outcome_probabilities(positions(), draws(4)) for each in deeper)
    third, fourth = deeper[0].outcome_probabilities(positions(), draws(3)) - two, one - none
    assert_allclose(half, none + 0.5 * third + 0.25 * (fourth - third), atol=2e-6)


def test_replies_that_are_listed_are_the_same(game: Game) -> None:
    quick, listed = (SampledLookahead(game, each, 4) for each in (untrained(), OneByOne(untrained())))
    for plies in (3, 5):
        found = [each.outcome_probabilities(positions(), draws(plies)) for each in (quick, listed)]
        assert_allclose(*found, atol=2e-6)


def test_a_filter_that_leaves_all_replies_changes_nothing(game: Game) -> None:
    all_kept, few_kept = (
        SampledLookahead(game, FilteredNetwork(untrained(), untrained(9), kept), 3) for kept in (1000, 1)
    )
    found = SampledLookahead(game, untrained(), 3).outcome_probabilities(positions(), draws(3))
    assert_allclose(all_kept.outcome_probabilities(positions(), draws(3)), found, atol=1e-6)
    assert np.abs(few_kept.outcome_probabilities(positions(), draws(3)) - found).max() > 0.001


def test_the_moves_of_a_roll_are_compared_by_the_same_rolls(game: Game) -> None:
    options = WorkshopExampleOptions(candidates=3, plies=4, samples=2, label_lambda=0.7)
    examples = collect(options, 30)
    for one, other in zip(examples, collect(options, 30), strict=True):
        assert_array_equal(one, other)
    numbers = np.random.default_rng((1, 2)).random((examples.rolls.max() + 1, 2))[examples.rolls]
    look = SampledLookahead(game, with_tables(untrained(), game), 2, 0.7)
    assert_allclose(examples.labels, look.outcome_probabilities(examples.states, numbers), atol=1e-6)
    assert_allclose(examples.labels.sum(axis=1), 1, atol=1e-5)


def test_what_drawn_rolls_add_beyond_0_and_1_is_left_in_the_targets() -> None:
    labels = np.array([[1.1, 0, 0, -0.1, 0, 0], [1 + 1e-7, 0, 0, -1e-7, 0, 0]], dtype=np.float32)
    found = targets(labels, Design(outputs=6, gammons="apart"), np.zeros(2, dtype=np.int8))
    assert_array_equal(found, np.array([[1.1, 0, 0, -0.1, 0, 0], [1, 0, 0, 0, 0, 0]], dtype=np.float32))
