"""What chance decides in a contest: dice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.kernels import (
    INDICES,
    Actions,
    State,
    chances,
    happen,
    helper,
    kernel,
)

if TYPE_CHECKING:
    from boardgames_env.game import Game

MOST_EVENTS = 64
"""No chance of a game has more events."""

Streams = NDArray[np.uint64]

STREAMS = types.Array(types.uint64, 1, "C")


@chances
def no_chances(state: State, cases: Actions) -> int:
    """Say that nothing is left to chance: the kernel of games without dice."""
    return 0


@happen
def nothing_happens(state: State, event: int) -> None:
    """Do nothing: the kernel of games without dice."""


def refuse_chance(game: "Game", why: str) -> None:
    """Refuse games of chance, in what goes by the actions alone.

    Args:
        game: The game.
        why: What does not go with dice, the end of a sentence.

    Raises:
        BadInputError: If the game leaves anything to chance.
    """
    if game.rules.have_chances:
        raise BadInputError(f"{game.spec} is a game of chance, and {why}")


def stream_from(rng: np.random.Generator) -> np.uint64:
    """The start of a stream for `draw`: a number drawn from a generator, and not 0."""
    return rng.integers(1, 1 << 64, dtype=np.uint64)


def streams_for(seed: Sequence[int], contests: range) -> Streams:
    """The starts of streams for contests that are known by their numbers, shape ``(len(contests),)``.

    The numbers are scattered by the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
    """
    first = np.random.default_rng(seed).integers(1 << 64, dtype=np.uint64)
    z = first + np.arange(contests.start + 1, contests.stop + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.maximum(z ^ (z >> np.uint64(31)), np.uint64(1))


@helper
def draw(streams: Streams, which: int, bound: int) -> int:
    """A number from 0 to ``bound - 1`` drawn from a stream (Marsaglia's xorshift64, 2003), which moves on.

    It has no product that could overflow, which NumPy would warn of where this runs as plain Python. The numbers
    are equally likely but for ``bound`` in 2³².
    """
    x = streams[which]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    streams[which] = x
    return int(np.int64(((x >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)))  # (signed: compilers ask)


@helper
def draw_event(cases: Actions, events: int, streams: Streams, which: int) -> int:
    """One of some events, each as likely as it has cases."""
    total = 0
    for event in range(events):
        total += cases[event]
    left = draw(streams, which, total)
    event = 0
    while left >= cases[event]:
        left -= cases[event]
        event += 1
    return event


@helper
def settle(chances: Any, happen: Any, state: State, cases: Actions, streams: Streams, which: int) -> None:
    """Let chance decide, in place, all that it must before a seat can move: `Chances.settle` for kernels.

    Args:
        chances: The game's kernels: ``chances`` and
        happen: ``happen``.
        state: The state after an action, or the initial one; one in which a contest is over stays as it is.
        cases: Room for `MOST_EVENTS` numbers.
        streams: The streams that chance draws from.
        which: Which of them.
    """
    events = chances(state, cases)
    while events > 0:
        happen(state, draw_event(cases, events, streams, which))
        events = chances(state, cases)


@kernel(types.int64(INDICES, types.int64, STREAMS))
def _draw_event(cases: Actions, events: int, stream: Streams) -> int:
    return int(draw_event(cases, events, stream, 0))


class Chances:
    """The chances of one contest after another: a stream of dice.

    Args:
        game: The game.
        rng: Where the stream starts; one number is drawn from it, unless the game leaves nothing to chance.
    """

    def __init__(self, game: "Game", rng: np.random.Generator) -> None:
        self._game = game.ready  # (not its rules, which cannot be pickled)
        self._stream = np.zeros(1, dtype=np.uint64)
        self._cases = np.zeros(MOST_EVENTS, dtype=np.int32)
        if game.rules.have_chances:
            self._stream[0] = stream_from(rng)

    def settle(self, state: State) -> list[int]:
        """Let chance decide, in place, all that it must before a seat can move.

        Args:
            state: The state after an action, or the initial one.

        Returns:
            The events, in order; none where nothing was left to chance.
        """
        happened: list[int] = []
        rules = self._game.rules
        if rules.have_chances:
            while (events := rules.chances.run(state, self._cases)) > 0:
                happened.append(_draw_event.run(self._cases, events, self._stream))
                rules.happen.run(state, happened[-1])
        return happened
