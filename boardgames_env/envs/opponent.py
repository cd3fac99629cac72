"""Opponents: the policies that play the other seat of a Gymnasium environment."""

from importlib.metadata import entry_points
from typing import Protocol, cast, runtime_checkable

import numpy as np

from boardgames_env.chance import draw_number, stream_from
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Int8s, Int64s
from boardgames_env.position import Position

RANDOM = "random"
POLICIES = "boardgames_env.policies"
"""The group of entry points that make policies: functions of a spec and a game."""


@runtime_checkable
class Opponent(Protocol):
    """The methods that an environment calls on an opponent: a part of `boardgames_agents.policy.Policy`.

    1. `begin` is called before every contest; `choose` whenever the opponent is to move; `saw` after every action of
       either seat, its own included, with the position before the action.
    2. ``end`` is never called: an environment makes no record of the contest.
    3. An illegal choice raises `IllegalActionError`.
    """

    def begin(self, game: Game, seats: tuple[int, ...], rng: np.random.Generator) -> None:
        """Begin a contest, playing the given seats, with random numbers from ``rng``."""

    def choose(self, position: Position) -> int:
        """Return a legal action for the seat to move."""

    def saw(self, position: Position, action: int) -> None:
        """Note an action played by either seat in a position."""


class BatchPlayer(Protocol):
    """The opponent in all copies of a batch. In each it chooses as an `Opponent` does that has the copy to itself."""

    def seed(self, copy: int, rng: np.random.Generator) -> None:
        """Take another generator for the contests of a copy, before the first and at a reset with a seed."""

    def begin(self, copies: Int64s) -> None:
        """Begin a contest in some copies."""

    def choose(self, states: Int8s, copies: Int64s) -> Int64s:
        """Return a legal action for the seat to move in each state; ``copies`` are the indices of its copies."""


@runtime_checkable
class BatchOpponent(Opponent, Protocol):
    """An opponent that can play in many copies at once."""

    def in_batch(self, game: Game, copies: int) -> BatchPlayer | None:
        """Return a player for the copies of a batch, or ``None`` if it plays one contest at a time."""


def make_opponent(opponent: Opponent | str | None, game: Game) -> Opponent | None:
    """Return an opponent: ``"random"``, a policy, one made of its spec by an entry point, or ``None``."""
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
    """A policy that plays all legal actions with equal probability.

    It draws from a stream of its own, so that a batch of copies can draw the same actions within one kernel.
    """

    def __init__(self) -> None:
        self._rng: np.random.Generator | None = None
        self._stream = np.zeros(1, dtype=np.uint64)

    def begin(self, game: Game, seats: tuple[int, ...], rng: np.random.Generator) -> None:
        """Start a stream if the generator is a new one."""
        if rng is not self._rng:
            self._rng = rng
            self._stream[0] = stream_from(rng)

    def choose(self, position: Position) -> int:
        """Return a legal action, drawn from the stream."""
        legal = position.legal_actions
        return legal[int(draw_number.run(self._stream, 0, len(legal)))]

    def saw(self, position: Position, action: int) -> None:
        """Do nothing."""
