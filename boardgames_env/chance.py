"""Chance events, such as rolls of dice, drawn from streams of random numbers that Python and kernels share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from boardgames_env.errors import BadInputError
from boardgames_env.kernels import Actions, State, chance_events, happen, helper, inlined, kernel
from boardgames_env.kernels.signatures import INT32_1D, UINT64_1D, UInt64s

if TYPE_CHECKING:
    from boardgames_env.game import Game

MOST_EVENTS = 64
"""The most chance events that a position may have."""


@chance_events
def no_chance_events(state: State, cases: Actions) -> int:
    """Return 0: the kernel of games without chance."""
    return 0


@happen
def no_event_happens(state: State, event: int) -> None:
    """Do nothing: the kernel of games without chance."""


def refuse_chance(game: "Game", why: str) -> None:
    """Raise `BadInputError` with the reason ``why`` if anything in a game is left to chance."""
    if game.rules.has_chance:
        raise BadInputError(f"{game.spec} is a game of chance, and {why}")


def stream_from(rng: np.random.Generator) -> np.uint64:
    """Draw the start of a stream for `draw`: any number but 0."""
    return rng.integers(1, 1 << 64, dtype=np.uint64)


def streams_for(seed: Sequence[int], contests: range) -> UInt64s:
    """Return the starts of the streams of numbered contests, shape ``(len(contests),)``.

    The numbers are scattered by the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
    """
    first = np.random.default_rng(seed).integers(1 << 64, dtype=np.uint64)
    z = first + np.arange(contests.start + 1, contests.stop + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.maximum(z ^ (z >> np.uint64(31)), np.uint64(1))


@helper
def draw(streams: UInt64s, which: int, bound: int) -> int:
    """Draw a number from 0 to ``bound - 1`` from a stream (Marsaglia's xorshift64, 2003), which moves on.

    The numbers are equally likely but for ``bound`` in 2³². No product overflows, which NumPy would warn of.
    """
    x = streams[which]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    streams[which] = x
    return int(np.int64(((x >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)))  # (signed: compilers ask)


draw_number = kernel(types.int64(UINT64_1D, types.int64, types.int64))(draw)


@helper
def draw_event(cases: Actions, events: int, streams: UInt64s, which: int) -> int:
    """Draw one of the first ``events`` events, each in proportion to its number of cases."""
    total = 0
    for event in range(events):
        total += cases[event]
    left = draw(streams, which, total)
    event = 0
    while left >= cases[event]:
        left -= cases[event]
        event += 1
    return event


@inlined
def settle(kernels: Any, state: State, cases: Actions, streams: UInt64s, which: int) -> None:
    """Let chance events happen, in place, until a seat can move or the contest is over.

    ``kernels`` is any bundle with those of chance; ``cases`` has room for `MOST_EVENTS` numbers; ``which`` is the index
    of the stream to draw from.
    """
    events = kernels.chance_events(state, cases)
    while events > 0:
        kernels.happen(state, draw_event(cases, events, streams, which))
        events = kernels.chance_events(state, cases)


_draw_event = kernel(types.int64(INT32_1D, types.int64, UINT64_1D, types.int64))(draw_event)


class ChanceStream:
    """The chance events of one contest after another, drawn from a stream that ``rng`` begins."""

    def __init__(self, game: "Game", rng: np.random.Generator) -> None:
        self._game = game.ready  # (not its rules, which cannot be pickled)
        self._stream = np.zeros(1, dtype=np.uint64)
        self._cases = np.zeros(MOST_EVENTS, dtype=np.int32)
        if game.rules.has_chance:
            self._stream[0] = stream_from(rng)

    def settle(self, state: State) -> list[int]:
        """Let chance events happen as `settle` does, and return them in order."""
        happened: list[int] = []
        rules = self._game.rules
        if rules.has_chance:
            while (events := rules.chance_events.run(state, self._cases)) > 0:
                happened.append(_draw_event.run(self._cases, events, self._stream, 0))
                rules.happen.run(state, happened[-1])
        return happened
