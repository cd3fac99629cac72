"""Contests of networks: against the yardstick, and against themselves, decision by decision."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.experts.pubeval import pick_kernel
from boardgames_agents.td.duel import duel
from boardgames_agents.td.network import Network
from boardgames_env import Game
from boardgames_env.chance import Chances, streams_for
from boardgames_env.kernels import ONGOING, State
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

Pick = Callable[[State, NDArray[np.int8], int], int]
"""Chooses among afterstates: ``(state, afterstates, found) -> row``."""


def points_against_pubeval(network: Network, contests: int, seeds: Sequence[int]) -> NDArray[np.int64]:
    """The network's points in each contest against pubeval; the seats alternate."""
    game = network.game.ready
    rules = game.rules
    points = np.empty(contests, dtype=np.int64)
    duel.run(
        *(rules.initial, moves_kernel(game), rules.outcome, rules.chances, rules.happen, *network.encoders),
        *(pick_kernel(), game.state_size, network.layers, network.meaning, network.sight),
        *(streams_for(seeds, range(contests)), points),
    )
    return points


@dataclass(frozen=True)
class Decision:
    """A choice among moves none of which ends the contest.

    Attributes:
        state: Where it was made.
        afterstates: Where each move leads to, shape ``(moves, state_size)``.
        chosen: The row that was played to.
    """

    state: State
    afterstates: NDArray[np.int8]
    chosen: int


def decisions(game: Game, pick: Pick, seeds: Sequence[int]) -> Iterator[list[Decision]]:
    """The decisions of one contest after another, in which both seats choose alike; it has no end."""
    game = game.ready
    moves, outcome = moves_kernel(game), game.rules.outcome
    afterstates = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    for contest in count():
        chances = Chances(game, np.random.default_rng([*seeds, contest]))
        state, made = game.initial.state.copy(), []
        chances.settle(state)
        while outcome.run(state) == ONGOING:
            found = moves.run(state, afterstates, actions)
            chosen = pick(state, afterstates, found) if found > 1 else 0
            if found > 1 and all(outcome.run(after) == ONGOING for after in afterstates[:found]):
                made.append(Decision(state, afterstates[:found].copy(), chosen))
            state = afterstates[chosen].copy()
            chances.settle(state)
        yield made


def choice_of(network: Network) -> Pick:
    """How a network chooses: what it thinks best, the first of equals."""
    return lambda state, afterstates, found: int(network.worths(state, afterstates, found).argmax())


def dense_inputs(network: Network, states: NDArray[np.int8]) -> NDArray[np.float32]:
    """What the network is shown of each position, shape ``(N, inputs)``."""
    encoding, absolute = network.encoding, network.design.viewer == "0"
    shown = np.zeros((len(states), encoding.size), dtype=np.float32)
    indices, values = np.empty(encoding.size, dtype=np.int32), np.empty(encoding.size, dtype=np.float32)
    for row, state in zip(shown, states, strict=True):
        found = encoding.kernel.run(state, 0 if absolute else state[0], indices, values)
        row[indices[:found]] = values[:found]
    return shown
