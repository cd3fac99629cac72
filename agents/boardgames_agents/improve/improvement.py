"""The improvement of a network in a folder, iteration by iteration, where it can be resumed.

The folder holds ``config.json``, the network ``start.safetensors``, so that it can be resumed when the original has
gone, ``iterations.csv``, and for each iteration a folder with its teacher, its examples and its network. A file that is
there is whole, and is not computed again. Everything follows from the configuration: the result is the same with any
number of processes.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_jobs
from boardgames_agents.improve.examples import Examples, ExamplesJob, demand_dice, joined, snapshot_of
from boardgames_agents.improve.fitting import fit
from boardgames_agents.improve.improvement_folder import (
    CONFIG,
    STARTED,
    ImprovementConfig,
    demand_same,
    flat,
    history,
    network_of,
)
from boardgames_agents.improve.teacher import BranchJob, mean_of
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network, save_network
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.encoding import encoding_of
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.games import make_game
from boardgames_env.json_file import write_json

START, _NETWORK, _TEACHER = "start.safetensors", "network.safetensors", "teacher.safetensors"
_TABLE = "iterations.csv"

_EXAMPLES_KIND = FileKind("examples", "remove it, and it is computed again", is_sealed=False)

_EXAMPLES, _FITTING, _SELF_PLAY = range(3)
"""They set the random numbers of the three apart."""


@dataclass(frozen=True)
class Iteration:
    """The result of an iteration.

    Attributes:
        number: Its number, from 1.
        examples: The number of examples that were learned from.
        loss_before: What a decision of the teacher, which is the network after self-play, loses by the labels set
            apart, the mean in thousandths of a point.
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


