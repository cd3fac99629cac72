"""Fitting a network with two heads: symmetries, the loss, and that it falls."""

from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero.policy_fitting import Images, PolicyFitting, fit_policy, legal_masks, policy_losses
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.alpha_zero.self_plays import played, random_network

GAME = "tic_tac_toe"


@pytest.mark.parametrize("name", ["tic_tac_toe", "achi", "hexapawn", "nine_holes", "connect_four"])
def test_images_are_those_of_the_positions_and_their_actions(name: str) -> None:
    """The policy of an image moves with the men: playing the image of an action leads to an image."""
    game, examples = make_game(name), played(name, contests=4)
    images = Images(game, examples)
    rows = np.arange(len(examples.states))
    for symmetry in range(images.count):
        states, policies, legal, outcomes = images.seen(rows, np.full(len(rows), symmetry))
        np.testing.assert_array_equal(legal, legal_masks(game, states))
        np.testing.assert_array_equal(outcomes, examples.outcomes)
        for row in range(0, len(rows), 7):
            own, image = game.position(examples.states[row]), game.position(states[row])
            assert image.canonical == own.canonical
            after = [
                each.play(int(policy[row].argmax())) for each, policy in ((own, examples.policies), (image, policies))
            ]
            assert after[0].canonical == after[1].canonical


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policies": lambda policies: policies * np.nan}, "policies are not all probabilities"),
        ({"policies": lambda policies: -policies}, "policies are not all probabilities"),
        ({"policies": np.ones_like}, "policies are not all probabilities"),
        ({"policies": lambda policies: policies * 0}, "policies are not all probabilities"),
        ({"policies": lambda policies: np.roll(policies, 1, axis=1)}, "to actions that are not legal"),
        ({"policies": lambda policies: policies[:1]}, "policies has shape"),
        (
            {"states": lambda states: np.where(np.arange(10) == 0, 5, states).astype(np.int8)},
            "slot 0 of state 0 is the seat to move",
        ),
        ({"outcomes": lambda outcomes: outcomes + 5}, "outcomes are 0 for a win"),
        ({"outcomes": lambda outcomes: outcomes - 100}, "outcomes are 0 for a win"),
        ({"outcomes": lambda outcomes: outcomes.astype(float)}, "outcomes is of dtype float64"),
        ({"outcomes": lambda outcomes: outcomes[:1]}, "outcomes has shape"),
        ({"states": lambda states: states[:, :3]}, "states of shape"),
    ],
)
def test_examples_that_are_none_are_refused(game: Game, change: dict[str, Any], message: str) -> None:
    examples, network = played(), random_network(game)
    before = network.arrays()
    wrong = examples._replace(**{name: make(getattr(examples, name)) for name, make in change.items()})
    with pytest.raises(BadInputError, match=message):
        policy_losses(network, wrong)
    with pytest.raises(BadInputError, match=message):
        fit_policy(network, wrong, PolicyFitting(), (0,))
    for name, layer in network.arrays().items():
        np.testing.assert_array_equal(layer, before[name])


def test_losses_of_a_network_whose_outputs_are_no_numbers_are_refused(game: Game) -> None:
    network = random_network(game)
    network.load({name: np.full_like(layer, 3e38) for name, layer in network.arrays().items()})
    with np.errstate(all="ignore"), pytest.raises(BadInputError, match="its weights are too large"):
        policy_losses(network, played())


def test_legal_masks_are_those_of_positions(game: Game) -> None:
    states = played().states
    for state, mask in zip(states, legal_masks(game, states), strict=True):
        assert tuple(np.flatnonzero(mask)) == game.position(state).legal_actions


@pytest.mark.parametrize("name", ["tic_tac_toe", "hexapawn"])
def test_the_loss_that_is_reported_is_the_one_that_is_minimized(name: str) -> None:
    import torch

    from boardgames_agents.alpha_zero.torch_policy import TorchPolicy

    examples, network = played(name), random_network(make_game(name), seed=3)
    with torch.no_grad():
        found = TorchPolicy(network).losses(*Images(network.game, examples).seen(*identity(len(examples.states))))
    np.testing.assert_allclose(policy_losses(network, examples), found.numpy(), rtol=1e-4, atol=1e-5)


def identity(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all rows, and for each the first symmetry."""
    return np.arange(number), np.zeros(number, dtype=np.int64)


def test_fitting_lowers_the_loss_and_is_the_same_with_the_same_seed(game: Game) -> None:
    one, same, other = (random_network(game) for _ in range(3))
    before = policy_losses(one, played(contests=60)).mean()
    for network, seed in ((one, 1), (same, 1), (other, 2)):
        fit_policy(network, played(contests=60), PolicyFitting(epochs=20, alpha=0.02, batch=16), (seed,))
    assert policy_losses(one, played(contests=60)).mean() < 0.85 * before
    for name, layer in one.arrays().items():
        np.testing.assert_array_equal(layer, same.arrays()[name])
    assert not np.array_equal(one.layers.hidden, other.layers.hidden)


def test_weights_decay(game: Game) -> None:
    kept, decayed = random_network(game), random_network(game)
    for network, decay in ((kept, 0), (decayed, 1)):
        fit_policy(network, played(), PolicyFitting(epochs=5, alpha=0.01, batch=16, weight_decay=decay), (1,))
    assert np.abs(decayed.layers.inner).sum() < 0.98 * np.abs(kept.layers.inner).sum()


@pytest.mark.parametrize("options", [{"epochs": 0}, {"batch": 0}, {"alpha": 0}, {"weight_decay": -1}])
def test_numbers_are_checked(options: dict[str, float]) -> None:
    with pytest.raises(BadInputError, match=f"{next(iter(options))}="):
        PolicyFitting(**options)  # type: ignore[arg-type]
