"""Fitting with torch: descent by Adam, and by it a network that is fitted to examples."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from boardgames_agents.improve.examples import Examples, targets
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError, require
from boardgames_env.kernels.signatures import Int64s

if TYPE_CHECKING:
    import torch

    from boardgames_agents.td.torch_network import TorchNetwork


def require_rate(**rates: float) -> None:
    """Raise `BadInputError` unless every learning rate is greater than 0, up to 1."""
    for name, rate in rates.items():
        if not 0 < rate <= 1:
            raise BadInputError(f"{name}={rate} is not allowed; it is a number greater than 0, up to 1")


@dataclass(frozen=True)
class FittingOptions:
    """How a network is fitted.

    Attributes:
        epochs: How often each example is learned from; 0 for no fit: the network after self-play goes on.
        alpha: Learning rate of the first step; it falls to 0 along half a cosine.
        rolls_per_step: Rolls of a step of the optimizer.
        comparison: Weight of the errors in comparing the moves of a roll.
        device: Device of torch on which networks are fitted: ``cpu``, ``cuda`` or ``mps``.

    Raises:
        BadInputError: If a number is not allowed.
    """

    epochs: int = 10
    alpha: float = 0.001
    rolls_per_step: int = 46
    comparison: float = 5.0
    device: str = "cpu"

    def __post_init__(self) -> None:
        require(0, epochs=self.epochs)
        require(1, rolls_per_step=self.rolls_per_step)
        require(0, 1_000_000, comparison=self.comparison)
        require_rate(alpha=self.alpha)
        if not self.epochs and self.alpha != FittingOptions.alpha:
            raise BadInputError(f"alpha={self.alpha} is for a fit, and epochs=0 leaves that out")


def batches_of(count: int, size: int, rng: np.random.Generator) -> list[Int64s]:
    """Return the numbers of items from 0 on in random order, in batches of a size; the last one may be smaller."""
    order = rng.permutation(count)
    return [order[first : first + size] for first in range(0, count, size)]


class Descent:
    """Descent by Adam in batches; the learning rate falls to 0 along half a cosine.

    See D. P. Kingma and J. Ba, *Adam: a method for stochastic optimization*, ICLR (2015). On a processor the result is
    the same for the same random numbers, with any number of cores: one thread computes it.

    Args:
        module: What is fitted.
        alpha: The learning rate of the first step.
        steps: The number of steps of all epochs.
        weight_decay: What each step takes from the weights, times the learning rate, as in AdamW.
    """

    def __init__(self, module: "torch.nn.Module", alpha: float, steps: int, weight_decay: float = 0) -> None:
        import torch

        self._optimizer = torch.optim.AdamW(module.parameters(), lr=alpha, weight_decay=weight_decay)
        self._schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self._optimizer, steps)

    def epoch(self, batches: Iterable[Int64s], loss: "Callable[[Int64s], torch.Tensor]") -> None:
        """Take a step for each batch, given as the numbers of its items, of which ``loss`` returns the loss."""
        from boardgames_agents.td.torch_network import one_thread

        import torch  # isort: skip

        with one_thread():
            for batch in batches:
                self._optimizer.zero_grad()
                torch.autograd.backward(loss(batch))
                self._optimizer.step()
                self._schedule.step()


def fit(network: Network, examples: Examples, options: FittingOptions, seed: tuple[int, ...]) -> None:
    """Fit a network to examples, in place, by `Descent`.

    What is minimized is the cross-entropy of its outputs plus a multiple of the mean squared error in comparing moves.
    That is the error in points of each move, from which the mean error of the moves of the same roll is subtracted: an
    error that all of them share changes no choice.

    Raises:
        BadInputError: If these are no examples of the network's game, or torch or the device is missing.
    """
    from boardgames_agents.td.torch_network import TorchNetwork, device_named  # (which says so if there is no torch)

    examples.demand_whole(network.game)
    rng, module = np.random.default_rng(seed), TorchNetwork(network).to(device_named(options.device))
    rolls, loss = len(examples.starts()), loss_of(module, examples, options.comparison)
    descent = Descent(module, options.alpha, options.epochs * ceil(rolls / options.rolls_per_step))
    for _ in range(options.epochs):
        descent.epoch(batches_of(rolls, options.rolls_per_step, rng), loss)
    module.write_to_network()


def loss_of(module: "TorchNetwork", examples: Examples, comparison: float = 0) -> "Callable[[Int64s], torch.Tensor]":
    """Return what `fit` minimizes, of the rolls with some numbers; ``comparison`` is the weight of comparisons."""
    import torch

    network, states = module.network, examples.states
    wanted = targets(examples.labels, network.design, states[:, 0])
    # what each output adds to the expected points of the seat that moved
    viewers = 0 if network.design.viewer == "0" else states[:, 0]
    signs = np.where(viewers == examples.movers, 1, -1).astype(np.float32)
    points = signs[:, None] * network.meaning.value
    bounds = np.append(examples.starts(), len(states))

    def loss(of_step: Int64s) -> torch.Tensor:
        counts = bounds[of_step + 1] - bounds[of_step]
        rows = np.arange(counts.sum()) + np.repeat(bounds[of_step] - counts.cumsum() + counts, counts)
        inputs, _ = network.encode_batch(states[rows])
        given = (inputs, wanted[rows], points[rows], np.repeat(np.arange(len(counts)), counts), counts)
        batch, right, worth, numbers, sizes = (module.to_device(each) for each in given)
        outputs: torch.Tensor = module(batch)
        total = cross_entropy(outputs, right)
        if not comparison:
            return total
        errors = ((outputs - right) * worth).sum(1)
        means = torch.zeros(len(counts), device=errors.device).index_add(0, numbers, errors) / sizes
        return total + comparison * ((errors - means[numbers]) ** 2).mean()

    return loss


def cross_entropy(outputs: "torch.Tensor", wanted: "torch.Tensor") -> "torch.Tensor":
    """Return the mean of ``-(t log p + (1 - t) log(1 - p))`` over outputs p and targets t.

    Targets by drawn rolls may be less than 0 or greater than 1. The loss is linear in them, but torch accepts only 0 to
    1, so what is beyond is added.
    """
    import torch

    bounded = wanted.clamp(0, 1)
    total = torch.nn.functional.binary_cross_entropy(outputs, bounded)
    if torch.equal(bounded, wanted):
        return total
    return total - ((wanted - bounded) * torch.logit(outputs, eps=1e-6)).mean()  # (`eps` keeps the logits finite)
