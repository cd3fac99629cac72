"""Self-play at full speed: a network plays both seats and learns, contest after contest, inside one kernel."""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.td.evaluation import (
    NETWORK,
    NetworkBundle,
    Workspace,
    best_of,
    evaluate_afterstates,
    forward,
    make_workspace,
    to_seat0,
    viewer_of,
)
from boardgames_agents.td.layers import Layers
from boardgames_agents.td.outputs import MOST_POINTS
from boardgames_agents.td.traces import TRACES, Gradient, Traces, differentiate, reset, step
from boardgames_env.chance import MOST_EVENTS, draw, settle_by
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS, CUT, doubled, key_length, note_position
from boardgames_env.kernels import (
    CHANCE_EVENTS,
    FEATURES,
    HAPPEN,
    INITIAL,
    MOVES,
    ONGOING,
    OUTCOME,
    State,
    helper,
    kernel,
)
from boardgames_env.kernels.signatures import FLOAT32_2D, INT32_1D, INT32_2D, UINT64_1D, Float32s, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

_FINE = 1 << 24


class GameBundle(NamedTuple):
    """Stand-in for the bundle of `boardgames_env`."""

    initial: Any
    moves: Any
    outcome: Any
    chances: Any
    happen: Any
    state_size: int
    symmetries: Any
    limits: Any


GAME = types.NamedTuple((INITIAL, MOVES, OUTCOME, CHANCE_EVENTS, HAPPEN, types.int64, INT32_2D, INT32_1D), GameBundle)


def game_bundle(game: Game) -> GameBundle:
    """Return a game's bundle."""
    rules = game.ready.rules
    return GameBundle(
        *(rules.initial, moves_kernel(game.ready), rules.outcome, rules.chance_events, rules.happen),
        *(game.state_size, game.slot_symmetries, game.limits.as_array()),
    )


class Exploration(NamedTuple):
    """How the moves of self-play differ from the best ones.

    Attributes:
        epsilon: The probability of a random move.
        temperature: Moves are drawn in proportion to exp(points / temperature); 0 for the best move.
        openings: A contest begins with up to this many random moves, from which nothing is learned.
    """

    epsilon: float
    temperature: float
    openings: int


class Steps(NamedTuple):
    """The sizes of learning steps.

    Attributes:
        squared: Whether steps descend the squared error or the cross-entropy; see `differentiate`.
        alphas: The learning rate of each contest, shape ``(N,)``.
        lambdas: λ in each contest, shape ``(N,)``.
    """

    squared: bool
    alphas: Float32s
    lambdas: Float32s


EXPLORATION = types.NamedTuple((types.float64, types.float64, types.int64), Exploration)
STEPS = types.NamedTuple((types.boolean, FEATURES, FEATURES), Steps)

COLUMNS = 3
"""Results of a contest: seat 0's points (not a number if it was cut short), its plies, the mean absolute error."""


@helper
def draw_move(values: Float32s, best: int, count: int, exploration: Exploration, streams: UInt64s, which: int) -> int:
    """Return the move to play: the best, or one drawn to explore."""
    epsilon, temperature, _ = exploration
    if epsilon > 0 and draw(streams, which, _FINE) < epsilon * _FINE:
        return draw(streams, which, count)
    if temperature == 0:
        return best
    total = 0.0
    for move in range(count):
        total += np.exp((values[move] - values[best]) / temperature)
    left = draw(streams, which, _FINE) / _FINE * total
    for move in range(count):
        left -= np.exp((values[move] - values[best]) / temperature)
        if left < 0:
            return move
    return best


@helper
def predict_with_gradient(
    network: NetworkBundle, gradient: Gradient, squared: bool, state: State, workspace: Workspace, prediction: Float32s
) -> None:
    """Write seat 0's probabilities predicted in a position, and their gradient."""
    count = forward(network.encode, network.layers, network.flags, state, workspace)
    to_seat0(network.meaning, viewer_of(network.flags, state), workspace.outputs, prediction)
    differentiate(network, gradient, state, count, workspace, squared)


