"""The TD(λ) learner, under any trainer or by self-play, and the player that it becomes."""

import sys
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.policy import Distribution, Episodes, Learner, MarkovPolicy, Policy, Rng, Snapshot, uniform
from boardgames_agents.policy.batch_players import BY_NUMBER, ChoiceTable
from boardgames_agents.policy.whole_moves import Plan, PlannedPlayer, WholeMovePolicy
from boardgames_agents.td.evaluation import (
    NETWORK,
    PREDICTOR,
    NetworkBundle,
    Predictor,
    best_of,
    evaluate_afterstates,
    evaluate_moves,
    make_workspace,
)
from boardgames_agents.td.layers import LAYERS
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import TDOptions
from boardgames_agents.td.outputs import MEANING, MOST_POINTS, Meaning
from boardgames_agents.td.self_play import COLUMNS, Exploration, Learning, predict_with_gradient, self_play, td_target
from boardgames_agents.td.traces import GRADIENT, TRACES, Gradient, make_traces, reset, step
from boardgames_env.chance import streams_for
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import (
    FEATURES,
    MOVES,
    OUTCOME,
    READ_ONLY_STATE,
    Actions,
    State,
    announce_compilation,
    kernel,
)
from boardgames_env.kernels.signatures import INT8_2D, INT32_2D, INT64_1D, Float32s, Int8s, Int64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, actions_of, moves_kernel
from boardgames_env.position import Position, demand_game, demand_turn

if TYPE_CHECKING:
    from boardgames_agents.record import Record

_NOT_FINITE = "the weights are no longer finite; train with a smaller learning rate alpha"

_SHARE_OF_LAST_ERROR = 0.01

_SAMPLED_EVERY = 1000
"""Contests between two samples of the weights whose mean the learner plays with."""

_FEW = 50
"""Contests of self-play that are played at once, until it is known how long they take; the results are the same."""

_SOON = 0.2
"""Seconds of self-play without a report after which no more contests are played at once."""

_MEAN = "mean "


