"""Contests between a network and a picker of moves inside one kernel: how good is it by now?"""

import numpy as np
from numba import types

from boardgames_agents.td.forward import LAYERS
from boardgames_agents.td.outputs import MEANING
from boardgames_agents.td.sight import SIGHT, best_of, make_desk, weigh
from boardgames_env.chance import MOST_EVENTS, STREAMS, settle
from boardgames_env.encoding import CHANGES as INPUT_CHANGES
from boardgames_env.encoding import INPUTS
from boardgames_env.kernels import CHANCES, HAPPEN, INITIAL, MOVES, ONGOING, OUTCOME, READ_ONLY_STATE, STATES, kernel
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

PICK = types.FunctionType(types.int64(READ_ONLY_STATE, STATES, types.int64))


@kernel(
    types.void(
        *(INITIAL, MOVES, OUTCOME, CHANCES, HAPPEN, INPUTS, INPUTS, INPUT_CHANGES, PICK),
        *(types.int64, LAYERS, MEANING, SIGHT, STREAMS, types.Array(types.int64, 1, "C")),
    )
)
def duel(  # type: ignore[no-untyped-def]
    initial, moves, outcome, chances, happen, encode, encode_base, changes, pick, state_size, layers, meaning, sight,
    streams, points,
) -> None:  # fmt: skip
    """Play contests; the network has seat ``k % 2`` in contest k.

    Args:
        initial: The game's kernels: ``initial``,
        moves: ``moves``,
        outcome: ``outcome``,
        chances: ``chances``,
        happen: ``happen``;
        encode: those of an encoding: ``kernel``,
        encode_base: ``base``,
        changes: and ``changes``;
        pick: and that of the other player: ``(state, afterstates, found) -> row``.
        state_size: The length of a state.
        layers: The network's weights.
        meaning: What its outputs stand for.
        sight: How it sees positions.
        streams: Where each contest's chances begin.
        points: The network's points in each contest, written.
    """
    desk = make_desk(layers, MOST_MOVES)
    state = np.zeros(state_size, dtype=np.int8)
    afterstates = np.zeros((MOST_MOVES, state_size), dtype=np.int8)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    worths = np.zeros(MOST_MOVES, dtype=np.float32)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    for contest in range(len(points)):
        seat = contest % 2
        initial(state)
        while outcome(state) == ONGOING:
            settle(chances, happen, state, cases, streams, contest)
            found = moves(state, afterstates, actions)
            if found == 1:
                chosen = 0
            elif state[0] == seat:
                weigh(
                    *(encode, encode_base, changes, outcome, layers, meaning, sight),
                    *(state, afterstates, found, desk, worths),
                )
                chosen = best_of(worths, found)
            else:
                chosen = pick(state, afterstates, found)
            state[:] = afterstates[chosen]
        points[contest] = outcome(state) if seat == 0 else -outcome(state)
