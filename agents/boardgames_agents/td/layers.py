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

from boardgames_env.kernels import FEATURES, Actions, Features, copy_row, helper, inlined
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.helpers import stands_for, unaliased
from boardgames_env.kernels.signatures import FLOAT32_2D, INT32_1D, Float32s, Int32s

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


@helper
def activate(units: Float32s, rectified: bool) -> None:
    """Replace the sums of hidden units by the units: their positive part, or their sigmoid.

    (With an array for each of the two the compiler cannot tell that they are one, and computes them one by one.)
    """
    if rectified:
        for unit in range(len(units)):
            units[unit] = max(units[unit], _ZERO)
    else:
        for unit in range(len(units)):
            units[unit] = sigmoid(units[unit])


@stands_for(activate)  # (29 times as fast as one `sigmoid` after another)
def _activate(units: Float32s, rectified: bool) -> None:
    units[:] = np.maximum(units, _ZERO) if rectified else sigmoids(units)


@helper
def activate_last(
    layers: Layers,
    widths: Int32s,
    rectified: bool,
    residual: bool,
    sums: Float32s,
    active: Sparse,
    deeper: Float32s,
    units: Float32s,
) -> None:
    """Write the units of the last hidden layer, given the sums of the first, which are overwritten.

    Args:
        layers: The weights.
        widths: The number of units of each hidden layer.
        rectified: Whether the units of the first layer are rectified, not sigmoids; those of further layers always are.
        residual: Whether the units of each layer are added to those of the next.
        sums: The sums of the first layer.
        active: Space for as many units as a layer has: of rectified ones most are 0, and are left out.
        deeper: Space for the sums of a further layer.
        units: The result.
    """
    here, width, weight, bias, count = sums, widths[0], 0, 0, 0
    for above in widths[1:]:
        activate(here, rectified)
        rectified = True
        if residual:
            _add_active(active, count, here)
        count = write_active(here, active)
        weights = layers.inner[weight : weight + width * above].reshape(width, above)
        here = deeper[:above]
        copy_row(layers.inner_bias[bias : bias + above], here)
        add_inputs(weights, active.indices, active.values, count, here)
        weight, bias, width = weight + width * above, bias + above, above
    copy_row(here, units)
    activate(units, rectified)
    if residual:
        _add_active(active, count, units)


ROWS = 4
"""The number of positions whose further layers `activate_rows` computes at once."""


@helper
def activate_rows(layers: Layers, widths: Int32s, rectified: bool, sums: Float32s, deeper: Float32s) -> None:
    """Write the units of the further hidden layers of four positions, each in a row.

    They are those that `activate_last` writes without residual layers, to the last bit. With 240, 256 and 128 units it
    takes two fifths of the time, because each weight is read once for all.

    Args:
        layers: The weights.
        widths: The number of units of each hidden layer.
        rectified: Whether the units of the first layer are rectified, not sigmoids.
        sums: The sums of the first layer, which are overwritten.
        deeper: The result: the units of the further layers one after the other, those of the last at the end.
    """
    here, first, width, weight, bias = sums, 0, widths[0], 0, 0
    for above in widths[1:]:
        weights = layers.inner[weight : weight + width * above].reshape(width, above)
        for row in range(ROWS):
            activate(here[row, first : first + width], rectified)
            copy_row(layers.inner_bias[bias : bias + above], deeper[row, bias : bias + above])
        _add_units(weights, here, first, deeper, bias)
        here, first, rectified = deeper, bias, True
        weight, bias, width = weight + width * above, bias + above, above
    for row in range(ROWS):
        activate(here[row, first:], rectified)


@helper
def _add_units(weights: Float32s, units: Float32s, first: int, sums: Float32s, to: int) -> None:
    """Add the weighted units of each row, which begin at ``first``, to its sums, which begin at ``to``."""
    width, above = weights.shape
    a, b, c, d = units[0, first:], units[1, first:], units[2, first:], units[3, first:]
    end = to + above
    to_a, to_b, to_c, to_d = sums[0, to:end], sums[1, to:end], sums[2, to:end], sums[3, to:end]
    whole = width - width % 4
    for unit in range(0, whole, 4):
        _add_four_units(weights, unit, a, b, c, d, to_a, to_b, to_c, to_d)
    for unit in range(whole, width):
        for row in range(ROWS):
            add_multiple(weights[unit], units[row, first + unit], sums[row, to:end])


