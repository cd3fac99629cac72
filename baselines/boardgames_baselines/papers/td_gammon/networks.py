"""Networks of backgammon: as text, their training, their contests against pubeval, and their choices in self-play."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.backgammon.pubeval import pick_kernel
from boardgames_agents.policy import Episodes, Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.td.evaluation import NETWORK, NetworkBundle, best_of, evaluate_afterstates, make_workspace
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_agents.training.trainers import Meeting, Trainer
from boardgames_baselines.papers.job import number_of
from boardgames_baselines.papers.training import MeasuredTraining, TrainingState
from boardgames_env import Game
from boardgames_env.array_file import array_bytes, arrays_in
from boardgames_env.chance import MOST_EVENTS, ChanceStream, settle, streams_for
from boardgames_env.errors import BadInputError
from boardgames_env.kernels import MOVES, ONGOING, READ_ONLY_STATE, State, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT64_1D, UINT64_1D, PointerType, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from boardgames_env.spec import Spec

GAME = "backgammon"

SELECTION, REPORTING = 0, 1
"""Purposes of a job, to choose settings or to report figures; the two have no random numbers in common."""


@dataclass(frozen=True)
class Net:
    """A network, with its weights as safetensors in base 64."""

    design: Design
    weights: str

    @classmethod
    def of(cls, network: Network) -> "Net":
        """Convert a network."""
        return cls(network.design, b64encode(array_bytes(network.arrays())).decode())

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Net":
        """Convert what `dataclasses.asdict` makes of one."""
        return cls(Design(**data["design"]), data["weights"])

    def description(self) -> dict[str, Any]:
        """Return a short description that distinguishes it from other networks."""
        return {**asdict(self.design), "weights": hashlib.sha256(self.weights.encode()).hexdigest()[:16]}

    def network(self, game: Game) -> Network:
        """Return the network."""
        network = Network(game, self.design)
        network.load(arrays_in(b64decode(self.weights)))
        return network


_WEIGHTS, _LEARNING, _TESTING = range(3)

_BOTH = (0, 1)


@dataclass(frozen=True)
class NetworkTraining(MeasuredTraining):
    """A training of a network from random weights of its own.

    Attributes:
        learner: A TD(λ) learner's spec, without its seed.
        purpose: `SELECTION` or `REPORTING`.
    """

    learning: ClassVar[tuple[int, ...]] = (_LEARNING,)

    in_a_row: bool = True
    purpose: int = REPORTING

    @property
    def seeds(self) -> tuple[int, ...]:
        """The numbers that all its seeds begin with: with the purpose, and a digest of learner and trainer."""
        return self.seed, self.purpose, number_of("Training", self.learner, self.trainer), self.number

    def make_learner(self, game: Game) -> TDLearner:
        """Return the learner with its first weights."""
        seed = int(np.random.default_rng((*self.seeds, _WEIGHTS)).integers(1 << 32))
        learner = make_agent(Spec.parse(self.learner).with_options(seed=seed), game)
        if not isinstance(learner, TDLearner):
            raise BadInputError(f"{self.learner} is no TD(λ) learner")
        return learner

    def make_trainer(self, game: Game) -> Trainer:
        """Return the trainer."""
        return SelfPlayInARow(super().make_trainer(game))


class SelfPlayInARow(Trainer):
    """A trainer whose consecutive contests of self-play are played in a row by the network's own kernel."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the players that the trainer chooses."""
        return self._trainer.meeting(contest, learner)

    def play_in_a_row(self, learner: Learner, seed: Sequence[int], contests: range) -> Episodes | None:
        """Play the contests of self-play that come first, if there are any."""
        others = (each for each in contests if self.meeting(each, learner).seats != _BOTH)
        practice = range(contests.start, next(others, contests.stop))
        return learner.self_play(seed, practice) if practice else None


def trained_network(state: TrainingState) -> Network:
    """Return the network of a training."""
    assert isinstance(state.learner, TDLearner)
    return state.learner.network


@dataclass(frozen=True)
class PointsPerGame:
    """The network's `strength`, under ``points``."""

    contests: int

    def __call__(self, state: TrainingState) -> dict[str, Any]:
        """Play the contests."""
        return {"points": strength(trained_network(state), self.contests, (*state.job.seeds, _TESTING, state.contests))}


def net(state: TrainingState) -> dict[str, Any]:
    """Return the network under ``net``."""
    return {"net": asdict(Net.of(trained_network(state)))}


