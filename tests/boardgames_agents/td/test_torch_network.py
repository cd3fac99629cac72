"""The network in torch: one memory with the kernels."""

import copy
from typing import TYPE_CHECKING

import numpy as np
import pytest

from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env import Game, make_game
from tests.boardgames_agents.td.learners import td
from tests.positions import random_positions
from tests.processes import python

if TYPE_CHECKING:
    from boardgames_agents.td.torch_network import TorchNetwork  # imports torch

GAME = "tic_tac_toe"


def states_of(game: Game) -> np.ndarray:
    return np.array([position.state for position in random_positions(game, 30, seed=1)])


def module_of(network: Network) -> "TorchNetwork":
    from boardgames_agents.td.torch_network import TorchNetwork

    return TorchNetwork(network)


def shown(module: "TorchNetwork", states: np.ndarray) -> np.ndarray:
    """Return what the module predicts in positions."""
    inputs, _ = module.network.encode_batch(states)
    shown: np.ndarray = module(module.to_device(inputs)).detach().numpy()
    return shown


@pytest.mark.parametrize("units", ["sigmoid", "rectified"])
@pytest.mark.parametrize(("viewer", "further"), [("move", ""), ("0", ""), ("move", "7-16"), ("0", "12")])
def test_it_says_what_the_kernels_say(units: str, viewer: str, further: str) -> None:
    game = make_game("hypergammon")
    design = Design("raw", 9, 6, units=units, viewer=viewer, further=further)
    network, states = Network(game, design, seed=2), states_of(game)
    network.layers.inner_bias[:] = np.random.default_rng(1).normal(size=len(network.layers.inner_bias))
    module = module_of(network)
    np.testing.assert_allclose(shown(module, states), network.predict_batch(states), atol=1e-6)
    assert network.encode_batch(states)[0].shape == (30, network.encoding.size)
    assert shown(module, states[:0]).shape == (0, 6)


def test_what_is_shown_of_a_position_that_is_over_is_nothing(game: Game) -> None:
    won = game.position([0, 1, 1, 0, -1, -1, 0, 0, 0, 0]).play(2)
    inputs, points = Network(game, Design()).encode_batch(np.array([won.state, game.initial.state]))
    assert points.tolist() == [1, 127]
    assert inputs.any(axis=1).tolist() == [False, True]


def test_what_the_kernels_learn_changes_the_module(game: Game) -> None:
    learner = td(game, hidden=9)
    module, states = module_of(learner.network), states_of(game)
    before = shown(module, states)
    learner.self_play([1], range(20))
    assert np.abs(shown(module, states) - before).max() > 0.01
    np.testing.assert_allclose(shown(module, states), learner.network.predict_batch(states), atol=1e-6)


@pytest.mark.slow
def test_a_step_of_an_optimizer_changes_what_the_kernels_say(game: Game) -> None:
    import torch

    network = Network(game, Design(hidden=9))
    module, states = module_of(network), states_of(game)
    optimizer = torch.optim.SGD(module.parameters(), lr=10.0)
    inputs = torch.from_numpy(network.encode_batch(states)[0])
    for _ in range(50):
        optimizer.zero_grad()
        ((module(inputs) - 0.9) ** 2).mean().backward()
        optimizer.step()
    assert np.abs(network.predict_batch(states) - 0.9).max() < 0.1
    np.testing.assert_array_equal(module.hidden.detach().numpy(), network.layers.hidden)


def test_weights_that_went_elsewhere_are_given_back(game: Game) -> None:
    import torch

    moved, states = copy.deepcopy(module_of(Network(game, Design(hidden=9)))), states_of(game)
    with torch.no_grad():
        moved.output_bias += 1
    assert np.abs(moved.network.predict_batch(states) - shown(moved, states)).max() > 0.05
    moved.write_to_network()
    np.testing.assert_allclose(moved.network.predict_batch(states), shown(moved, states), atol=1e-6)


@pytest.mark.slow
def test_without_torch_one_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['torch'] = None; import boardgames_agents.td.torch_network"
    sentence = "MissingLibraryError: networks in torch need the package torch: pip install 'boardgames-env[torch]'\n"
    assert python(code=code).stderr.endswith(sentence)
