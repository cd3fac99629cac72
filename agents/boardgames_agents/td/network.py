"""The network: one hidden layer, and how it is shown a game."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import OTHER_SEAT
from boardgames_agents.td.forward import Layers
from boardgames_agents.td.outputs import Meaning, as_chances, meaning
from boardgames_agents.td.sight import Sight, say, show, weigh_moves
from boardgames_env.encoding import OBSERVATION, Encoding, encoding_of, no_changes
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import State

Floats = NDArray[np.float32]

_MOST_UNITS = 100_000


@dataclass(frozen=True)
class Design:
    """What a network is, before it has learned anything.

    Attributes:
        inputs: The name of the game's encoding that it is shown.
        hidden: How many hidden units.
        outputs: How many outputs; see `boardgames_agents.td.outputs`.
        units: What the hidden units are: ``sigmoid``, or ``rectified`` linear.
        viewer: Who sees all positions: the seat to ``move``, or seat ``0``, as in Tesauro 1995.
        gammons: Whether the outputs for gammons are ``apart`` from those for wins, or ``within`` them.

    Raises:
        BadInputError: For a number of units or outputs that is not allowed.
    """

    inputs: str = OBSERVATION
    hidden: int = 40
    outputs: int = 1
    units: Literal["sigmoid", "rectified"] = "sigmoid"
    viewer: Literal["move", "0"] = "move"
    gammons: Literal["apart", "within"] = "apart"

    def __post_init__(self) -> None:
        require(1, _MOST_UNITS, hidden=self.hidden)
        meaning(self.outputs)


class Network:
    """A function from positions to the probabilities of outcomes.

    Args:
        game: The game.
        design: What it is.
        seed: Settles the initial weights; biases start at 0.

    Attributes:
        game: The game.
        design: What it is.
        layers: Its weights, float32 arrays that training changes in place.
        meaning: What its outputs stand for.

    Raises:
        BadInputError: If the game has no such encoding.
    """

    def __init__(self, game: Game, design: Design, seed: int = 0) -> None:
        self.game, self.design = game, design
        self.meaning: Meaning = meaning(design.outputs, design.gammons == "within")
        inputs = self.encoding.size
        rng = np.random.default_rng(seed)
        into_hidden = math.sqrt((6 if design.units == "rectified" else 1) / inputs)
        into_output = math.sqrt(1 / design.hidden)
        self.layers = Layers(
            hidden=rng.uniform(-into_hidden, into_hidden, (inputs, design.hidden)).astype(np.float32),
            hidden_bias=np.zeros(design.hidden, dtype=np.float32),
            output=rng.uniform(-into_output, into_output, (design.outputs, design.hidden)).astype(np.float32),
            output_bias=np.zeros(design.outputs, dtype=np.float32),
        )

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding that it is shown."""
        return encoding_of(self.game, self.design.inputs)

    @cached_property
    def sight(self) -> Sight:
        """How it sees positions, as kernels read it."""
        return Sight(self.design.viewer == "0", self.design.units == "rectified", self.encoding.changes is not None)

    @property
    def encoders(self) -> tuple[Any, Any, Any]:
        """The kernels of the encoding, as other kernels take them."""
        encoding = self.encoding
        return encoding.kernel, encoding.base or encoding.kernel, encoding.changes or no_changes

    def __getstate__(self) -> dict[str, Any]:
        """What is compiled is not pickled."""
        return {name: value for name, value in vars(self).items() if name not in ("encoding", "sight")}

    def outputs(self, states: NDArray[np.int8]) -> Floats:
        """What it says of positions that are not over, shape ``(N, state_size)``: shape ``(N, outputs)``."""
        said = np.empty((len(states), self.design.outputs), dtype=np.float32)
        say.run(self.encoding.kernel, self.layers, self.sight, np.ascontiguousarray(states), said)
        return said

    def shown(self, states: NDArray[np.int8]) -> tuple[Floats, NDArray[np.int64]]:
        """What it is shown of positions, shape ``(N, state_size)``.

        Returns:
            Its inputs, dense, shape ``(N, I)``, zeros where a position is over; seat 0's points there, and elsewhere
            `boardgames_env.kernels.ONGOING`, shape ``(N,)``.
        """
        inputs = np.zeros((len(states), self.encoding.size), dtype=np.float32)
        points = np.empty(len(states), dtype=np.int64)
        given = np.ascontiguousarray(states)
        show.run(self.encoding.kernel, self.game.rules.outcome, self.sight, given, inputs, points)
        return inputs, points

    def viewers(self, states: NDArray[np.int8]) -> NDArray[np.int8]:
        """The seats that it sees positions for, shape ``(N,)``."""
        return np.zeros_like(states[:, 0]) if self.design.viewer == "0" else states[:, 0].copy()

    def chances(self, states: NDArray[np.int8]) -> Floats:
        """How likely the seat to move wins 1, 2 or 3 points and loses as many, shape ``(N, 6)``.

        See `boardgames_agents.lookahead.evaluator.Evaluator`, which a network is.
        """
        chances = as_chances(self.outputs(states), self.design.gammons == "within")
        if self.design.viewer == "0":
            turned = states[:, 0] == 1
            chances[turned] = chances[turned][:, OTHER_SEAT]
        return chances

    def worths(self, state: State, afterstates: NDArray[np.int8], found: int) -> Floats:
        """The points that the seat to move can expect after each of its moves.

        Args:
            state: Where the moves begin.
            afterstates: Where they lead to, in the first rows,
            found: and how many there are.
        """
        worths = np.empty(found, dtype=np.float32)
        weigh_moves.run(
            *(*self.encoders, self.game.rules.outcome, self.layers, self.meaning, self.sight),
            *(state, afterstates, found, worths),
        )
        return worths

    def arrays(self) -> dict[str, Floats]:
        """Copies of the weights, by name."""
        return {name: layer.copy() for name, layer in self.layers._asdict().items()}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over weights that `arrays` gave out.

        Raises:
            BadInputError: If they are of a network of another shape.
        """
        wanted = {name: layer.shape for name, layer in self.layers._asdict().items()}
        given = {name: array.shape for name, array in arrays.items()}
        if given != wanted:
            raise BadInputError(f"these are the weights of another network: they have shapes {given}, not {wanted}")
        for name, layer in self.layers._asdict().items():
            layer[:] = arrays[name]

    def copy(self) -> "Network":
        """A network of its own with the same weights."""
        copy = Network(self.game, self.design)
        copy.load(self.layers._asdict())
        return copy