@helper
def td_target(network: NetworkBundle, points: int, state: State, workspace: Workspace, target: Float32s) -> None:
    """Write seat 0's probabilities in a position: those of its points, or if it goes on the predicted ones."""
    if points != ONGOING:
        target[:] = network.meaning.targets[max(min(points, MOST_POINTS), -MOST_POINTS) + MOST_POINTS]
    else:
        forward(network.encode, network.layers, network.flags, state, workspace)
        to_seat0(network.meaning, viewer_of(network.flags, state), workspace.outputs, target)


@helper
def _learn(
    layers: Layers, traces: Traces, prediction: Float32s, target: Float32s, alpha: float, lambda_: float
) -> float:
    """Step from a prediction, which is overwritten, towards its target. Return the absolute error."""
    error = 0.0
    for k in range(len(prediction)):
        prediction[k] = target[k] - prediction[k]
        error += abs(prediction[k])
        prediction[k] *= alpha
    step(layers, traces, prediction, lambda_)
    return error


@kernel(types.void(GAME, NETWORK, TRACES, EXPLORATION, STEPS, UINT64_1D, FLOAT32_2D))
def self_play(
    game: GameBundle,
    network: NetworkBundle,
    traces: Traces,
    exploration: Exploration,
    steps: Steps,
    streams: UInt64s,
    results: Float32s,
) -> None:
    """Play contests and learn from them.

    Args:
        game: The game's kernels.
        network: The network; its weights are changed.
        traces: Traces of the network's shape.
        exploration: How moves are chosen.
        steps: How it learns in each contest.
        streams: The stream of random numbers of each contest; they are advanced.
        results: The results of each contest, shape ``(N, COLUMNS)``; written.
    """
    initial, moves, outcome, chances, happen, state_size, symmetries, limits = game
    workspace = make_workspace(network.layers, MOST_MOVES)
    state = np.zeros(state_size, dtype=np.int8)
    afterstates = np.zeros((MOST_MOVES, state_size), dtype=np.int8)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values = np.zeros(MOST_MOVES, dtype=np.float32)
    prediction, target = np.zeros_like(network.layers.output_bias), np.zeros_like(network.layers.output_bias)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    limited = limits[0] > 0 or limits[2] > 0
    kept = np.zeros((256 if limited else 1, key_length(state_size)), dtype=np.int64)
    counters = np.zeros(COUNTERS, dtype=np.int32)
    for contest in range(len(streams)):
        initial(state)
        reset(traces)
        counters[0], counters[1], counters[2] = 0, 0, state[0]
        if limited:
            note_position(state, kept, counters, symmetries, limits)
        opening = draw(streams, contest, exploration.openings + 1) if exploration.openings > 0 else 0
        plies, errors, result = 0, 0.0, ONGOING
        while result == ONGOING:
            learns = plies >= opening
            if learns:
                predict_with_gradient(network, traces.gradient, steps.squared, state, workspace, prediction)
            settle_by(chances, happen, state, cases, streams, contest)
            found = moves(state, afterstates, actions)
            if learns:
                evaluate_afterstates(network, outcome, state, afterstates, found, workspace, values)
                best = best_of(values, found)
                chosen = draw_move(values, best, found, exploration, streams, contest)
            else:
                chosen = best = draw(streams, contest, found)
            state[:] = afterstates[chosen]
            plies += 1
            result = outcome(state)
            if result == ONGOING and limited:
                if counters[0] == len(kept):
                    kept = doubled(kept)
                result = note_position(state, kept, counters, symmetries, limits)
            if learns and result != CUT:
                # what the best move leads to: how the contest has ended, or what is predicted there
                points = result if chosen == best else outcome(afterstates[best])
                td_target(network, points, afterstates[best], workspace, target)
                errors += _learn(
                    network.layers, traces, prediction, target, steps.alphas[contest], steps.lambdas[contest]
                )
                if chosen != best:
                    reset(traces)  # the best moves are what is learned about: Watkins 1989
        results[contest, 0] = np.nan if result == CUT else result
        results[contest, 1] = plies
        results[contest, 2] = errors / max(1, plies - opening)
