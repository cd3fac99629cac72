"""Fitting a network to labels: the errors that fall, what is checked, and the loss."""

import numpy as np
import pytest

from boardgames_agents.improve.fitting import Descent, FittingOptions, batches_of, cross_entropy, fit
from boardgames_env import BadInputError
from tests.boardgames_agents.improve.improvements import collected, untrained


def test_fitting_brings_the_outputs_nearer_to_the_labels() -> None:
    examples, network = collected(), untrained().copy()

    def error() -> float:
        return float(np.abs(network.outcome_probabilities(examples.states) - examples.labels).mean())

    before = error()
    fit(network, examples, FittingOptions(epochs=20, alpha=0.01), (0,))
    assert error() < 0.7 * before


def test_fitting_brings_comparisons_of_moves_nearer_to_the_labels() -> None:
    """The more, the more they weigh; an error that all moves of a roll share is none of comparison."""
    examples = collected()
    starts = examples.starts()
    counts = np.diff(np.append(starts, len(examples.states)))

    def error(comparison: float) -> float:
        network = untrained().copy()
        fit(network, examples, FittingOptions(epochs=20, alpha=0.01, comparison=comparison), (0,))
        found = examples.equities_of_movers(network.outcome_probabilities(examples.states))
        errors = found - examples.equities_of_movers(examples.labels)
        means = np.add.reduceat(errors, starts) / counts
        return float(((errors - np.repeat(means, counts)) ** 2).mean())

    assert error(50) < 0.9 * error(0)


def test_fitting_is_the_same_with_the_same_seed() -> None:
    one, other = untrained().copy(), untrained().copy()
    for network in (one, other):
        fit(network, collected(), FittingOptions(epochs=2), (5,))
    for name, layer in one.arrays().items():
        np.testing.assert_array_equal(layer, other.arrays()[name])


@pytest.mark.parametrize("array", ["rolls", "movers", "labels"])
def test_examples_that_are_none_are_refused(array: str) -> None:
    examples, network = collected(), untrained().copy()
    given = getattr(examples, array)
    for wrong in (given[:1], given.astype(complex), np.full_like(given, np.nan) if array == "labels" else -given - 1):
        with pytest.raises(BadInputError, match=f"{array} (has shape|is of dtype)|rolls ascend"):
            fit(network, examples._replace(**{array: wrong}), FittingOptions(), (0,))


def test_descent_is_adam_with_a_rate_that_falls_along_half_a_cosine() -> None:
    import torch

    numbers = torch.linspace(-1, 1, 10)
    modules = [torch.nn.Linear(1, 1) for _ in range(2)]
    modules[1].load_state_dict(modules[0].state_dict())

    def loss(module: torch.nn.Module, rows: np.ndarray) -> torch.Tensor:
        return ((module(numbers[rows, None])[:, 0] - 3 * numbers[rows] - 1) ** 2).mean()

    descent, rng = Descent(modules[0], 0.1, 2 * 3), np.random.default_rng(8)
    for _ in range(2):
        descent.epoch(batches_of(10, 4, rng), lambda rows: loss(modules[0], rows))
    optimizer, rng = torch.optim.Adam(modules[1].parameters(), lr=0.1), np.random.default_rng(8)
    orders = [rng.permutation(10) for _ in range(2)]
    for step, rows in enumerate(part for order in orders for part in np.split(order, [4, 8])):
        optimizer.param_groups[0]["lr"] = 0.1 * (1 + np.cos(np.pi * step / 6)) / 2
        optimizer.zero_grad()
        torch.autograd.backward(loss(modules[1], rows))
        optimizer.step()
    for one, other in zip(*(module.parameters() for module in modules), strict=True):
        torch.testing.assert_close(one, other)


def test_the_loss_is_linear_in_targets_beyond_0_and_1() -> None:
    import torch

    outputs = torch.tensor([[0.2, 0.7], [0.9, 0.4]], requires_grad=True)
    for targets in ([[0.0, 1.0], [0.3, 0.5]], [[-0.1, 1.2], [0.3, 1.05]]):
        wanted = torch.tensor(targets)
        loss = -(wanted * outputs.log() + (1 - wanted) * (1 - outputs).log()).mean()
        found = cross_entropy(outputs, wanted)
        assert found.item() == pytest.approx(loss.item(), abs=1e-6)
        (slopes,), (exact,) = (torch.autograd.grad(each, outputs) for each in (found, loss))
        np.testing.assert_allclose(slopes, exact, rtol=1e-4)
