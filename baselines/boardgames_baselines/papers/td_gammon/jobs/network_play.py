"""Contests of networks against pubeval, and the choices of self-play."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.backgammon.pubeval import pick_kernel
from boardgames_agents.td.evaluation import NETWORK, NetworkBundle, best_of, evaluate_afterstates, make_workspace
from boardgames_agents.td.network import Network
from boardgames_env import Game
from boardgames_env.chance import MOST_EVENTS, ChanceStream, settle, streams_for
from boardgames_env.kernels import MOVES, ONGOING, READ_ONLY_STATE, State, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.pointers import PointerType
from boardgames_env.kernels.signatures import INT8_2D, INT64_1D, UINT64_1D, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

Pick = Callable[[State, NDArray[np.int8], int], int]
"""Chooses among afterstates: ``(state, afterstates, found) -> row``."""

PICK = PointerType(types.int64(READ_ONLY_STATE, INT8_2D, types.int64))


@kernel(types.void(GAME_KERNELS, MOVES, NETWORK, PICK, UINT64_1D, INT64_1D))
def play_match(
    game: GameKernels, moves: Any, network: NetworkBundle, pick: Any, streams: UInt64s, points: NDArray[np.int64]
) -> None:
    """Play contests between a network, which has seat ``k % 2`` in contest k, and another player's kernel ``pick``.

    Each contest has a stream of random numbers, which is advanced. The network's points are written to ``points``.
    """
    workspace = make_workspace(network.predictor.layers, MOST_MOVES)
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
