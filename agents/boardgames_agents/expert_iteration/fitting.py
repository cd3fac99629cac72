"""Fitting a network to examples, with torch."""

import math
from dataclasses import dataclass

import numpy as np

from boardgames_agents.expert_iteration.examples import Examples, targets
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError, require


@dataclass(frozen=True)
class FittingOptions:
    """How a network is fitted.

    Attributes:
        epochs: How often each example is learned from.
        alpha: The learning rate of the first step; it falls to 0 along half a cosine.
        batch: The number of examples of a step.
        device: The device of torch: ``cpu``, ``cuda`` or ``mps``.

    Raises:
        BadInputError: If a number is not allowed.
    """

    epochs: int = 10
    alpha: float = 0.001
    batch: int = 256
    device: str = "cpu"

    def __post_init__(self) -> None:
        require(1, epochs=self.epochs, batch=self.batch)
        if not 0 < self.alpha <= 1:
            raise BadInputError(f"alpha={self.alpha} is not allowed; it is a number greater than 0, up to 1")


def fit(network: Network, examples: Examples, options: FittingOptions, seed: tuple[int, ...]) -> None:
    """Fit a network to examples, in place, by the cross-entropy of its outputs (Adam, Kingma and Ba 2015).

    On a processor the result is the same for the same seed, with any number of cores: one thread computes it.
    """
    from boardgames_agents.td.torch_network import (  # (which says so if there is no torch)
        TorchNetwork,
        device_named,
        one_thread,
    )

    import torch  # isort: skip

    rng, count = np.random.default_rng(seed), len(examples.states)
    wanted = targets(examples.labels, network.design, examples.states[:, 0])
    steps = options.epochs * math.ceil(count / options.batch)
    with one_thread():
        module = TorchNetwork(network).to(device_named(options.device))
        optimizer = torch.optim.Adam(module.parameters(), lr=options.alpha)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        for _ in range(options.epochs):
            order = rng.permutation(count)
            for first in range(0, count, options.batch):
                rows = order[first : first + options.batch]
                inputs, _ = network.encode_batch(examples.states[rows])
                outputs = module(module.to_device(inputs))
                error = torch.nn.functional.binary_cross_entropy(outputs, module.to_device(wanted[rows]))
                optimizer.zero_grad()
                torch.autograd.backward(error)
                optimizer.step()
                schedule.step()
        module.write_to_network()
