"""Batch TD(0): rounds of self-play, each learned from once, by a network of any number of layers.

TD(λ) takes a step after every turn, with traces. Here a network plays a round of contests, and then learns all their
positions once, in random order, by Adam: each is moved towards what the same network predicts a turn later (Sutton
1988, with λ = 0), of the reply to the roll that came up or *exactly*, of the best replies to all rolls. No position is
learned twice, so a large network cannot overfit; the dice explore.

In a round contests are apart from each other, each with random numbers of its own, so any number of processes plays the
same contests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator
from boardgames_agents.experiments.runner import ProgressBar, Workers, run_jobs
from boardgames_agents.improve.examples import Examples, filtered, joined, parts_of
from boardgames_agents.improve.fitting import Descent, loss_of, require_rate
from boardgames_agents.improve.network_job import NetworkJob, network_of_snapshot, snapshot_of
from boardgames_agents.lookahead.evaluator import OTHER_SEAT, Evaluator, Probabilities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import finished
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.evaluation import NETWORK, NetworkBundle, best_of, evaluate_afterstates, make_workspace
from boardgames_agents.td.network import Network
from boardgames_env.chance import MOST_EVENTS, settle, streams_for
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import MOVES, ONGOING, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, UINT64_1D, Bools, Int8s, Int32s, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

_CONTESTS = 125
"""The contests of a round that one process plays at once."""


@dataclass(frozen=True)
class RoundOptions:
    """Batch TD(0) before each iteration.

    Attributes:
        rounds: Rounds of batch TD(0) before each iteration; 0 for none.
        contests: Contests of a round.
        steps: Steps of the optimizer in a round, in which each position is learned from once.
        round_alpha: Learning rate of the first round of an iteration; it falls to 0 along half a cosine.
        exact: Whether a position learns the mean over all rolls of the best reply, and not what came up.
        round_lambda: λ of the targets, from 0 to 1: how much the errors later in a contest count.

    Raises:
        BadInputError: If a number is not allowed.
    """

    rounds: int = 0
    contests: int = 1000
    steps: int = 200
    round_alpha: float = 0.001
    exact: bool = False
    round_lambda: float = 0.0

    def __post_init__(self) -> None:
        require(0, rounds=self.rounds)
        require(1, contests=self.contests, steps=self.steps)
        require_rate(round_alpha=self.round_alpha)
        require(0, 1, round_lambda=self.round_lambda)
        for option in () if self.rounds else fields(self):
            if (given := getattr(self, option.name)) != option.default:
                raise BadInputError(f"{option.name}={given} is for batch TD(0), and there are no rounds")


def learn_by_rounds(
    network: Network,
    options: RoundOptions,
    device: str,
    seed: tuple[int, ...],
    workers: Workers,
    bar: ProgressBar,
    job: Callable[[tuple[int, ...], range, Snapshot], NetworkJob[Examples]],
) -> None:
    """Play the rounds of an iteration, and learn from each, in place.

    ``job`` returns the job that plays some contests, by the seed of the round, their numbers and the network.
    """
    from boardgames_agents.td.torch_network import TorchNetwork, device_named  # (which says so if there is no torch)

    module, rng = TorchNetwork(network).to(device_named(device)), np.random.default_rng(seed)
    descent = Descent(module, options.round_alpha, options.rounds * options.steps)
    contests = range(options.contests)
    blocks = [contests[first : first + _CONTESTS] for first in range(0, options.contests, _CONTESTS)]
    for number in range(options.rounds):
        snapshot = snapshot_of(network)
        jobs = [job((*seed, number), block, snapshot) for block in blocks]
        found = dict(run_jobs(jobs, workers))
        examples = joined([found[index] for index in range(len(jobs))])
        count = len(examples.states)
        descent.epoch(count, -(-count // options.steps), rng, loss_of(module, examples))
        module.write_to_network()
        bar.step()


def played(
    game: Game,
    seed: tuple[int, ...],
    contests: range,
    options: RoundOptions,
    kept: int,
    network: Snapshot,
    filtering: Snapshot | None,
) -> Examples:
    """Play and label some contests of a round."""
    made = network_of_snapshot(network, game, Network)
    return play_contests(made, seed, contests, filtered(made, filtering, kept), options)


def play_contests(
    network: Network, seed: Sequence[int], contests: range, evaluator: Evaluator, options: RoundOptions
) -> Examples:
    """Return the positions of contests of a network with itself, from the first on, each labelled by what follows.

    Args:
        network: The network.
        seed: The seed of the contests.
        contests: Their numbers.
        evaluator: The evaluator by which positions are labelled: the network, or one that asks it. A contest ends with
            the first position in which the evaluator need not ask.
        options: Whether labels are exact, and their λ.
    """
    game, known = network.game, list[Int8s]()
    turns = list[_Turn]()
    states, streams = np.tile(game.initial.state, (len(contests), 1)), streams_for(seed, contests)
    while len(states):
        after, points = states.copy(), np.empty(len(states), dtype=np.int32)
        play_turn.run(game.kernels, moves_kernel(game), network.bundle, streams, after, points)
        goes_on = points == ONGOING
        if isinstance(evaluator, RaceEvaluator):
            is_known = goes_on & evaluator.knows(after)
            known.append(after[is_known])
            goes_on &= ~is_known
        turns.append(_Turn(states, after, points, goes_on))
        states, streams = after[goes_on], streams[goes_on]
    labels = _labels(game, turns, evaluator, options)
    positions = np.concatenate([*(turn.states for turn in turns), *known])
    labels = np.concatenate([labels, evaluator.outcome_probabilities(positions[len(labels) :])])
    return Examples(positions, np.arange(len(positions)), 1 - positions[:, 0], labels)


class _Turn(NamedTuple):
    """A turn of several contests.

    Attributes:
        states: The positions before it.
        after: The positions after it.
        points: Seat 0's points there, or `ONGOING`.
        goes_on: Which contests have a next turn; its positions are in the same order.
    """

    states: Int8s
    after: Int8s
    points: Int32s
    goes_on: Bools


def _labels(game: Game, turns: Sequence[_Turn], evaluator: Evaluator, options: RoundOptions) -> Probabilities:
    """Return the labels of the positions before turns, those of the seats to move.

    Without λ a label is what is predicted a turn later. With λ, the error of the prediction there is added, λ times: so
    the errors of all later predictions count, each λ times as much as the one before. Exact labels leave little of
    chance in this sum: with λ = 1 it is the result of the contest less luck.
    """
    states, after = (np.concatenate([turn[k] for turn in turns]) for k in (0, 1))
    if options.exact:
        search = Expectimax(game, evaluator, 2)
        labels = np.concatenate([search.outcome_probabilities(states[part]) for part in parts_of(states)])
    else:
        points = np.concatenate([turn.points for turn in turns])
        goes_on, labels = points == ONGOING, np.empty((len(states), 6), dtype=np.float32)
        labels[~goes_on] = finished(points[~goes_on], states[~goes_on, 0], 1)
        labels[goes_on] = _seen_from(states[goes_on], after[goes_on], evaluator.outcome_probabilities(after[goes_on]))
    if not options.round_lambda:
        return labels
    predicted, first = evaluator.outcome_probabilities(states), len(states)
    errors = labels - predicted
    for turn, later in reversed([*pairwise(turns)]):
        first -= len(later.states)
        rows = first - len(turn.states) + np.flatnonzero(turn.goes_on)
        above = options.round_lambda * errors[first : first + len(later.states)]
        errors[rows] += _seen_from(states[rows], later.states, above)
    return predicted + errors


def _seen_from(states: Int8s, after: Int8s, probabilities: Probabilities) -> Probabilities:
    """Return probabilities of the seats to move after a turn as those of the seats to move before it."""
    turned = (after[:, 0] != states[:, 0])[:, None]
    return np.where(turned, probabilities[:, OTHER_SEAT], probabilities)


@kernel(types.void(GAME_KERNELS, MOVES, NETWORK, UINT64_1D, INT8_2D, INT32_1D), compiled_first=True)
def play_turn(
    game: GameKernels, moves: Any, network: NetworkBundle, streams: UInt64s, states: Int8s, points: Int32s
) -> None:
    """Roll and play the best move, the first of equals, in each state, in place; write seat 0's points, or `ONGOING`.

    ``streams``, one for each state, are advanced.
    """
    workspace = make_workspace(network.predictor, MOST_MOVES)
    afterstates = np.empty((MOST_MOVES, states.shape[1]), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values, cases = np.empty(MOST_MOVES, dtype=np.float32), np.empty(MOST_EVENTS, dtype=np.int32)
    for row in range(len(states)):
        settle(game, states[row], cases, streams, row)
        found = moves(states[row], afterstates, actions)
        evaluate_afterstates(network, game.outcome, states[row], afterstates, found, workspace, values)
        best = afterstates[best_of(values, found)]
        copy_row(best, states[row])
        points[row] = game.outcome(best)