def plies(state: TrainingState) -> dict[str, Any]:
    """Return the `decades` of the contests' plies."""
    found: list[int] = []
    for each in state.played:
        found += each.plies.tolist() if isinstance(each, Episodes) else [each[1].plies]
    return {"plies": decades(found)}


def decades(plies: Sequence[int]) -> list[tuple[int, float, int]]:
    """Return, of contests 1 to 10, 11 to 100, 101 to 1,000, …, the number, the mean plies and the most plies."""
    found, start, end = [], 0, 10
    while start < len(plies):
        part = plies[start:end]
        found.append((len(part), float(np.mean(part)), max(part)))
        start, end = end, 10 * end
    return found


Pick = Callable[[State, NDArray[np.int8], int], int]
"""Chooses among afterstates: ``(state, afterstates, found) -> row``."""

PICK = PointerType(types.int64(READ_ONLY_STATE, INT8_2D, types.int64))


@kernel(types.void(GAME_KERNELS, MOVES, NETWORK, PICK, UINT64_1D, INT64_1D), compiled_first=True)
def play_match(
    game: GameKernels, moves: Any, network: NetworkBundle, pick: Any, streams: UInt64s, points: NDArray[np.int64]
) -> None:
    """Play contests between a network, which has seat ``k % 2`` in contest k, and another player's kernel ``pick``.

    Each contest has a stream of random numbers, which is advanced. The network's points are written to ``points``.
    """
    workspace = make_workspace(network.predictor, MOST_MOVES)
    state = np.zeros(game.state_size, dtype=np.int8)
    afterstates = np.zeros((MOST_MOVES, game.state_size), dtype=np.int8)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values = np.zeros(MOST_MOVES, dtype=np.float32)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    for contest in range(len(points)):
        seat = contest % 2
        game.initial(state)
        while game.outcome(state) == ONGOING:
            settle(game, state, cases, streams, contest)
            found = moves(state, afterstates, actions)
            if found == 1:
                chosen = 0
            elif state[0] == seat:
                evaluate_afterstates(network, game.outcome, state, afterstates, found, workspace, values)
                chosen = best_of(values, found)
            else:
                chosen = pick(state, afterstates, found)
            copy_row(afterstates[chosen], state)
        points[contest] = game.outcome(state) if seat == 0 else -game.outcome(state)


def points_against_pubeval(network: Network, contests: int, seeds: Sequence[int]) -> NDArray[np.int64]:
    """Return the network's points in each contest against pubeval; the seats alternate."""
    points = np.empty(contests, dtype=np.int64)
    game, streams = network.game, streams_for(seeds, range(contests))
    play_match.run(game.kernels, moves_kernel(game), network.bundle, pick_kernel(), streams, points)
    return points


def strength(network: Network, contests: int, seeds: Sequence[int]) -> tuple[float, float, float]:
    """Return the mean points per game against pubeval, their standard error, and the share of contests won."""
    points = points_against_pubeval(network, contests, seeds)
    return float(points.mean()), float(points.std() / np.sqrt(contests)), float((points > 0).mean())


@dataclass(frozen=True)
class PlayChoice:
    """A choice among moves none of which ends the contest.

    Attributes:
        state: The state before the move.
        afterstates: The states after the moves, shape ``(moves, game.state_size)``.
        chosen: The row of the chosen move.
    """

    state: State
    afterstates: NDArray[np.int8]
    chosen: int


def decisions(game: Game, pick: Pick, seeds: Sequence[int]) -> Iterator[list[PlayChoice]]:
    """Yield the choices of one contest after another, without end, in which both seats choose alike."""
    game = game.ready
    moves, outcome = moves_kernel(game), game.rules.outcome
    afterstates = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    for contest in count():
        chances = ChanceStream(game, np.random.default_rng([*seeds, contest]))
        state, made = game.initial.state.copy(), []
        chances.settle(state)
        while outcome.run(state) == ONGOING:
            found = moves.run(state, afterstates, actions)
            chosen = pick(state, afterstates, found) if found > 1 else 0
            if found > 1 and all(outcome.run(after) == ONGOING for after in afterstates[:found]):
                made.append(PlayChoice(state, afterstates[:found].copy(), chosen))
            state = afterstates[chosen].copy()
            chances.settle(state)
        yield made


def choice_of(network: Network) -> Pick:
    """Return how a network chooses: the first of the best moves."""
    return lambda state, afterstates, found: int(network.evaluate_afterstates(state, afterstates, found).argmax())
