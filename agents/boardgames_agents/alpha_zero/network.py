"""The network of AlphaZero: one trunk with two heads, a policy and the probabilities of winning, drawing and losing.

The trunk has the layers of `boardgames_agents.td.layers`. The heads, too, add the rows of their weights for the units
that are not 0, which are few. What is found of a position is the same, however many are evaluated at once.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.td.evaluation import PREDICTOR, Predictor, Workspace, make_workspace, write_units
from boardgames_agents.td.hidden_units import write_active
from boardgames_agents.td.layers import Layers, add_inputs, aligned, initial_layers, random_weights
from boardgames_agents.td.network import LayeredNetwork
from boardgames_agents.td.network_file import network_in
from boardgames_agents.td.options import demand_few_weights
from boardgames_env.encoding import OBSERVATION, demand_inputs
from boardgames_env.errors import BadInputError, require_whole
from boardgames_env.files import FileKind
from boardgames_env.game import Game
from boardgames_env.kernels import copy_row, helper, inlined, kernel, same_row
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT32_2D, INT8_2D, INT8_2D_READONLY, INT64_1D, Float32s, Int8s, Int64s
from boardgames_env.position import demand_states

WIN, DRAW, LOSS = range(3)
"""The outcomes, as the seat to move sees them; the first outputs of the heads, before the actions."""

FIRST_ACTION = 3

NOT_FINITE = "what the network finds in a position are not all numbers: its weights are too large"
"""The message of an error."""

_HEADS = ("output", "output_bias")
"""The weights of both heads."""


@dataclass(frozen=True)
class PolicyDesign:
    """The shape of a network with a policy head and a value head.

    Attributes:
        inputs: The name of the game's encoding by which positions are shown to the seat to move.
        layers: Layers of rectified units.
        width: Units of a layer.
        residual: Whether each layer after the first is added to what it is made from.

    Raises:
        BadInputError: For a number that is not allowed.
    """

    inputs: str = OBSERVATION
    layers: int = 2
    width: int = 128
    residual: bool = False
    units: ClassVar[str] = "rectified"
    viewer: ClassVar[str] = "move"

    def __post_init__(self) -> None:
        require_whole(1, 100, layers=self.layers)
        require_whole(1, 10_000, width=self.width)
        demand_few_weights(self.widths, f"layers={self.layers} and width={self.width}")

    @property
    def widths(self) -> tuple[int, ...]:
        """The numbers of units, layer by layer."""
        return (self.width,) * self.layers


_VECTOR = 16
"""The float32 numbers of the longest vectors of processors."""


class EvaluatedPositions(NamedTuple):
    """What a network has found of positions: M of them, each at a place that its state determines.

    Attributes:
        states: Shape ``(M, state_size)``, where M is a power of 2; -1 in the first column where nothing is kept.
        outputs: Probabilities of outcomes, and logits of actions, shape ``(M, H)``.
        factors: Numbers whose products with the slots of a state add up to its place, shape ``(state_size,)``.
    """

    states: Int8s
    outputs: Float32s
    factors: Int64s


MEMORY = named_tuple_type(EvaluatedPositions, INT8_2D, FLOAT32_2D, INT64_1D)


class PolicyNetwork(LayeredNetwork):
    """A function from positions to the logits of actions and the probabilities of winning, drawing and losing.

    The outputs of both heads are one matrix, shape ``(W, H)`` from W units: the logits of a win, a draw, a loss, and
    the actions. H is 3 + A, rounded up to whole vectors; the columns beyond are 0. (A matrix for each head, whose rows
    end within a vector, takes four times as long.)

    ``seed`` determines the initial weights. Those of both heads and all biases start at 0, so that a new network finds
    every action and every outcome equally likely.

    Raises:
        BadInputError: If the game has no such encoding, has dice, or its contests are won by more than a point.
    """

    kind = FileKind(
        "a network of alpha_zero", "get it again, or give another file", {"format": "boardgames-env alpha_zero, 1"}
    )
    designs = PolicyDesign
    design: PolicyDesign
    layers: Layers

    def __init__(self, game: Game, design: PolicyDesign, seed: int = 0) -> None:
        super().__init__(game, design)
        if game.rules.has_chance or game.most_points != 1:
            why = "has dice" if game.rules.has_chance else "counts points"
            raise BadInputError(f"{game.spec} {why}; alpha_zero plays games without dice that are won, drawn or lost")
        rng, width, inputs = np.random.default_rng(seed), design.width, self.encoding.size
        outputs = -(-(FIRST_ACTION + game.num_actions) // _VECTOR) * _VECTOR
        hidden, heads = random_weights(rng, 6 / inputs, inputs, width), np.zeros((width, outputs), dtype=np.float32)
        self.layers = initial_layers(rng, hidden, design.widths, aligned(heads), outputs)

    def predict(self, states: Int8s) -> tuple[Float32s, Float32s]:
        """Return what the heads find in positions that are not over.

        Args:
            states: The positions, int8, shape ``(N, state_size)``.

        Returns:
            The logits of all actions, legal or not, float32, shape ``(N, num_actions)``, and the probabilities that the
            seat to move wins, draws and loses, float32, shape ``(N, 3)``.

        Raises:
            BadInputError: If the states are not of the game.
        """
        demand_states(states, self.game)
        logits = np.empty((len(states), self.game.num_actions), dtype=np.float32)
        outcomes = np.empty((len(states), FIRST_ACTION), dtype=np.float32)
        _predict.trusting(self.predictor, self.no_memory, np.ascontiguousarray(states), logits, outcomes)
        return logits, outcomes

    def evaluate(self, states: Int8s) -> tuple[Float32s, Float32s]:
        """Return the logits of all actions, shape ``(N, num_actions)``, and the mover's expected points, ``(N,)``."""
        logits, outcomes = self.predict(states)
        return logits, outcomes[:, WIN] - outcomes[:, LOSS]

    def evaluate_images(self, states: Int8s) -> tuple[Float32s, Float32s]:
        """Return the means of what `evaluate` returns of all symmetric images of positions, carried back to these.

        It takes as many times as long as the board has symmetries. At five men's morris (8), with 64 simulations, it
        spares two of three losses to a perfect player.
        """
        demand_states(states, self.game)
        number, slots, actions = len(states), self.game.slot_symmetries, self.game.action_symmetries
        logits, values = self.evaluate(states[:, slots].reshape(-1, self.game.state_size))
        carried = np.take_along_axis(logits.reshape(number, *actions.shape), actions[None].astype(np.int64), axis=2)
        return carried.mean(axis=1), values.reshape(number, len(slots)).mean(axis=1)

    def new_memory(self, positions: int = 1 << 14) -> EvaluatedPositions:
        """Return an empty memory for some positions, a power of 2, until the weights change.

        In self-play, 40 % of the positions of connect four and 74 % of those of tic-tac-toe have been evaluated before.
        """
        most = (1 << 62) // (128 * self.game.state_size)  # (so that no place overflows)
        factors = np.random.default_rng(0).integers(most, size=self.game.state_size)
        states = np.full((positions, self.game.state_size), -1, dtype=np.int8)
        return EvaluatedPositions(
            states, aligned(np.zeros((positions, len(self.layers.output_bias)), dtype=np.float32)), factors
        )

    def arrays(self) -> dict[str, Float32s]:
        """Return copies of the weights, by name, without the columns of zeros."""
        used = FIRST_ACTION + self.game.num_actions
        arrays = super().arrays()
        return {**arrays, **{name: arrays[name][..., :used].copy() for name in _HEADS}}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over weights that `arrays` returned, or all columns of `Layers`; see `LayeredNetwork.load`."""
        used, columns = FIRST_ACTION + self.game.num_actions, len(self.layers.output_bias)
        heads = {name: arrays[name] for name in _HEADS if name in arrays and arrays[name].shape[-1:] == (used,)}
        filled = {
            name: np.pad(head, [(0, 0)] * (head.ndim - 1) + [(0, columns - used)]) for name, head in heads.items()
        }
        super().load({**arrays, **filled})

    @cached_property
    def no_memory(self) -> EvaluatedPositions:
        """A memory without places."""
        return self.new_memory(0)

    def at(self, game: Game) -> "PolicyNetwork":
        """Return a copy of the network at the same game with other options, such as other limits.

        Raises:
            BadInputError: If it has other actions, or shows positions in another way.
        """
        if game.actions != self.game.actions:
            raise BadInputError(f"{game.spec} has other actions than {self.game.spec}")
        demand_inputs(game, self.game, self.design.inputs)
        network = PolicyNetwork(game, self.design)
        network.load(self.arrays())
        return network


def load_network(path: Path, game: Game) -> PolicyNetwork:
    """Read the network of a file; see `boardgames_agents.td.network_file.network_in`."""
    return network_in(path, game, PolicyNetwork)


@kernel(types.void(PREDICTOR, MEMORY, INT8_2D_READONLY, FLOAT32_2D, FLOAT32_2D), compiled_first=True)
def _predict(
    predictor: Predictor, memory: EvaluatedPositions, states: Int8s, logits: Float32s, outcomes: Float32s
) -> None:
    """Write the logits of actions and the probabilities of outcomes for positions that are not over."""
    predict_rows(predictor, memory, make_workspace(predictor, 0), states, logits, outcomes)


@helper
def predict_rows(
    predictor: Predictor,
    memory: EvaluatedPositions,
    workspace: Workspace,
    states: Int8s,
    logits: Float32s,
    outcomes: Float32s,
) -> None:
    """Write the outputs of positions. (It makes no arrays, so it counts no references: a quarter of the time.)"""
    for row in range(len(states)):
        state, outputs = states[row], workspace.outputs
        is_known = False
        if len(memory.states) > 0:
            place = _place(memory, state)
            outputs = memory.outputs[place]
            is_known = same_row(memory.states[place], state)
            copy_row(state, memory.states[place])
        if not is_known:
            _predict_one(predictor, workspace, state, outputs)
        for outcome in range(FIRST_ACTION):
            outcomes[row, outcome] = outputs[outcome]
        for action in range(logits.shape[1]):
            logits[row, action] = outputs[FIRST_ACTION + action]


@inlined
def _place(memory: EvaluatedPositions, state: Int8s) -> int:
    """Return the place of a state in a memory."""
    total = 0
    for slot in range(len(state)):
        total += state[slot] * memory.factors[slot]
    return (total >> 30) & (len(memory.states) - 1)


@inlined
def _predict_one(predictor: Predictor, workspace: Workspace, state: Int8s, outputs: Float32s) -> None:
    """Write the probabilities of outcomes and the logits of actions for a position."""
    layers, active = predictor.layers, workspace.active
    write_units(predictor, state, workspace)
    count = write_active(workspace.units, active)
    copy_row(layers.output_bias, outputs)
    add_inputs(layers.output, active.indices, active.values, count, outputs)
    highest = max(outputs[WIN], outputs[DRAW], outputs[LOSS])
    total = np.float64(0)
    for outcome in range(FIRST_ACTION):
        total += math.exp(np.float64(outputs[outcome]) - np.float64(highest))
    for outcome in range(FIRST_ACTION):
        outputs[outcome] = math.exp(np.float64(outputs[outcome]) - np.float64(highest)) / total