class Improvement:
    """An improvement in a folder, which is begun or goes on. (The workshop has one that can more.)

    Raises:
        BadInputError: If the agent does not play by a network, the game has no dice or has a doubling cube, there is no
            such device or encoding, or the folder holds something else.
    """

    copies: tuple[str, ...] = (START,)
    """The files with which a folder begins; a process that was killed while it began may have left some of them."""

    def __init__(
        self,
        folder: Path,
        config: ImprovementConfig,
        workers: Workers = ONE_PROCESS,
        progress: Progress = no_progress,
    ) -> None:
        from boardgames_agents.td.torch_network import device_named  # (it imports torch)

        self.folder, self._config, self._workers, self._progress = folder, config, workers, progress
        self.game = make_game(config.game)
        demand_dice(self.game)
        device_named(config.fitting.device)  # (before the long collection of examples, as the next line)
        if config.inputs:
            encoding_of(self.game, config.inputs)
        if not (folder / CONFIG).exists():
            network, made_by = self._first()
            if folder.exists() and any(each.name not in self.copies for each in folder.iterdir()):
                raise BadInputError(
                    f"{folder} is not empty and holds no improvement; give a folder that is empty or not there"
                )
            self._grown(network)  # (or refuses to)
            self._begin(network, made_by)
            write_json(folder / CONFIG, asdict(config), indent=1)
        self._demand_same()

    def _first(self) -> tuple[Network, str]:
        """Return the network that the improvement starts from, and the agents that it is made of."""
        return network_of(self._config.network, self.game), self._config.network

    def _begin(self, network: Network, made_by: str) -> None:
        """Write what the improvement starts from."""
        started = {STARTED: json.dumps(history(network.about))} if network.about else {}
        save_network(self.folder / START, network, {"made by": made_by} | started)

    def _demand_same(self) -> None:
        """Raise `BadInputError` if the folder holds another improvement."""
        demand_same(self.folder, self._config)

    def iterations(self) -> Iterator[Iteration]:
        """Yield each iteration as it is done, those that were done before, too."""
        best, found = self.folder / START, list[Iteration]()
        for number in range(1, self._config.iterations + 1):
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
        teacher = load_network(teaching, self.game)
        self._collect(number, teacher)
        examples = self._examples(range(max(1, number + 1 - self._config.window), number + 1), set_apart=False)
        file = self._folder(number) / _NETWORK
        if not file.exists():
            network = self._grown(teacher)
            self._fit(network, examples, (self._config.seed, number, _FITTING))
            save_network(file, network, self._about(f"expert iteration {number} from {self._config.network}"))
        apart = self._examples([number], set_apart=True)
        lost, loses = (
            apart.losses(self._evaluator(network).outcome_probabilities(apart.states))
            for network in (teacher, load_network(file, self.game))
        )
        return Iteration(
            number=number,
            examples=len(examples.states),
            loss_before=1000 * float(lost.mean()),
            loss_after=1000 * float(loses.mean()),
            error=1000 * float(np.std(loses - lost) / np.sqrt(len(lost))),
            network=file if loses.mean() < lost.mean() else teaching,
        )

    def _about(self, made_by: str) -> dict[str, str]:
        """Return how a network was made, for its file."""
        options = {name: each for name, each in flat(asdict(self._config)).items() if name != "iterations"}
        started = load_network(self.folder / START, self.game).about
        return {"made by": made_by, "options": json.dumps(options)} | {
            name: started[name] for name in [STARTED] if name in started
        }

    def _teacher(self, number: int, before: Path) -> Path:
        """Return the file of the teacher: the network before, or the mean of its branches of self-play."""
        options, file, config = self._config.teacher, self._folder(number) / _TEACHER, self._config
        if not options.self_play:
            return before
        if file.exists():
            return file
        network = load_network(before, self.game)
        files = [self._folder(number) / f"branch-{branch}.safetensors" for branch in range(options.branches)]
        missing = [branch for branch, each in enumerate(files) if not each.exists()]
        about, start = self._about(f"self-play of iteration {number} from {config.network}"), snapshot_of(network)
        seeds = [(config.seed, number, _SELF_PLAY, branch) for branch in missing]
        jobs = [BranchJob(config.game, seed, options, start) for seed in seeds]
        with self._progress(f"self-play {number}", len(missing)) as bar:
            for index, weights in run_jobs(jobs, self._workers):
                save_network(files[missing[index]], mean_of(network, [weights]), about)
                bar.step()
        branches = [Snapshot(load_network(each, self.game).arrays()) for each in files]
        save_network(file, mean_of(network, branches), about)
        return file

    def _grown(self, network: Network) -> Network:
        """Return a copy of a network, or one of the design that is asked for; see `Network.grown`."""
        design, config = network.design, self._config
        return network.grown(config.hidden or design.hidden, config.inputs or design.inputs, config.seed)

    def _fit(self, network: Network, examples: Examples, seed: tuple[int, ...]) -> None:
        """Fit a network to examples, in place."""
        fit(network, examples, self._config.fitting, seed)

    def _evaluator(self, network: Network) -> Evaluator:
        """Return the evaluator by which a network plays."""
        return with_tables(network, self.game)

    def _job(self, seed: tuple[int, ...], teacher: Snapshot) -> ExamplesJob:
        """Return the job that collects a block of examples."""
        config = self._config
        return ExamplesJob(config.game, config.block, seed, config.examples, teacher)

    def _collect(self, number: int, teacher: Network) -> None:
        """Collect the examples of an iteration that are missing."""
        config, network = self._config, snapshot_of(teacher)
        missing = [block for block in range(config.blocks) if not self._file(number, block).exists()]
        jobs = [self._job((config.seed, number, _EXAMPLES, block), network) for block in missing]
        with self._progress(f"iteration {number}", len(missing)) as bar:
            for index, examples in run_jobs(jobs, self._workers):
                _save_examples(self._file(number, missing[index]), examples)
                bar.step()

    def _examples(self, numbers: Iterable[int], set_apart: bool) -> Examples:
        """Return the examples of some iterations that are learned from, or those that are set apart."""
        blocks = [block for block in range(self._config.blocks) if self._config.is_set_apart(block) == set_apart]
        return joined([_load_examples(self._file(number, block)) for number in numbers for block in blocks])

    def _folder(self, number: int) -> Path:
        return self.folder / f"iteration-{number:02}"

    def _file(self, number: int, block: int) -> Path:
        return self._folder(number) / f"examples-{block:04}.safetensors"


def _save_examples(path: Path, examples: Examples) -> None:
    write_arrays(path, examples._asdict(), {})


def _load_examples(path: Path) -> Examples:
    arrays, _ = read_arrays(path, _EXAMPLES_KIND)
    with _EXAMPLES_KIND.reading(path):
        return Examples(**arrays)


def _write_table(folder: Path, found: list[Iteration]) -> None:
    lines = ["iteration,examples,loss before,loss after,standard error of the difference,better"]
    lines += [
        f"{each.number},{each.examples},{each.loss_before:.3f},{each.loss_after:.3f},{each.error:.3f},{each.improved}"
        for each in found
    ]
    write_atomically(folder / _TABLE, ("\n".join(lines) + "\n").encode())
