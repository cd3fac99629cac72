"""Examples of expert iteration: what is collected, what the labels are, and what a choice loses by them."""

from dataclasses import replace

import numpy as np
import pytest

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.improve.examples import Collector, Examples, joined, targets
from boardgames_agents.lookahead.evaluator import OTHER_SEAT
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_agents.td.outputs import outcome_probabilities
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.improve.improvements import OPTIONS, ROLLS, collected, untrained

GAME = "hypergammon"


def test_rolls_with_a_choice_have_between_two_and_as_many_moves_as_asked() -> None:
    examples = collected()
    counts = np.bincount(examples.rolls)
    assert (counts > 1).sum() == ROLLS
    assert (counts >= 1).all()
    assert counts.max() == OPTIONS.candidates
    assert {0, 1} == set(examples.movers.tolist())


def test_labels_are_those_of_a_look_ahead_of_the_network(game: Game) -> None:
    examples = collected()
    teacher = Expectimax(game, with_tables(untrained(), game), OPTIONS.plies)
    for row in range(0, len(examples.states), 7):
        alone = teacher.outcome_probabilities(examples.states[row : row + 1])[0]
        np.testing.assert_allclose(examples.labels[row], alone, atol=1e-6)
    np.testing.assert_allclose(examples.labels.sum(axis=1), 1, atol=1e-5)


def test_labels_three_plies_deep_examine_as_many_replies_as_asked(game: Game) -> None:
    examples = Collector(untrained(), replace(OPTIONS, plies=3, replies=1)).collect(5, (1,))
    for replies, are_equal in ((1, True), (2, False)):
        teacher = Expectimax(game, with_tables(untrained(), game), 3, replies=replies)
        found = teacher.outcome_probabilities(examples.states)
        assert np.allclose(found, examples.labels, atol=1e-6) == are_equal


def test_the_best_by_one_ply_come_first(game: Game) -> None:
    examples = collected()
    seen = examples.equities_of_movers(with_tables(untrained(), game).outcome_probabilities(examples.states))
    same_roll = examples.rolls[1:] == examples.rolls[:-1]
    assert (seen[1:] <= seen[:-1] + 1e-6)[same_roll].all()


def test_the_same_seed_gives_the_same_examples() -> None:
    for one, other in zip(collected(), collected(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not np.array_equal(collected().states[:50], collected(seed=2).states[:50])


def test_losses_are_those_of_the_moves_that_seem_best(game: Game) -> None:
    win, loss = np.eye(6, dtype=np.float32)[[0, 3]]
    labels = np.array([0.7 * win + 0.3 * loss, win, 0.5 * win + 0.5 * loss, loss, win])
    states = np.zeros((5, game.state_size), dtype=np.int8)
    states[:, 0] = 1
    movers = np.array([1, 1, 1, 0, 0], dtype=np.int8)  # (in the second roll the other seat is to move)
    examples = Examples(states, np.array([0, 0, 0, 1, 1]), movers, labels)
    assert examples.losses(labels).tolist() == [0, 0]
    judged = np.array([win, loss, loss, win, loss])
    assert examples.losses(judged) == pytest.approx([1 - 0.4, 2])


def test_parts_are_joined_with_rolls_of_their_own() -> None:
    both = joined([collected(1), collected(2)])
    assert len(set(both.rolls.tolist())) == sum(len(set(collected(seed).rolls.tolist())) for seed in (1, 2))
    assert (np.diff(both.rolls) >= 0).all()


@pytest.mark.parametrize("outputs", [1, 4, 6])
@pytest.mark.parametrize("gammons", ["apart", "within"])
def test_outputs_that_meet_their_targets_mean_the_labels(outputs: int, gammons: str) -> None:
    labels = np.random.default_rng(4).dirichlet(np.ones(6), 20).astype(np.float32)
    design = Design(outputs=outputs, gammons=gammons)  # type: ignore[arg-type]
    found = outcome_probabilities(targets(labels, design, np.zeros(20, dtype=np.int8)), gammons == "within")
    wanted = labels.copy()
    if outputs == 4:  # (a backgammon counts as a gammon)
        wanted[:, [1, 4]] += wanted[:, [2, 5]]
        wanted[:, [2, 5]] = 0
    if outputs == 1:
        wanted[:, [0, 3]] = np.stack([labels[:, :3].sum(axis=1), labels[:, 3:].sum(axis=1)], axis=1)
        wanted[:, [1, 2, 4, 5]] = 0
    np.testing.assert_allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize("gammons", ["apart", "within"])
def test_targets_are_probabilities_where_labels_have_rounding_errors(gammons: str) -> None:
    labels = np.array([[0.6, 0.4 + 6e-8, 0, -3e-8, 0, 0]], dtype=np.float32)
    found = targets(labels, Design(outputs=6, gammons=gammons), np.zeros(1, dtype=np.int8))  # type: ignore[arg-type]
    assert ((found >= 0) & (found <= 1)).all()


def test_a_network_that_sees_all_as_seat_0_has_its_targets() -> None:
    labels = np.random.default_rng(4).dirichlet(np.ones(6), 2).astype(np.float32)
    found = targets(labels, Design(outputs=6, viewer="0"), np.array([0, 1], dtype=np.int8))
    np.testing.assert_array_equal(found, [labels[0], labels[1][OTHER_SEAT]])


@pytest.mark.parametrize(
    ("game", "sentence"),
    [("tic_tac_toe", "no dice"), ("hypergammon(cube=True)", "cube"), ("hypergammon(match_length=3)", "a match")],
)
def test_games_without_dice_or_with_a_cube_are_refused(game: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        Collector(Network(make_game(game), Design(hidden=2)), OPTIONS).collect(10, (0,))
