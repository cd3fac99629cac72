"""The improvement of a network in a folder, iteration by iteration, where it can be resumed.

Beside what `improvement_folder` writes there, the folder holds ``iterations.csv``, and for each iteration a folder with
its teacher, its examples and its network. A file that is there is whole, and is not computed again. Everything follows
from the configuration: the result is the same with any number of processes.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_jobs
from boardgames_agents.improve.examples import Examples, ExamplesJob, NetworkSnapshot, demand_dice, joined
from boardgames_agents.improve.fitting import fit
from boardgames_agents.improve.improvement_folder import (
    STARTED,
    ImprovementConfig,
    filter_in,
    flat,
    open_folder,
    races_in,
)
from boardgames_agents.improve.teacher import BranchJob, mean_of
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network, save_network
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.encoding import encoding_of
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.game import Game
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
    from boardgames_agents.td.torch_network import device_named  # (it imports torch)

    game = make_game(config.game)
    demand_dice(game)
    device_named(config.fitting.device)  # (before the long collection of examples, as the next line)
    if config.inputs:
        encoding_of(game, config.inputs)
    start = best = open_folder(folder, config, game)
    found: list[Iteration] = []
    for number in range(1, config.iterations + 1):
        iteration = _Iteration(folder, config, number, game)
        found.append(iteration.result(start, best, workers, progress))
        best = found[-1].network
        _write_table(folder, found)
        yield found[-1]


class _Iteration:
    """One iteration, whose files may be there already."""

    def __init__(self, folder: Path, config: ImprovementConfig, number: int, game: Game) -> None:
        self._config, self._number, self._game, self._all = config, number, game, folder

    def result(self, start: Path, before: Path, workers: Workers, progress: Progress) -> Iteration:
        """Return the result; what is missing is computed first.

        Args:
            start: The file of the network that the improvement started from.
            before: The file of the network that goes on.
            workers: The processes.
            progress: The progress bar.
        """
        teaching = self._teacher(start, before, workers, progress)
        teacher = load_network(teaching, self._game)
        self._collect(teacher, workers, progress)
        first = max(1, self._number + 1 - self._config.window)
        numbers = range(first, self._number + 1)
        examples = joined([each for number in numbers for each in self._blocks(set_apart=False, number=number)])
        file = self._folder(self._number) / _NETWORK
        if not file.exists():
            network = self._grown(teacher)
            fit(network, examples, self._config.fitting, self._seed(_FITTING))
            about = self._about(start, f"expert iteration {self._number} from {self._config.network}")
            save_network(file, network, about)
        apart = joined(list(self._blocks(set_apart=True, number=self._number)))
        lost, loses = (self._losses(apart, network) for network in (teacher, load_network(file, self._game)))
        error = float(np.std(loses - lost) / np.sqrt(len(lost)))
        better = file if loses.mean() < lost.mean() else teaching
        return Iteration(
            number=self._number,
            examples=len(examples.states),
            loss_before=1000 * float(lost.mean()),
            loss_after=1000 * float(loses.mean()),
            error=1000 * error,
            network=better,
        )

    def _about(self, start: Path, made_by: str) -> dict[str, str]:
        """Return how a network was made, for its file."""
        options = {name: each for name, each in flat(asdict(self._config)).items() if name != "iterations"}
        started = load_network(start, self._game).about
        return {"made by": made_by, "options": json.dumps(options)} | {
            name: started[name] for name in [STARTED] if name in started
        }

    def _teacher(self, start: Path, before: Path, workers: Workers, progress: Progress) -> Path:
        """Return the file of the teacher: the network before, or the mean of its branches of self-play."""
        options, file = self._config.teacher, self._folder(self._number) / _TEACHER
        if not options.self_play:
            return before
        if file.exists():
            return file
        network = load_network(before, self._game)
        files = [self._folder(self._number) / f"branch-{branch}.safetensors" for branch in range(options.branches)]
        missing = [branch for branch, each in enumerate(files) if not each.exists()]
        about = self._about(start, f"self-play of iteration {self._number} from {self._config.network}")
        jobs = [
            BranchJob(self._config.game, self._seed(_SELF_PLAY, branch), options, _snapshot(network))
            for branch in missing
        ]
        with progress(f"self-play {self._number}", len(missing)) as bar:
            for index, weights in run_jobs(jobs, workers):
                branch = mean_of(network, [weights])
                save_network(files[missing[index]], branch, about)
                bar.step()
        branches = [Snapshot(load_network(each, self._game).arrays()) for each in files]
        save_network(file, mean_of(network, branches), about)
        return file

    def _grown(self, network: Network) -> Network:
        """Return a copy of a network, or one of the design that is asked for; see `Network.grown`."""
        design, config = network.design, self._config
        return network.grown(config.hidden or design.hidden, config.inputs or design.inputs, config.seed)

    def _losses(self, examples: Examples, network: Network) -> Float64s:
        evaluator = with_tables(network, self._game, races_in(self._all, self._config))
        return examples.losses(evaluator.outcome_probabilities(examples.states))

    def _collect(self, teacher: Network, workers: Workers, progress: Progress) -> None:
        filtering, weights = filter_in(self._all, self._config, self._game), races_in(self._all, self._config)
        missing = [block for block in range(self._config.blocks) if not self._file(block, self._number).exists()]
        jobs = [
            ExamplesJob(
                *(self._config.game, self._config.block, self._seed(_EXAMPLES, block), self._config.examples),
                _snapshot(teacher),
                _snapshot(filtering) if filtering else None,
                Snapshot(weights._asdict()) if weights else None,
            )
            for block in missing
        ]
        with progress(f"iteration {self._number}", len(missing)) as bar:
            for index, examples in run_jobs(jobs, workers):
                _save_examples(self._file(missing[index], self._number), examples)
                bar.step()

    def _blocks(self, set_apart: bool, number: int) -> Iterator[Examples]:
        for block in range(self._config.blocks):
            if self._config.is_set_apart(block) == set_apart:
                yield _load_examples(self._file(block, number))

    def _folder(self, number: int) -> Path:
        return self._all / f"iteration-{number:02}"

    def _file(self, block: int, number: int) -> Path:
        return self._folder(number) / f"examples-{block:04}.safetensors"

    def _seed(self, *which: int) -> tuple[int, ...]:
        return (self._config.seed, self._number, *which)


def _snapshot(network: Network) -> NetworkSnapshot:
    weights = Snapshot(network.arrays())
    return NetworkSnapshot(network.design, weights.digest, weights)


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
