"""Random play at full speed: whole contests inside one kernel."""

from dataclasses import dataclass

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS, CUT, key_length, note_position
from boardgames_env.kernels import INDICES, INITIAL, LEGAL, ONGOING, OUTCOME, PLAY, announce_compilation, helper, kernel

_SYMMETRIES = types.Array(types.int32, 2, "C")
_COUNTS = types.Array(types.int64, 1, "C")


@dataclass(frozen=True)
class Playouts:
    """What contests between random players came to.

    Attributes:
        wins: Contests won by seat 0.
        draws: Contests drawn.
        losses: Contests won by seat 1.
        cuts: Contests cut short by a limit that is no rule.
        actions: Actions played in all.
    """

    wins: int
    draws: int
    losses: int
    cuts: int
    actions: int


def play_random(game: Game, contests: int, rng: np.random.Generator) -> Playouts:
    """Play contests in which both seats choose any legal action, all equally likely.

    Args:
        game: The game.
        contests: How many contests, at least 1.
        rng: The generator of all chances.

    Raises:
        BadInputError: If there are no contests to play.
    """
    if contests < 1:
        raise BadInputError(f"contests={contests} is not allowed; play at least 1")
    announce_compilation("random playouts", [_playouts])
    counts = np.zeros(5, dtype=np.int64)
    rules = game.ready.rules
    _playouts(
        *(rules.initial, rules.legal, rules.play, rules.outcome),
        *(game.state_size, game.num_actions, game.slot_symmetries, game.limits.as_array()),
        *(contests, rng, counts),
    )
    return Playouts(*(int(count) for count in counts))


@kernel(
    types.void(
        *(INITIAL, LEGAL, PLAY, OUTCOME),
        *(types.int64, types.int64, _SYMMETRIES, INDICES),
        *(types.int64, types.npy_rng, _COUNTS),
    )
)
def _playouts(  # type: ignore[no-untyped-def]
    initial, legal, play, outcome, state_size, num_actions, symmetries, limits, contests, rng, counts
) -> None:
    state = np.zeros(state_size, dtype=np.int8)
    actions = np.zeros(num_actions, dtype=np.int32)
    kept = np.zeros((64, key_length(state_size)), dtype=np.int64)
    counters = np.zeros(COUNTERS, dtype=np.int32)
    limited = limits[0] > 0 or limits[2] > 0
    for _ in range(contests):
        initial(state)
        counters[0], counters[1], counters[2] = 0, 0, state[0]
        result = ONGOING
        if limited:
            note_position(state, kept, counters, symmetries, limits)
        while result == ONGOING:
            # (a draw of a whole number takes ten times as long, and is no fairer that anybody could tell)
            play(state, actions[int(rng.random() * legal(state, actions))])
            counts[4] += 1
            result = outcome(state)
            if result == ONGOING and limited:
                if counters[0] == len(kept):
                    kept = _doubled(kept)
                result = note_position(state, kept, counters, symmetries, limits)
        if result == CUT:
            counts[3] += 1
        elif result > 0:
            counts[0] += 1
        elif result < 0:
            counts[2] += 1
        else:
            counts[1] += 1


@helper
def _doubled(kept: NDArray[np.int64]) -> NDArray[np.int64]:
    larger = np.zeros((2 * kept.shape[0], kept.shape[1]), dtype=np.int64)
    larger[: kept.shape[0]] = kept
    return larger
