"""The network: one hidden layer, and its gradient by hand."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class Parameters:
    """One number for each weight of a network with one hidden layer: the weights themselves, or their traces.

    All of them are one flat tensor, so that a step along the traces is a single operation; the layers are views
    of it.

    Attributes:
        flat: All of them, shape ``((inputs + 2) * hidden + 1,)``, float32.
        layers: The views by name: ``hidden`` of shape ``(inputs, hidden)``, ``hidden_bias`` and ``output`` of
            shape ``(hidden,)``, ``output_bias`` of shape ``(1,)``.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickling would take the layers for tensors of their own."""
        return _parameters, (*self.hidden.shape, self.flat.numpy().copy())

    def __init__(self, inputs: int, hidden: int) -> None:
        self.flat = torch.zeros((inputs + 2) * hidden + 1)
        sizes = [inputs * hidden, hidden, hidden, 1]
        into_hidden, self.hidden_bias, self.output, self.output_bias = torch.split(self.flat, sizes)
        self.hidden = into_hidden.view(inputs, hidden)
        self.layers: dict[str, Tensor] = {
            "hidden": self.hidden,
            "hidden_bias": self.hidden_bias,
            "output": self.output,
            "output_bias": self.output_bias,
        }


def _parameters(inputs: int, hidden: int, flat: NDArray[np.float32]) -> Parameters:
    made = Parameters(inputs, hidden)
    made.flat.copy_(torch.from_numpy(flat))
    return made


class Network:
    """A function from features to a value between -1 and 1: rectified hidden units, and one tanh output.

    Built without autograd: for a network this small, recording a graph takes longer than using it.

    Args:
        inputs: The number of features.
        hidden: The number of hidden units.
        seed: Settles the initial weights; biases start at 0.
    """

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        self.inputs, self.units = inputs, hidden
        self.weights = Parameters(inputs, hidden)
        generator = torch.Generator().manual_seed(seed)
        for layer, bound in (
            (self.weights.hidden, math.sqrt(6 / inputs)),
            (self.weights.output, math.sqrt(1 / hidden)),
        ):
            layer.uniform_(-bound, bound, generator=generator)

    def values(self, features: NDArray[np.float32]) -> list[float]:
        """The values of several positions, features of shape ``(positions, inputs)``."""
        weights = self.weights
        with _one_thread():
            units = torch.addmm(weights.hidden_bias, torch.from_numpy(features), weights.hidden).relu_()
            values: list[float] = torch.addmv(weights.output_bias, units, weights.output).tanh_().tolist()
        return values

    def trace(self, features: NDArray[np.float32], traces: Parameters, keep: float, sign: float) -> float:
        """Fade the traces, and add the gradient of one position's value to them.

        The gradient is that of the value before the tanh: multiplied by (target − value), it descends the
        cross-entropy between (1 + target) / 2 and (1 + value) / 2.

        Args:
            features: Shape ``(inputs,)``.
            traces: Multiplied by ``keep``; then ``sign`` times the gradient is added.
            keep: How much of the traces stays.
            sign: +1 or -1.

        Returns:
            The position's value.
        """
        weights = self.weights
        inputs = torch.from_numpy(features)
        with _one_thread():
            units = torch.addmv(weights.hidden_bias, weights.hidden.t(), inputs).relu_()
            value = math.tanh(float(units.dot(weights.output)) + float(weights.output_bias))
            into_units = weights.output * units.sign() * sign
            traces.flat.mul_(keep)
            traces.hidden.addr_(inputs, into_units)
            traces.hidden_bias.add_(into_units)
            traces.output.add_(units, alpha=sign)
            traces.output_bias.add_(sign)
        return value

    def step(self, traces: Parameters, size: float) -> None:
        """Move the weights along the traces."""
        self.weights.flat.add_(traces.flat, alpha=size)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Copies of the layers, by name."""
        return {name: layer.numpy().copy() for name, layer in self.weights.layers.items()}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over layers that `arrays` gave out, of the same shapes."""
        for name, layer in self.weights.layers.items():
            layer.copy_(torch.from_numpy(np.array(arrays[name])))

    def copy(self) -> "Network":
        """A network of its own with the same weights."""
        copy = Network(self.inputs, self.units, seed=0)
        copy.load(self.arrays())
        return copy


@contextmanager
def _one_thread() -> Iterator[None]:
    """Have torch use one thread inside: it would share out even these, a hundred times slower on a busy machine.

    It also keeps the sums in one order, so that results are the same on any number of cores.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
