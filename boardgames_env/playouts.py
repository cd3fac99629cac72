"""Random play at full speed: whole contests inside one kernel."""

from dataclasses import dataclass

import numpy as np
from numba import types

from boardgames_env.chance import MOST_EVENTS, STREAMS, settle, stream_from
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS, CUT, doubled, key_length, note_position
from boardgames_env.kernels import (
    CHANCES,
    HAPPEN,
    INDICES,
    INITIAL,
    LEGAL,
    ONGOING,
    OUTCOME,
    PLAY,
    announce_compilation,
    kernel,
)

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
        points: Points of seat 0 in all.
    """

    wins: int
    draws: int
    losses: int
    cuts: int
    actions: int
    points: int


def play_random(game: Game, contests: int, rng: np.random.Generator) -> Playouts:
    """Play contests in which both seats choose any legal action, all equally likely.

    Args:
        game: The game.
        contests: How many contests, at least 1.
        rng: The generator of all chances.

    Raises:
        BadInputError: If there are no contests to play.
    """
    require(1, contests=contests)
    announce_compilation("random playouts", [_playouts])
    counts = np.zeros(6, dtype=np.int64)
    rules = game.ready.rules
    dice = np.zeros(1, dtype=np.uint64)
    if rules.have_chances:
        dice[0] = stream_from(rng)
    _playouts(
        *(rules.initial, rules.legal, rules.play, rules.outcome, rules.chances, rules.happen),
        *(game.state_size, game.num_actions, game.slot_symmetries, game.limits.as_array()),
        *(contests, rng, rules.have_chances, dice, counts),
    )
    return Playouts(*(int(count) for count in counts))


@kernel(
    types.void(
        *(INITIAL, LEGAL, PLAY, OUTCOME, CHANCES, HAPPEN),
        *(types.int64, types.int64, _SYMMETRIES, INDICES),
        *(types.int64, types.npy_rng, types.boolean, STREAMS, _COUNTS),
    )
)
def _playouts(  # type: ignore[no-untyped-def]
    initial,
    legal,
    play,
    outcome,
    chances,
    happen,
    state_size,
    num_actions,
    symmetries,
    limits,
    contests,
    rng,
    have_chances,
    dice,
    counts,
) -> None:
    state = np.zeros(state_size, dtype=np.int8)
    actions = np.zeros(num_actions, dtype=np.int32)
    kept = np.zeros((64, key_length(state_size)), dtype=np.int64)
    counters = np.zeros(COUNTERS, dtype=np.int32)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    limited = limits[0] > 0 or limits[2] > 0
    for _ in range(contests):
        initial(state)
        if have_chances:
            settle(chances, happen, state, cases, dice, 0)
        counters[0], counters[1], counters[2] = 0, 0, state[0]
        result = ONGOING
        if limited:
            note_position(state, kept, counters, symmetries, limits)
        while result == ONGOING:
            # (a draw of a whole number takes ten times as long, and is no fairer that anybody could tell)
            play(state, actions[int(rng.random() * legal(state, actions))])
            counts[4] += 1
            if have_chances:
                settle(chances, happen, state, cases, dice, 0)
            result = outcome(state)
            if result == ONGOING and limited:
                if counters[0] == len(kept):
                    kept = doubled(kept)
                result = note_position(state, kept, counters, symmetries, limits)
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
