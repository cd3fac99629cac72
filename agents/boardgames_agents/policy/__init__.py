"""The contract of agents: `Policy` chooses actions, `Learner` also learns. `registry` makes them from specs."""

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.policy.batch_players import ChoiceTable, LookupPlayer, is_distribution
from boardgames_agents.record import Distribution as Distribution
from boardgames_agents.record import Record
from boardgames_agents.record import Rng as Rng
from boardgames_env.array_file import digest
from boardgames_env.envs.opponent import BatchPlayer
from boardgames_env.errors import BadInputError, one_line, one_of
from boardgames_env.game import Game
from boardgames_env.position import IllegalActionError, Position


class Forfeit(BadInputError):  # noqa: N818  (not an error)
    """What `Policy.choose` raises to lose the contest, because it has no legal action to offer."""


class Policy(ABC):
    """An agent that plays a game.

    1. *Order of calls.* `begin` once; for each action of an opening `given`; then, for each action played by either
       seat, `choose` (only if one of its own seats is to move) and `saw`; `end` once. The next contest starts with
       `begin` again. A contest may be abandoned at any point, so `end` may be missing; `begin` must reset whatever
       belongs to one contest.
    2. *Its own actions* are reported by `saw`, exactly like those of the opponent. Chance events are not reported:
       they are part of the next position.
    3. *One object may hold both seats* of a contest, or none if it watches (see `begin`).
    4. *`choose` must not change the policy*, except that it may draw from `rng` and fill caches. It may be called
       for any legal position that is not over and awaits no chance event, and between contests as long as `begin`
       has been called once.
    5. *Determinism.* All random numbers come from the generator passed to `begin`. The same spec, positions and
       generator give the same actions, in any process. Time limits and global random state are not allowed.
    6. *Illegal actions.* A contest stops with `IllegalActionError` if `choose` returns an action that is not legal;
       nothing is scored and nobody forfeits. A policy that may be at a loss, such as a language model, raises
       `Forfeit`, and loses the contest.
    7. *Memory.* Only a `Learner` may carry anything from one contest to the next. Positions and records are immutable
       and may be kept; the generator must not be shared with another object.
    8. *Copying and pickling.* A policy needs no support for either: other processes make their own from `spec`. What
       `spec` does not describe must be described by `origin`.
    9. *Threads.* One policy is used by one thread at a time. Two policies may be used by two threads.

    Attributes:
        spec: The text from which `registry.make_agent` makes it again.
        origin: A digest of what else it was made from, such as a file named in `spec`; empty if there is nothing.
        interactive: Whether a person chooses the actions.
        waits: Whether it waits for another machine most of the time, so that threads play its contests at once.
        said: What it said with its last choice, for people; empty if it says nothing.
        rng: The generator of the current contest.
    """

    REGISTERED_AS: ClassVar[str] = "agent"

    spec: str = ""
    origin: str = ""
    interactive: bool = False
    waits: bool = False
    said: str = ""
    rng: Rng

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest in which it plays one seat, both, ``(0, 1)``, or none, ``()``, if it only watches."""
        self.rng = rng

    @abstractmethod
    def choose(self, position: Position) -> int:
        """Return a legal action for the seat to move."""

    def saw(self, position: Position, action: int) -> None:  # noqa: B027  (most policies ignore it)
        """Observe an action of either seat and the position in which it was played."""

    def given(self, position: Position, action: int) -> None:  # noqa: B027
        """Observe an action of the contest's opening, which neither seat chose."""

    def end(self, record: Record) -> None:  # noqa: B027
        """Finish the contest."""

    def by_position(self, game: Game) -> ChoiceTable | None:
        """Return the policy as a table of what `choose` draws from, if it chooses by the position alone, else ``None``.

        Contests of two such policies are played inside a kernel, without the calls of the first rule. A subclass that
        has another of these methods is not asked for the table of its base.
        """
        return None


