"""The configuration of an improvement, which its folder holds in ``config.json``, and what it starts from."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator
from boardgames_agents.improve.batch_td import RoundOptions
from boardgames_agents.improve.examples import ExampleOptions
from boardgames_agents.improve.fitting import FittingOptions
from boardgames_agents.improve.teacher import SelfPlayOptions
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.td.network import FilteredNetwork, Network
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind
from boardgames_env.game import Game
from boardgames_env.json_file import read_json, write_json

STARTED = "started from"
"""The entry of a network's file that says how those before it were made, the first one first: a list in JSON.

Networks that were joined to one of them are not in it; the options of that improvement name them.
"""

CONFIG = "config.json"
_CONFIG_KIND = FileKind("the configuration of an improvement", "restore it, or give another folder", is_sealed=False)

_SET_APART = 10
"""Of this number of blocks of examples one is not learned from."""


class IterationConfig:
    """What every configuration of an improvement has; a subclass is a frozen dataclass, which describes it."""

    game: str
    network: str
    iterations: int
    window: int
    seed: int
    fitting: Any

    @property
    def blocks(self) -> int:
        """The number of blocks of an iteration."""
        raise NotImplementedError

    @property
    def fits(self) -> bool:
        """Whether an iteration fits a network to examples, and self-play is not all."""
        return bool(self.fitting.epochs > 0)

    def is_set_apart(self, block: int) -> bool:
        """Return whether a block is not learned from."""
        return not self.fits or block % _SET_APART == min(_SET_APART, self.blocks) - 1


@dataclass(frozen=True)
class ImprovementConfig(IterationConfig):
    """The configuration of an improvement. It determines the result.

    Attributes:
        game: A game with dice, such as ``backgammon``.
        network: An agent that plays by a network, such as ``td_gammon``, ``td_net(file='mine.safetensors')`` or
            ``trained(run='runs/mine')``; the first network.
        iterations: Iterations; a greater number goes on.
        hidden: Hidden units of the networks that are fitted, those of their first layer; 0 for as many as the first
            network has.
        further: Hidden units of their further layers, such as ``256-128``; empty for as many as the first network has.
        inputs: The game's encoding that the networks are shown positions by; empty for that of the first.
        rolls: Rolls with a choice of an iteration.
        block: Rolls of a block, which one process collects.
        window: Iterations whose examples a network learns from.
        seed: Random seed; the same seed gives the same networks.
        examples: How examples are collected.
        fitting: How networks are fitted.
        teacher: The self-play of the network before each iteration, by TD(λ).
        by_rounds: Self-play by batch TD(λ), for which the network is grown first.
        filtering: An agent by whose faster network replies are filtered before they are compared for labels and exact
            targets; empty for none.
        kept: Replies to each roll that are left where a faster network filters them.

    Raises:
        BadInputError: If a number is not allowed.
    """

    game: str
    network: str
    iterations: int = 1
    hidden: int = 0
    further: str = ""
    inputs: str = ""
    rolls: int = 60_000
    block: int = 1000
    window: int = 3
    seed: int = 0
    examples: ExampleOptions = field(default_factory=ExampleOptions)
    fitting: FittingOptions = field(default_factory=FittingOptions)
    teacher: SelfPlayOptions = field(default_factory=SelfPlayOptions)
    by_rounds: RoundOptions = field(default_factory=RoundOptions)
    filtering: str = ""
    kept: int = 6

    def __post_init__(self) -> None:
        require(1, iterations=self.iterations, block=self.block, window=self.window, kept=self.kept)
        if not self.filtering and self.kept != ImprovementConfig.kept:
            raise BadInputError(f"kept={self.kept} needs a filter, and there is none")
        require(0, hidden=self.hidden, seed=self.seed)
        self_play, rounds = self.teacher.self_play, self.by_rounds.rounds
        if self_play and rounds:
            raise BadInputError(f"self_play={self_play} and rounds={rounds} exclude each other; give one of them")
        if not (self_play or rounds or self.fits):
            raise BadInputError("epochs=0 leaves nothing to learn; give self_play or rounds, too")
        if not self.fits and self.window != ImprovementConfig.window:
            raise BadInputError(f"window={self.window} is for a fit, and epochs=0 leaves that out")
        if self.blocks < 2 or self.rolls % self.block:
            raise BadInputError(
                f"rolls={self.rolls} is not allowed; it must be a multiple of {self.block:,}, and at least twice that"
            )

    @property
    def blocks(self) -> int:
        """The number of blocks of an iteration."""
        return self.rolls // self.block


def history(about: Mapping[str, str]) -> list[Any]:
    """Return how the networks were made that led to one, and last how it was made itself."""
    own = {name: value for name, value in about.items() if name != STARTED}
    try:
        earlier = json.loads(about.get(STARTED, "[]"))
    except (ValueError, TypeError):
        earlier = about[STARTED]  # (somebody else's words)
    return [*(earlier if isinstance(earlier, list) else [earlier]), own]


def demand_same(folder: Path, config: IterationConfig, but: Collection[str] = ()) -> None:
    """Raise `BadInputError` if the folder's configuration is another, but for some options.

    The number of iterations may become greater, and the device may be another.
    """
    path = folder / CONFIG
    there = read_json(path, _CONFIG_KIND)
    if "learner" in there:
        raise BadInputError(
            f"{folder} holds a run, which boardgames train goes on with, and no improvement; give another folder"
        )
    with _CONFIG_KIND.reading(path):
        iterations = int(there["iterations"])
    given, there = flat(as_data(config)), flat(there)
    if there.get("game") != config.game:
        raise BadInputError(
            f"{folder} holds an improvement at {there.get('game')}, not {config.game}; give another folder"
        )
    if missing := sorted(given.keys() - there.keys()):
        raise BadInputError(
            f"{folder} holds an improvement of an earlier version, without {missing[0]}; give another folder"
        )
    for name in given:
        if name in ("device", *but):
            continue
        if there.get(name) != given[name] and not (name == "iterations" and iterations < config.iterations):
            raise BadInputError(
                f"{folder} holds an improvement with {name}={there.get(name)!r}, not {given[name]!r}; give another "
                "folder, or the options of that one, of which only iterations may become greater"
            )
    if iterations != config.iterations:
        write_json(path, as_data(config), indent=1)


def as_data(config: IterationConfig) -> dict[str, Any]:
    """Return a configuration as data for JSON."""
    return asdict(config)  # type: ignore[call-overload, no-any-return]


def flat(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration, as `dataclasses.asdict` returns it, without the groups of its options."""
    groups = {name: value for name, value in config.items() if isinstance(value, dict)}
    rest = {name: value for name, value in config.items() if name not in groups}
    return rest | {name: value for group in groups.values() for name, value in group.items()}


def network_of(spec: str, game: Game) -> Network:
    """Return the network that an agent plays by.

    Raises:
        BadInputError: If it plays by none.
    """
    evaluator = evaluator_of(spec, game)
    network = evaluator.evaluator if isinstance(evaluator, RaceEvaluator) else evaluator
    network = network.network if isinstance(network, FilteredNetwork) else network
    if not isinstance(network, Network):
        raise BadInputError(f"{spec} does not play by a network; give an agent that does, such as td_gammon")
    return network
