"""Best replies found by what they change, beside those of a look-ahead that evaluates every reply."""

import numpy as np
import pytest

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.lookahead.evaluator import POINTS, Evaluator, Preferences, Probabilities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import Replier
from boardgames_agents.td.network import FilteredNetwork, Network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.kernels.signatures import Int8s
from tests.boardgames_agents.exact import race
from tests.positions import random_positions

DESIGNS = {
    "one output": Design(hidden=7, outputs=1),
    "four outputs, seat 0 sees all": Design(hidden=7, outputs=4, viewer="0", units="sigmoid"),
    "six outputs": Design(hidden=7, outputs=6),
    "gammons within": Design(inputs="raw", hidden=7, outputs=6, gammons="within"),
}

ALIKE = Preferences(np.array([POINTS, POINTS]), -1, 1)
"""Both seats choose by points."""


class OneByOne:
    """An evaluator that finds no replies."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.outcome_probabilities = evaluator.outcome_probabilities


def roots(game: Game) -> Int8s:
    """Return states of random contests that await chance, or a move where nothing is left to chance."""
    settled = Replier(game).settled
    reached = [each.moves()[0].afterstate for each in random_positions(game, 60, seed=4)]
    states = [settled(each).state for each in reached if not each.is_over]
    assert len(states) > 10
    return np.array(states)


def assert_same(game: Game, quick: Evaluator, slow: Evaluator, states: Int8s) -> None:
    found, expected = (Expectimax(game, each, plies=2).outcome_probabilities(states) for each in (quick, slow))
    np.testing.assert_allclose(found, expected, atol=2e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        *((name, "hypergammon") for name in DESIGNS),
        ("gammons within", "hypergammon(cube=True)"),
        ("gammons within", "hypergammon(match_length=3,score=(1,0))"),
        *(("one output", spec) for spec in ("tic_tac_toe", "achi")),  # (the best move, with nothing left to chance)
    ],
)
def test_the_means_are_those_of_all_replies(name: str, spec: str) -> None:
    game = make_game(spec)
    network = Network(game, DESIGNS[name], seed=2)
    assert_same(game, network, OneByOne(network), roots(game))


@pytest.mark.parametrize("men", [([6, 8, 3], [5, 4, 2]), ([6, 5, 3], [5, 4, 2]), ([6, 8, 3], [7, 4, 2])])
def test_replies_that_are_in_tables_are_exact(men: tuple[list[int], list[int]]) -> None:
    game = make_game("hypergammon")
    network = Network(game, DESIGNS["six outputs"], seed=2)
    states = race(game, *men).state[np.newaxis]
    assert_same(game, with_tables(network, game), with_tables(OneByOne(network), game), states)


def test_replies_that_may_be_in_tables_are_left_to_them() -> None:
    game = make_game("hypergammon")
    quick = with_tables(Network(game, DESIGNS["six outputs"], seed=2), game)
    states = np.array([race(game, [6, 8, 3], other).state for other in ([5, 4, 2], [7, 4, 2])])
    assert quick.finds_replies(states).tolist() == [False, True]


def means(network: Evaluator, states: Int8s) -> Probabilities:
    return Expectimax(make_game("hypergammon"), network, plies=2).outcome_probabilities(states)


def test_a_filter_that_leaves_all_replies_changes_nothing() -> None:
    game = make_game("hypergammon")
    network, other = (Network(game, DESIGNS["one output"], seed) for seed in (2, 3))
    states = roots(game)
    np.testing.assert_array_equal(means(FilteredNetwork(network, other, 500), states), means(network, states))
    np.testing.assert_array_equal(means(FilteredNetwork(network, network, 1), states), means(network, states))


@pytest.mark.parametrize("kept", [1, 3])
def test_the_best_reply_is_found_among_those_that_a_filter_leaves(kept: int) -> None:
    game = make_game("hypergammon")
    network, other = Network(game, DESIGNS["six outputs"], 2), Network(game, DESIGNS["one output"], 3)
    states = roots(game)[:4]
    for state, row in zip(states, means(FilteredNetwork(network, other, kept), states), strict=True):
        expected, position = np.zeros(6), game.position(state)
        for event in position.events():
            rolled = position.happen(event.number).state
            moves, filtered = (Expectimax(game, each).evaluate_moves(rolled) for each in (network, other))
            left = np.argsort(-filtered.equities, kind="stable")[:kept]
            expected += event.probability * moves.probabilities[left[moves.equities[left].argmax()]]
        np.testing.assert_allclose(row, expected, atol=1e-5)


def test_a_filter_for_another_game_is_refused() -> None:
    networks = (Network(make_game(spec), DESIGNS["six outputs"]) for spec in ("hypergammon", "backgammon"))
    with pytest.raises(BadInputError, match="a network for backgammon cannot filter replies in hypergammon"):
        FilteredNetwork(*networks, kept=4)


def test_draws_that_do_not_fit_are_refused() -> None:
    game = make_game("hypergammon")
    with pytest.raises(BadInputError, match=r"draws of shape \(1,\) are not allowed"):
        Network(game, DESIGNS["six outputs"]).best_replies(roots(game), ALIKE, np.zeros(1), 2)


@pytest.mark.parametrize("draw", [-1.0, 2.0, np.nan])
def test_a_draw_out_of_range_draws_some_event(draw: float) -> None:
    game = make_game("hypergammon")
    states = roots(game)
    drawn = Network(game, DESIGNS["six outputs"]).best_replies(states, ALIKE, np.full(len(states), draw), 2)
    np.testing.assert_allclose(drawn.probabilities.sum(axis=1), 1, atol=1e-5)
    assert set(drawn.states[:, 0].tolist()) <= {0, 1}
