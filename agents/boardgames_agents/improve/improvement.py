"""The improvement of a network in a folder, iteration by iteration, where it can be resumed.

Beside what `improvement_folder` writes there, the folder holds ``iterations.csv``, and for each iteration a folder with
its teacher, its examples and its network. A file that is there is whole, and is not computed again. Everything follows
from the configuration: the result is the same with any number of processes.
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
from boardgames_agents.improve.improvement_folder import STARTED, ImprovementConfig, flat, open_folder
from boardgames_agents.improve.teacher import BranchJob, mean_of
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network, save_network
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.encoding import encoding_of
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.games import make_game
from boardgames_env.kernels.signatures import Float64s

_NETWORK, _TEACHER, _TABLE = "network.safetensors", "teacher.safetensors", "iterations.csv"

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


def improve(
    folder: Path, config: ImprovementConfig, workers: Workers = ONE_PROCESS, progress: Progress = no_progress
) -> Iterator[Iteration]:
    """Improve a network in a folder, or go on with it, and yield each iteration as it is done, the earlier ones too.

    Raises:
        BadInputError: If the agent does not play by a network, the game has no dice or has a doubling cube, there is no
            such device or encoding, or the folder holds something else.
    """
    improvement = _Improvement(folder, config, workers, progress)
    best, found = improvement.start, list[Iteration]()
    for number in range(1, config.iterations + 1):
        found.append(improvement.iteration(number, best))
        best = found[-1].network
        _write_table(folder, found)
        yield found[-1]


class _Improvement:
    """An improvement, whose files may be there already.

    Attributes:
        start: The file of the network that it starts from.
    """

    def __init__(self, folder: Path, config: ImprovementConfig, workers: Workers, progress: Progress) -> None:
        from boardgames_agents.td.torch_network import device_named  # (it imports torch)

        self._all, self._config, self._workers, self._progress = folder, config, workers, progress
        self._game = make_game(config.game)
        demand_dice(self._game)
        device_named(config.fitting.device)  # (before the long collection of examples, as the next line)
        if config.inputs:
            encoding_of(self._game, config.inputs)
        self.start, self._filtering, self._weights = open_folder(folder, config, self._game)

    def iteration(self, number: int, before: Path) -> Iteration:
        """Return the result of an iteration; what is missing is computed first.

        Args:
            number: Its number.
            before: The file of the network that goes on.
        """
        teaching = self._teacher(number, before)
        teacher = load_network(teaching, self._game)
        self._collect(number, teacher)
        examples = self._examples(range(max(1, number + 1 - self._config.window), number + 1), set_apart=False)
        file = self._folder(number) / _NETWORK
        if not file.exists():
            design, config = teacher.design, self._config
            network = teacher.grown(config.hidden or design.hidden, config.inputs or design.inputs, config.seed)
            fit(network, examples, config.fitting, (config.seed, number, _FITTING))
            save_network(file, network, self._about(f"expert iteration {number} from {config.network}"))
        apart = self._examples([number], set_apart=True)
        lost, loses = (self._losses(apart, network) for network in (teacher, load_network(file, self._game)))
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
        started = load_network(self.start, self._game).about
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
        network = load_network(before, self._game)
        files = [self._folder(number) / f"branch-{branch}.safetensors" for branch in range(options.branches)]
        missing = [branch for branch, each in enumerate(files) if not each.exists()]
        about, start = self._about(f"self-play of iteration {number} from {config.network}"), snapshot_of(network)
        seeds = [(config.seed, number, _SELF_PLAY, branch) for branch in missing]
        jobs = [BranchJob(config.game, seed, options, start) for seed in seeds]
        with self._progress(f"self-play {number}", len(missing)) as bar:
            for index, weights in run_jobs(jobs, self._workers):
                save_network(files[missing[index]], mean_of(network, [weights]), about)
                bar.step()
        branches = [Snapshot(load_network(each, self._game).arrays()) for each in files]
        save_network(file, mean_of(network, branches), about)
        return file

    def _losses(self, examples: Examples, network: Network) -> Float64s:
        evaluator = with_tables(network, self._game, self._weights)
        return examples.losses(evaluator.outcome_probabilities(examples.states))

    def _collect(self, number: int, teacher: Network) -> None:
        """Collect the examples of an iteration that are missing."""
        config = self._config
        network, filtering = snapshot_of(teacher), snapshot_of(self._filtering) if self._filtering else None
        weights = Snapshot(self._weights._asdict()) if self._weights else None
        missing = [block for block in range(config.blocks) if not self._file(number, block).exists()]
        seeds = [(config.seed, number, _EXAMPLES, block) for block in missing]
        jobs = [
            ExamplesJob(config.game, config.block, seed, config.examples, network, filtering, weights) for seed in seeds
        ]
        with self._progress(f"iteration {number}", len(missing)) as bar:
            for index, examples in run_jobs(jobs, self._workers):
                _save_examples(self._file(number, missing[index]), examples)
                bar.step()

    def _examples(self, numbers: Iterable[int], set_apart: bool) -> Examples:
        """Return the examples of some iterations that are learned from, or those that are set apart."""
        blocks = [block for block in range(self._config.blocks) if self._config.is_set_apart(block) == set_apart]
        return joined([_load_examples(self._file(number, block)) for number in numbers for block in blocks])

    def _folder(self, number: int) -> Path:
        return self._all / f"iteration-{number:02}"

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
