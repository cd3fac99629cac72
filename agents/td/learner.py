"""The TD(λ) learner, and what it plays when it no longer learns."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from agents.policy import Distribution, Learner, MarkovPolicy, Rng, Snapshot, uniform
from agents.td.network import Network, Parameters
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position

if TYPE_CHECKING:
    from agents.arena.contest import Record

_MEMORY_OF_SURPRISE = 0.01


class TDLearner(Learner):
    """Learns the expected points of positions by TD(λ); `agents.td` numbers the details.

    Predictions and targets are in points of seat 0, so that they can be compared from one ply to the next; the
    network's values are in points of the seat to move.
    """

    def __init__(
        self, game: Game, hidden: int, alpha: float, decay: float, lam: float, epsilon: float, seed: int
    ) -> None:
        self._game = game
        self._alpha, self._decay, self._lam, self._epsilon = alpha, decay, lam, epsilon
        self._network = Network(game.num_features, hidden, seed)
        self._traces = Parameters(game.num_features, hidden)
        self._contests = 0
        self._surprise = 0.0
        self._forget_contest()

    @property
    def learning_rate(self) -> float:
        """The step size of this contest: halved after ``decay`` contests, a third after twice as many."""
        return self._alpha / (1 + self._contests / self._decay) if self._decay else self._alpha

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins."""
        super().begin(game, seats, rng)
        self._forget_contest()

    def _forget_contest(self) -> None:
        self._rate = self.learning_rate
        self._traces.flat[:] = 0
        self._seat: int | None = None
        # what was predicted where the turn began, and what was to come of it before exploration spoiled it
        self._predicted: float | None = None
        self._spoiled: float | None = None
        self._exploring: float | None = None

    def choose(self, position: Position) -> int:
        """An action that begins a best move, or with probability epsilon any."""
        actions, value = best_actions(self._network, position)
        if self.rng.random() < self._epsilon:
            self._exploring = _sign(position.seat) * value
            actions = position.legal_actions
        return actions[int(self.rng.integers(len(actions)))] if len(actions) > 1 else actions[0]

    def saw(self, position: Position, action: int) -> None:
        """At the beginning of a turn, learn from the position, and predict the contest from it."""
        if position.seat != self._seat:
            self._seat = position.seat
            self._arrive(position)
        if self._spoiled is None:
            self._spoiled = self._exploring
        self._exploring = None

    def _arrive(self, position: Position) -> None:
        features = position.features()
        sign = _sign(position.seat)
        if self._predicted is not None:
            self._back_up(sign * self._network.values(features[None])[0])
        keep = self._lam if self._spoiled is None else 0.0
        self._predicted = sign * self._network.trace(features, self._traces, keep, sign)
        self._spoiled = None

    def _back_up(self, target: float) -> None:
        """Move the predictions towards what the position that was reached is worth."""
        assert self._predicted is not None
        error = (target if self._spoiled is None else self._spoiled) - self._predicted
        self._network.step(self._traces, self._rate * error)
        self._surprise += _MEMORY_OF_SURPRISE * (abs(error) - self._surprise)

    def end(self, record: "Record") -> None:
        """Learn from the outcome; a contest that was cut short has none."""
        if not record.cut:
            self._back_up(record.outcome)
        self._contests += 1
        self._forget_contest()

    def frozen(self) -> "TDPlayer":
        """A player with a copy of the network as it is now."""
        return TDPlayer(self._network.copy())

    def knowledge(self) -> Mapping[str, float]:
        """The initial position's value for the seat to move, the mean error of late, and how large the weights are."""
        return {
            "initial value": self._network.values(self._game.initial.features()[None])[0],
            "surprise": self._surprise,
            "learning rate": self.learning_rate,
            "weight norm": float(np.linalg.norm(self._network.weights.flat)),
        }

    def snapshot(self) -> Snapshot:
        """The weights, and how many contests they come from."""
        return Snapshot(self._network.arrays(), {"contests": self._contests, "surprise": self._surprise})

    def restore(self, snapshot: Snapshot) -> None:
        """Take over the weights of a snapshot."""
        own = self.snapshot()
        wanted = {name: array.shape for name, array in own.arrays.items()}
        given = {name: array.shape for name, array in snapshot.arrays.items()}
        if given != wanted or set(snapshot.data) != set(own.data):
            raise BadInputError(f"this is not a snapshot of such a td learner: it has arrays {given}, not {wanted}")
        self._network.load(snapshot.arrays)
        self._contests = int(snapshot.data["contests"])
        self._surprise = float(snapshot.data["surprise"])
        self._forget_contest()


class TDPlayer(MarkovPolicy):
    """Plays a move that a network thinks best."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._network = network

    def distribution(self, position: Position) -> Distribution:
        """The actions that begin a best move, equally likely."""
        return uniform(best_actions(self._network, position)[0])


def best_actions(network: Network, position: Position) -> tuple[tuple[int, ...], float]:
    """The actions that begin a best move, in ascending order, and its value for the seat to move."""
    moves = position.moves()
    values = afterstate_values(network, [move.afterstate for move in moves], position.seat)
    best = max(values)
    if not -1 <= best <= 1:  # (nor is NaN)
        raise BadInputError("the network has lost all measure; train with a smaller learning rate alpha")
    actions = {move.actions[0] for move, value in zip(moves, values, strict=True) if value == best}
    return tuple(sorted(actions)), best


def afterstate_values(network: Network, afterstates: list[Position], mover: int) -> list[float]:
    """What the positions that its moves lead to are worth to a seat, in expected points."""
    values = network.values(np.array([position.features() for position in afterstates]))
    return [_seen_by(mover, position, value) for position, value in zip(afterstates, values, strict=True)]


def _seen_by(seat: int, position: Position, value: float) -> float:
    """What a position is worth to a seat, given the network's value for the seat to move in it."""
    points = position.points_for(seat)
    if points is not None:
        return points
    return value if position.seat == seat else -value


def _sign(seat: int) -> float:
    """What turns points of a seat into points of seat 0, and back."""
    return 1.0 if seat == 0 else -1.0
