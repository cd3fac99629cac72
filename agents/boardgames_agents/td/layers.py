"""The weights of a network and the arithmetic of its layers, as kernels.

Sums are taken one after the other in float32, in an order that is the same on any machine, so that the same seed gives
the same network anywhere.

Inputs are sparse. The afterstates of one position differ in few inputs, so the hidden layer of each is computed from
that of the position.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from boardgames_env.kernels import FEATURES, Actions, Features, copy_row, helper
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.helpers import stands_for, unaliased
from boardgames_env.kernels.signatures import FLOAT32_2D, INT32_1D, Float32s

Array = TypeVar("Array", bound=Any)


class Layers(NamedTuple):
    """A network's weights.

    Attributes:
        hidden: From inputs to hidden units, shape ``(I, H)``.
        hidden_bias: Shape ``(H,)``.
        inner: From each hidden layer to the next, one after the other, each with a row for each unit of the former;
            empty if there is one hidden layer.
        inner_bias: Those of the further hidden layers, one after the other.
        output: From the units of the last hidden layer to outputs, shape ``(K, H)``; with two heads ``(H, K)``.
        output_bias: Shape ``(K,)``.
    """

    hidden: Float32s
    hidden_bias: Float32s
    inner: Float32s
    inner_bias: Float32s
    output: Float32s
    output_bias: Float32s


LAYERS = named_tuple_type(Layers, FLOAT32_2D, FEATURES, FEATURES, FEATURES, FLOAT32_2D, FEATURES)


class Sparse(NamedTuple):
    """The indices, ascending, and values of the inputs that are not 0; arrays of full length."""

    indices: Actions
    values: Features


SPARSE = named_tuple_type(Sparse, INT32_1D, FEATURES)


def further_layers(inner: Array, inner_bias: Array, widths: Sequence[int]) -> Iterator[tuple[Array, Array]]:
    """Yield views of the weights, shape ``(units before, units)``, and the biases of each hidden layer but the first.

    The weights are those of `Layers`, or tensors of torch.
    """
    weight, bias = 0, 0
    for width, above in pairwise(widths):
        yield inner[weight : weight + width * above].reshape(width, above), inner_bias[bias : bias + above]
        weight, bias = weight + width * above, bias + above


_LINE = 64
"""The bytes of a cache line."""


def aligned(values: Float32s) -> Float32s:
    """Return a copy that begins at a cache line, so that fewer vector loads of kernels cross one."""
    space = np.empty(values.size + _LINE // 4, dtype=np.float32)
    first = -space.ctypes.data % _LINE // 4
    copy = space[first : first + values.size].reshape(values.shape)
    copy[:] = values
    return copy


def random_weights(rng: np.random.Generator, square: float, *shape: int) -> Float32s:
    """Return weights that are drawn from minus to plus the root of a number, all equally likely."""
    limit = math.sqrt(square)
    return aligned(rng.uniform(-limit, limit, shape).astype(np.float32))


def initial_layers(
    rng: np.random.Generator, hidden: Float32s, widths: Sequence[int], output: Float32s, outputs: int
) -> Layers:
    """Return layers with random weights between those given, the first and the last; biases are 0."""
    inner = [random_weights(rng, 6 / width, width * above) for width, above in pairwise(widths)]
    return Layers(
        hidden=hidden,
        hidden_bias=aligned(np.zeros(widths[0], dtype=np.float32)),
        inner=aligned(np.concatenate([*inner, np.empty(0, np.float32)])),
        inner_bias=aligned(np.zeros(sum(widths[1:]), dtype=np.float32)),
        output=output,
        output_bias=np.zeros(outputs, dtype=np.float32),
    )


@helper
def sum_inputs(layers: Layers, inputs: Sparse, count: int, sums: Float32s) -> None:
    """Write the weighted sum of the inputs and the bias for each hidden unit."""
    copy_row(layers.hidden_bias, sums)
    add_inputs(layers.hidden, inputs.indices, inputs.values, count, sums)


@helper
def add_inputs(hidden: Float32s, indices: Actions, values: Features, count: int, sums: Float32s) -> None:
    """Add the weighted inputs to each hidden unit's sum, one after the other."""
    eights, whole = count - count % 8, count - count % 4
    for i in range(0, eights, 8):
        _add_eight(hidden, indices, values, i, sums)
    if whole > eights:
        _add_four(hidden, indices, values, eights, sums)
    for i in range(whole, count):
        add_multiple(hidden[indices[i]], values[i], sums)


@unaliased
def _add_eight(hidden: Float32s, indices: Actions, values: Features, at: int, sums: Float32s) -> None:
    """Add eight weighted inputs. (With 64 of 128 inputs it is 1.4 times as fast as two times four.)"""
    i, j, k, m = indices[at], indices[at + 1], indices[at + 2], indices[at + 3]
    n, o, p, q = indices[at + 4], indices[at + 5], indices[at + 6], indices[at + 7]
    a, b, c, d = values[at], values[at + 1], values[at + 2], values[at + 3]
    e, f, g, h = values[at + 4], values[at + 5], values[at + 6], values[at + 7]
    for unit in range(len(sums)):
        total = (sums[unit] + a * hidden[i, unit]) + b * hidden[j, unit]
        total = (total + c * hidden[k, unit]) + d * hidden[m, unit]
        total = (total + e * hidden[n, unit]) + f * hidden[o, unit]
        sums[unit] = (total + g * hidden[p, unit]) + h * hidden[q, unit]


