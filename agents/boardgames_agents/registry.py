"""The registry of agents: `agent` enters one, `make_agent` makes one from its spec."""

import pkgutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeVar
from warnings import warn

from boardgames_agents.policy import Learner, Policy
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.spec import call_factory, defaults, format_spec, parse_spec

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