class MoveEvaluator:
    """Finds and evaluates the whole moves of one position after another.

    Attributes:
        afterstates: The states after the moves found last, in the first rows.
        actions: The actions of each move, followed by -1.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._moves = moves_kernel(network.game)
        self.afterstates = np.empty((MOST_MOVES, network.game.state_size), dtype=np.int8)
        self.actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)

    def __reduce__(self) -> tuple[type["MoveEvaluator"], tuple[Network]]:
        return MoveEvaluator, (self.network,)

    def evaluate(self, position: Position) -> Float32s:
        """Return the mover's expected points after each of its moves.

        Raises:
            BadInputError: If they are not numbers, or no seat is to move in a position of the network's game.
        """
        demand_turn(position, self.network.game)
        found = self._moves.run(position.state, self.afterstates, self.actions)
        values, outcome = np.empty(found, dtype=np.float32), self.network.game.rules.outcome
        evaluate_moves.run(self.network.bundle, outcome, position.state, self.afterstates, found, values)
        if not np.isfinite(values).all():
            raise BadInputError(_NOT_FINITE)
        return values

    def actions_of(self, move: np.intp | int) -> tuple[int, ...]:
        """Return the actions of one of the moves found last."""
        return actions_of(self.actions[move])


class TDPlayer(WholeMovePolicy, MarkovPolicy):
    """Plays a move with the highest value; ties are broken at random.

    It is a `MarkovPolicy` although it remembers its moves: the rest of a best move remains a best move.

    Attributes:
        evaluator: The network; see `boardgames_agents.lookahead.evaluator.evaluator_of`.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.evaluator = network
        self._moves = MoveEvaluator(network)

    def distribution(self, position: Position) -> Distribution:
        """Return the actions that begin a best move, equally likely."""
        values = self._moves.evaluate(position)
        best = np.flatnonzero(values == values.max())
        return uniform(tuple(sorted({self._moves.actions_of(move)[0] for move in best})))

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of a best move."""
        values = self._moves.evaluate(position)
        best = np.flatnonzero(values == values.max())
        return self._moves.actions_of(best[self.rng.integers(len(best))] if len(best) > 1 else best[0])

    def by_position(self, game: Game) -> ChoiceTable:
        """Return the policy as a table, which has no place for moves of more than one action."""
        return ChoiceTable(game, self._single_actions, BY_NUMBER)

    def _single_actions(self, position: Position) -> Distribution | None:
        """Return the best moves, equally likely, if each of them is one action."""
        values = self._moves.evaluate(position)
        best = [self._moves.actions_of(move) for move in np.flatnonzero(values == values.max())]
        return uniform(tuple(move[0] for move in best)) if all(len(move) == 1 for move in best) else None

    def in_batch(self, game: Game, copies: int) -> PlannedPlayer:
        """Return a batch version of this policy."""
        announce_compilation("networks in batches", [_find_best])
        return PlannedPlayer(self, game, copies)

    def choose_moves(self, game: Game, states: Int8s, rngs: Sequence[Rng]) -> list[tuple[int, ...]]:
        """Return the actions of a best move in each state; ties are broken with its generator."""
        found, counts = self._find_best(states, np.zeros(len(states), dtype=np.int64))
        if not counts.all():
            raise BadInputError(_NOT_FINITE)
        tied = np.flatnonzero(counts > 1)
        if len(tied):
            found[tied], _ = self._find_best(
                states[tied], np.array([rngs[i].integers(counts[i]) for i in tied.tolist()])
            )
        return [tuple(row[: row.index(-1)]) for row in found.tolist()]

    def _find_best(self, states: Int8s, which: Int64s) -> tuple[Actions, Int64s]:
        """Return the actions of a best move in each state, then -1, ``which`` of them, and how many there are."""
        network, game = self.evaluator, self.evaluator.game
        found, counts = np.empty((len(states), MOST_ACTIONS + 1), dtype=np.int32), np.empty_like(which)
        _find_best.run(network.bundle, game.rules.outcome, moves_kernel(game), states, which, found, counts)
        return found, counts


@kernel(types.void(NETWORK, OUTCOME, MOVES, INT8_2D, INT64_1D, INT32_2D, INT64_1D), compiled_first=True)
def _find_best(
    network: NetworkBundle, outcome: Any, moves: Any, states: Int8s, which: Int64s, found: Actions, counts: Int64s
) -> None:
    """Write the actions of one of the best moves in each state, and how many there are: 0 if values are not finite."""
    workspace = make_workspace(network.predictor, MOST_MOVES)
    afterstates = np.empty((MOST_MOVES, states.shape[1]), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values = np.empty(MOST_MOVES, dtype=np.float32)
    for row in range(len(states)):
        number = moves(states[row], afterstates, actions)
        evaluate_afterstates(network, outcome, states[row], afterstates, number, workspace, values)
        best = values[best_of(values, number)]
        counts[row] = 0
        for move in range(number):
            if values[move] == best:
                if counts[row] == which[row]:
                    for place in range(found.shape[1]):
                        found[row, place] = actions[move, place]
                counts[row] += 1
        for move in range(number):
            if not np.isfinite(values[move]):
                counts[row] = 0


class TDLearner(Learner):
    """Learns to predict how contests end from how its predictions change; `boardgames_agents.td` lists the details.

    It trains the network it is given; the options of a network's design are not read.
    """

    def __init__(self, network: Network, options: TDOptions) -> None:
        self.network, self.options = network, options
        design = network.design
        if design.further:
            raise BadInputError(
                "TD(λ) has traces for one hidden layer; a network of several learns by boardgames improve --rounds"
            )
        self._traces = make_traces(network.encoding.size, design.hidden, design.outputs)
        self._moves = MoveEvaluator(network)
        self._contests, self._at_once = 0, _FEW
        self._mean_abs_td_error = 0.0
        self._mean = network.copy() if options.average else None
        self._forget_contest()

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Begin a contest."""
        demand_game(game.initial, self.network.game)
        super().begin(game, seats, rng)
        self._forget_contest(game.initial)

    def _forget_contest(self, reached: Position | None = None) -> None:
        _reset.run(self._traces)
        contest = range(self._contests, self._contests + 1)
        self._alpha, self._lambda = float(self.options.alphas(contest)[0]), float(self.options.lambdas(contest)[0])
        self._plan = Plan()
        # the position that the last move led to, until it is certain that the contest goes on from there
        self._reached = reached
        # seat 0's probabilities where that move began, and after the best move, if another was played
        self._prediction: Float32s | None = None
        self._best: Float32s | None = None

    def choose(self, position: Position) -> int:
        """Return an action of the best move, or of one that explores."""
        planned = self._plan.action(position.key)
        if planned is not None:
            return planned
        self._go_on()
        values = self._moves.evaluate(position)
        best = int(values.argmax())
        chosen = self._drawn(values, best)
        if chosen != best:
            self._best = self._probabilities(self._moves.afterstates[best])
        return self._plan.begin(position, self._moves.actions_of(chosen))

    def _drawn(self, values: Float32s, best: int) -> int:
        if self.options.epsilon and self.rng.random() < self.options.epsilon:
            return int(self.rng.integers(len(values)))
        if not self.options.temperature:
            return best
        weights = np.exp((values - values[best]).astype(float) / self.options.temperature)
        return int(self.rng.choice(len(values), p=weights / weights.sum()))

    def _probabilities(self, state: State) -> Float32s:
        """Return seat 0's probabilities in a position, which may be over."""
        target = np.empty(self.network.design.outputs, dtype=np.float32)
        network, points = self.network, self.network.game.rules.outcome.run(state)
        _td_target.run(network.bundle.predictor, network.meaning, points, state, target)
        return target

    def saw(self, position: Position, action: int) -> None:
        """Remember the position that a turn has led to."""
        self._go_on()
        after = position.play(action)
        if after.seat != position.seat or after.is_over or after.awaits_chance:
            self._reached = after

    def _go_on(self) -> None:
        """Learn from the prediction in the position that the last move led to: the contest goes on from there."""
        if self._reached is None:
            return
        state, self._reached = self._reached.state, None
        if self._prediction is not None:
            self._back_up(self._probabilities(state) if self._best is None else self._best)
        network, squared = self.network, self.options.error == "squared"
        self._prediction = np.empty(network.design.outputs, dtype=np.float32)
        gradient = self._traces.gradient
        _predict.run(network.bundle.predictor, network.meaning, gradient, squared, state, self._prediction)

    def _back_up(self, target: Float32s) -> None:
        """Move the predictions of the contest towards a later one."""
        assert self._prediction is not None
        errors = (target if self._best is None else self._best) - self._prediction
        _step.run(self.network.layers, self._traces, np.float32(self._alpha) * errors, np.float32(self._lambda))
        self._mean_abs_td_error += _SHARE_OF_LAST_ERROR * (float(np.abs(errors).sum()) - self._mean_abs_td_error)
        if self._best is not None:
            _reset.run(self._traces)  # the best moves are what is learned about: Watkins 1989
            self._best = None

    def end(self, record: "Record") -> None:
        """Learn from the outcome; a contest that was cut short has none."""
        if not record.cut and self._prediction is not None:
            points = int(np.clip(record.outcome, -MOST_POINTS, MOST_POINTS))
            self._back_up(self.network.meaning.targets[points + MOST_POINTS])
        self._contests += 1
        self._sample()
        self._forget_contest()

    def _sample(self) -> None:
        """Add the weights to their mean if a sample is due: all weigh the same at first, then the last ones more."""
        samples, no_sample = divmod(self._contests, _SAMPLED_EVERY)
        if self._mean is not None and not no_sample:
            share = np.float32(max(1 / samples, min(1.0, _SAMPLED_EVERY / self.options.average)))
            for mean, layer in zip(self._mean.layers, self.network.layers, strict=True):
                mean[...] += share * (layer - mean)

    def self_play(self, seed: Sequence[int], contests: range) -> Episodes:
        """Play contests against itself at full speed and learn from them."""
        results = np.empty((len(contests), COLUMNS), dtype=np.float32)
        options, done = self.options, 0
        exploration = Exploration(float(options.epsilon), float(options.temperature), options.openings)
        while done < len(contests):
            until_sample = sys.maxsize if self._mean is None else -self._contests % _SAMPLED_EVERY
            count = min(len(contests) - done, until_sample or _SAMPLED_EVERY, self._at_once)
            began = perf_counter()
            numbers, rows = range(self._contests, self._contests + count), slice(done, done + count)
            alphas, lambdas = options.alphas(numbers), options.lambdas(numbers)
            learning = Learning(self._traces, options.error == "squared", alphas, lambdas)
            self_play.run(
                self.network.game.kernels,
                moves_kernel(self.network.game),
                self.network.bundle,
                learning,
                exploration,
                streams_for(seed, contests[rows]),
                results[rows],
            )
            self._contests += count
            self._sample()
            done += count
            if self.on_played:
                self.on_played(done)
            if perf_counter() - began < _SOON:
                self._at_once *= 2
        self._forget_contest()
        if not all(np.isfinite(layer).all() for layer in self.network.layers):
            raise BadInputError(_NOT_FINITE)
        if len(results):
            self._mean_abs_td_error = float(results[-1000:, 2].mean())
        return Episodes(points=results[:, 0], plies=results[:, 1].astype(np.int64))

    def frozen(self) -> TDPlayer:
        """Return a player with a copy of the network to play with."""
        return TDPlayer(self.learned.copy())

    def frozen_at(self, game: Game) -> Policy:
        """Return a player of the same game with other options; with dice, look-ahead knows of cubes and matches."""
        from boardgames_agents.lookahead.player import LookaheadPolicy

        network = self.learned.at(game)
        return LookaheadPolicy(game, network) if game.rules.has_chance else TDPlayer(network)

    @property
    def learned(self) -> Network:
        """The network to play with: the one that is trained, or its mean over many contests."""
        return self.network if self._mean is None or self._contests < _SAMPLED_EVERY else self._mean

    def knowledge(self) -> Mapping[str, float]:
        """Return the initial position's value for the seat to move, the recent error and the size of the weights."""
        probabilities = self.network.outcome_probabilities(self.network.game.initial.state[None])[0]
        return {
            "initial value": float(equities(probabilities)),
            "mean absolute TD error": self._mean_abs_td_error,
            "learning rate": self._alpha,
            "weight norm": float(np.sqrt(sum(float((layer**2).sum()) for layer in self.network.layers))),
        }

    def snapshot(self) -> Snapshot:
        """Return the weights and the number of contests they come from."""
        arrays = self.network.arrays()
        if self._mean is not None:
            arrays |= {_MEAN + name: layer for name, layer in self._mean.arrays().items()}
        # (version 0.1 wrote the mean absolute TD error under this name, and digests of snapshots are stored)
        return Snapshot(arrays, {"contests": self._contests, "surprise": self._mean_abs_td_error})

    def restore(self, snapshot: Snapshot) -> None:
        """Take over the weights of a snapshot."""
        if set(snapshot.data) != set(self.snapshot().data):
            raise BadInputError(f"this is not a snapshot of a td learner: it has {', '.join(snapshot.data)}")
        own = {name: array for name, array in snapshot.arrays.items() if not name.startswith(_MEAN)}
        means = {name[len(_MEAN) :]: array for name, array in snapshot.arrays.items() if name.startswith(_MEAN)}
        if bool(means) != (self._mean is not None):
            raise BadInputError("this is a snapshot of a td learner with another option average")
        self.network.load(own)
        if self._mean is not None:
            self._mean.load(means)
        self._contests = int(snapshot.data["contests"])
        self._mean_abs_td_error = float(snapshot.data["surprise"])
        self._forget_contest()


_reset = kernel(types.void(TRACES))(reset)
_step = kernel(types.void(LAYERS, TRACES, FEATURES, types.float32))(step)


@kernel(types.void(PREDICTOR, MEANING, types.int64, READ_ONLY_STATE, FEATURES))
def _td_target(predictor: Predictor, meaning: Meaning, points: int, state: State, target: Float32s) -> None:
    td_target(predictor, meaning, points, state, make_workspace(predictor, 0), target)


@kernel(types.void(PREDICTOR, MEANING, GRADIENT, types.boolean, READ_ONLY_STATE, FEATURES))
def _predict(
    predictor: Predictor, meaning: Meaning, gradient: Gradient, squared: bool, state: State, prediction: Float32s
) -> None:
    workspace = make_workspace(predictor, 0)
    predict_with_gradient(predictor, meaning, gradient, squared, state, workspace, prediction)
