"""Contests of a network with itself, whose positions are labelled by what follows: the examples of batch TD(λ).

A label is what is predicted a turn later, or, with λ, this and the error of that prediction by what follows: so the
errors of all later predictions of the contest count, each λ times as much as the one before. Exact labels leave little
to chance in that sum: with λ = 1 a label is the result of the contest less luck (see `boardgames_agents.arena.luck`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator
from boardgames_agents.improve.examples import Examples, parts_of
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, seen_by
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import finished
from boardgames_agents.td.evaluation import NETWORK, NetworkBundle, best_of, evaluate_afterstates, make_workspace
from boardgames_agents.td.network import Network
from boardgames_env.chance import MOST_EVENTS, settle, streams_for
from boardgames_env.game import Game
from boardgames_env.kernels import MOVES, ONGOING, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, UINT64_1D, Int8s, Int32s, Int64s, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

_RIVAL = np.float32(0.1)
"""The most points by which a move that is compared with the best one is worse."""


def play_contests(
    network: Network,
    seed: Sequence[int],
    contests: range,
    evaluator: Evaluator,
    exact: bool = False,
    lambda_: float = 0,
    rivals: int = 0,
) -> Examples:
    """Return the positions of contests of a network with itself, from the first on, each labelled by what follows.

    Args:
        network: The network.
        seed: The seed of the contests.
        contests: Their numbers.
        evaluator: The evaluator by which positions are labelled: the network, or one that asks it. A contest ends with
            the first position in which the evaluator need not ask.
        exact: Whether labels are means over all rolls of what the best reply leads to, and not of what came up.
        lambda_: λ of the labels.
        rivals: The positions after this many next best moves of each turn are labelled, too, but not played on. The
            later errors are those of the best move.
    """
    game, played = network.game, _play(network, streams_for(seed, contests), evaluator, rivals)
    states, goes_on = played.states, np.flatnonzero(played.following >= 0)
    labels = _looked_ahead(game, evaluator, states) if exact else _predicted(evaluator, played)
    later = np.zeros_like(labels)
    if lambda_:
        later = _later_errors(played, labels - evaluator.outcome_probabilities(states), lambda_)
    known = np.flatnonzero((played.following < 0) & (played.points == ONGOING))
    ends, beside = played.after[known], played.beside
    followed_by = played.following[beside]
    correction = np.where((followed_by >= 0)[:, np.newaxis], later[followed_by], 0)
    parts = (
        (states, labels + later, np.concatenate([np.arange(len(contests)), len(contests) + goes_on])),
        (ends, evaluator.outcome_probabilities(ends), len(contests) + known),
        (played.rivals, _looked_ahead(game, evaluator, played.rivals) + correction, len(contests) + beside),
    )
    positions, wanted, turns = (np.concatenate([part[k] for part in parts]) for k in range(3))
    order = np.argsort(turns, kind="stable")
    positions, rolls = positions[order], np.unique(turns[order], return_inverse=True)[1]
    return Examples(positions, rolls, 1 - positions[:, 0], wanted[order])


class _Played(NamedTuple):
    """The turns of several contests, first those that come first in each contest.

    Attributes:
        states: The positions before them.
        after: The positions after the best moves.
        points: Seat 0's points there, or `ONGOING`.
        following: The index of the next turn of the contest, or -1.
        rivals: The positions after some of the next best moves.
        beside: The index of the turn of each of these.
    """

    states: Int8s
    after: Int8s
    points: Int32s
    following: Int64s
    rivals: Int8s
    beside: Int64s


def _play(network: Network, streams: UInt64s, evaluator: Evaluator, rivals: int) -> _Played:
    """Play contests, one for each stream, turn by turn, until they are over or an evaluator knows their outcome."""
    game, found, count = network.game, list[_Played](), 0
    states = np.tile(game.initial.state, (len(streams), 1))
    while len(states):
        after, points = states.copy(), np.empty(len(states), dtype=np.int32)
        others, numbers = np.empty((len(states) * rivals, game.state_size), np.int8), np.zeros(len(states), np.int32)
        play_turn.run(game.kernels, moves_kernel(game), network.bundle, streams, after, points, others, numbers)
        goes_on = points == ONGOING
        if isinstance(evaluator, RaceEvaluator):
            goes_on &= ~evaluator.knows(after)
        following = np.full(len(states), -1)
        following[goes_on] = count + len(states) + np.arange(goes_on.sum())
        is_there = (np.arange(rivals) < numbers[:, np.newaxis]).ravel()
        beside = np.repeat(count + np.arange(len(states)), numbers)
        found.append(_Played(states, after, points, following, others[is_there], beside))
        count += len(states)
        states, streams = after[goes_on], streams[goes_on]
    return _Played(*(np.concatenate(arrays) for arrays in zip(*found, strict=True)))


def _looked_ahead(game: Game, evaluator: Evaluator, states: Int8s) -> Probabilities:
    """Return the means over all rolls of what the best reply leads to."""
    search = Expectimax(game, evaluator, 2)
    parts = [search.outcome_probabilities(states[part]) for part in parts_of(states)]
    return np.concatenate([np.empty((0, 6), dtype=np.float32), *parts])


def _predicted(evaluator: Evaluator, played: _Played) -> Probabilities:
    """Return what is predicted after each turn, or the result, for the seat to move before it."""
    states, after, points = played.states, played.after, played.points
    found, goes_on = np.empty((len(states), 6), dtype=np.float32), points == ONGOING
    found[~goes_on] = finished(points[~goes_on], states[~goes_on, 0], 1)
    found[goes_on] = seen_by(states[goes_on, 0], after[goes_on, 0], evaluator.outcome_probabilities(after[goes_on]))
    return found


def _later_errors(played: _Played, errors: Probabilities, lambda_: float) -> Probabilities:
    """Return what the errors of the predictions before later turns add: λ of the next one, λ² of the one after, ...

    ``errors`` are those before each turn.
    """
    states, after, following = played.states, played.after, played.following
    later, turns = np.zeros_like(errors), [np.arange(len(states) - np.count_nonzero(following >= 0))]
    while len(turns[-1]):
        goes_on = turns[-1][following[turns[-1]] >= 0]
        turns.append(following[goes_on])
    for turn in reversed(turns):
        rows = turn[following[turn] >= 0]
        then = following[rows]
        later[rows] = lambda_ * seen_by(states[rows, 0], after[rows, 0], errors[then] + later[then])
    return later


@kernel(types.void(GAME_KERNELS, MOVES, NETWORK, UINT64_1D, INT8_2D, INT32_1D, INT8_2D, INT32_1D), compiled_first=True)
def play_turn(
    game: GameKernels,
    moves: Any,
    network: NetworkBundle,
    streams: UInt64s,
    states: Int8s,
    points: Int32s,
    rivals: Int8s,
    numbers: Int32s,
) -> None:
    """Roll and play the best move, the first of equals, in each state, in place; write seat 0's points, or `ONGOING`.

    Moves are compared by the network's outputs as they are. (Evaluators normalize them to probabilities of which
    none is greater than the one that it is within, so an untrained network may look ahead by other moves.)

    Args:
        game: The game's kernels.
        moves: The kernel of its whole moves.
        network: The network.
        streams: The random numbers of each state, which are advanced.
        states: The states.
        points: The points.
        rivals: Space for the positions after the next best moves, the same number for each state.
        numbers: How many of them are written for each state: those after which the contest goes on.
    """
    workspace = make_workspace(network.predictor, MOST_MOVES)
    afterstates = np.empty((MOST_MOVES, states.shape[1]), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values, cases = np.empty(MOST_MOVES, dtype=np.float32), np.empty(MOST_EVENTS, dtype=np.int32)
    most = len(rivals) // max(len(states), 1)
    for row in range(len(states)):
        settle(game, states[row], cases, streams, row)
        found = moves(states[row], afterstates, actions)
        evaluate_afterstates(network, game.outcome, states[row], afterstates, found, workspace, values)
        best = best_of(values, found)
        copy_row(afterstates[best], states[row])
        points[row] = game.outcome(states[row])
        lowest = values[best] - _RIVAL
        for _ in range(most):
            values[best] = -np.inf
            best = best_of(values, found)
            if values[best] < lowest:
                break
            if game.outcome(afterstates[best]) == ONGOING:
                copy_row(afterstates[best], rivals[row * most + numbers[row]])
                numbers[row] += 1
