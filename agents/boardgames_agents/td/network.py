"""Networks with one hidden layer or more, and those whose replies a faster one filters."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import BestReplies, Preferences, Probabilities, seen_by
from boardgames_agents.td import evaluation
from boardgames_agents.td.best_replies import DrawnRows, ReplyFilter, Terms, average_best_replies
from boardgames_agents.td.evaluation import NetworkBundle, Predictor
from boardgames_agents.td.layers import Layers, further_layers, initial_layers, random_weights
from boardgames_agents.td.options import Design
from boardgames_agents.td.outputs import COLUMNS, MOST_POINTS, meaning, outcome_probabilities
from boardgames_env.encoding import Encoding, demand_inputs, encoding_of, no_changes
from boardgames_env.errors import BadInputError, require, require_whole
from boardgames_env.files import FileKind
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Bools, Float32s, Float64s, Int8s
from boardgames_env.moves import moves_kernel
from boardgames_env.position import demand_array, demand_states

Own = TypeVar("Own", bound="LayeredNetwork")


class LayeredNetwork(ABC):
    """A network over a game's encoding: its weights by name, and how it sees positions.

    Attributes:
        kind: The kind of its files; see `boardgames_agents.td.network_file`.
        designs: The class of its design.
        game: The game.
        design: Its shape and conventions, with the name of its encoding in ``inputs``.
        about: How it was made, if it was read from a file that says so.
        layers: Its weights, a named tuple of float32 arrays that training changes in place.
    """

    kind: ClassVar[FileKind]
    designs: ClassVar[type]
    game: Game
    design: Any
    about: Mapping[str, str]
    layers: Any

    def __init__(self, game: Game, design: Any) -> None:
        self.game, self.design = game, design
        self.about = {}

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding by which it sees positions."""
        return encoding_of(self.game, self.design.inputs)

    @property
    def _is_absolute(self) -> bool:
        """Whether seat 0 sees all positions, and not the seat to move."""
        return bool(self.design.viewer == "0")

    @cached_property
    def predictor(self) -> Predictor:
        """What kernels need of it to predict the outcome of one position."""
        widths, rectified = np.array(self.design.widths, dtype=np.int32), self.design.units == "rectified"
        return Predictor(self.encoding.kernel, self.layers, widths, self._is_absolute, rectified, self.design.residual)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is compiled, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name not in ("encoding", "predictor", "bundle")}

    def encode_batch(self, states: NDArray[np.int8]) -> tuple[Float32s, NDArray[np.int64]]:
        """Return the inputs of positions, dense, and their points.

        Returns:
            The inputs, shape ``(N, I)``, zeros where a position is over; seat 0's points there, and elsewhere
            `boardgames_env.kernels.ONGOING`, shape ``(N,)``.
        """
        demand_states(states, self.game)
        inputs = np.zeros((len(states), self.encoding.size), dtype=np.float32)
        points = np.empty(len(states), dtype=np.int64)
        encode, outcome = self.encoding.kernel, self.game.rules.outcome
        evaluation.encode_batch.run(encode, outcome, self._is_absolute, np.ascontiguousarray(states), inputs, points)
        return inputs, points

    def arrays(self) -> dict[str, Float32s]:
        """Return copies of the weights, by name; those between layers that it does not have are left out."""
        return {name: layer.copy() for name, layer in self.layers._asdict().items() if layer.size}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over weights that `arrays` returned.

        Raises:
            BadInputError: If they are those of a network of another shape, or not all of them are finite numbers.
        """
        wanted, given = (
            {name: array for name, array in each.items() if array.size} for each in (self.layers._asdict(), arrays)
        )
        for name in {**wanted, **given}:
            shape, right = (each[name].shape if name in each else None for each in (given, wanted))
            if shape != right:
                raise BadInputError(f"these are the weights of another network: {name} has shape {shape}, not {right}")
        weights = {name: demand_array(name, array, np.float32, array.shape) for name, array in given.items()}
        for name, array in weights.items():
            if given[name].dtype.kind not in "fiu" or not np.isfinite(array).all():
                raise BadInputError(f"not all its weights are numbers: {name} has others")
        for name, array in weights.items():
            getattr(self.layers, name)[:] = array

    @abstractmethod
    def at(self: Own, game: Game) -> Own:
        """Return a copy of the network at the same game with other options; raise `BadInputError` if it cannot be."""

    def copy(self: Own) -> Own:
        """Return a network with a copy of the weights."""
        copy = type(self)(self.game, self.design)
        copy.load(self.arrays())
        return copy


class Network(LayeredNetwork):
    """A function from positions to the probabilities of outcomes.

    ``seed`` determines the initial weights; biases start at 0.

    Attributes:
        meaning: The meaning of its outputs.

    Raises:
        BadInputError: If the game has no such encoding.
    """

    kind = FileKind("a network", "get it again, or give another file", {"format": "boardgames-env td network, 1"})
    designs = Design
    design: Design
    layers: Layers

    def __init__(self, game: Game, design: Design, seed: int = 0) -> None:
        super().__init__(game, design)
        self.meaning = meaning(design.outputs, design.gammons == "within")
        inputs = self.encoding.size
        rng = np.random.default_rng(seed)
        widths, gain = design.widths, 6 if design.units == "rectified" else 1
        hidden = random_weights(rng, gain / inputs, inputs, widths[0])
        output = random_weights(rng, 1 / widths[-1], design.outputs, widths[-1])
        self.layers = initial_layers(rng, hidden, widths, output, design.outputs)

    @cached_property
    def bundle(self) -> NetworkBundle:
        """The network as kernels take it."""
        encoding = self.encoding
        base, changes = encoding.base or encoding.kernel, encoding.changes or no_changes
        return NetworkBundle(self.predictor, self.meaning, base, changes, encoding.changes is not None)

    def predict_batch(self, states: NDArray[np.int8]) -> Float32s:
        """Return the outputs, shape ``(N, outputs)``, for states that are not over, shape ``(N, state_size)``."""
        demand_states(states, self.game)
        outputs = np.empty((len(states), self.design.outputs), dtype=np.float32)
        evaluation.predict_batch.run(self.predictor, np.ascontiguousarray(states), outputs)
        return outputs

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Float32s:
        """Return the probabilities that the seat to move wins 1, 2, 3 points and loses 1, 2, 3, shape ``(N, 6)``.

        See `boardgames_agents.lookahead.evaluator.Evaluator`, which a network is.
        """
        probabilities = outcome_probabilities(self.predict_batch(states), self.design.gammons == "within")
        return seen_by(states[:, 0], np.zeros_like(states[:, 0]), probabilities) if self._is_absolute else probabilities

    def finds_replies(self, states: NDArray[np.int8]) -> Bools:
        """Return true for each state; see `boardgames_agents.lookahead.evaluator.ReplyEvaluator`."""
        return np.ones(len(states), dtype=np.bool_)

    def best_replies(
        self, states: NDArray[np.int8], preferences: Preferences, draws: Float64s, number: int
    ) -> BestReplies:
        """Return the mean probabilities of the outcomes after the best reply to each chance event, and some replies.

        See `boardgames_agents.lookahead.evaluator.ReplyEvaluator`.

        Raises:
            BadInputError: If the states are not of the game, an array has another shape, or a number is not allowed.
        """
        return self._best_replies(ReplyFilter(self.bundle, 0), states, preferences, draws, number)

    def _best_replies(
        self, reply_filter: ReplyFilter, states: Int8s, preferences: Preferences, draws: Float64s, number: int
    ) -> BestReplies:
        """Return what `best_replies` does, comparing only the replies that a filter leaves."""
        utility, decline, stake = preferences
        demand_states(states, self.game)
        require(0, number=number)
        require(1, stake=stake)
        require(-1, decline=decline)
        if decline >= self.game.num_actions:  # (one of a game with a cube, which the network's game has not)
            decline = -1
        for name, array, shape in (("draws", draws, (len(states),)), ("utility", utility, (2, 2 * MOST_POINTS))):
            if array.shape != shape:
                raise BadInputError(f"{name} of shape {array.shape} are not allowed; the shape is {shape}")
        means = np.empty((len(states), 6), dtype=np.float32)
        utility, within = np.asarray(utility, dtype=np.float64), self.design.gammons == "within"
        terms = Terms(decline, stake, utility, COLUMNS[self.design.outputs], within)
        roots = np.require(states, requirements=("C", "W"))
        drawn = DrawnRows(
            np.array(draws, dtype=np.float64),
            np.empty((len(states) * number, self.game.state_size), dtype=np.int8),
            np.empty((len(states) * number, 6), dtype=np.float32),
        )
        moves = moves_kernel(self.game)
        average_best_replies.run(self.game.kernels, moves, self.bundle, reply_filter, terms, roots, means, drawn)
        return BestReplies(means, drawn.states, drawn.outcomes)

    def evaluate_afterstates(self, state: State, afterstates: NDArray[np.int8], found: int) -> Float32s:
        """Return the mover's expected points after ``found`` moves, which lead to the first of the afterstates.

        Raises:
            BadInputError: If these are no states of the game.
        """
        if found > len(afterstates) or not len(state) == afterstates.shape[1] == self.game.state_size:
            raise BadInputError(f"{found} moves from {len(state)} slots do not fit {afterstates.shape} afterstates")
        demand_states(np.concatenate([state[np.newaxis], afterstates[:found]]), self.game)
        afterstates = np.require(afterstates, requirements=("C", "W"))
        values = np.empty(found, dtype=np.float32)
        evaluation.evaluate_moves.run(self.bundle, self.game.rules.outcome, state, afterstates, found, values)
        return values

    def at(self, game: Game) -> "Network":
        """Return a copy of the network at the same game with other options, such as a doubling cube.

        What that game shows in addition is not seen: these inputs have weights 0.

        Raises:
            BadInputError: If it shows positions in another way.
        """
        demand_inputs(game, self.game, self.design.inputs)
        network, arrays = Network(game, self.design), self.arrays()
        further = network.encoding.size - self.encoding.size
        network.load({**arrays, "hidden": np.pad(arrays["hidden"], ((0, max(0, further)), (0, 0)))})
        return network

    def grown(self, hidden: int, inputs: str, seed: int = 0, further: str | None = None) -> "Network":
        """Return a network with other hidden units, further layers or another encoding; see Chen et al. 2016 (Net2Net).

        It predicts the same if no layer has fewer units and its encoding is the same or repeats this one's. An added
        layer passes on the units of the one before, or if it has fewer units what the outputs are made of, which takes
        two units for each. Otherwise its weights are initial ones, which ``seed`` determines, as are those into further
        hidden units. (Net2Net splits units; ours begin at random.)

        Raises:
            BadInputError: If the game has no such encoding, or a number is not allowed.
        """
        further = self.design.further if further is None else further
        grown = Network(self.game, replace(self.design, hidden=hidden, inputs=inputs, further=further), seed)
        own, repeats = self.design.hidden, grown.encoding.repeated is self.encoding
        old, new, carried = self.layers, grown.layers, self._carried(grown.design)
        if carried is None or not (repeats or grown.encoding is self.encoding):
            return grown
        if repeats:  # (of the copies one is active, so the sums are those of before)
            parts = new.hidden.reshape(-1, self.encoding.size + 1, hidden)
            parts[:, :-1, :own], parts[:, -1, :own] = old.hidden, 0
        else:
            new.hidden[:, :own] = old.hidden
        new.hidden_bias[:own] = old.hidden_bias
        *inner, (output, output_bias) = carried
        for (into, bias), (weights, biases) in zip(
            further_layers(new.inner, new.inner_bias, grown.design.widths), inner, strict=True
        ):
            units, above = weights.shape
            into[:units, :above], into[units:, :above], bias[:above] = weights, 0, biases
        units = output.shape[1]
        new.output[:, :units], new.output[:, units:] = output, 0
        new.output_bias[:] = output_bias
        return grown

    def _carried(self, design: Design) -> list[tuple[Float32s, Float32s]] | None:
        """Return weights and biases of further layers and outputs by which a network of a design predicts the same.

        They are those of its first units; ``None`` if it cannot.
        """
        layers, outputs, own, widths = self.layers, self.design.outputs, self.design.widths, design.widths
        added = widths[len(own) :]
        if len(widths) < len(own) or any(width < fewest for fewest, width in zip(own, widths, strict=False)):
            return None
        carried = list(further_layers(layers.inner, layers.inner_bias, own))
        output, bias = layers.output, layers.output_bias
        for width in added:
            units = output.shape[1]
            if width >= units:
                carried.append((np.eye(units, dtype=np.float32), np.zeros(units, dtype=np.float32)))
                continue
            if width < 2 * outputs:
                return None
            carried.append((np.concatenate([output, -output]).T, np.concatenate([bias, -bias])))
            one = np.eye(outputs, dtype=np.float32)
            output, bias = np.concatenate([one, -one], axis=1), np.zeros(outputs, dtype=np.float32)
        return [*carried, (output, bias)]


class FilteredNetwork:
    """An evaluator: a network, and another, faster one that chooses the replies which it compares.

    See `boardgames_agents.lookahead.evaluator.ReplyEvaluator`. What it predicts of a single position is the network's.
    Replies are filtered by the expected points that the other network's outputs make, whatever the utility of the seats
    is.

    Args:
        network: The network.
        filtering: The network that filters replies.
        kept: The number of replies to a chance event that are left.

    Raises:
        BadInputError: If the networks are for different games, or no reply would be left.
    """

    def __init__(self, network: Network, filtering: Network, kept: int) -> None:
        require_whole(1, kept=kept)
        if filtering.game is not network.game:
            raise BadInputError(f"a network for {filtering.game.spec} cannot filter replies in {network.game.spec}")
        self.network, self.filtering, self.kept = network, filtering, kept

    def outcome_probabilities(self, states: Int8s) -> Probabilities:
        """Return the probability of each outcome for the seat to move."""
        return self.network.outcome_probabilities(states)

    def finds_replies(self, states: Int8s) -> Bools:
        """Return true for each state."""
        return self.network.finds_replies(states)

    def best_replies(self, states: Int8s, preferences: Preferences, draws: Float64s, number: int) -> BestReplies:
        """Return the mean probabilities after the best reply that is left, and some of these replies."""
        reply_filter = ReplyFilter(self.filtering.bundle, self.kept)
        return self.network._best_replies(reply_filter, states, preferences, draws, number)
