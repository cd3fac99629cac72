"""Self-play at full speed: a network plays both seats and learns, contest after contest, inside one kernel."""

from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.td.forward import LAYERS, Floats, Layers
from boardgames_agents.td.outputs import MEANING, MOST_POINTS, Meaning
from boardgames_agents.td.sight import SIGHT, Sight, best_of, look, make_desk, tell, viewer_of, weigh
from boardgames_agents.td.traces import TRACES, Traces, differentiate, forget, step
from boardgames_env.chance import MOST_EVENTS, STREAMS, Streams, draw, settle
from boardgames_env.encoding import CHANGES as INPUT_CHANGES
from boardgames_env.encoding import INPUTS
from boardgames_env.history import COUNTERS, CUT, doubled, key_length, note_position
from boardgames_env.kernels import (
    CHANCES,
    FEATURES,
    HAPPEN,
    INDICES,
    INITIAL,
    MOVES,
    ONGOING,
    OUTCOME,
    helper,
    kernel,
)
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

_FINE = 1 << 24


class Practice(NamedTuple):
    """How the network plays against itself.

    Attributes:
        squared: See `boardgames_agents.td.traces.differentiate`.
        epsilon: How likely a random move is.
        temperature: Moves are drawn in proportion to exp(points / temperature); 0 for the best move.
        openings: A contest begins with up to so many random moves, from which nothing is learned.
    """

    squared: bool
    epsilon: float
    temperature: float
    openings: int


PRACTICE = types.NamedTuple((types.boolean, types.float64, types.float64, types.int64), Practice)

PLAYED = 3
"""What is told of a contest: seat 0's points (not a number if it was cut short), its plies, the mean error."""


@helper
def drawn(worths: Floats, best: int, count: int, practice: Practice, streams: Streams, which: int) -> int:
    """The move that is played: the best, or one for exploration."""
    if practice.epsilon > 0 and draw(streams, which, _FINE) < practice.epsilon * _FINE:
        return draw(streams, which, count)
    if practice.temperature == 0:
        return best
    total = 0.0
    for move in range(count):
        total += np.exp((worths[move] - worths[best]) / practice.temperature)
    left = draw(streams, which, _FINE) / _FINE * total
    for move in range(count):
        left -= np.exp((worths[move] - worths[best]) / practice.temperature)
        if left < 0:
            return move
    return best


@helper
def arrive(  # type: ignore[no-untyped-def]
    encode, layers, traces, meaning, sight, squared, state, desk, now
) -> None:
    """Predict the contest from a position, and note the gradient of that."""
    viewer = viewer_of(sight, state)
    count = look(encode, layers, sight, state, desk)
    tell(meaning, viewer, desk.outputs, now)
    differentiate(
        *(layers, traces.gradient, meaning, viewer, desk.given, count, desk.units, desk.outputs),
        *(sight.rectified, squared),
    )


@helper
def foresee(  # type: ignore[no-untyped-def]
    encode, layers, meaning, sight, points, state, desk, following
) -> None:
    """Write seat 0's probabilities in a position: those of how the contest has ended, or those that are predicted."""
    if points != ONGOING:
        following[:] = meaning.targets[max(min(points, MOST_POINTS), -MOST_POINTS) + MOST_POINTS]
    else:
        look(encode, layers, sight, state, desk)
        tell(meaning, viewer_of(sight, state), desk.outputs, following)


@helper
def _learn(layers: Layers, traces: Traces, now: Floats, following: Floats, rate: float, keep: float) -> float:
    """Step towards what was arrived at; how far that was away."""
    error = 0.0
    for k in range(len(now)):
        now[k] = following[k] - now[k]
        error += abs(now[k])
        now[k] *= rate
    step(layers, traces, now, keep)
    return error


