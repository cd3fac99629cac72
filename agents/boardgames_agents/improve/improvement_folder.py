"""The folder of an improvement: its configuration, and what it starts from.

The folder holds ``config.json``, the network ``start.safetensors``, ``filter.safetensors`` if one filters replies, and
``races.safetensors`` if races are left to another, so that it can be resumed when the originals have gone.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator, with_tables
from boardgames_agents.backgammon.race_network import RaceWeights, load_weights, save_weights
from boardgames_agents.improve.examples import ExampleOptions
from boardgames_agents.improve.fitting import FittingOptions
from boardgames_agents.improve.teacher import SelfPlayOptions
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network, save_network
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind
from boardgames_env.game import Game
from boardgames_env.json_file import read_json, write_json

STARTED = "started from"
"""The entry of a network's file that says how those before it were made, the first one first: a list in JSON.

Networks that were joined to one of them are not in it; the options of that improvement name them.
"""

_CONFIG, _START, _FILTER, _RACES = "config.json", "start.safetensors", "filter.safetensors", "races.safetensors"
_CONFIG_KIND = FileKind("the configuration of an improvement", "restore it, or give another folder", is_sealed=False)

_SET_APART = 10
"""Of this number of blocks of examples one is not learned from."""


@dataclass(frozen=True)
class ImprovementConfig:
    """The configuration of an improvement. It determines the result. (On ``joined`` see `Network.joined`.)

    Attributes:
        game: A game with dice, such as ``backgammon``.
        network: An agent that plays by a network, such as ``td_gammon``, ``td_net(file='mine.safetensors')`` or
            ``trained(run='runs/mine')``; the first network.
        iterations: Iterations; a greater number goes on.
        joined: An agent whose network is joined to the first: the hidden units of both, and their mean outputs;
            empty for none.
        hidden: Hidden units of the networks that are fitted; 0 for as many as the first has, or with ``joined`` as many
            as both have.
        inputs: The game's encoding that the networks are shown positions by; empty for that of the first.
        filtering: An agent by whose faster network replies are filtered before they are compared for labels; empty for
            none.
        races: The file of a network for races, to which all races are left; empty for none.
        rolls: Rolls with a choice of an iteration.
        block: Rolls of a block, which one process collects.
        window: Iterations whose examples a network learns from.
        seed: Random seed; the same seed gives the same networks.
        examples: How examples are collected.
        fitting: How networks are fitted.
        teacher: The self-play of the network before each iteration.

    Raises:
        BadInputError: If a number is not allowed.
    """

    game: str
    network: str
    iterations: int = 1
    joined: str = ""
    hidden: int = 0
    inputs: str = ""
    filtering: str = ""
    races: str = ""
    rolls: int = 60_000
    block: int = 1000
    window: int = 3
    seed: int = 0
    examples: ExampleOptions = field(default_factory=ExampleOptions)
    fitting: FittingOptions = field(default_factory=FittingOptions)
    teacher: SelfPlayOptions = field(default_factory=SelfPlayOptions)

    def __post_init__(self) -> None:
        require(1, iterations=self.iterations, block=self.block, window=self.window)
        require(0, hidden=self.hidden, seed=self.seed)
        if not self.filtering and self.examples.kept != ExampleOptions.kept:
            raise BadInputError(f"kept={self.examples.kept} is for a filter, and there is none")
        if self.blocks < 2 or self.rolls % self.block:
            raise BadInputError(
                f"rolls={self.rolls} is not allowed; it must be a multiple of {self.block:,}, and at least twice that"
            )

    @property
    def blocks(self) -> int:
        """The number of blocks of an iteration."""
        return self.rolls // self.block

    def is_set_apart(self, block: int) -> bool:
        """Return whether a block is not learned from."""
        return block % _SET_APART == min(_SET_APART, self.blocks) - 1


def open_folder(folder: Path, config: ImprovementConfig, game: Game) -> tuple[Path, Network | None, RaceWeights | None]:
    """Begin an improvement in a folder, or go on with it.

    Returns:
        The file of the network that it starts from, the network that filters replies, and that to which races are left.

    Raises:
        BadInputError: If the folder holds something else.
    """
    if not (folder / _CONFIG).exists():
        _begin(folder, config, game)
    _demand_same(folder, config)
    filtering = load_network(folder / _FILTER, game) if config.filtering else None
    return folder / _START, filtering, load_weights(folder / _RACES) if config.races else None


def _begin(folder: Path, config: ImprovementConfig, game: Game) -> None:
    network = _first(config, game)
    # (a process that was killed while it began may have left networks)
    if folder.exists() and any(each.name not in (_START, _FILTER, _RACES) for each in folder.iterdir()):
        raise BadInputError(f"{folder} is not empty and holds no improvement; give a folder that is empty or not there")
    filtering = network_of(config.filtering, game) if config.filtering else None
    weights = load_weights(Path(config.races)) if config.races else None
    network.grown(config.hidden or network.design.hidden, config.inputs or network.design.inputs)  # (or refuses to)
    with_tables(network, game, weights)  # (which refuses a network for races that is for another game)
    about = {"made by": f"{config.network} and {config.joined}" if config.joined else config.network}
    about |= {STARTED: json.dumps(_history(network.about))} if network.about else {}
    save_network(folder / _START, network, about)
    if filtering is not None:
        save_network(folder / _FILTER, filtering, {"made by": config.filtering})
    if weights is not None:
        save_weights(folder / _RACES, weights, {"made by": config.races})
    write_json(folder / _CONFIG, asdict(config), indent=1)


def _first(config: ImprovementConfig, game: Game) -> Network:
    """Return the network that an improvement starts from."""
    network = network_of(config.network, game)
    if not config.joined:
        return network
    inputs = config.inputs or network.design.inputs
    parts = []
    for spec, each in ((config.network, network), (config.joined, network_of(config.joined, game))):
        part = each.grown(each.design.hidden, inputs)
        if each.encoding not in (part.encoding, part.encoding.repeated):
            raise BadInputError(
                f"{spec} has the inputs {each.design.inputs}, and would lose what it knows with {inputs}; join "
                "networks with the same inputs, or give inputs that repeat those of both"
            )
        parts.append(part)
    first = parts[0].joined(parts[1])
    if 0 < config.hidden < first.design.hidden:
        raise BadInputError(
            f"hidden={config.hidden} is not allowed; the joined network has {first.design.hidden} hidden units, and "
            "can only grow"
        )
    first.about = network.about
    return first


def _history(about: Mapping[str, str]) -> list[Any]:
    """Return how the networks were made that led to one, and last how it was made itself."""
    own = {name: value for name, value in about.items() if name != STARTED}
    try:
        earlier = json.loads(about.get(STARTED, "[]"))
    except (ValueError, TypeError):
        earlier = about[STARTED]  # (somebody else's words)
    return [*(earlier if isinstance(earlier, list) else [earlier]), own]


def _demand_same(folder: Path, config: ImprovementConfig) -> None:
    """Raise `BadInputError` if the folder's configuration is another; the number of iterations may become greater."""
    path = folder / _CONFIG
    there = read_json(path, _CONFIG_KIND)
    with _CONFIG_KIND.reading(path):
        iterations = int(there["iterations"])
    given, there = flat(asdict(config)), flat(there)
    if missing := sorted(given.keys() - there.keys()):
        raise BadInputError(
            f"{folder} holds an improvement of an earlier version, without {missing[0]}; give another folder"
        )
    _demand_same_races(folder, config)
    for name in given.keys() - {"races"}:
        if there.get(name) != given[name] and not (name == "iterations" and iterations < config.iterations):
            raise BadInputError(
                f"{folder} holds an improvement with {name}={there.get(name)!r}, not {given[name]!r}; give another "
                "folder, or the options of that one, of which only iterations may become greater"
            )
    if iterations != config.iterations:
        write_json(folder / _CONFIG, asdict(config), indent=1)


def _demand_same_races(folder: Path, config: ImprovementConfig) -> None:
    """Raise `BadInputError` if races were left to another network, or to none; its file may have gone or moved."""
    copy, file = folder / _RACES, Path(config.races)
    there = _race_snapshot(copy).digest if copy.exists() else None
    given = None
    if config.races:
        given = _race_snapshot(file).digest if file.exists() or there is None else there
    if there != given:
        raise BadInputError(
            f"{folder} holds an improvement with {'another' if there else 'no'} network for races; give another "
            "folder, or races as there"
        )


def _race_snapshot(file: Path) -> Snapshot:
    return Snapshot(load_weights(file)._asdict())


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
    if not isinstance(network, Network):
        raise BadInputError(f"{spec} does not play by a network; give an agent that does, such as td_gammon")
    return network