@unaliased
def _add_four_units(
    weights: Float32s,
    at: int,
    a: Features,
    b: Features,
    c: Features,
    d: Features,
    to_a: Float32s,
    to_b: Float32s,
    to_c: Float32s,
    to_d: Float32s,
) -> None:
    """Add four weighted units of each of four rows, for which each weight is read once.

    (Rows are arrays of their own, because only those are vectorized.)
    """
    a0, a1, a2, a3 = a[at], a[at + 1], a[at + 2], a[at + 3]
    b0, b1, b2, b3 = b[at], b[at + 1], b[at + 2], b[at + 3]
    c0, c1, c2, c3 = c[at], c[at + 1], c[at + 2], c[at + 3]
    d0, d1, d2, d3 = d[at], d[at + 1], d[at + 2], d[at + 3]
    for unit in range(len(to_a)):
        w, x, y, z = weights[at, unit], weights[at + 1, unit], weights[at + 2, unit], weights[at + 3, unit]
        to_a[unit] = (((to_a[unit] + a0 * w) + a1 * x) + a2 * y) + a3 * z
        to_b[unit] = (((to_b[unit] + b0 * w) + b1 * x) + b2 * y) + b3 * z
        to_c[unit] = (((to_c[unit] + c0 * w) + c1 * x) + c2 * y) + c3 * z
        to_d[unit] = (((to_d[unit] + d0 * w) + d1 * x) + d2 * y) + d3 * z


@stands_for(_add_units)
def _add_units_at_once(weights: Float32s, units: Float32s, first: int, sums: Float32s, to: int) -> None:
    width, above = weights.shape
    for unit in range(width):
        sums[:, to : to + above] += units[:, first + unit, np.newaxis] * weights[unit]


@helper
def _add_active(active: Sparse, count: int, units: Float32s) -> None:
    for k in range(count):
        units[active.indices[k]] += active.values[k]


@helper
def write_active(units: Float32s, active: Sparse) -> int:
    """Write the indices and values of the units that are not 0. Return their number."""
    indices, values = active
    count = 0
    for unit in range(len(units)):
        value = units[unit]
        indices[count], values[count] = unit, value
        count += int(value != 0)
    return count


@stands_for(write_active)
def _write_active(units: Float32s, active: Sparse) -> int:
    indices = np.flatnonzero(units)
    active.indices[: len(indices)], active.values[: len(indices)] = indices, units[indices]
    return len(indices)


_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
# tanh(x) is x P(x²) / Q(x²) to seven digits where |x| is below the bound, and ±1 to seven digits beyond it
_BOUND = np.float32(7.90531110763549805)
_P = (4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
      -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16)  # fmt: skip
_Q = (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)
_P0, _P1, _P2, _P3, _P4, _P5, _P6 = (np.float32(each) for each in _P)
_Q0, _Q1, _Q2, _Q3 = (np.float32(each) for each in _Q)


@helper
def sigmoid(x: np.float32) -> np.float32:
    """Return 1 / (1 + exp(-x)), computed as (1 + tanh(x / 2)) / 2 with a rational function.

    It uses no library's version, so it is the same everywhere and can be vectorized.
    """
    value: np.float32 = _half_sigmoid(min(max(_HALF * x, -_BOUND), _BOUND))
    return value


def sigmoids(x: Float32s) -> Float32s:
    """Return the `sigmoid` of each element, for callers in Python."""
    values: Float32s = _half_sigmoid(np.clip(_HALF * x, -_BOUND, _BOUND))
    return values


@inlined
def _half_sigmoid(half: Any) -> Any:
    """Return the sigmoid of 2 * ``half``, which is within the bound: of a number or, in Python, of an array."""
    square = half * half
    p = _P6 * square + _P5
    p = p * square + _P4
    p = p * square + _P3
    p = p * square + _P2
    p = p * square + _P1
    p = p * square + _P0
    q = _Q3 * square + _Q2
    q = q * square + _Q1
    q = q * square + _Q0
    return _HALF + _HALF * (half * p / q)


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
