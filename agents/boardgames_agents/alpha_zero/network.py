"""The network of AlphaZero: one trunk with two heads, a policy and the probabilities of winning, drawing and losing.

It is evaluated by kernels with the layers of `boardgames_agents.td.layers`: each layer adds the rows of its weights for
the inputs that are not 0, which are few, on the board as well as among rectified units. The sums are taken in an order
that is the same on any machine, however many positions are evaluated at once.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.td.layers import add_inputs, aligned
from boardgames_agents.td.network import LayeredNetwork
from boardgames_agents.td.network_file import network_in
from boardgames_env.encoding import INPUTS, OBSERVATION, demand_features
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind
from boardgames_env.game import Game
from boardgames_env.kernels import FEATURES, copy_row, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT32_2D, FLOAT32_3D, INT8_2D_READONLY, Float32s, Int8s
from boardgames_env.position import demand_states

WIN, DRAW, LOSS = range(3)
"""The outcomes, as the seat to move sees them."""


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

    def __post_init__(self) -> None:
        require(1, 100, layers=self.layers)
        require(1, 10_000, width=self.width)


class PolicyLayers(NamedTuple):
    """A network's weights, from I inputs by L layers of W units to A actions and three outcomes.

    Attributes:
        first: From inputs to the first layer, shape ``(I, W)``.
        inner: From each layer to the next, shape ``(L - 1, W, W)``.
        biases: Those of the layers, shape ``(L, W)``.
        policy: From the last layer to the logits of actions, shape ``(W, A)``.
        policy_bias: Shape ``(A,)``.
        value: From the last layer to the logits of a win, a draw and a loss, shape ``(W, 3)``.
        value_bias: Shape ``(3,)``.
    """

    first: Float32s
    inner: Float32s
    biases: Float32s
    policy: Float32s
    policy_bias: Float32s
    value: Float32s
    value_bias: Float32s


_LAYERS = named_tuple_type(PolicyLayers, FLOAT32_2D, FLOAT32_3D, FLOAT32_2D, FLOAT32_2D, FEATURES, FLOAT32_2D, FEATURES)


class PolicyNetwork(LayeredNetwork):
    """A function from positions to the logits of actions and the probabilities of winning, drawing and losing.

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
    layers: PolicyLayers

    def __init__(self, game: Game, design: PolicyDesign, seed: int = 0) -> None:
        super().__init__(game, design)
        if game.rules.has_chance or game.most_points != 1:
            why = "has dice" if game.rules.has_chance else "counts points"
            raise BadInputError(f"{game.spec} {why}; alpha_zero plays games without dice that are won, drawn or lost")
        rng, width, inputs = np.random.default_rng(seed), design.width, self.encoding.size

        def weights(*shape: int) -> Float32s:
            limit = math.sqrt(6 / shape[-2])
            return aligned(rng.uniform(-limit, limit, shape).astype(np.float32))

        self.layers = PolicyLayers(
            first=weights(inputs, width),
            inner=weights(design.layers - 1, width, width),
            biases=np.zeros((design.layers, width), dtype=np.float32),
            policy=np.zeros((width, game.num_actions), dtype=np.float32),
            policy_bias=np.zeros(game.num_actions, dtype=np.float32),
            value=np.zeros((width, 3), dtype=np.float32),
            value_bias=np.zeros(3, dtype=np.float32),
        )

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
        outcomes = np.empty((len(states), 3), dtype=np.float32)
        _predict.run(
            self.encoding.kernel, self.layers, self.design.residual, np.ascontiguousarray(states), logits, outcomes
        )
        return logits, outcomes

    def evaluate(self, states: Int8s) -> tuple[Float32s, Float32s]:
        """Return the logits of all actions, shape ``(N, num_actions)``, and the mover's expected points, ``(N,)``."""
        logits, outcomes = self.predict(states)
        return logits, outcomes[:, WIN] - outcomes[:, LOSS]

    def at(self, game: Game) -> "PolicyNetwork":
        """Return a copy of the network at the same game with other options, such as other limits.

        Raises:
            BadInputError: If it has other actions, or shows positions in another way.
        """
        if game.actions != self.game.actions:
            raise BadInputError(f"{game.spec} has other actions than {self.game.spec}")
        if self.design.inputs == OBSERVATION:
            demand_features(game, self.game)
        network = PolicyNetwork(game, self.design)
        network.load(self.arrays())
        return network


def load_network(path: Path, game: Game) -> PolicyNetwork:
    """Read the network of a file; see `boardgames_agents.td.network_file.network_in`."""
    return network_in(path, game, PolicyNetwork)


@kernel(types.void(INPUTS, _LAYERS, types.boolean, INT8_2D_READONLY, FLOAT32_2D, FLOAT32_2D), compiled_first=True)
def _predict(
    encode: Any, layers: PolicyLayers, residual: bool, states: Int8s, logits: Float32s, outcomes: Float32s
) -> None:
    """Write the logits of actions and the probabilities of outcomes for positions that are not over."""
    first, inner, biases, policy, policy_bias, value, value_bias = layers
    depth, width = biases.shape
    size = max(width, len(first))
    indices, values = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.float32)
    sums, units = np.empty(width, dtype=np.float32), np.empty(width, dtype=np.float32)
    for row in range(len(states)):
        count = encode(states[row], states[row, 0], indices, values)
        for layer in range(depth):
            copy_row(biases[layer], sums)
            add_inputs(first if layer == 0 else inner[layer - 1], indices, values, count, sums)
            count = 0
            for unit in range(width):
                active = max(sums[unit], np.float32(0))
                if residual and layer > 0:
                    active += units[unit]
                units[unit] = active
                indices[count] = unit
                values[count] = active
                count += int(active > 0)
        copy_row(policy_bias, logits[row])
        add_inputs(policy, indices, values, count, logits[row])
        copy_row(value_bias, outcomes[row])
        add_inputs(value, indices, values, count, outcomes[row])
        highest = max(outcomes[row, 0], outcomes[row, 1], outcomes[row, 2])
        total = np.float64(0)
        for outcome in range(3):
            total += math.exp(np.float64(outcomes[row, outcome]) - np.float64(highest))
        for outcome in range(3):
            outcomes[row, outcome] = math.exp(np.float64(outcomes[row, outcome]) - np.float64(highest)) / total
