"""Many trainings, on this machine or on others; each leaves its run in its own folder here.

On this machine a training works in its folder, and one that was killed goes on from its last checkpoint. Elsewhere it
works in a folder of its own, beginning with what there is of the run here, and the whole run is brought here when it is
done: no folders need to be shared, and one that was lost with its worker begins there again.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from boardgames_agents.experiments.runner import ONE_PROCESS, Workers, run_jobs
from boardgames_agents.training.run import RunConfig, last_checkpoint, train
from boardgames_env.files import sync_folder, write_atomically

_NOT_SENT = {"lock"}


@dataclass(frozen=True)
class Training:
    """A training: a piece of work, which leaves a run in a folder.

    Attributes:
        folder: The run's folder.
        config: What the run is.
    """

    folder: Path
    config: RunConfig

    def run(self) -> int:
        """Train, or go on with the training; the contests that it took."""
        return train(self.folder, self.config).contests

    def description(self) -> dict[str, Any]:
        """Return the configuration of the run."""
        return {"kind": "training", **asdict(self.config)}


@dataclass(frozen=True)
class _Sent:
    """A training that does not see the folder here.

    Attributes:
        config: What the run is.
        begun: The files of the run so far.
    """

    config: RunConfig
    begun: Mapping[str, bytes]

    def description(self) -> dict[str, Any]:
        """Return the configuration of the run."""
        return {"kind": "training", **asdict(self.config)}

    def run(self) -> dict[str, bytes]:
        """Train to the end; the files of the run."""
        with TemporaryDirectory(prefix="boardgames-") as place:
            folder = Path(place) / "run"
            _unpack(self.begun, folder)
            train(folder, self.config)
            return _packed(folder)


def train_all(
    trainings: Sequence[Training], workers: Workers = ONE_PROCESS, on_training: Callable[[], object] = lambda: None
) -> None:
    """Carry out trainings that have not ended yet.

    Args:
        trainings: The trainings, each in another folder.
        workers: Who does it.
        on_training: Called when one is done.

    Raises:
        BadInputError: As `train` and `run_jobs` do.
    """
    if workers.local:
        for _ in run_jobs(trainings, workers):
            on_training()
        return
    for _ in _train_elsewhere(trainings, workers):
        on_training()


def _train_elsewhere(trainings: Sequence[Training], workers: Workers) -> Iterator[None]:
    missing = []
    for training in trainings:
        _finish_replacing(training.folder)
        checkpoint = last_checkpoint(training.folder, training.config)
        if checkpoint and checkpoint.done:
            yield
        else:
            missing.append(training)
    sent = [_Sent(training.config, _packed(training.folder)) for training in missing]
    for number, files in run_jobs(sent, workers):
        _replace(missing[number].folder, files)
        yield


def _packed(folder: Path) -> dict[str, bytes]:
    """The files of a folder, by their way from there; none if it is not there."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in _NOT_SENT)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _unpack(files: Mapping[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        write_atomically(folder / name, lambda file, content=content: file.write(content))  # type: ignore[misc]


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put a run in its place, whole, instead of what there was of it."""
    brought, older = _beside(folder)
    for left_over in (brought, older):  # by a process that was killed
        shutil.rmtree(left_over, ignore_errors=True)
    _unpack(files, brought)
    if folder.exists():
        folder.rename(older)
    brought.rename(folder)
    sync_folder(folder.parent)
    shutil.rmtree(older, ignore_errors=True)


def _finish_replacing(folder: Path) -> None:
    """Put the run in its place that a killed process had already made room for: it was whole then."""
    brought, older = _beside(folder)
    if older.exists() and brought.exists() and not folder.exists():
        brought.rename(folder)


def _beside(folder: Path) -> tuple[Path, Path]:
    """Where a run is brought, and where what it replaces is put aside."""
    return folder.with_name(f".{folder.name}.brought"), folder.with_name(f".{folder.name}.older")
