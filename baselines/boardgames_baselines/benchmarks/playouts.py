"""Random play at full speed: whole contests inside one kernel."""

from dataclasses import dataclass

import numpy as np
from numba import types

from boardgames_env.chance import MOST_EVENTS, settle, stream_from
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS, CUT, doubled, key_length, note_position
from boardgames_env.kernels import ONGOING, announce_compilation, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT64_1D, UINT64_1D, Int64s, UInt64s


@dataclass(frozen=True)
class Playouts:
    """The results of contests between random players: wins and points are seat 0's.

    ``cuts`` are contests cut short by a limit that is no rule; ``actions`` is the number of actions in all contests.
    """

    wins: int
    draws: int
    losses: int
    cuts: int
    actions: int
    points: int


def play_random(game: Game, contests: int, rng: np.random.Generator) -> Playouts:
    """Play contests, at least 1, in which both seats choose any legal action, all equally likely."""
    require(1, contests=contests)
    announce_compilation("random playouts", [_playouts])
    counts = np.zeros(6, dtype=np.int64)
    dice = np.zeros(1, dtype=np.uint64)
    if game.rules.has_chance:
        dice[0] = stream_from(rng)
    _playouts(game.kernels, contests, rng, dice, counts)
    return Playouts(*(int(count) for count in counts))


@kernel(types.void(GAME_KERNELS, types.int64, types.npy_rng, UINT64_1D, INT64_1D))
def _playouts(kernels: GameKernels, contests: int, rng: np.random.Generator, dice: UInt64s, counts: Int64s) -> None:
    state = np.zeros(kernels.state_size, dtype=np.int8)
    actions = np.zeros(kernels.num_actions, dtype=np.int32)
    kept = np.zeros((64, key_length(kernels.state_size)), dtype=np.int64)
    counters = np.zeros(COUNTERS, dtype=np.int32)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    for _ in range(contests):
        kernels.initial(state)
        if kernels.has_chance:
            settle(kernels, state, cases, dice, 0)
        counters[0], counters[1], counters[2] = 0, 0, state[0]
        result = ONGOING
        if kernels.is_limited:
            note_position(state, kept, counters, kernels.symmetries, kernels.limits)
        while result == ONGOING:
            # (a draw of an integer takes ten times as long and is not measurably fairer)
            kernels.play(state, actions[int(rng.random() * kernels.legal(state, actions))])
            counts[4] += 1
            if kernels.has_chance:
                settle(kernels, state, cases, dice, 0)
            result = int(kernels.outcome(state))
            if result == ONGOING and kernels.is_limited:
                if counters[0] == len(kept):
                    kept = doubled(kept)
                result = note_position(state, kept, counters, kernels.symmetries, kernels.limits)
        if result == CUT:
            counts[3] += 1
            continue
        counts[5] += result
        if result > 0:
            counts[0] += 1
        elif result < 0:
            counts[2] += 1
        else:
            counts[1] += 1
