"""What a network says of positions, and what that stands for."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.td.hidden_units import sigmoid
from boardgames_agents.td.layers import aligned
from boardgames_agents.td.learner import MoveEvaluator, TDLearner, TDPlayer
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design, TDOptions
from boardgames_agents.td.outputs import meaning, outcome_probabilities
from boardgames_agents.td.traces import make_traces
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.kernels import ONGOING
from tests.positions import random_positions

GAME = "hypergammon"


def test_the_sigmoid_is_right_to_seven_digits() -> None:
    plain = getattr(sigmoid, "py_func", sigmoid)
    numbers = np.concatenate([np.linspace(-20, 20, 4001), [-1e30, -100, 0, 100, 1e30]]).astype(np.float32)
    found = np.array([plain(number) for number in numbers])
    with np.errstate(over="ignore"):
        true = 1 / (1 + np.exp(-numbers.astype(np.float64)))
    assert found.dtype == np.float32
    assert np.abs(found - true).max() < 3e-7
    assert found.min() >= 0
    assert found.max() <= 1
    assert plain(np.float32(0)) == 0.5


@pytest.mark.parametrize(
    ("outputs", "points", "targets"),
    [
        (1, 2, [1]),
        (1, 0, [0.5]),
        (1, -1, [0]),
        (4, 1, [1, 0, 0, 0]),
        (4, 3, [0, 1, 0, 0]),
        (4, 0, [0, 0, 0, 0]),
        (4, -2, [0, 0, 0, 1]),
        (6, 3, [0, 0, 1, 0, 0, 0]),
        (6, -1, [0, 0, 0, 1, 0, 0]),
    ],
)
def test_what_a_contest_has_come_to(outputs: int, points: int, targets: list[float]) -> None:
    found = meaning(outputs)
    np.testing.assert_array_equal(found.targets[points + 3], targets)
    # and as the other seat sees it, it has come to as many points less
    seen_by_other = [1 - targets[0]] if outputs == 1 else np.array(targets)[found.place[1]]
    np.testing.assert_array_equal(found.targets[-points + 3], seen_by_other)
    if abs(points) <= max(found.value):
        most = 1 if outputs == 1 else 3
        assert found.targets[points + 3] @ found.value + found.bias == np.clip(points, -most, most)


def test_outputs_as_probabilities() -> None:
    def row(*said: float) -> list[float]:
        return outcome_probabilities(np.array([said], dtype=np.float32))[0].tolist()

    assert row(0.75) == [0.75, 0, 0, 0.25, 0, 0]
    assert row(0.5, 0.25, 0.125, 0.125) == [0.5, 0.25, 0, 0.125, 0.125, 0]
    assert row(0.5, 0.5, 0.5, 0.5) == [0.25, 0.25, 0, 0.25, 0.25, 0]  # they sum to 1 again
    assert row(0, 0, 0.5, 0, 0, 0.5) == [0, 0, 0.5, 0, 0, 0.5]
    assert row(0, 0, 0, 0) == pytest.approx([1 / 6] * 6)


@pytest.mark.parametrize("viewer", ["move", "0"])
@pytest.mark.parametrize("outputs", [1, 4, 6])
def test_probabilities_are_those_of_the_seat_to_move(outputs: int, viewer: str, game: Game) -> None:
    from tests.boardgames_agents.td.reference import Reference

    network = Network(game, Design("raw", 5, outputs, viewer=viewer), seed=3)
    reference = Reference(network, None)
    states = np.array([position.state for position in random_positions(game, 20, seed=1)])
    assert set(states[:, 0]) == {0, 1}
    of_seat_0 = outcome_probabilities(reference.to_seat0(list(states)).detach().numpy().astype(np.float32))
    expected = np.where(states[:, :1] == 0, of_seat_0, of_seat_0[:, [3, 4, 5, 0, 1, 2]])
    np.testing.assert_allclose(network.outcome_probabilities(states), expected, atol=1e-6)


@pytest.mark.parametrize("inputs", ["observation", "raw", "expert"])
@pytest.mark.parametrize("viewer", ["move", "0"])
def test_moves_are_weighed_as_their_positions_are_one_by_one(inputs: str, viewer: str, game: Game) -> None:
    """What is worked out from the difference of two positions is what each of them comes to by itself."""
    from tests.boardgames_agents.td.reference import Reference

    network = Network(game, Design(inputs, 7, 6, viewer=viewer), seed=3)
    evaluator, reference = MoveEvaluator(network), Reference(network, None)
    for position in random_positions(game, 25, seed=1):
        values = evaluator.evaluate(position)
        reached = list(evaluator.afterstates[: len(values)])
        np.testing.assert_allclose(values, reference.values(reached, position.seat), atol=1e-5)
        assert {move.afterstate.key for move in position.moves()} == {state.tobytes() for state in reached}


@pytest.mark.parametrize("inputs", ["raw", "raw_by_phase"])
@pytest.mark.parametrize("hidden", [5, 8])
def test_a_network_that_has_grown_predicts_the_same(inputs: str, hidden: int, game: Game) -> None:
    network = Network(game, Design(inputs="raw", hidden=5, outputs=6), seed=1)
    states = np.array([position.state for position in random_positions(game, 200, seed=3)])
    grown = network.grown(hidden, inputs, seed=2)
    assert grown.design == Design(inputs=inputs, hidden=hidden, outputs=6)
    np.testing.assert_allclose(grown.predict_batch(states), network.predict_batch(states), atol=1e-6)
    assert grown.layers.hidden is not network.layers.hidden
    further = grown.layers.hidden[:, 5:]
    assert (further.std(axis=0) > 0.01).all()  # (they would learn nothing if they were equal)


@pytest.mark.parametrize("units", ["rectified", "sigmoid"])
def test_moves_are_weighed_by_all_layers(units: Literal["rectified", "sigmoid"], game: Game) -> None:
    network = Network(game, Design("raw", 7, 6, units=units, further="9-5"), seed=3)
    evaluator = MoveEvaluator(network)
    for position in random_positions(game, 25, seed=1):
        values = evaluator.evaluate(position)
        reached = evaluator.afterstates[: len(values)].copy()
        going = np.array([game.rules.outcome.run(state) == ONGOING for state in reached])
        outputs = network.predict_batch(reached[going])
        found = outputs @ network.meaning.value * np.where(reached[going, 0] == position.seat, 1, -1)
        np.testing.assert_allclose(values[going], found, atol=1e-5)


@pytest.mark.parametrize(
    ("units", "own", "hidden", "further"),
    [
        ("rectified", "", 8, "8"),  # a layer that passes on the units of the one before
        ("sigmoid", "", 8, "8"),
        ("rectified", "", 8, "14-13"),  # one that passes on the sums of the outputs, and another that passes those on
        ("sigmoid", "", 14, "13"),
        ("rectified", "8", 10, "9"),  # wider layers
        ("sigmoid", "9", 8, "20-30-12"),
    ],
)
def test_a_network_that_has_more_layers_predicts_the_same(
    units: Literal["rectified", "sigmoid"], own: str, hidden: int, further: str, game: Game
) -> None:
    network = Network(game, Design("raw", 8, 6, units=units, further=own), seed=1)
    network.layers.output_bias[:] = np.linspace(-1, 1, 6)
    states = np.array([position.state for position in random_positions(game, 200, seed=3)])
    grown = network.grown(hidden, "raw_by_phase", seed=2, further=further)
    assert grown.design.widths == (hidden, *map(int, further.split("-")))
    np.testing.assert_allclose(grown.predict_batch(states), network.predict_batch(states), atol=1e-6)


@pytest.mark.parametrize(
    ("own", "hidden", "inputs", "further"),
    [
        *(("9", 12, "raw", "8"), ("", 12, "raw", "11"), ("9", 12, "raw", "")),
        *(("", 4, "raw", ""), ("", 13, "observation", ""), ("", 13, "expert_by_phase", "")),
    ],
)
def test_a_network_that_cannot_grow_so_begins_anew(
    own: str, hidden: int, inputs: str, further: str, game: Game
) -> None:
    design = Design("raw", 12, 6, further=own)
    grown = Network(game, design, seed=1).grown(hidden, inputs, seed=2, further=further)
    other = Network(game, replace(design, hidden=hidden, inputs=inputs, further=further), seed=2)
    for one, another in zip(grown.layers, other.layers, strict=True):
        np.testing.assert_array_equal(one, another)


@pytest.mark.parametrize("further", ["", "9-5"])
def test_positions_are_predicted_alike_one_by_one_and_together(further: str, game: Game) -> None:
    network = Network(game, Design("raw", 7, 6, further=further), seed=2)
    states = [position.state for position in random_positions(game, 7, seed=1)]
    together = network.predict_batch(np.array(states))
    for state, outputs in zip(states, together, strict=True):
        np.testing.assert_array_equal(network.predict_batch(state[np.newaxis])[0], outputs)


@pytest.mark.parametrize("further", ["256,128", "-8", "0", "8-0", "012", "x", "9" * 5000, "99999-99999"])
def test_numbers_of_units_are_checked(further: str) -> None:
    with pytest.raises(BadInputError, match=r"further=.* not allowed"):
        Design(further=further)


def test_traces_are_for_one_hidden_layer(game: Game) -> None:
    with pytest.raises(BadInputError, match="one hidden layer"):
        TDLearner(Network(game, Design("raw", 4, 6, further="4")), TDOptions())


def test_a_seat_that_can_win_does() -> None:
    game = make_game("tic_tac_toe")
    network = Network(game, Design(hidden=5), seed=1)
    wins = game.position([0, 1, 1, 0, -1, -1, 0, 0, 0, 0])
    evaluator = MoveEvaluator(network)
    values = evaluator.evaluate(wins)
    assert values[0] == 1.0  # the points, where the contest is over
    others = network.outcome_probabilities(evaluator.afterstates[1 : len(values)].copy())
    np.testing.assert_allclose(values[1:], -equities(others), atol=1e-6)  # seen by the other seat
    assert TDPlayer(network).distribution(wins) == ((2,), (1.0,))


def test_gammons_may_be_within_the_wins() -> None:
    """A win of two points is then a win, too; as probabilities of exact points they come apart again."""
    apart, within = meaning(6), meaning(6, within=True)
    np.testing.assert_array_equal(within.targets[5], [1, 1, 0, 0, 0, 0])  # seat 0 has won two points
    np.testing.assert_array_equal(within.targets[0], [0, 0, 0, 1, 1, 1])
    for row in range(7):
        assert within.value @ within.targets[row] == apart.value @ apart.targets[row] == row - 3
    said = np.array([[0.6, 0.2, 0.05, 0.4, 0.1, 0.0], [0.5, 0.7, 0.9, 0.5, 0.0, 0.0]], dtype=np.float32)
    exact = [[0.4, 0.15, 0.05, 0.3, 0.1, 0.0], [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]]
    np.testing.assert_allclose(outcome_probabilities(said, within=True), exact, atol=1e-6)


def test_weights_and_traces_are_aligned_to_cache_lines() -> None:
    network = Network(make_game("tic_tac_toe"), Design(hidden=24))
    traces = make_traces(network.encoding.size, 24, 6)
    for array in (network.layers.hidden, network.layers.output, traces.hidden, traces.output, traces.gradient.into):
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous


def test_an_aligned_copy_is_equal_and_apart() -> None:
    values = np.random.default_rng(3).normal(size=(5, 7)).astype(np.float32)
    copy = aligned(values)
    np.testing.assert_array_equal(copy, values)
    copy[0, 0] += 1
    assert copy[0, 0] != values[0, 0]


SCORED = "backgammon(match_length=3, score=(1, 0))"


@pytest.mark.parametrize(
    ("learned", "game", "fits"),
    [
        ("backgammon", "backgammon(cube=True)", True),
        ("backgammon", SCORED, True),
        ("backgammon(cube=True)", "backgammon(cube=True, match_length=3)", True),
        ("backgammon(cube=True)", "backgammon", False),
        ("backgammon(cube=True)", SCORED, False),  # (as many features, which mean something else)
        (SCORED, "backgammon(cube=True)", False),
        (SCORED, "backgammon", False),
        ("achi", "achi(adjacent=True)", True),
    ],
)
def test_a_network_fits_games_that_show_positions_as_its_own_does(learned: str, game: str, fits: bool) -> None:
    network = Network(make_game(learned), Design(hidden=3), seed=1)
    if fits:
        other = network.at(make_game(game))
        states = make_game(game).initial.state[None]
        seen = states[:, : network.game.state_size]
        assert np.array_equal(other.predict_batch(states), network.predict_batch(seen))
    else:
        with pytest.raises(BadInputError, match="does not show its positions as"):
            network.at(make_game(game))
