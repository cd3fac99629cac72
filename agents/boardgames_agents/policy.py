"""The interface of everything that plays: `Policy`, `Learner`, and `make_agent`, which makes them from specs."""

import hashlib
import json
import pkgutil
from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.spec import call_factory, defaults, format_spec, parse_spec

if TYPE_CHECKING:
    from boardgames_agents.arena.contest import Record

Rng = np.random.Generator


class Policy(ABC):
    """Something that chooses actions.

    In a contest it is told `begin`, then for every action of either seat `saw`, and then `end`; `choose` is asked
    when one of its seats is to move. It draws all its chances from the generator it is given, keeps nothing it
    is handed a reference to alive in another form, and carries nothing from one contest to the next unless it is
    a `Learner`.

    Attributes:
        spec: The text that makes it again.
        origin: A digest of what else it was made from, such as a file that its spec only names; nothing if the spec
            says all.
        interactive: Whether a person answers.
    """

    spec: str = ""
    origin: str = ""
    interactive: bool = False
    rng: Rng

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins.

        Args:
            game: The game.
            seats: The seats it plays: one; both, ``(0, 1)``, if it plays itself; none, ``()``, if it watches.
            rng: The generator of its chances for this contest.
        """
        self.rng = rng

    @abstractmethod
    def choose(self, position: Position) -> int:
        """A legal action for the seat to move, in any legal position that is not over."""

    def saw(self, position: Position, action: int) -> None:  # noqa: B027  (most have nothing to do)
        """An action was played, by itself or another, in a position."""

    def given(self, position: Position, action: int) -> None:  # noqa: B027
        """An action was played that nobody chose, as part of the contest's opening."""

    def end(self, record: "Record") -> None:  # noqa: B027
        """The contest is over."""


Distribution = tuple[tuple[int, ...], tuple[float, ...]]
"""Actions and their probabilities, which sum to 1."""


class MarkovPolicy(Policy):
    """A policy that goes by the position alone: it says how likely it is to play each action."""

    def __init__(self) -> None:
        self._samplers: dict[bytes, tuple[tuple[int, ...], list[float]]] = {}

    @abstractmethod
    def distribution(self, position: Position) -> Distribution:
        """The actions it may choose, and how likely each is."""

    def choose(self, position: Position) -> int:
        """An action drawn from `distribution`."""
        sampler = self._samplers.get(position.key)
        if sampler is None:
            actions, probabilities = self.distribution(position)
            sampler = self._samplers[position.key] = (actions, list(accumulate(probabilities))[:-1])
            if len(self._samplers) > _MOST_SAMPLERS:
                self._samplers.clear()
        actions, bounds = sampler
        return actions[bisect(bounds, self.rng.random())] if bounds else actions[0]


_MOST_SAMPLERS = 1_000_000


def uniform(actions: tuple[int, ...]) -> Distribution:
    """All actions equally likely."""
    return actions, (1 / len(actions),) * len(actions)


def drawn(distribution: Distribution, rng: Rng) -> int:
    """An action drawn from a distribution."""
    actions, probabilities = distribution
    return actions[bisect(list(accumulate(probabilities))[:-1], rng.random())] if len(actions) > 1 else actions[0]


def mixture(parts: list[tuple[float, Distribution]]) -> Distribution:
    """Distributions mixed with the given weights, which sum to 1."""
    total: dict[int, float] = {}
    for weight, (actions, probabilities) in parts:
        if weight > 0:
            for action, probability in zip(actions, probabilities, strict=True):
                total[action] = total.get(action, 0.0) + weight * probability
    chosen = sorted(total)
    return tuple(chosen), tuple(total[action] for action in chosen)


