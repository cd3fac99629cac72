"""Expert iteration in a folder, iteration by iteration, where it can be resumed: the engine of every teacher.

The folder holds ``config.json``, the network ``start.safetensors``, so that it can be resumed when the original has
gone, ``iterations.csv``, and for each iteration a folder with its teacher, its examples and its network. A file that is
there is whole, and is not computed again. Everything follows from the configuration: the result is the same with any
number of processes.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from boardgames_agents.experiments.job import Job
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_jobs
from boardgames_agents.experiments.tensorboard_log import RunLog
from boardgames_agents.improve.improvement_folder import (
    CONFIG,
    STARTED,
    IterationConfig,
    as_data,
    demand_same,
    flat,
    history,
)
from boardgames_agents.improve.network_job import snapshot_of
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import LayeredNetwork
from boardgames_agents.td.network_file import network_in, save_network
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, demand_folder, write_atomically
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.json_file import write_json
from boardgames_env.kernels.signatures import Float64s

START, NETWORK = "start.safetensors", "network.safetensors"
_TABLE = "iterations.csv"

_EXAMPLES_KIND = FileKind("examples", "remove it, and it is computed again", is_sealed=False)

EXAMPLES, FITTING, SELF_PLAY = range(3)
"""The third number of a seed: each purpose has random numbers of its own."""


Kept = TypeVar("Kept", bound=Any)
Taught = TypeVar("Taught", bound=LayeredNetwork)


@dataclass(frozen=True)
class Iteration:
    """The result of an iteration.

    Attributes:
        number: Its number, from 1.
        examples: The number of examples that it was fitted to.
        loss_before: The loss of the teacher, which is the network after self-play, at the examples set apart, the mean
            in thousandths; see `Engine.loss`. Where nothing is fitted it is that of the network before self-play.
        loss_after: The loss of the fitted network there, or of the network after self-play.
        error: The standard error of the difference.
        network: The file of the network that goes on: the better of the two, if the engine keeps the best.
        measures: What is measured of that network besides, by name.
    """

    number: int
    examples: int
    loss_before: float
    loss_after: float
    error: float
    network: Path
    measures: Mapping[str, float] = field(default_factory=dict)

    @property
    def improved(self) -> bool:
        """Whether the fitted network is better."""
        return self.loss_after < self.loss_before


class Engine(ABC, Generic[Taught, Kept]):
    """Expert iteration in a folder, which is begun or goes on. A subclass says who teaches, and what is learned.

    Attributes:
        copies: The files with which a folder begins; a process that was killed while it began may have left some.
        loss: What is measured at the examples set apart, in words.
        gated: Whether the fitted network goes on only if it is better.
        networks: The class of the networks.
        kept: The class of the examples: a named tuple of arrays, of which ``states`` holds a state in each row, with a
            method ``demand_whole`` that refuses arrays that cannot be examples of a game.
    """

    copies: tuple[str, ...] = (START,)
    loss: str
    gated: bool = True
    networks: type[Taught]
    kept: Callable[..., Kept]
    _config: Any

    def __init__(
        self, folder: Path, config: IterationConfig, workers: Workers = ONE_PROCESS, progress: Progress = no_progress
    ) -> None:
        from boardgames_agents.td.torch_network import device_named  # (it imports torch)

        self.folder, self._config, self._workers, self._progress = folder, config, workers, progress
        self.game = make_game(config.game)
        self._demand_game()
        device_named(config.fitting.device)  # (before the long collection of examples)
        demand_folder(folder)
        if not (folder / CONFIG).exists():
            network, made_by = self._first()
            if folder.exists() and not all(self._is_of_a_beginning(each.name) for each in folder.iterdir()):
                raise BadInputError(
                    f"{folder} is not empty and holds no improvement; give a folder that is empty or not there"
                )
            self._grown(network)  # (or refuses to)
            self._begin(network, made_by)
            write_json(folder / CONFIG, as_data(config), indent=1)
        self._demand_same()

    @property
    def keeps_best(self) -> bool:
        """Whether the better of two networks goes on, and not the later one."""
        return self.gated and bool(self._config.fits)

    def _is_of_a_beginning(self, name: str) -> bool:
        """Return whether a file may be left by a process that was killed while it began the folder."""
        return name in self.copies or name.startswith(tuple(f".{each}." for each in (*self.copies, CONFIG)))

    @abstractmethod
    def _demand_game(self) -> None:
        """Raise `BadInputError` if the game cannot be taught."""

    @abstractmethod
    def _first(self) -> tuple[Taught, str]:
        """Return the network that the improvement starts from, and the agents that it is made of."""

    def _begin(self, network: Taught, made_by: str) -> None:
        """Write what the improvement starts from."""
        started = {STARTED: json.dumps(history(network.about))} if network.about else {}
        save_network(self.folder / START, network, {"made by": made_by} | started)

    def _demand_same(self) -> None:
        """Raise `BadInputError` if the folder holds another improvement."""
        demand_same(self.folder, self._config)

    def iterations(self, may_begin: Callable[[], bool] = lambda: True) -> Iterator[Iteration]:
        """Yield each iteration as it is done, those that were done before, too.

        ``may_begin`` is asked before one is begun; if it may not, that is the end.
        """
        best, found = self.folder / START, list[Iteration]()
        for number in range(1, self._config.iterations + 1):
            if not (self._folder(number).exists() or may_begin()):
                return
            found.append(self.iteration(number, best))
            best = found[-1].network
            _write_table(self.folder, found)
            yield found[-1]

    def iteration(self, number: int, before: Path) -> Iteration:
        """Return the result of an iteration; what is missing is computed first.

        Args:
            number: Its number.
            before: The file of the network that goes on.
        """
        teaching = self._teacher(number, before)
        teacher = self._load(teaching)
        self._collect(number, teacher)
        if not self._config.fits:
            return self._judged(number, 0, before, teaching)
        examples = self._examples(range(max(1, number + 1 - self._config.window), number + 1), set_apart=False)
        file = self._folder(number) / NETWORK
        if not file.exists():
            network = self._grown(teacher)
            self._fit(network, examples, (self._config.seed, number, FITTING))
            save_network(file, network, self._about(f"expert iteration {number} from {self._config.network}"))
        return self._judged(number, len(examples.states), teaching, file)

    def _judged(self, number: int, examples: int, before: Path, after: Path) -> Iteration:
        """Return the result of an iteration, given its number of examples and the files of the networks it compares."""
        apart = self._examples([number], set_apart=True)
        lost, loses = (self._losses(self._load(file), apart) for file in (before, after))
        going = after if loses.mean() < lost.mean() or not self.keeps_best else before
        return Iteration(
            number=number,
            examples=examples,
            loss_before=1000 * float(lost.mean()),
            loss_after=1000 * float(loses.mean()),
            error=1000 * float(np.std(loses - lost) / np.sqrt(len(lost))),
            network=going,
            measures=self._measures(number, going),
        )

    def _load(self, file: Path) -> Taught:
        """Return the network of a file."""
        return network_in(file, self.game, self.networks)

    def _about(self, made_by: str) -> dict[str, str]:
        """Return how a network was made, for its file."""
        options = {name: each for name, each in flat(as_data(self._config)).items() if name != "iterations"}
        started = self._load(self.folder / START).about
        return {"made by": made_by, "options": json.dumps(options)} | {
            name: started[name] for name in [STARTED] if name in started
        }

    def _teacher(self, number: int, before: Path) -> Path:
        """Return the file of the teacher: by default the network before."""
        return before

    @abstractmethod
    def _grown(self, network: Taught) -> Taught:
        """Return a copy of a network, or one of the design that is asked for."""

    @abstractmethod
    def _fit(self, network: Taught, examples: Kept, seed: tuple[int, ...]) -> None:
        """Fit a network to examples, in place."""

    @abstractmethod
    def _losses(self, network: Taught, apart: Kept) -> Float64s:
        """Return the losses of a network at examples that were set apart."""

    def _measures(self, number: int, network: Path) -> Mapping[str, float]:
        """Return what is measured of the network that goes on from an iteration: by default nothing."""
        return {}

    @abstractmethod
    def _job(self, seed: tuple[int, ...], teacher: Snapshot) -> Job[Kept]:
        """Return the job that collects a block of examples."""

    def _collect(self, number: int, teacher: Taught) -> None:
        """Collect the examples of an iteration that are missing."""
        config, network = self._config, snapshot_of(teacher)
        missing = [block for block in range(config.blocks) if not self._file(number, block).exists()]
        jobs = [self._job((config.seed, number, EXAMPLES, block), network) for block in missing]
        with self._progress(f"iteration {number}", len(missing)) as bar:
            for index, examples in run_jobs(jobs, self._workers):
                save_examples(self._file(number, missing[index]), examples)
                bar.step()

    def _examples(self, numbers: Iterable[int], set_apart: bool) -> Kept:
        """Return the examples of some iterations that are learned from, or those that are set apart."""
        blocks = [block for block in range(self._config.blocks) if self._config.is_set_apart(block) == set_apart]
        return self._joined(
            [load_examples(self._file(number, block), self.kept, self.game) for number in numbers for block in blocks]
        )

    def _joined(self, parts: list[Kept]) -> Kept:
        """Return the examples of all parts."""
        arrays = [part._asdict() for part in parts]
        return self.kept(**{name: np.concatenate([each[name] for each in arrays]) for name in arrays[0]})

    def _folder(self, number: int) -> Path:
        return self.folder / f"iteration-{number:02}"

    def _file(self, number: int, block: int) -> Path:
        return self._folder(number) / f"examples-{block:04}.safetensors"


def save_examples(path: Path, examples: Any) -> None:
    """Write examples to a file."""
    write_arrays(path, examples._asdict(), {})


def load_examples(path: Path, kept: Callable[..., Kept], game: Game) -> Kept:
    """Read the examples of a game from a file.

    Raises:
        BadInputError: If there is no such file, it is damaged, or holds something else.
    """
    arrays, _ = read_arrays(path, _EXAMPLES_KIND)
    with _EXAMPLES_KIND.reading(path):
        examples = kept(**arrays)
        examples.demand_whole(game)
        if not len(examples.states):
            raise BadInputError("it has none")
        return examples


def logged(iterations: Iterable[Iteration], folder: Path) -> Iterator[Iteration]:
    """Yield iterations, and log each for TensorBoard in the folder of their improvement."""
    log = RunLog(folder, first_step=1)
    for each in iterations:
        losses = {"loss/before": each.loss_before, "loss/after": each.loss_after}
        measures = {f"measures/{name}": value for name, value in each.measures.items()}
        log.scalars({"examples": each.examples, **losses, **measures}, each.number)
        log.flush()
        yield each
    log.close()


def _write_table(folder: Path, found: list[Iteration]) -> None:
    """Write the table of the iterations, unless there is one of more of them."""
    path = folder / _TABLE
    if path.exists() and len(path.read_bytes().splitlines()) > 1 + len(found):
        return
    names = list(found[0].measures)
    lines = [",".join(["iteration,examples,loss before,loss after,standard error of the difference,better", *names])]
    for each in found:
        losses = f"{each.loss_before:.3f},{each.loss_after:.3f},{each.error:.3f}"
        measured = [f"{each.measures[name]:.6f}" for name in names]
        lines.append(",".join([f"{each.number},{each.examples},{losses},{each.improved}", *measured]))
    write_atomically(path, ("\n".join(lines) + "\n").encode())
