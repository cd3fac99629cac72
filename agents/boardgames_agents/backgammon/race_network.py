"""How many rolls a seat needs to bear off, as probabilities: from the bear-off tables, or from a network.

In a race the seats do not meet any more, so that each can be looked at alone. Its men are an *arrangement*: the
numbers of men on its points 0, which is its tray, to 24. The network has an arrangement's inputs, one layer of
rectified hidden units, and three groups of outputs, of each of which the softmax is taken: the probabilities that all
men are off after 0, 1, 2, … rolls, that the first one is, and that none is left in the other seat's home board. It is
kept in a file, such as the one that comes with the package.
"""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from boardgames_agents.td.layers import add_multiple
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, HOME, POINTS, ROLLING, STAGE, TRAYS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, copy_row, helper
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT32_1D, FLOAT32_2D, Float32s, Float64s, Int8s
from boardgames_env.solve.bearoff import MEN, MOST_ROLLS, MOST_ROLLS_TO_FIRST, home_number

INPUTS_OF_POINT = 3
"""Whether there is a man, whether there are two, and half the number of those beyond two."""
INPUTS = INPUTS_OF_POINT * POINTS

ROLLS, ROLLS_TO_FIRST, ROLLS_TO_ESCAPE = 48, 32, 16
"""The outputs of the three groups: hardly any race takes longer."""
OUTPUTS = ROLLS + ROLLS_TO_FIRST + ROLLS_TO_ESCAPE

_ONE = np.float32(1)

OTHER_HOME = POINTS - HOME
"""A seat's points beyond this one are the other seat's home board."""

SHIPPED = Path(__file__).parent / "nets" / "race.safetensors"
"""The network that comes with the package; its metadata have the command that made it."""

_KIND = FileKind("a network for races", "train it again", {"holds": "a network for races", "version": "1"})


class RaceWeights(NamedTuple):
    """The weights of a network, float32.

    Attributes:
        hidden: Shape ``(INPUTS, hidden units)``.
        hidden_bias: Shape ``(hidden units,)``.
        output: Shape ``(hidden units, OUTPUTS)``.
        output_bias: Shape ``(OUTPUTS,)``.
    """

    hidden: Float32s
    hidden_bias: Float32s
    output: Float32s
    output_bias: Float32s


RACE_WEIGHTS = named_tuple_type(RaceWeights, FLOAT32_2D, FLOAT32_1D, FLOAT32_2D, FLOAT32_1D)


def no_weights() -> RaceWeights:
    """Return the weights of a network without hidden units, for where a kernel wants one and does not use it."""
    shapes = ((INPUTS, 0), (0,), (0, OUTPUTS), (OUTPUTS,))
    return RaceWeights(*(np.zeros(shape, dtype=np.float32) for shape in shapes))


def save_weights(path: Path, weights: RaceWeights, about: Mapping[str, str]) -> None:
    """Write a network to a file, whole or not at all; ``about`` says how it was made."""
    write_arrays(path, weights._asdict(), {**_KIND.marks, **about})


def load_weights(path: Path) -> RaceWeights:
    """Read the network of a file.

    Raises:
        BadInputError: If it is damaged, or holds something else.
    """
    arrays, _ = read_arrays(path, _KIND)
    hidden = arrays["hidden_bias"].size if "hidden_bias" in arrays else 0
    shapes = {
        "hidden": (INPUTS, hidden),
        "hidden_bias": (hidden,),
        "output": (hidden, OUTPUTS),
        "output_bias": (OUTPUTS,),
    }
    if {name: each.shape for name, each in arrays.items()} != shapes:
        raise BadInputError(f"the network in {path} has other inputs or outputs than one for races; train it again")
    return RaceWeights(**{name: np.array(arrays[name], dtype=np.float32) for name in shapes})


@cache
def shipped_weights() -> RaceWeights:
    """Return the network that comes with the package."""
    return load_weights(SHIPPED)


@helper
def find_arrangement(state: State, seat: int, men: Int8s) -> None:
    """Write the arrangement of a seat, none of whose men is on the bar."""
    men[0] = abs(state[TRAYS + seat])
    for point in range(1, POINTS + 1):
        men[point] = max(count(state, seat, point), 0)


@helper
def has_man_beyond(men: Int8s, last: int) -> bool:
    """Return whether an arrangement has a man beyond a point."""
    for point in range(last + 1, POINTS + 1):
        if men[point] > 0:
            return True
    return False


@helper
def place(men: Int8s, state: State) -> None:
    """Write the state in which seat 0 has an arrangement and is to roll, and the other seat has no men."""
    state[:] = 0
    state[TRAYS] = men[0]
    for point in range(1, POINTS + 1):
        state[point] = men[point]
    state[STAGE] = ROLLING


