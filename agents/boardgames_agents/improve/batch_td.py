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
from typing import Any

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
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, UINT64_1D, Int8s, Int32s, UInt64s
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

    Raises:
        BadInputError: If a number is not allowed.
    """

    rounds: int = 0
    contests: int = 1000
    steps: int = 200
    round_alpha: float = 0.001
    exact: bool = False

    def __post_init__(self) -> None:
        require(0, rounds=self.rounds)
        require(1, contests=self.contests, steps=self.steps)
        require_rate(round_alpha=self.round_alpha)
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
    exact: bool,
    kept: int,
    network: Snapshot,
    filtering: Snapshot | None,
) -> Examples:
    """Play and label some contests of a round."""
    made = network_of_snapshot(network, game, Network)
    return play_contests(made, seed, contests, filtered(made, filtering, kept), exact)


def play_contests(
    network: Network, seed: Sequence[int], contests: range, evaluator: Evaluator, exact: bool
) -> Examples:
    """Return the positions of contests of a network with itself, from the first on, each labelled by what follows.

    Args:
        network: The network.
        seed: The seed of the contests.
        contests: Their numbers.
        evaluator: The evaluator by which positions are labelled: the network, or one that asks it. A contest ends with
            the first position in which the evaluator need not ask.
        exact: Whether labels are means over all rolls of what the best reply leads to, and not what came up.
    """
    game, streams = network.game, streams_for(seed, contests)
    states = np.tile(game.initial.state, (len(contests), 1))
    found, reached, results, known = list[Int8s](), list[Int8s](), list[Int32s](), [states[:0]]
    while len(states):
        after, points = states.copy(), np.empty(len(states), dtype=np.int32)
        play_turn.run(game.kernels, moves_kernel(game), network.bundle, streams, after, points)
        found.append(states)
        reached.append(after)
        results.append(points)
        goes_on = points == ONGOING
        states, streams = after[goes_on], streams[goes_on]
        if isinstance(evaluator, RaceEvaluator):
            is_known = evaluator.knows(states)
            known.append(states[is_known])
            states, streams = states[~is_known], streams[~is_known]
    positions, ends = np.concatenate(found), np.concatenate(known)
    if exact:
        search = Expectimax(game, evaluator, 2)
        labels = [search.outcome_probabilities(positions[part]) for part in parts_of(positions)]
    else:
        labels = [_labels(evaluator, positions, np.concatenate(reached), np.concatenate(results))]
    positions = np.concatenate([positions, ends])
    labels.append(evaluator.outcome_probabilities(ends))
    return Examples(positions, np.arange(len(positions)), 1 - positions[:, 0], np.concatenate(labels))


def _labels(evaluator: Evaluator, states: Int8s, after: Int8s, points: Int32s) -> Probabilities:
    """Return what is predicted a turn after each state, or the result, for the seat to move in the state."""
    labels, goes_on = np.empty((len(states), 6), dtype=np.float32), points == ONGOING
    labels[~goes_on] = finished(points[~goes_on], states[~goes_on, 0], 1)
    predicted = evaluator.outcome_probabilities(after[goes_on])
    turned = after[goes_on, 0] != states[goes_on, 0]
    predicted[turned] = predicted[turned][:, OTHER_SEAT]
    labels[goes_on] = predicted
    return labels


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
