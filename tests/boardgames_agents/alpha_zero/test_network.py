"""The network with two heads: what the kernels find is what torch finds, and files hold it whole."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero import network as policy_network
from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork, load_network
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import describe_file, save_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.alpha_zero.self_plays import random_network
from tests.positions import random_positions

GAME = "tic_tac_toe"
DESIGNS = [PolicyDesign(layers=1, width=9), PolicyDesign(width=16), PolicyDesign(layers=4, width=7, residual=True)]


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "five_mens_morris", "hexapawn"])
def test_images_of_a_position_are_evaluated_alike(name: str) -> None:
    game = make_game(name)
    network = random_network(game)
    for position in random_positions(game, 10, seed=1):
        (logits,), (value,) = network.evaluate_images(position.state[None])
        alone = [network.evaluate(image.state[None]) for image in position.images()]
        carried = [one[0][0][carry] for one, carry in zip(alone, game.action_symmetries, strict=True)]
        np.testing.assert_allclose(logits, np.mean(carried, axis=0), rtol=1e-5)
        assert value == pytest.approx(np.mean([one[1][0] for one in alone]), rel=1e-5)
        for image, carry in zip(position.images(), game.action_symmetries, strict=True):
            (other,), (same,) = network.evaluate_images(image.state[None])
            np.testing.assert_allclose(other[carry], logits, rtol=1e-4, atol=1e-6)
            assert same == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize("name", ["tic_tac_toe", "hexapawn", "nine_mens_morris"])
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_kernels_find_what_torch_finds(name: str, design: PolicyDesign) -> None:
    import torch

    from boardgames_agents.alpha_zero.torch_policy import TorchPolicy

    network = random_network(make_game(name), design)
    states = np.array([each.state for each in random_positions(network.game, 40, 0)])
    logits, outcomes = network.predict(states)
    with torch.no_grad():
        found = TorchPolicy(network)(torch.from_numpy(network.encode_batch(states)[0]))
    np.testing.assert_allclose(logits, found[0].numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(outcomes, torch.softmax(found[1], 1).numpy(), rtol=1e-4, atol=1e-6)
    assert logits.shape == (len(states), network.game.num_actions)
    np.testing.assert_allclose(outcomes.sum(1), 1, rtol=1e-6)


def test_a_position_alone_is_evaluated_as_among_others(game: Game) -> None:
    network = random_network(game, DESIGNS[2])
    states = np.array([each.state for each in random_positions(game, 30, 0)])
    logits, values = network.evaluate(states)
    for row in range(len(states)):
        alone = network.evaluate(states[row : row + 1])
        np.testing.assert_array_equal(alone[0][0], logits[row])
        assert alone[1][0] == values[row]


def test_what_is_remembered_is_what_is_found(game: Game) -> None:
    """A memory of 16 positions, so that most are forgotten in between."""
    network, states = random_network(game), np.array([each.state for each in random_positions(game, 60, 0)])
    memory = network.new_memory(16)
    for rows in (states, states[:20], states[::-1].copy()):
        found = network.predict(rows)
        again = tuple(np.empty_like(each) for each in found)
        policy_network._predict.run(network.predictor, memory, rows, *again)
        for each, other in zip(found, again, strict=True):
            np.testing.assert_array_equal(each, other)
    assert (memory.states[:, 0] >= 0).sum() > 8


def test_values_are_expected_points(game: Game) -> None:
    network = random_network(game)
    _, outcomes = network.predict(game.initial.state[None])
    _, values = network.evaluate(game.initial.state[None])
    np.testing.assert_array_equal(values, outcomes[:, 0] - outcomes[:, 2])


def test_a_new_network_finds_all_actions_and_outcomes_equally_likely(game: Game) -> None:
    logits, outcomes = PolicyNetwork(game, PolicyDesign()).predict(game.initial.state[None])
    np.testing.assert_array_equal(logits, 0)
    np.testing.assert_allclose(outcomes, 1 / 3)


def test_the_seed_determines_the_weights(game: Game) -> None:
    one, same, other = (PolicyNetwork(game, PolicyDesign(), seed).layers for seed in (1, 1, 2))
    for first, second in zip(one, same, strict=True):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(one.hidden, other.hidden)


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_a_file_holds_the_network(game: Game, design: PolicyDesign, tmp_path: Path) -> None:
    network = random_network(game, design)
    save_network(tmp_path / "x.safetensors", network, {"seed": "5"})
    loaded = load_network(tmp_path / "x.safetensors", game)
    assert (loaded.design, loaded.about) == (design, {"seed": "5"})
    assert describe_file(tmp_path / "x.safetensors", PolicyNetwork).design == design
    for name, layer in network.arrays().items():
        np.testing.assert_array_equal(loaded.arrays()[name], layer)


def test_a_file_fits_the_game_with_other_limits_but_no_other_game(tmp_path: Path) -> None:
    game, other = make_game("achi"), make_game("achi", recurrences=3)
    save_network(tmp_path / "x.safetensors", random_network(game))
    assert load_network(tmp_path / "x.safetensors", other).game is other
    with pytest.raises(BadInputError, match="holds a network for achi"):
        load_network(tmp_path / "x.safetensors", make_game("tic_tac_toe"))


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e300])
def test_weights_are_finite_numbers_of_float32(game: Game, number: float) -> None:
    network = random_network(game)
    before = network.arrays()
    with pytest.raises(BadInputError, match="output"):
        network.load({**before, "output": np.full(before["output"].shape, number)})
    for name, layer in network.arrays().items():
        np.testing.assert_array_equal(layer, before[name])


@pytest.mark.parametrize("dtype", [str, complex, bool])
def test_weights_are_numbers(game: Game, dtype: type) -> None:
    network = random_network(game)
    with pytest.raises(BadInputError, match=r"hidden (is of dtype|has others)"):
        network.load({**network.arrays(), "hidden": network.arrays()["hidden"].astype(dtype)})


def test_the_array_that_does_not_fit_is_named(game: Game) -> None:
    network = random_network(game)
    with pytest.raises(BadInputError, match=r"another network: hidden has shape \(.*\), not \("):
        network.load({**network.arrays(), "hidden": network.arrays()["hidden"].T})
    with pytest.raises(BadInputError, match=r"another network: more has shape \(1,\), not None"):
        network.load({**network.arrays(), "more": np.zeros(1, dtype=np.float32)})


@pytest.mark.parametrize("states", [[[0] * 10], None, np.zeros((1, 9), dtype=np.int8), np.zeros((1, 10))])
def test_positions_are_arrays_of_the_game(game: Game, states: Any) -> None:
    network = random_network(game)
    for ask in (network.predict, network.evaluate, network.evaluate_images):
        with pytest.raises(BadInputError, match="states"):
            ask(states)


def test_networks_of_both_kinds_are_told_apart(game: Game, tmp_path: Path) -> None:
    save_network(tmp_path / "x.safetensors", Network(game, Design(hidden=3)))
    with pytest.raises(BadInputError, match="does not hold a network of alpha_zero"):
        load_network(tmp_path / "x.safetensors", game)


@pytest.mark.parametrize(
    ("name", "sentence"), [("hypergammon", "has dice"), ("othello(points='discs')", "counts points")]
)
def test_games_that_it_cannot_learn_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        PolicyNetwork(make_game(name), PolicyDesign())


@pytest.mark.parametrize(
    "options",
    [
        *({"width": number} for number in (0, 20_000, 2.5, True)),
        *({"layers": number} for number in (0, 2.0)),
        {"layers": 100, "width": 10_000},
    ],
)
def test_numbers_of_a_design_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=f"{next(iter(options))}=.*not allowed"):
        PolicyDesign(**options)