@helper
def predict(men: Int8s, weights: RaceWeights, hidden: Float32s, outputs: Float32s) -> None:
    """Write the outputs of a network for an arrangement; ``hidden`` is overwritten."""
    copy_row(weights.hidden_bias, hidden)
    for point in range(1, POINTS + 1):
        n, row = men[point], INPUTS_OF_POINT * (point - 1)
        if n > 0:
            add_multiple(weights.hidden[row], _ONE, hidden)
        if n > 1:
            add_multiple(weights.hidden[row + 1], _ONE, hidden)
        if n > 2:
            add_multiple(weights.hidden[row + 2], np.float32(0.5) * np.float32(n - 2), hidden)
    copy_row(weights.output_bias, outputs)
    for unit in range(len(hidden)):
        if hidden[unit] > 0:
            add_multiple(weights.output[unit], hidden[unit], outputs)
    _softmax(outputs, 0, ROLLS)
    _softmax(outputs, ROLLS, ROLLS + ROLLS_TO_FIRST)
    _softmax(outputs, ROLLS + ROLLS_TO_FIRST, OUTPUTS)


@helper
def _softmax(outputs: Float32s, start: int, end: int) -> None:
    most = outputs[start]
    for out in range(start + 1, end):
        most = max(most, outputs[out])
    total = np.float32(0)
    for out in range(start, end):
        # (`np.exp` of a float32 is not the same in machine code as in NumPy)
        outputs[out] = np.float32(math.exp(np.float64(outputs[out] - most)))
        total += outputs[out]
    for out in range(start, end):
        outputs[out] /= total


class Scratch(NamedTuple):
    """Arrays that are overwritten: an arrangement, the hidden units and the outputs."""

    men: Int8s
    hidden: Float32s
    outputs: Float32s


@helper
def make_scratch(weights: RaceWeights) -> Scratch:
    """Return arrays for a network."""
    return Scratch(
        np.empty(POINTS + 1, dtype=np.int8),
        np.empty(len(weights.hidden_bias), dtype=np.float32),
        np.empty(OUTPUTS, dtype=np.float32),
    )


class RollDistributions(NamedTuple):
    """The probabilities that something takes a seat 0, 1, 2, … rolls.

    Attributes:
        all: That all its men are off; shape ``(ROLLS,)``.
        first: That one more man is off; shape ``(ROLLS_TO_FIRST,)``.
        escape: That no man is left in the other seat's home board; shape ``(ROLLS_TO_ESCAPE,)``.
    """

    all: Float64s
    first: Float64s
    escape: Float64s


@helper
def make_distributions() -> RollDistributions:
    """Return arrays for distributions."""
    return RollDistributions(np.empty(ROLLS), np.empty(ROLLS_TO_FIRST), np.empty(ROLLS_TO_ESCAPE))


@helper
def write_distributions(
    state: State,
    seat: int,
    weights: RaceWeights,
    table: Float32s,
    table_of_first: Float32s,
    scratch: Scratch,
    found: RollDistributions,
) -> None:
    """Write the distributions of a seat that has no man on the bar.

    With all men at home they are those of the bear-off tables (``rolls`` and ``firsts`` of `Bearoff`).
    """
    found.all[:] = 0
    found.first[:] = 0
    found.escape[:] = 0
    number = home_number(state, seat, MEN)
    if number >= 0:
        for n in range(MOST_ROLLS + 1):
            found.all[n] = table[number, n]
        for n in range(MOST_ROLLS_TO_FIRST + 1):
            found.first[n] = table_of_first[number, n]
        found.escape[0] = 1
        return
    find_arrangement(state, seat, scratch.men)
    predict(scratch.men, weights, scratch.hidden, scratch.outputs)
    for n in range(ROLLS):
        found.all[n] = scratch.outputs[n]
    for n in range(ROLLS_TO_FIRST):
        found.first[n] = scratch.outputs[ROLLS + n]
    if not has_man_beyond(scratch.men, OTHER_HOME):
        found.escape[0] = 1
        return
    for n in range(ROLLS_TO_ESCAPE):
        found.escape[n] = scratch.outputs[ROLLS + ROLLS_TO_FIRST + n]


@helper
def is_race(state: State) -> bool:
    """Return whether all men have passed each other."""
    if state[BARS] != 0 or state[BARS + 1] != 0:
        return False
    rear = 0
    for point in range(1, POINTS + 1):
        if state[point] > 0:
            rear = point
    for point in range(1, rear):
        if state[point] < 0:
            return False
    return True
