"""The hidden units of a network, from the sums of its first layer on: activations, and further layers.

Further layers are computed for one position, without the units that are 0, or for four at once.
"""

from typing import Any

import numpy as np

from boardgames_agents.td.layers import Layers, Sparse, add_inputs, add_multiple
from boardgames_env.kernels import Features, copy_row, helper, inlined
from boardgames_env.kernels.helpers import stands_for, unaliased
from boardgames_env.kernels.signatures import Float32s, Int32s


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


_ZERO, _HALF = np.float32(0), np.float32(0.5)
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
