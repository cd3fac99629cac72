"""Many trainings, on this machine or on others; each leaves its run in a folder of this machine.

On this machine a training works in its folder, and one that was killed goes on from its last checkpoint. On a cluster
it works in a temporary folder, beginning with the files of the run here, and the whole run is copied back when it is
done. So no folders are shared, and a training that was lost with its worker begins again from the files here.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from boardgames_agents.experiments.report import write_files
from boardgames_agents.experiments.runner import ONE_PROCESS, Workers, run_jobs
from boardgames_agents.training.run import RunConfig, last_checkpoint, train
from boardgames_env.files import sync_folder


@dataclass(frozen=True)
class TrainingJob:
    """A training that leaves a run in a folder of this machine; see `boardgames_agents.experiments.job.Job`."""

    folder: Path
    config: RunConfig

    def description(self) -> dict[str, Any]:
        """Return the configuration of the run."""
        return {"kind": "training", **asdict(self.config)}

    def run(self) -> int:
        """Train, or resume the training; return the number of contests."""
        return train(self.folder, self.config).contests


@dataclass(frozen=True)
class _RemoteTrainingJob:
    """A training on a machine that does not see the folder of the run; ``begun`` are its files so far by path."""

    config: RunConfig
    begun: Mapping[str, bytes]

    def description(self) -> dict[str, Any]:
        """Return the configuration of the run."""
        return {"kind": "training", **asdict(self.config)}

    def run(self) -> dict[str, bytes]:
        """Train to the end; return the files of the run."""
        with TemporaryDirectory(prefix="boardgames-") as place:
            folder = Path(place) / "run"
            _write_run(folder, self.begun)
            train(folder, self.config)
            return _packed(folder)


def train_all(
    trainings: Sequence[TrainingJob], workers: Workers = ONE_PROCESS, on_training: Callable[[], object] = lambda: None
) -> None:
    """Run the trainings that have not ended yet.

    Raises:
        BadInputError: See `train` and `run_jobs`.
    """
    for _ in run_jobs(trainings, workers) if workers.local else _train_remotely(trainings, workers):
        on_training()


def _train_remotely(trainings: Sequence[TrainingJob], workers: Workers) -> Iterator[None]:
    missing = []
    for training in trainings:
        _finish_replacing(training.folder)
        checkpoint = last_checkpoint(training.folder, training.config)
        if checkpoint and training.config.is_ended_by(checkpoint):
            yield
        else:
            missing.append(training)
    sent = [_RemoteTrainingJob(training.config, _packed(training.folder)) for training in missing]
    for number, files in run_jobs(sent, workers):
        _replace(missing[number].folder, files)
        yield


def _packed(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths in it; none if there is no folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _write_run(folder: Path, files: Mapping[str, bytes]) -> None:
    write_files({folder / name: content for name, content in files.items()})


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace a folder by the whole run."""
    brought, older = _folders_beside(folder)
    for left_over in (brought, older):  # by a process that was killed
        shutil.rmtree(left_over, ignore_errors=True)
    _write_run(brought, files)
    if folder.exists():
        folder.rename(older)
    brought.rename(folder)
    sync_folder(folder.parent)
    shutil.rmtree(older, ignore_errors=True)


def _finish_replacing(folder: Path) -> None:
    """Finish a replacement that a killed process left between its two renames: the new run is whole then."""
    brought, older = _folders_beside(folder)
    if older.exists() and brought.exists() and not folder.exists():
        brought.rename(folder)


def _folders_beside(folder: Path) -> tuple[Path, Path]:
    """Return the folders beside a run's for the new run and for the replaced one."""
    return folder.with_name(f".{folder.name}.brought"), folder.with_name(f".{folder.name}.older")
