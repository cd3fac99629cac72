"""Who plays the other seat of a Gymnasium environment."""

from importlib.metadata import entry_points
from typing import Protocol, cast, runtime_checkable

import numpy as np
from numba import types

from boardgames_env.chance import draw, stream_from
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import kernel
from boardgames_env.kernels.signatures import UINT64_1D, UInt64s
from boardgames_env.position import Position

RANDOM = "random"
POLICIES = "boardgames_env.policies"
"""The entry points that make policies: functions of a spec and a game."""


@runtime_checkable
class Opponent(Protocol):
    """What an environment asks of an opponent. The policies of `agents` are such; any object of this form will do.

    A policy's ``end`` is not called: what it is told there, the record of the contest, is the arena's.
    """

    def begin(self, game: Game, seats: tuple[int, ...], rng: np.random.Generator) -> None:
        """A contest begins, in which it plays the given seats and draws its chances from ``rng``."""

    def choose(self, position: Position) -> int:
        """A legal action for the seat to move."""

    def saw(self, position: Position, action: int) -> None:
        """An action was played, by either seat, in a position."""


def make_opponent(opponent: Opponent | str | None, game: Game) -> Opponent | None:
    """The opponent an environment is made with.

    Args:
        opponent: ``"random"``, which is built in; a policy; the spec of one, made by whoever is registered under
            the entry points `POLICIES`; or ``None`` for none.
        game: The game it is to play.

    Raises:
        BadInputError: If there is no such opponent.
    """
    if opponent == RANDOM:
        return RandomOpponent()
    if isinstance(opponent, str):
        return _make_policy(opponent, game)
    if opponent is None or isinstance(opponent, Opponent):
        return opponent
    raise BadInputError(
        f"opponent={opponent!r} is not allowed; it must be 'random', None, a policy or the spec of a policy"
    )


def _make_policy(spec: str, game: Game) -> Opponent:
    refusals = []
    for maker in entry_points(group=POLICIES):
        try:
            return cast(Opponent, maker.load()(spec, game))
        except BadInputError as refusal:
            refusals.append(str(refusal))
    raise BadInputError("; ".join(refusals) or f"there is no opponent {spec!r}; the only one installed is 'random'")


class RandomOpponent:
    """Plays every legal action equally often.

    It draws from a stream of its own, started from the generator it is given when that is a new one, that is,
    whenever the environment is seeded; so a batch of copies can draw the same actions within one kernel.
    """

    def __init__(self) -> None:
        self._rng: np.random.Generator | None = None
        self._stream = np.zeros(1, dtype=np.uint64)

    def begin(self, game: Game, seats: tuple[int, ...], rng: np.random.Generator) -> None:
        """Go on with the stream, or start one."""
        if rng is not self._rng:
            self._rng = rng
            self._stream[0] = stream_from(rng)

    def choose(self, position: Position) -> int:
        """Any legal action."""
        legal = position.legal_actions
        return legal[int(_draw.run(self._stream, 0, len(legal)))]

    def saw(self, position: Position, action: int) -> None:
        """Nothing to learn."""


@kernel(types.int64(UINT64_1D, types.int64, types.int64))
def _draw(streams: UInt64s, which: int, bound: int) -> int:
    return int(draw(streams, which, bound))