class MarkovPolicy(Policy):
    """A policy whose choice depends on the position alone, by way of a probability distribution."""

    def __init__(self) -> None:
        self._samplers: dict[bytes, tuple[tuple[int, ...], list[float]]] = {}

    @abstractmethod
    def distribution(self, position: Position) -> Distribution:
        """Return the actions it may choose and their probabilities."""

    def distributions(self, positions: Sequence[Position]) -> Sequence[Distribution]:
        """Return `distribution` in each of some positions, which some policies find faster together."""
        return [self.distribution(position) for position in positions]

    def legal_distribution(self, position: Position) -> Distribution:
        """Return `distribution`; raise `BadInputError` if it is not one of legal actions."""
        return self.demand_distribution(position, self.distribution(position))

    def demand_distribution(self, position: Position, found: Distribution) -> Distribution:
        """Return what `distribution` has returned; raise `BadInputError` if it is not one of legal actions."""
        if not is_distribution(found):
            raise BadInputError(
                f"{name_of(self)} chose by {one_line(repr(found))}, which is no distribution: it must be a tuple of "
                "different actions and a tuple of their probabilities, as many numbers from 0 to 1, with the sum 1"
            )
        for action in found[0]:
            demand_legal(self, position, action)
        return found

    def choose(self, position: Position) -> int:
        """Draw an action from `distribution`."""
        sampler = self._samplers.get(position.key)
        if sampler is None:
            actions, probabilities = self.legal_distribution(position)
            sampler = self._samplers[position.key] = (actions, list(accumulate(probabilities))[:-1])
            if len(self._samplers) > _MOST_SAMPLERS:
                self._samplers.clear()
        actions, bounds = sampler
        return actions[bisect(bounds, self.rng.random())] if bounds else actions[0]

    def in_batch(self, game: Game, copies: int) -> BatchPlayer | None:
        """Return a batch version of this policy; ``None`` if it has a `choose` of its own."""
        return LookupPlayer(self, game, copies) if type(self).choose is MarkovPolicy.choose else None

    def by_position(self, game: Game) -> ChoiceTable | None:
        """Return the policy as a table."""
        return ChoiceTable(game, self.distribution)


_MOST_SAMPLERS = 1_000_000


def name_of(policy: Policy) -> str:
    """Return what a policy is called in messages."""
    return policy.spec or type(policy).__name__


def demand_kind(who: str, method: str, found: object, kind: type) -> None:
    """Raise `BadInputError` if a method of code that may be somebody else's has returned something of another kind."""
    if not isinstance(found, kind):
        raise BadInputError(f"{who}: {method}() returned {one_line(repr(found))}, which is no {kind.__name__}")


def demand_legal(policy: Policy, position: Position, action: int) -> None:
    """Raise `IllegalActionError` if a policy has chosen an action that is not legal."""
    is_whole = isinstance(action, (int, np.integer))
    if not (is_whole and action in position.legal_actions):
        chosen = action if is_whole else f"{one_line(repr(action))} of type {type(action).__name__}"
        raise IllegalActionError(
            f"{name_of(policy)} chose action {chosen}, which is not legal here; legal: {one_of(position.legal_actions)}"
        )


def uniform(actions: tuple[int, ...]) -> Distribution:
    """Return a distribution in which all actions are equally likely."""
    return actions, (1 / len(actions),) * len(actions)


def drawn(distribution: Distribution, rng: Rng) -> int:
    """Draw an action from a distribution."""
    actions, probabilities = distribution
    return actions[bisect(list(accumulate(probabilities))[:-1], rng.random())] if len(actions) > 1 else actions[0]


def mixture(parts: list[tuple[float, Distribution]]) -> Distribution:
    """Mix distributions with the given weights, which sum to 1."""
    total: dict[int, float] = {}
    for weight, (actions, probabilities) in parts:
        if weight > 0:
            for action, probability in zip(actions, probabilities, strict=True):
                total[action] = total.get(action, 0.0) + weight * probability
    chosen = sorted(total)
    return tuple(chosen), tuple(total[action] for action in chosen)


