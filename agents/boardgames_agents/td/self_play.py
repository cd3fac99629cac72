"""Self-play at full speed: a network plays both seats and learns, contest after contest, inside one kernel."""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.td.evaluation import (
    NETWORK,
    NetworkBundle,
    Predictor,
    Workspace,
    best_of,
    evaluate_afterstates,
    forward,
    make_workspace,
    viewer_of,
)
from boardgames_agents.td.outputs import MOST_POINTS, Meaning, to_seat0
from boardgames_agents.td.traces import TRACES, Gradient, Traces, differentiate, reset, step
from boardgames_env.chance import draw, settle
from boardgames_env.contest import make_arrays, note_result, note_start, with_room
from boardgames_env.history import CUT
from boardgames_env.kernels import FEATURES, MOVES, ONGOING, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import FLOAT32_2D, UINT64_1D, Float32s, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

_FINE = 1 << 24


class Exploration(NamedTuple):
    """How the moves of self-play differ from the best ones; see `boardgames_agents.td.options.TDOptions`."""

    epsilon: float
    temperature: float
    openings: int


class Learning(NamedTuple):
    """What a network learns by in self-play: the learning rate and λ of each contest have shape ``(N,)``."""

    traces: Traces
    squared: bool
    alphas: Float32s
    lambdas: Float32s


EXPLORATION = named_tuple_type(Exploration, types.float64, types.float64, types.int64)
LEARNING = named_tuple_type(Learning, TRACES, types.boolean, FEATURES, FEATURES)

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
    predictor: Predictor,
    meaning: Meaning,
    gradient: Gradient,
    squared: bool,
    state: State,
    workspace: Workspace,
    prediction: Float32s,
) -> None:
    """Write seat 0's probabilities predicted in a position, and their gradient."""
    count = forward(predictor, state, workspace)
    to_seat0(meaning, viewer_of(predictor.absolute, state), workspace.outputs, prediction)
    differentiate(predictor, meaning, gradient, state, count, workspace, squared)


@helper
def td_target(
    predictor: Predictor, meaning: Meaning, points: int, state: State, workspace: Workspace, target: Float32s
) -> None:
    """Write seat 0's probabilities in a position: those of its points, or if it goes on the predicted ones."""
    if points != ONGOING:
        copy_row(meaning.targets[max(min(points, MOST_POINTS), -MOST_POINTS) + MOST_POINTS], target)
    else:
        forward(predictor, state, workspace)
        to_seat0(meaning, viewer_of(predictor.absolute, state), workspace.outputs, target)


@helper
def _to_change(prediction: Float32s, target: Float32s, alpha: float) -> float:
    """Replace a prediction by its change: ``alpha`` times its error. Return the absolute error."""
    error = 0.0
    for k in range(len(prediction)):
        prediction[k] = target[k] - prediction[k]
        error += abs(prediction[k])
        prediction[k] *= alpha
    return error


@kernel(types.void(GAME_KERNELS, MOVES, NETWORK, LEARNING, EXPLORATION, UINT64_1D, FLOAT32_2D), compiled_first=True)
def self_play(
    game: GameKernels,
    moves: Any,
    network: NetworkBundle,
    learning: Learning,
    exploration: Exploration,
    streams: UInt64s,
    results: Float32s,
) -> None:
    """Play contests and learn from them: ``results`` are written, shape ``(N, COLUMNS)``; ``streams`` are advanced."""
    predictor, meaning, layers = network.predictor, network.meaning, network.predictor.layers
    traces, squared, alphas, lambdas = learning
    workspace = make_workspace(predictor, MOST_MOVES)
    arrays = make_arrays(game, 256 if game.is_limited else 1)
    state, gradient = arrays.state, traces.gradient
    afterstates = np.zeros((MOST_MOVES, game.state_size), dtype=np.int8)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values = np.zeros(MOST_MOVES, dtype=np.float32)
    outputs = len(layers.output_bias)
    prediction, target = np.empty(outputs, dtype=np.float32), np.empty(outputs, dtype=np.float32)
    for contest in range(len(streams)):
        game.initial(state)
        note_start(game, arrays)
        reset(traces)
        opening = draw(streams, contest, exploration.openings + 1) if exploration.openings > 0 else 0
        plies, errors, result = 0, 0.0, ONGOING
        while result == ONGOING:
            learns = plies >= opening
            if learns:
                predict_with_gradient(predictor, meaning, gradient, squared, state, workspace, prediction)
            settle(game, state, arrays.cases, streams, contest)
            found = moves(state, afterstates, actions)
            if learns:
                evaluate_afterstates(network, game.outcome, state, afterstates, found, workspace, values)
                best = best_of(values, found)
                chosen = draw_move(values, best, found, exploration, streams, contest)
            else:
                chosen = best = draw(streams, contest, found)
            copy_row(afterstates[chosen], state)
            plies += 1
            arrays = with_room(arrays)
            result = note_result(game, arrays)
            if learns and result != CUT:
                # what the best move leads to: how the contest has ended, or what is predicted there
                points = result if chosen == best else game.outcome(afterstates[best])
                td_target(predictor, meaning, points, afterstates[best], workspace, target)
                errors += _to_change(prediction, target, alphas[contest])
                step(layers, traces, prediction, lambdas[contest])
                if chosen != best:
                    reset(traces)  # the best moves are what is learned about: Watkins 1989
        results[contest, 0], results[contest, 1] = np.nan if result == CUT else result, plies
        results[contest, 2] = errors / max(1, plies - opening)
