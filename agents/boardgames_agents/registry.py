"""The registry of agents: `agent` enters one, `make_agent` makes one from its spec."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeVar
from warnings import warn

from boardgames_agents.policy import Learner, Policy, demand_kind, name_of
from boardgames_env.errors import BadInputError, described
from boardgames_env.game import Game
from boardgames_env.spec import RECIPE, Entry, Spec, demand_entry

Factory = TypeVar("Factory", bound=Callable[..., Policy])


@dataclass(frozen=True)
class AgentEntry(Entry[Policy]):
    """A registered agent; see `agent`."""

    given = 1
    REGISTERED_AS = "agent"

    yardstick: bool = False
    curves: Mapping[str, str] = field(default_factory=dict, compare=False)
    needs: str = ""
    known_by: str = ""
    for_people: str = ""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.for_people.partition(": ")[0] or self.name.replace("_", " ").capitalize()

    @property
    def does(self) -> str:
        """What it does, in words for people."""
        return self.for_people.partition(": ")[2] or self.summary.replace("`", "").rstrip(".")

    @property
    def learns(self) -> bool:
        """Whether it is a learner, which knows nothing when it is made. (Every learner has curves.)"""
        return bool(self.curves)


AgentLike = str | Spec | Policy
"""An agent, or the spec that makes it."""

_entries: dict[str, AgentEntry] = {}

AGENTS = "boardgames_env.agents"
"""The entry points of packages that bring more agents: modules that register them."""


def agent(
    name: str,
    yardstick: bool = False,
    options: type | None = None,
    curves: Mapping[str, str] | None = None,
    needs: str = "",
    known_by: str = "",
    for_people: str = "",
) -> Callable[[Factory], Factory]:
    """Register a class or function that makes a policy.

    Args:
        name: The name in specs.
        yardstick: Whether other agents are usually compared with it, at the few games that it can play.
        options: The frozen dataclass of its options: it is called with the game and one object of that class. Without
            it, it is called with the game and the options as keyword arguments.
        curves: For a learner, the names of the numbers of `Learner.knowledge`, which TensorBoard shows, and the formula
            of each. ``{...}`` in a name stands for any text.
        needs: The other program that it runs, if any.
        known_by: The option whose value is its label, such as the run's folder of `trained`.
        for_people: Its name for people, a colon and what it does; by default the name in specs and the summary.
    """

    def register(factory: Factory) -> Factory:
        if name in _entries or _modules().get(name, factory.__module__) != factory.__module__:
            raise BadInputError(f"an agent {name!r} is registered already; choose another name")
        _entries[name] = AgentEntry(name, factory, options, yardstick, curves or {}, needs, known_by, for_people)
        return factory

    return register


def registered_agents() -> dict[str, AgentEntry]:
    """Return all registered agents by name."""
    _import_all_agents()
    return dict(sorted(_entries.items()))


def agent_named(name: str) -> AgentEntry | None:
    """Return a registered agent, and import only the module that registers it."""
    if name not in _entries and name in _modules():
        import_module(_modules()[name])
    return _entries.get(name) or registered_agents().get(name)


def demand_agent(name: str) -> AgentEntry:
    """Return a registered agent; see `make_agent` for the errors."""
    agents = _entries if agent_named(name) else registered_agents()
    demand_entry("agent", name, agents)
    return agents[name]


@cache
def _modules() -> dict[str, str]:
    """Return the modules of this package whose source has the decorator `agent`, by the names that they register."""
    root = Path(import_module("boardgames_agents").__path__[0])
    found = {}
    for file in root.rglob("*.py"):
        for name in _DECORATOR.findall(file.read_text(encoding="utf-8")):
            module = ".".join((root.name, *file.relative_to(root).with_suffix("").parts))
            found[name] = module.removesuffix(".__init__")
    return found


_DECORATOR = re.compile(r'^@agent\(\s*"(\w+)"', re.MULTILINE)


@cache
def _import_all_agents() -> None:
    """Import the modules of all agents, and those that other packages bring."""
    for module in sorted(set(_modules().values())):
        import_module(module)
    for installed in entry_points(group=AGENTS):
        try:
            installed.load()
        except Exception as error:  # (of any kind: the other agents must stay available)
            warn(f"the agents of {installed.value} cannot be imported: {described(error)}", stacklevel=2)


def make_agent(spec: str | Spec, game: Game) -> Policy:
    """Make an agent for a game from its name with options, such as ``"fallible(e=0.1)"``.

    Raises:
        BadInputError: For an unknown agent or option, a value that is not allowed, or a game that the agent cannot
            play.
    """
    spec = Spec.parse(spec)
    entry, given = demand_agent(spec.name), spec.options
    policy = entry.make(given, game)
    policy.spec = str(Spec(spec.name, entry.differing(given)))
    return policy


def label_of(spec: str | Spec) -> str:
    """Return a short text for an agent's spec, for headings and progress bars.

    Where the spec is long, it is `Entry.label`; for the player of a run or a file, it is that, and its other
    options. Any other text is returned as it is.
    """
    text = str(spec)
    with suppress(BadInputError):
        parsed = Spec.parse(spec)
        entry = agent_named(parsed.name)
        if entry and entry.known_by in parsed.options:
            others = [f"{key}={value!r}" for key, value in parsed.options.items() if key != entry.known_by]
            return f"{parsed.options[entry.known_by]}{' (' * bool(others)}{', '.join(others)}{')' * bool(others)}"
        if entry and len(text) > _LONGEST:
            entry.check(parsed.options)
            return entry.label(parsed.options)
    return text


def labels_of(specs: Sequence[str]) -> list[str]:
    """Return the labels of specs that stand beside each other, or the specs where labels hide what differs."""
    labels = [label_of(spec) for spec in specs]
    return labels if len(set(labels)) == len(set(specs)) else list(specs)


_LONGEST = 40
"""Characters of a spec that is its own label."""


def recipe_instead(spec: Spec, game: Game) -> str:
    """Return the spec with the first recipe that a game allows, if it has none; empty if there is none to add.

    A spec that gives most of the options of that recipe itself needs none.
    """
    entry = agent_named(spec.name)
    recipes = entry.recipes.items() if entry and RECIPE not in spec.options else ()
    for name, recipe in recipes:
        better = Spec(spec.name, {RECIPE: name, **spec.options})
        with suppress(BadInputError):
            make_agent(Spec(spec.name, {RECIPE: name}), game)
            left_out = recipe.options.keys() - spec.options.keys()
            return str(better) if 2 * len(left_out) > len(recipe.options) else ""
    return ""


def yardsticks_at(game: Game) -> list[str]:
    """Return the agents that others are usually compared with at a game."""
    found = []
    for name, entry in registered_agents().items():
        if entry.yardstick:
            with suppress(BadInputError):
                make_agent(name, game)
                found.append(name)
    return found


def make_player(who: AgentLike, game: Game) -> Policy:
    """Return an agent that plays and does not learn: a learner is frozen, and the player has its spec.

    Raises:
        BadInputError: As for `make_agent`, and if a learner returns no policy.
    """
    policy = who if isinstance(who, Policy) else make_agent(who, game)
    if not isinstance(policy, Learner):
        return policy
    player = policy.frozen()
    demand_kind(name_of(policy), "frozen", player, Policy)
    player.spec = player.spec or policy.spec
    return player


def make_learner(spec: str | Spec, game: Game, seed: int = 0) -> Learner:
    """Make a learner that has not learned anything.

    ``seed`` is the value of its option ``seed``, if it has one and the spec leaves it out.

    Raises:
        BadInputError: As for `make_agent`, and for an agent that does not learn.
    """
    spec = Spec.parse(spec)
    entry = agent_named(spec.name)
    if seed and entry and "seed" in entry.options:
        spec = Spec(spec.name, {"seed": seed, **spec.options})
    learner = make_agent(spec, game)
    if not isinstance(learner, Learner):
        raise BadInputError(f"{spec} does not learn; train a learner, such as td or menace")
    return learner
