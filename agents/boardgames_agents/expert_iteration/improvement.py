"""The improvement of a network in a folder, iteration by iteration, where it can be resumed.

The folder holds ``config.json``, the network ``start.safetensors``, ``filter.safetensors`` if one filters replies,
``races.safetensors`` if races are left to another, a folder of each iteration with its examples and its network, and
``iterations.csv``. A file that is there is whole, and is not computed again. Everything follows from the configuration:
the result is the same with any number of processes.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_jobs
from boardgames_agents.expert_iteration.examples import (
    ExampleOptions,
    Examples,
    ExamplesJob,
    NetworkSnapshot,
    demand_dice,
    joined,
)
from boardgames_agents.expert_iteration.fitting import FittingOptions, fit
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.policy import Snapshot
from boardgames_agents.race.distributions import RaceWeights
from boardgames_agents.race.race_evaluator import RaceEvaluator, with_tables
from boardgames_agents.race.weights_file import load_weights, save_weights
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network, save_network
from boardgames_env.encoding import encoding_of
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import write_atomically
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.kernels.signatures import Float64s

_CONFIG, _START, _FILTER, _RACES = "config.json", "start.safetensors", "filter.safetensors", "races.safetensors"
_NETWORK, _TABLE = "network.safetensors", "iterations.csv"
_STARTED = "started from"
"""The entry of a network's file that says how the network was made that an improvement started from."""

_SET_APART = 10
"""Of this number of blocks of examples one is not learned from."""

_EXAMPLES, _FITTING = 0, 1
"""They set the random numbers of the two apart."""


@dataclass(frozen=True)
class ImprovementConfig:
    """The configuration of an improvement. It determines the result.

    Attributes:
        game: The game's spec.
        network: The spec of an agent that plays by a network, the first one.
        iterations: The number of iterations.
        hidden: The number of hidden units of the networks that are fitted; 0 for as many as the first has.
        inputs: The name of the encoding by which they are shown positions; empty for that of the first.
        filtering: The spec of an agent that plays by a faster network, which filters the replies that are compared for
            the labels; empty for none.
        races: The file of a network for races, to which all races are left; empty for none.
        rolls: The number of rolls with a choice of an iteration.
        block: The number of rolls of a block: one process collects it.
        window: The number of iterations whose examples a network learns from.
        seed: The random seed.
        examples: How examples are collected.
        fitting: How networks are fitted.

    Raises:
        BadInputError: If a number is not allowed.
    """

    game: str
    network: str
    iterations: int
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

    def __post_init__(self) -> None:
        require(1, iterations=self.iterations, block=self.block, window=self.window)
        require(0, hidden=self.hidden, seed=self.seed)
        if not self.filtering and self.examples.kept != ExampleOptions.kept:
            raise BadInputError(f"kept={self.examples.kept} is for a filter, and there is none")
        if self.blocks < 2:
            raise BadInputError(f"rolls={self.rolls} is not allowed; there must be two blocks of {self.block} at least")

    @property
    def blocks(self) -> int:
        """The number of blocks of an iteration."""
        return self.rolls // self.block

    def is_set_apart(self, block: int) -> bool:
        """Return whether a block is not learned from."""
        return block % _SET_APART == min(_SET_APART, self.blocks) - 1


@dataclass(frozen=True)
class Iteration:
    """The result of an iteration.

    Attributes:
        number: Its number, from 1.
        examples: The number of examples that were learned from.
        loss_before: What a decision of the network before loses by the labels set apart, the mean in thousandths of a
            point.
        loss_after: What one of the fitted network loses there.
        error: The standard error of the difference.
        network: The file of the better of the two networks.
    """

    number: int
    examples: int
    loss_before: float
    loss_after: float
    error: float
    network: Path

    @property
    def improved(self) -> bool:
        """Whether the fitted network is better."""
        return self.loss_after < self.loss_before


def improve(
    folder: Path, config: ImprovementConfig, workers: Workers = ONE_PROCESS, progress: Progress = no_progress
) -> Iterator[Iteration]:
    """Improve a network in a folder, or go on with it, and yield each iteration as it is done, the earlier ones too.

    Raises:
        BadInputError: If the agent does not play by a network, the game has no dice or has a doubling cube, there is no
            such device or encoding, or the folder holds something else.
    """
    from boardgames_agents.td.torch_network import device_named  # (it imports torch)

    game = make_game(config.game)
    demand_dice(game)
    device_named(config.fitting.device)  # (before the long collection of examples, as the next line)
    if config.inputs:
        encoding_of(game, config.inputs)
    if not (folder / _CONFIG).exists():
        _begin(folder, config, game)
    _demand_same(folder, config)
    found: list[Iteration] = []
    best = folder / _START
    for number in range(1, config.iterations + 1):
        found.append(_Iteration(folder, config, number, load_network(best, game)).result(best, workers, progress))
        best = found[-1].network
        _write_table(folder, found)
        yield found[-1]


def _begin(folder: Path, config: ImprovementConfig, game: Game) -> None:
    network = network_of(config.network, game)
    if folder.exists() and any(folder.iterdir()):
        raise BadInputError(f"{folder} is not empty and holds no improvement; give a folder that is empty or not there")
    filtering = network_of(config.filtering, game) if config.filtering else None
    weights = load_weights(Path(config.races)) if config.races else None
    with_tables(network, game, weights)  # (which refuses a network for races that is for another game)
    about = {"made by": config.network} | ({_STARTED: json.dumps(dict(network.about))} if network.about else {})
    save_network(folder / _START, network, about)
    if filtering is not None:
        save_network(folder / _FILTER, filtering, {"made by": config.filtering})
    if weights is not None:
        save_weights(folder / _RACES, weights, {"made by": config.races})
    _write_config(folder, config)


