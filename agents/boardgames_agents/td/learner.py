"""The TD(λ) learner: contest by contest under any trainer, or against itself at full speed."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.plan import Plan
from boardgames_agents.policy import Episodes, Learner, Rng, Snapshot
from boardgames_agents.td.forward import LAYERS, Floats
from boardgames_agents.td.network import Network
from boardgames_agents.td.outputs import MEANING, MOST_POINTS
from boardgames_agents.td.player import TDPlayer, Weigher
from boardgames_agents.td.self_play import PLAYED, Practice, arrive, foresee, practise
from boardgames_agents.td.sight import SIGHT, make_desk
from boardgames_agents.td.traces import TRACES, forget, make_traces, step
from boardgames_env.chance import Streams, streams_for
from boardgames_env.encoding import INPUTS
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import FEATURES, READ_ONLY_STATE, kernel
from boardgames_env.moves import moves_kernel
from boardgames_env.position import Position

if TYPE_CHECKING:
    from boardgames_agents.record import Record

_MEMORY_OF_SURPRISE = 0.01

SAMPLED_EVERY = 1000
"""Contests from one sample of the weights to the next, of those whose mean it plays with."""

_MEAN = "mean "


@dataclass(frozen=True)
class Schedule:
    """How much is learned from a contest, and how it is explored.

    Attributes:
        alpha: The learning rate of the first contest.
        decay: After how many contests it has halved, and after twice as many is a third; 0 for one that stays.
        lam: λ in the first contest.
        lam_decay: After how many contests it has halved, likewise.
        error: What the steps descend: the ``squared`` error of the outputs, as in Tesauro 1995, or their
            ``cross_entropy``, by which a wrong prediction near 0 or 1 can still be moved.
        epsilon: How likely a random move is.
        temperature: Moves are drawn in proportion to exp(points / temperature); 0 for the best.
        openings: With how many random moves a contest against itself begins, at most.
        average: It plays with the mean of its weights over about so many contests, the last ones counting most; 0 for
            the weights as they are. A mean is free of the noise that every single contest leaves (Polyak and Juditsky
            1992).

    Raises:
        BadInputError: For a number that is not allowed.
    """

    alpha: float
    decay: float
    lam: float
    lam_decay: float
    error: str
    epsilon: float
    temperature: float
    openings: int
    average: float = 0

    def __post_init__(self) -> None:
        require(0, 1, lam=self.lam, epsilon=self.epsilon)
        require(0, alpha=self.alpha, decay=self.decay, lam_decay=self.lam_decay, temperature=self.temperature)
        require(0, openings=self.openings, average=self.average)

    def rates(self, contests: range) -> NDArray[np.float32]:
        """The learning rate of each contest."""
        return _halving(self.alpha, self.decay, contests)

    def lambdas(self, contests: range) -> NDArray[np.float32]:
        """λ in each contest."""
        return _halving(self.lam, self.lam_decay, contests)

    @property
    def practice(self) -> Practice:
        """How it plays against itself, as kernels read it."""
        return Practice(self.error == "squared", float(self.epsilon), float(self.temperature), self.openings)


def _halving(first: float, decay: float, contests: range) -> NDArray[np.float32]:
    numbers = np.arange(contests.start, contests.stop)
    return (first / (1 + numbers / decay) if decay else np.full(len(numbers), first)).astype(np.float32)


class TDLearner(Learner):
    """Learns how contests will end from how its predictions change; `boardgames_agents.td` numbers the details.

    Args:
        network: The network it teaches.
        schedule: How.
        sampled_every: Contests from one sample of the weights to the next, of those whose mean it plays with.
    """

    def __init__(self, network: Network, schedule: Schedule, sampled_every: int = SAMPLED_EVERY) -> None:
        self.network, self.schedule, self._sampled_every = network, schedule, sampled_every
        design = network.design
        self._traces = make_traces(network.encoding.size, design.hidden, design.outputs)
        self._weigher = Weigher(network)
        self._contests = 0
        self._surprise = 0.0
        self._mean = network.copy() if schedule.average else None
        self._arrived: Position | None = None
        self._forget_contest()

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins: with a prediction."""
        super().begin(game, seats, rng)
        self._forget_contest()
        self._arrived = game.initial

    def _forget_contest(self) -> None:
        _forget.run(self._traces)
        contest = range(self._contests, self._contests + 1)
        self._rate, self._keep = float(self.schedule.rates(contest)[0]), float(self.schedule.lambdas(contest)[0])
        self._plan = Plan()
        # the position that the last move led to, until it is certain that the contest goes on from there
        self._arrived = None
        # seat 0's probabilities where that move began, and those that the best move led to, if another was played
        self._predicted: NDArray[np.float32] | None = None
        self._better: NDArray[np.float32] | None = None

    def choose(self, position: Position) -> int:
        """An action of the best move, or of one that explores."""
        planned = self._plan.action(position)
        if planned is not None:
            return planned
        self._go_on()
        worths = self._weigher.weigh(position)
        best = int(worths.argmax())
        chosen = self._drawn(worths, best)
        if chosen != best:
            self._better = self._probabilities(self._weigher.afterstates[best])
        return self._plan.begin(position, self._weigher.move(chosen))

    def _drawn(self, worths: NDArray[np.float32], best: int) -> int:
        if self.schedule.epsilon and self.rng.random() < self.schedule.epsilon:
            return int(self.rng.integers(len(worths)))
        if not self.schedule.temperature:
            return best
        weights = np.exp((worths - worths[best]).astype(float) / self.schedule.temperature)
        return int(self.rng.choice(len(worths), p=weights / weights.sum()))

    def _probabilities(self, state: NDArray[np.int8]) -> NDArray[np.float32]:
        """Seat 0's probabilities in a position, which may be over."""
        network = self.network
        found = np.empty(network.design.outputs, dtype=np.float32)
        points = network.game.rules.outcome.run(state)
        _foresee.run(
            *(network.encoding.kernel, network.layers, network.meaning, network.sight), *(points, state, found)
        )
        return found

    def _ended(self, points: int) -> NDArray[np.float32]:
        target: NDArray[np.float32] = self.network.meaning.targets[
            int(np.clip(points, -MOST_POINTS, MOST_POINTS)) + MOST_POINTS
        ]
        return target

    def saw(self, position: Position, action: int) -> None:
        """At the end of a turn, remember where it led to."""
        self._go_on()
        after = position.after(action)
        if after.seat != position.seat or after.is_over or after.awaits_chance:
            self._arrived = after

    def _go_on(self) -> None:
        """The contest goes on from where the last move has led to: learn from what is predicted there."""
        if self._arrived is None:
            return
        state, self._arrived = self._arrived.state, None
        if self._predicted is not None:
            self._back_up(self._probabilities(state))
        self._predicted = np.empty(self.network.design.outputs, dtype=np.float32)
        network = self.network
        _arrive.run(
            *(network.encoding.kernel, network.layers, self._traces, network.meaning, network.sight),
            *(self.schedule.practice.squared, state, self._predicted),
        )

    def _back_up(self, target: NDArray[np.float32]) -> None:
        """Move the predictions towards those that were arrived at."""
        assert self._predicted is not None
        errors = (target if self._better is None else self._better) - self._predicted
        _step.run(self.network.layers, self._traces, np.float32(self._rate) * errors, np.float32(self._keep))
        self._surprise += _MEMORY_OF_SURPRISE * (float(np.abs(errors).sum()) - self._surprise)
        if self._better is not None:
            _forget.run(self._traces)  # the best moves are what is learned about: Watkins 1989
            self._better = None

    def end(self, record: "Record") -> None:
        """Learn from the outcome; a contest that was cut short has none."""
        if not record.cut and self._predicted is not None:
            self._back_up(self._ended(record.outcome))
        self._contests += 1
        self._sample()
        self._forget_contest()

    def _sample(self) -> None:
        """Now and then, take the weights into their mean: all alike at first, and then so that the last count most."""
        samples, no_sample = divmod(self._contests, self._sampled_every)
        if self._mean is not None and not no_sample:
            share = np.float32(max(1 / samples, min(1.0, self._sampled_every / self.schedule.average)))
            for mean, layer in zip(self._mean.layers, self.network.layers, strict=True):
                mean[...] += share * (layer - mean)

    def self_play(self, seed: Sequence[int], contests: range) -> Episodes:
        """Play contests against itself at full speed; contest k draws its chances from the seed and k alone."""
        played = np.empty((len(contests), PLAYED), dtype=np.float32)
        done = 0
        while done < len(contests):
            numbers = range(self._contests, self._contests + min(len(contests) - done, self._until_sample))
            rows = slice(done, done + len(numbers))
            streams = streams_for(seed, contests[rows])
            self._play(self.schedule.rates(numbers), self.schedule.lambdas(numbers), streams, played[rows])
            self._contests += len(numbers)
            self._sample()
            done += len(numbers)
        self._forget_contest()
        if not all(np.isfinite(layer).all() for layer in self.network.layers):
            raise BadInputError("the network has lost all measure; train with a smaller learning rate alpha")
        if len(played):
            self._surprise = float(played[-1000:, 2].mean())
        return Episodes(points=played[:, 0], plies=played[:, 1].astype(np.int64))

    @property
    def _until_sample(self) -> int:
        """How many contests may be played in a row."""
        return self._sampled_every - self._contests % self._sampled_every if self._mean is not None else sys.maxsize

    def _play(self, rates: Floats, keeps: Floats, streams: Streams, played: Floats) -> None:
        """Play contests and learn from them; what is given and told is as for `td.self_play.practise`."""
        network, game = self.network, self.network.game.ready
        rules = game.rules
        practise.run(
            *(rules.initial, moves_kernel(game), rules.outcome, rules.chances, rules.happen, *network.encoders),
            *(game.state_size, game.slot_symmetries, game.limits.as_array()),
            *(network.layers, self._traces, network.meaning, network.sight, self.schedule.practice),
            *(rates, keeps, streams, played),
        )

    def frozen(self) -> TDPlayer:
        """A player with a copy of the network as it is now, or of its mean."""
        return TDPlayer(self.learned.copy())

    @property
    def learned(self) -> Network:
        """The network to play with: the one that it teaches, or its mean over many contests."""
        return self.network if self._mean is None or self._contests < self._sampled_every else self._mean

    def knowledge(self) -> Mapping[str, float]:
        """The initial position's value for the seat to move, the mean error of late, and how large the weights are."""
        contest = range(self._contests, self._contests + 1)
        chances = self.network.chances(self.network.game.initial.state[None])[0]
        return {
            "initial value": float(equities(chances)),
            "surprise": self._surprise,
            "learning rate": float(self.schedule.rates(contest)[0]),
            "weight norm": float(np.sqrt(sum(float((layer**2).sum()) for layer in self.network.layers))),
        }

    def snapshot(self) -> Snapshot:
        """The weights, and how many contests they come from."""
        arrays = self.network.arrays()
        if self._mean is not None:
            arrays |= {_MEAN + name: layer for name, layer in self._mean.arrays().items()}
        return Snapshot(arrays, {"contests": self._contests, "surprise": self._surprise})

    def restore(self, snapshot: Snapshot) -> None:
        """Take over the weights of a snapshot."""
        if set(snapshot.data) != set(self.snapshot().data):
            raise BadInputError(f"this is not a snapshot of a td learner: it tells {', '.join(snapshot.data)}")
        own = {name: array for name, array in snapshot.arrays.items() if not name.startswith(_MEAN)}
        means = {name[len(_MEAN) :]: array for name, array in snapshot.arrays.items() if name.startswith(_MEAN)}
        if bool(means) != (self._mean is not None):
            raise BadInputError("this is a snapshot of a td learner with another option average")
        self.network.load(own)
        if self._mean is not None:
            self._mean.load(means)
        self._contests = int(snapshot.data["contests"])
        self._surprise = float(snapshot.data["surprise"])
        self._forget_contest()


@kernel(types.void(TRACES))
def _forget(traces) -> None:  # type: ignore[no-untyped-def]
    forget(traces)


@kernel(types.void(LAYERS, TRACES, FEATURES, types.float32))
def _step(layers, traces, change, keep) -> None:  # type: ignore[no-untyped-def]
    step(layers, traces, change, keep)


@kernel(types.void(INPUTS, LAYERS, MEANING, SIGHT, types.int64, READ_ONLY_STATE, FEATURES))
def _foresee(encode, layers, meaning, sight, points, state, found) -> None:  # type: ignore[no-untyped-def]
    foresee(encode, layers, meaning, sight, points, state, make_desk(layers, 0), found)


@kernel(types.void(INPUTS, LAYERS, TRACES, MEANING, SIGHT, types.boolean, READ_ONLY_STATE, FEATURES))
def _arrive(encode, layers, traces, meaning, sight, squared, state, found) -> None:  # type: ignore[no-untyped-def]
    arrive(encode, layers, traces, meaning, sight, squared, state, make_desk(layers, 0), found)