@dataclass(frozen=True)
class Snapshot:
    """Everything a learner has learned, as plain data.

    Attributes:
        arrays: Arrays by name.
        data: Whatever JSON can hold.
    """

    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The same for snapshots of which all is the same."""
        total = hashlib.sha256(json.dumps(dict(self.data), sort_keys=True).encode())
        for name, array in sorted(self.arrays.items()):
            total.update(f"{name} {array.dtype} {array.shape}".encode())
            total.update(np.ascontiguousarray(array).tobytes())
        return total.hexdigest()


@dataclass(frozen=True)
class Practised:
    """Contests that a learner has played in a row.

    Attributes:
        points: The points in each, not a number where a limit cut it short; shape ``(N,)``. Seat 0's of contests
            against itself, otherwise the learner's.
        plies: The plies of each, shape ``(N,)``; zeros if they were not counted.
    """

    points: NDArray[np.float32]
    plies: NDArray[np.int64]


class Learner(Policy):
    """A policy that also learns, from the contests it plays, and from those it watches.

    Attributes:
        experts: The seats of a contest whose player it may take for an expert; whoever trains it says so before the
            contest begins.
        practice: Whether a contest against itself is practice between lessons, which it may vary; said likewise.
    """

    experts: tuple[int, ...] = ()
    practice: bool = False

    @property
    def teacher(self) -> Policy | None:
        """Whom it would take lessons from, if it brings a teacher of its own; what that knows may change with it."""
        return None

    def practise(self, seed: Sequence[int], contests: range) -> Practised | None:
        """Play contests against itself and learn from them, if it has a faster way than `choose` and `saw`.

        Args:
            seed: Whole numbers that settle every chance,
            contests: with the numbers of the contests.

        Returns:
            How they went; ``None``, and nothing has happened, if it has no such way.
        """
        return None

    def meet(self, opponent: str, seed: Sequence[int], contests: range) -> Practised | None:
        """Play contests against an opponent and learn from them, if it has a faster way than `choose` and `saw`.

        Args:
            opponent: The opponent's spec; the seats alternate.
            seed: As for `practise`,
            contests: likewise.

        Returns:
            As `practise` does.
        """
        return None

    @abstractmethod
    def frozen(self) -> Policy:
        """A policy that plays as well as this one has learned to by now, explores nothing and learns nothing."""

    @abstractmethod
    def knowledge(self) -> Mapping[str, float]:
        """Named numbers about what has been learned, for the log."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Everything learned, copied; `restore` brings it back exactly."""

    def skill(self) -> Snapshot:
        """What it takes to play as well, for `restore`: a snapshot that may lack what only more learning needs."""
        return self.snapshot()

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Become what a snapshot says.

        Raises:
            BadInputError: If the snapshot is not one of such a learner at this game.
        """


Made = TypeVar("Made", bound=Callable[..., Policy])


@dataclass(frozen=True)
class AgentEntry:
    """A registered agent, not made yet."""

    name: str
    factory: Callable[..., Policy]
    yardstick: bool = False

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (self.factory.__doc__ or "").strip().splitlines()[0]

    @property
    def options(self) -> dict[str, Any]:
        """Its options and their defaults."""
        return defaults(self.factory, skip=1)


_entries: dict[str, AgentEntry] = {}

AGENTS = "boardgames_env.agents"
"""The entry points of packages that bring more agents: modules that register them."""


def agent(name: str, yardstick: bool = False) -> Callable[[Made], Made]:
    """Register what makes a policy: a class or function of the game and the agent's options.

    Args:
        name: What specs call it.
        yardstick: Whether it is usual to hold other agents against it, at the few games that it can play.
    """

    def register(factory: Made) -> Made:
        if name in _entries:
            raise BadInputError(f"an agent {name!r} is registered already; choose another name")
        _entries[name] = AgentEntry(name, factory, yardstick)
        return factory

    return register


def registered_agents() -> dict[str, AgentEntry]:
    """All registered agents by name."""
    _import_all()
    return dict(sorted(_entries.items()))


@cache
def _import_all() -> None:
    """Look at every module directly below `agents` and `experts`, and at those installed elsewhere."""
    for package in ("boardgames_agents", "boardgames_agents.experts"):
        for module in pkgutil.iter_modules(import_module(package).__path__):
            import_module(f"{package}.{module.name}")
    for installed in entry_points(group=AGENTS):
        try:
            installed.load()
        except Exception as error:  # (whatever it is: nothing else shall be out of reach for it)
            warn(f"the agents of {installed.value} cannot be imported: {error!r}", stacklevel=2)


def make_agent(spec: str, game: Game) -> Policy:
    """Make an agent for a game.

    Args:
        spec: An agent's name with its options, such as ``"fallible(e=0.1)"``.
        game: The game it is to play.

    Raises:
        BadInputError: For an unknown agent or option, an option's value that is not allowed, or a game that such
            an agent cannot play.
    """
    name, options = parse_spec(spec)
    agents = registered_agents()
    if name not in agents:
        raise BadInputError(f"there is no agent {name!r}; the agents are: {one_of(agents)}")
    policy = call_factory(agents[name].factory, name, options, game)
    usual = agents[name].options
    policy.spec = format_spec(
        name, {key: options[key] for key in usual if key in options and options[key] != usual[key]}
    )
    return policy


def yardsticks_at(game: Game) -> list[str]:
    """The agents that it is usual to hold others against at a game."""
    found = []
    for name, entry in registered_agents().items():
        if entry.yardstick:
            with suppress(BadInputError):
                make_agent(name, game)
                found.append(name)
    return found


def make_player(spec: str, game: Game) -> Policy:
    """Make an agent that plays and does not learn: a learner is frozen. For environments that want an opponent.

    Args:
        spec: As for `make_agent`.
        game: As for `make_agent`.

    Raises:
        BadInputError: As `make_agent` does.
    """
    policy = make_agent(spec, game)
    if not isinstance(policy, Learner):
        return policy
    player = policy.frozen()
    player.spec = policy.spec
    return player