@dataclass(frozen=True)
class Snapshot:
    """Everything that a learner has learned, as plain data.

    Attributes:
        arrays: Arrays by name.
        data: Values that JSON can hold, by name.
    """

    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A hash of the content."""
        return digest(self.arrays, self.data)


def joined(snapshots: Sequence[Snapshot]) -> Snapshot:
    """Return several snapshots as one, which `parted` takes apart."""
    arrays = {f"{number}.{name}": each for number, one in enumerate(snapshots) for name, each in one.arrays.items()}
    return Snapshot(arrays, {"parts": [dict(each.data) for each in snapshots]})


def parted(snapshot: Snapshot) -> list[Snapshot]:
    """Return the snapshots of which `joined` has made one."""
    parts = []
    for number, data in enumerate(snapshot.data["parts"]):
        own = f"{number}."
        arrays = {name.removeprefix(own): each for name, each in snapshot.arrays.items() if name.startswith(own)}
        parts.append(Snapshot(arrays, data))
    return parts


@dataclass(frozen=True)
class Episodes:
    """The results of contests that a learner has played in a row.

    Attributes:
        points: The points of each contest, NaN where a limit cut it short; shape ``(N,)``. They are seat 0's points
            in self-play, otherwise the learner's.
        plies: The number of plies of each contest, shape ``(N,)``; zeros if they were not counted.
    """

    points: NDArray[np.float32]
    plies: NDArray[np.int64]


@dataclass(frozen=True)
class ContestInfo:
    """Information from the trainer about the next contest.

    Attributes:
        experts: The seats that experts play; a learner may imitate their moves.
        practice: Whether the contest is practice between lessons, in which a learner may vary its play.
    """

    experts: tuple[int, ...] = ()
    practice: bool = False


class Learner(Policy):
    """A policy that learns from the contests that it plays or watches.

    The contract of `Policy` holds, and also:

    1. *Order of calls.* A trainer may call `prepare` before `begin`; the information holds until it is called again.
       Learning takes place in `saw` and `end`.
    2. *Resuming.* `snapshot` is called only between contests. A learner made from the same spec that gets the snapshot
       by `restore` must continue exactly as the first one would, given the same contests.
    3. *Exploration* belongs to the learner. `frozen` returns a policy that neither explores nor learns, and that later
       learning does not change.
    4. *Whole contests.* `self_play` and `play_episodes_against` are optional and faster. They must use generators
       seeded with ``[*seed, k]`` for contest k, so that any division of a range into parts gives the same result.
    """

    info: ContestInfo = ContestInfo()
    """The information passed to `prepare` last."""

    on_played: Callable[[int], object] | None = None
    """Where it is set, whole contests call it now and then with the number that are over, for progress bars."""

    def prepare(self, info: ContestInfo) -> None:
        """Set what the learner knows about the next contest."""
        self.info = info

    @property
    def experts(self) -> tuple[int, ...]:
        """The seats that experts play in this contest."""
        return self.info.experts

    @property
    def practice(self) -> bool:
        """Whether this contest is practice between lessons."""
        return self.info.practice

    @property
    def teacher(self) -> Policy | None:
        """The teacher that belongs to this learner, if any; it may change as the learner learns."""
        return None

    def self_play(self, seed: Sequence[int], contests: range) -> Episodes | None:
        """Play numbered contests against itself and learn from them, faster than by `choose` and `saw`.

        Contest k is seeded with ``[*seed, k]``. Without a faster way, nothing is done and the result is ``None``.
        """
        return None

    def play_episodes_against(self, opponent: str, seed: Sequence[int], contests: range) -> Episodes | None:
        """Play contests against an opponent and learn from them, faster than by `choose` and `saw`.

        The learner has seat 0 in contests 0, 2, …; the rest is as for `self_play`.
        """
        return None

    @abstractmethod
    def frozen(self) -> Policy:
        """Return a policy that plays by what has been learned so far, without exploring or learning."""

    def frozen_at(self, game: Game) -> Policy:
        """Return a policy that plays the game it has learned with other options, by what has been learned so far.

        Raises:
            BadInputError: If what it has learned does not cover that game, which by default is so.
        """
        raise BadInputError("play that game with it")

    @abstractmethod
    def knowledge(self) -> Mapping[str, float]:
        """Return named numbers about what has been learned, for the log."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Return a copy of everything learned, from which `restore` continues exactly."""

    def settled_options(self) -> Mapping[str, Any]:
        """Return the options that were left to it, with the values that it has chosen; by default none."""
        return {}

    def skill(self) -> Snapshot:
        """Return a snapshot that is enough to play as well, but perhaps not to go on learning exactly."""
        return self.snapshot()

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Replace everything learned by a snapshot.

        Raises:
            BadInputError: If the snapshot is not of such a learner at this game.
        """