@unaliased
def _add_four(hidden: Float32s, indices: Actions, values: Features, at: int, sums: Float32s) -> None:
    """Add four weighted inputs, which reads and writes each sum once."""
    first, second, third, fourth = indices[at], indices[at + 1], indices[at + 2], indices[at + 3]
    a, b, c, d = values[at], values[at + 1], values[at + 2], values[at + 3]
    for unit in range(len(sums)):
        total = (sums[unit] + a * hidden[first, unit]) + b * hidden[second, unit]
        sums[unit] = (total + c * hidden[third, unit]) + d * hidden[fourth, unit]


@stands_for(_add_eight)
def _add_eight_at_once(hidden: Float32s, indices: Actions, values: Features, at: int, sums: Float32s) -> None:
    for i in range(at, at + 8):
        sums += values[i] * hidden[indices[i]]


@stands_for(_add_four)
def _add_four_at_once(hidden: Float32s, indices: Actions, values: Features, at: int, sums: Float32s) -> None:
    for i in range(at, at + 4):
        sums += values[i] * hidden[indices[i]]


@unaliased
def add_multiple(row: Float32s, times: float | np.float32, sums: Float32s) -> None:
    """Add a multiple of a row to another, such as a weighted input to each hidden unit's sum."""
    for unit in range(len(sums)):
        sums[unit] += times * row[unit]


@stands_for(add_multiple)  # (13 times as fast with 240 units)
def _add_multiple(row: Float32s, times: np.float32, sums: Float32s) -> None:
    sums += times * row


@helper
def add_difference(hidden: Float32s, old: Sparse, old_count: int, new: Sparse, new_count: int, sums: Float32s) -> None:
    """Change the hidden units' sums from those of the old inputs to those of the new ones."""
    old_indices, old_values = old
    new_indices, new_values = new
    i, j = 0, 0
    while i < old_count or j < new_count:
        here = old_indices[i] if i < old_count else 1 << 30
        there = new_indices[j] if j < new_count else 1 << 30
        if here == there:
            if old_values[i] != new_values[j]:
                add_multiple(hidden[here], new_values[j] - old_values[i], sums)
            i += 1
            j += 1
        elif here < there:
            add_multiple(hidden[here], -old_values[i], sums)
            i += 1
        else:
            add_multiple(hidden[there], new_values[j], sums)
            j += 1


_ZERO = np.float32(0)


@helper
def sum_units(weights: Float32s, bias: Float32s, units: Float32s, sums: Float32s) -> None:
    """Write each output's sum, several at a time, so that additions do not wait for one another."""
    if len(sums) == 6:
        _sum_four(weights, units, sums)
        sums[4], sums[5] = _sum_one(weights[4], units), _sum_one(weights[5], units)
    elif len(sums) == 4:
        _sum_four(weights, units, sums)
    else:
        for output in range(len(sums)):
            sums[output] = _sum_one(weights[output], units)
    for output in range(len(sums)):
        sums[output] += bias[output]


@stands_for(sum_units)  # (11 times)
def _sum_units(weights: Float32s, bias: Float32s, units: Float32s, sums: Float32s) -> None:
    products = weights * units
    in_order = len(sums) if len(sums) == 4 else 4 if len(sums) == 6 else 0  # (as `_sum_four` does)
    sums[:in_order] = np.add.accumulate(products[:in_order], axis=1)[:, -1]
    for output in range(in_order, len(sums)):
        whole = len(units) - len(units) % 4
        lanes = np.add.accumulate(np.vstack((np.zeros(4, np.float32), products[output, :whole].reshape(-1, 4))))[-1]
        for unit in range(whole, len(units)):
            lanes[0] += products[output, unit]
        sums[output] = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    sums += bias


@helper
def _sum_one(weights: Float32s, units: Float32s) -> np.float32:
    a, b, c, d = _ZERO, _ZERO, _ZERO, _ZERO
    whole = len(units) - len(units) % 4
    for unit in range(0, whole, 4):
        a += weights[unit] * units[unit]
        b += weights[unit + 1] * units[unit + 1]
        c += weights[unit + 2] * units[unit + 2]
        d += weights[unit + 3] * units[unit + 3]
    for unit in range(whole, len(units)):
        a += weights[unit] * units[unit]
    return (a + b) + (c + d)


@helper
def _sum_four(weights: Float32s, units: Float32s, sums: Float32s) -> None:
    a, b, c, d = _ZERO, _ZERO, _ZERO, _ZERO
    for unit in range(len(units)):
        a += weights[0, unit] * units[unit]
        b += weights[1, unit] * units[unit]
        c += weights[2, unit] * units[unit]
        d += weights[3, unit] * units[unit]
    sums[0], sums[1], sums[2], sums[3] = a, b, c, d