def _write_config(folder: Path, config: ImprovementConfig) -> None:
    write_atomically(folder / _CONFIG, json.dumps(asdict(config), indent=1).encode())


def _demand_same(folder: Path, config: ImprovementConfig) -> None:
    """Raise `BadInputError` if the folder's configuration is another; the number of iterations may become greater."""
    path = folder / _CONFIG
    try:
        there: dict[str, Any] = json.loads(path.read_bytes())
        iterations = int(there["iterations"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadInputError(f"{path} is damaged: {error}") from error
    given, there = _flat(asdict(config)), _flat(there)
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
        _write_config(folder, config)


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


def _flat(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration without the groups of its options."""
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


class _Iteration:
    """One iteration, whose files may be there already."""

    def __init__(self, folder: Path, config: ImprovementConfig, number: int, network: Network) -> None:
        self._config, self._number, self._network, self._all = config, number, network, folder
        self._game = network.game

    def _folder(self, number: int) -> Path:
        return self._all / f"iteration-{number:02}"

    def result(self, before: Path, workers: Workers, progress: Progress) -> Iteration:
        """Return the result; what is missing is computed first. ``before`` is the network's file."""
        self._collect(workers, progress)
        first = max(1, self._number + 1 - self._config.window)
        numbers = range(first, self._number + 1)
        examples = joined([each for number in numbers for each in self._blocks(set_apart=False, number=number)])
        file = self._folder(self._number) / _NETWORK
        if not file.exists():
            network = self._begun()
            fit(network, examples, self._config.fitting, self._seed(_FITTING))
            options = {name: each for name, each in _flat(asdict(self._config)).items() if name != "iterations"}
            about = {"made by": f"expert iteration {self._number} from {self._config.network}"}
            about |= {"options": json.dumps(options)}
            start = load_network(self._all / _START, self._game).about
            save_network(file, network, about | {name: start[name] for name in [_STARTED] if name in start})
        apart = joined(list(self._blocks(set_apart=True, number=self._number)))
        lost, loses = (self._losses(apart, network) for network in (self._network, load_network(file, self._game)))
        error = float(np.std(loses - lost) / np.sqrt(len(lost)))
        better = file if loses.mean() < lost.mean() else before
        return Iteration(
            number=self._number,
            examples=len(examples.states),
            loss_before=1000 * float(lost.mean()),
            loss_after=1000 * float(loses.mean()),
            error=1000 * error,
            network=better,
        )

    def _begun(self) -> Network:
        """Return the network to fit: a copy, or one of another design; see `Network.grown`."""
        design, config = self._network.design, self._config
        return self._network.grown(config.hidden or design.hidden, config.inputs or design.inputs, config.seed)

    def _losses(self, examples: Examples, network: Network) -> Float64s:
        evaluator = with_tables(network, self._game, self._weights())
        return examples.losses(evaluator.outcome_probabilities(examples.states))

    def _weights(self) -> RaceWeights | None:
        return load_weights(self._all / _RACES) if self._config.races else None

    def _collect(self, workers: Workers, progress: Progress) -> None:
        network, filtering, weights = _snapshot(self._network), self._filtering(), self._weights()
        missing = [block for block in range(self._config.blocks) if not self._file(block, self._number).exists()]
        jobs = [
            ExamplesJob(
                *(self._config.game, self._config.block, self._seed(_EXAMPLES, block), self._config.examples),
                *(network, filtering, Snapshot(weights._asdict()) if weights else None),
            )
            for block in missing
        ]
        with progress(f"iteration {self._number}", len(missing)) as bar:
            for index, examples in run_jobs(jobs, workers):
                _save_examples(self._file(missing[index], self._number), examples)
                bar.step()

    def _filtering(self) -> NetworkSnapshot | None:
        return _snapshot(load_network(self._all / _FILTER, self._game)) if self._config.filtering else None

    def _blocks(self, set_apart: bool, number: int) -> Iterator[Examples]:
        for block in range(self._config.blocks):
            if self._config.is_set_apart(block) == set_apart:
                yield _load_examples(self._file(block, number))

    def _file(self, block: int, number: int) -> Path:
        return self._folder(number) / f"examples-{block:04}.safetensors"

    def _seed(self, *which: int) -> tuple[int, ...]:
        return (self._config.seed, self._number, *which)


def _snapshot(network: Network) -> NetworkSnapshot:
    weights = Snapshot(network.arrays())
    return NetworkSnapshot(network.design, weights.digest, weights)


def _save_examples(path: Path, examples: Examples) -> None:
    from safetensors.numpy import save

    write_atomically(path, save({name: np.ascontiguousarray(each) for name, each in examples._asdict().items()}))


def _load_examples(path: Path) -> Examples:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return Examples(**load(path.read_bytes()))
    except (OSError, SafetensorError, TypeError) as error:
        raise BadInputError(f"{path} is damaged: {error}; remove it, and it is computed again") from error


def _write_table(folder: Path, found: list[Iteration]) -> None:
    lines = ["iteration,examples,loss before,loss after,standard error of the difference,better"]
    lines += [
        f"{each.number},{each.examples},{each.loss_before:.3f},{each.loss_after:.3f},{each.error:.3f},{each.improved}"
        for each in found
    ]
    write_atomically(folder / _TABLE, ("\n".join(lines) + "\n").encode())