@kernel(
    types.void(
        *(INITIAL, MOVES, OUTCOME, CHANCES, HAPPEN, INPUTS, INPUTS, INPUT_CHANGES),
        *(types.int64, types.Array(types.int32, 2, "C"), INDICES),
        *(LAYERS, TRACES, MEANING, SIGHT, PRACTICE),
        *(FEATURES, FEATURES, STREAMS, types.Array(types.float32, 2, "C")),
    )
)
def practise(  # type: ignore[no-untyped-def]
    initial,
    moves,
    outcome,
    chances,
    happen,
    encode,
    encode_base,
    changes,
    state_size,
    symmetries,
    limits,
    layers: Layers,
    traces: Traces,
    meaning: Meaning,
    sight: Sight,
    practice: Practice,
    rates: Floats,
    keeps: Floats,
    streams: Streams,
    played: Floats,
) -> None:
    """Play contests and learn from them.

    Args:
        initial: The game's kernels: ``initial``,
        moves: ``moves``,
        outcome: ``outcome``,
        chances: ``chances``,
        happen: ``happen``;
        encode: those of an encoding, its ``kernel``,
        encode_base: ``base``,
        changes: and ``changes``.
        state_size: The length of a state.
        symmetries: `Game.slot_symmetries`.
        limits: `Limits.as_array`.
        layers: The weights; they are changed.
        traces: Traces of their shape.
        meaning: What the outputs stand for.
        sight: How positions are seen.
        practice: How it plays.
        rates: The learning rate of each contest, shape ``(N,)``.
        keeps: λ in each.
        streams: Where each contest's chances begin; they move on.
        played: What is told of each, shape ``(N, 3)``; see `PLAYED`.
    """
    desk = make_desk(layers, MOST_MOVES)
    state = np.zeros(state_size, dtype=np.int8)
    afterstates = np.zeros((MOST_MOVES, state_size), dtype=np.int8)
    actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    worths = np.zeros(MOST_MOVES, dtype=np.float32)
    now, following = np.zeros_like(layers.output_bias), np.zeros_like(layers.output_bias)
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    limited = limits[0] > 0 or limits[2] > 0
    kept = np.zeros((256 if limited else 1, key_length(state_size)), dtype=np.int64)
    counters = np.zeros(COUNTERS, dtype=np.int32)
    for contest in range(len(rates)):
        initial(state)
        forget(traces)
        counters[0], counters[1], counters[2] = 0, 0, state[0]
        if limited:
            note_position(state, kept, counters, symmetries, limits)
        opening = draw(streams, contest, practice.openings + 1) if practice.openings > 0 else 0
        plies, errors, result = 0, 0.0, ONGOING
        while result == ONGOING:
            if plies >= opening:
                arrive(encode, layers, traces, meaning, sight, practice.squared, state, desk, now)
            settle(chances, happen, state, cases, streams, contest)
            found = moves(state, afterstates, actions)
            if plies >= opening:
                weigh(
                    *(encode, encode_base, changes, outcome, layers, meaning, sight),
                    *(state, afterstates, found, desk, worths),
                )
                best = best_of(worths, found)
                chosen = drawn(worths, best, found, practice, streams, contest)
            else:
                chosen = best = draw(streams, contest, found)
            state[:] = afterstates[chosen]
            plies += 1
            result = outcome(state)
            if result == ONGOING and limited:
                if counters[0] == len(kept):
                    kept = doubled(kept)
                result = note_position(state, kept, counters, symmetries, limits)
            if plies > opening and result != CUT:
                # what the best move leads to: how the contest has ended, or what is predicted there
                points = result if chosen == best else outcome(afterstates[best])
                foresee(encode, layers, meaning, sight, points, afterstates[best], desk, following)
                errors += _learn(layers, traces, now, following, rates[contest], keeps[contest])
                if chosen != best:
                    forget(traces)  # the best moves are what is learned about: Watkins 1989
        played[contest, 0] = np.nan if result == CUT else result
        played[contest, 1] = plies
        played[contest, 2] = errors / max(1, plies - opening)
