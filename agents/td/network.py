"""The network: one hidden layer, and its gradient by hand.

Its sums are taken one after the other in float32, by kernels, so that the same seed gives the same network on any
machine: a library's matrix products add up in an order of the processor's choosing, and of two runs that differ in a
last bit somewhere one may have learned what the other has not.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.kernels import helper, kernel

Floats = NDArray[np.float32]

_VECTOR = types.Array(types.float32, 1, "C")
_MATRIX = types.Array(types.float32, 2, "C")
_LAYERS = (_MATRIX, _VECTOR, _VECTOR, _VECTOR)


class Parameters:
    """One number for each weight of a network with one hidden layer: the weights themselves, or their traces.

    All of them are one flat array, so that a step along the traces is a single operation; the layers are views of it.

    Attributes:
        flat: All of them, shape ``((inputs + 2) * hidden + 1,)``, float32.
        layers: The views by name: ``hidden`` of shape ``(inputs, hidden)``, ``hidden_bias`` and ``output`` of
            shape ``(hidden,)``, ``output_bias`` of shape ``(1,)``.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        self.flat: Floats = np.zeros((inputs + 2) * hidden + 1, dtype=np.float32)
        into_hidden, bias, output, output_bias = np.split(self.flat, np.cumsum([inputs * hidden, hidden, hidden]))
        self.layers: dict[str, Floats] = {
            "hidden": into_hidden.reshape(inputs, hidden),
            "hidden_bias": bias,
            "output": output,
            "output_bias": output_bias,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickling would take the layers for arrays of their own."""
        return _parameters, (*self.layers["hidden"].shape, self.flat)


def _parameters(inputs: int, hidden: int, flat: Floats) -> Parameters:
    made = Parameters(inputs, hidden)
    made.flat[:] = flat
    return made


class Network:
    """A function from features to a value between -1 and 1: rectified hidden units, and one tanh output.

    Args:
        inputs: The number of features.
        hidden: The number of hidden units.
        seed: Settles the initial weights; biases start at 0.
    """

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        self.inputs, self.units = inputs, hidden
        self.weights = Parameters(inputs, hidden)
        rng = np.random.default_rng(seed)
        for name, bound in (("hidden", math.sqrt(6 / inputs)), ("output", math.sqrt(1 / hidden))):
            layer = self.weights.layers[name]
            layer[:] = rng.uniform(-bound, bound, layer.shape)

    def values(self, features: Floats) -> list[float]:
        """The values of several positions, features of shape ``(positions, inputs)``, float32."""
        values = np.empty(len(features), dtype=np.float32)
        _values.run(np.ascontiguousarray(features), *self.weights.layers.values(), values)
        found: list[float] = values.tolist()
        return found

    def trace(self, features: Floats, traces: Parameters, keep: float, sign: float) -> float:
        """Fade the traces, and add the gradient of one position's value to them.

        The gradient is that of the value before the tanh: multiplied by (target − value), it descends the
        cross-entropy between (1 + target) / 2 and (1 + value) / 2.

        Args:
            features: Shape ``(inputs,)``, float32.
            traces: Multiplied by ``keep``; then ``sign`` times the gradient is added.
            keep: How much of the traces stays.
            sign: +1 or -1.

        Returns:
            The position's value.
        """
        layers, faded = self.weights.layers.values(), traces.layers.values()
        return float(_trace.run(features, *layers, *faded, np.float32(keep), np.float32(sign)))

    def step(self, traces: Parameters, size: float) -> None:
        """Move the weights along the traces."""
        self.weights.flat += np.float32(size) * traces.flat

    def arrays(self) -> dict[str, Floats]:
        """Copies of the layers, by name."""
        return {name: layer.copy() for name, layer in self.weights.layers.items()}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over layers that `arrays` gave out, of the same shapes."""
        for name, layer in self.weights.layers.items():
            layer[:] = arrays[name]

    def copy(self) -> "Network":
        """A network of its own with the same weights."""
        copy = Network(self.inputs, self.units, seed=0)
        copy.load(self.arrays())
        return copy


@helper
def _value(
    features: Floats, hidden: Floats, hidden_bias: Floats, output: Floats, output_bias: Floats, units: Floats
) -> float:
    """The value of a position; what the hidden units say is written into ``units``."""
    units[:] = hidden_bias
    for feature in range(len(features)):
        there = features[feature]
        if there != 0:
            weights = hidden[feature]
            for unit in range(len(units)):
                units[unit] += there * weights[unit]
    total = output_bias[0]
    for unit in range(len(units)):
        if units[unit] > 0:
            total += units[unit] * output[unit]
        else:
            units[unit] = 0
    return math.tanh(total)


@kernel(types.void(_MATRIX, *_LAYERS, _VECTOR))
def _values(
    features: Floats, hidden: Floats, hidden_bias: Floats, output: Floats, output_bias: Floats, values: Floats
) -> None:
    """The values of several positions, a row of features each."""
    units = np.empty(len(output), dtype=np.float32)
    for position in range(len(features)):
        values[position] = _value(features[position], hidden, hidden_bias, output, output_bias, units)


@kernel(types.float64(_VECTOR, *_LAYERS, *_LAYERS, types.float32, types.float32))
def _trace(
    features: Floats,
    hidden: Floats,
    hidden_bias: Floats,
    output: Floats,
    output_bias: Floats,
    hidden_trace: Floats,
    hidden_bias_trace: Floats,
    output_trace: Floats,
    output_bias_trace: Floats,
    keep: float,
    sign: float,
) -> float:
    """Fade the traces and add a gradient; see `Network.trace`."""
    units = np.empty(len(output), dtype=np.float32)
    value = _value(features, hidden, hidden_bias, output, output_bias, units)
    into_units = np.zeros(len(output), dtype=np.float32)
    for unit in range(len(units)):
        if units[unit] > 0:
            into_units[unit] = sign * output[unit]
        hidden_bias_trace[unit] = keep * hidden_bias_trace[unit] + into_units[unit]
        output_trace[unit] = keep * output_trace[unit] + sign * units[unit]
    for feature in range(len(features)):
        there = features[feature]
        for unit in range(len(units)):
            hidden_trace[feature, unit] = keep * hidden_trace[feature, unit] + there * into_units[unit]
    output_bias_trace[0] = keep * output_bias_trace[0] + sign
    return value
