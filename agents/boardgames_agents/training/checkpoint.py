"""Checkpoints: a learner and the progress of its training, written to disk atomically."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boardgames_agents.policy import Snapshot
from boardgames_env.array_file import array_bytes, arrays_in
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, checksum, sync_folder, write_atomically
from boardgames_env.json_file import SEAL, read_unverified, sealed

_ARRAYS = "learner.safetensors"
_DATA = "checkpoint.json"
_TRAINER = "trainer/"
"""The beginning of the names of the trainer's arrays."""

_KEPT = 2

_KIND = FileKind("a checkpoint", "remove its folder to go on from the checkpoint before it")


@dataclass(frozen=True)
class Checkpoint:
    """The progress of a training, as in `boardgames_agents.training.loop.Step`, and what the learner has learned.

    Attributes:
        snapshot: What the learner has learned.
        trainer: The trainer's state.
        recent: The points of the last contests, as in `boardgames_agents.training.curves.RecentPoints`.
    """

    contests: int
    streak: int
    done: bool
    snapshot: Snapshot
    recent: Mapping[str, Sequence[float]] = field(default_factory=dict)
    trainer: Snapshot = field(default_factory=Snapshot)


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint as a folder, under a temporary name first, and remove all older ones but one.

    Raises:
        OSError: If it cannot be written; the existing checkpoints stay as they were.
        BadInputError: If the learner and the trainer have arrays of the same names.
    """
    if checkpoint.trainer.data and any(name.startswith(_TRAINER) for name in checkpoint.snapshot.arrays):
        raise BadInputError(f"a learner whose arrays have names that begin with {_TRAINER} cannot have such a trainer")
    place = folder / f"{checkpoint.contests:012d}"
    for left_over in folder.glob(".aside-*"):  # by a process that was killed
        shutil.rmtree(left_over)
    aside = folder / f".aside-{place.name}"
    aside.mkdir(parents=True)
    carried = {f"{_TRAINER}{name}": array for name, array in checkpoint.trainer.arrays.items()}
    arrays = array_bytes({**checkpoint.snapshot.arrays, **carried})
    data: dict[str, Any] = {
        "contests": checkpoint.contests,
        "streak": checkpoint.streak,
        "done": checkpoint.done,
        "recent_points": dict(checkpoint.recent),
        "learner": dict(checkpoint.snapshot.data),
    }
    if checkpoint.trainer.data:
        data["trainer"] = dict(checkpoint.trainer.data)
    write_atomically(aside / _ARRAYS, arrays)
    write_atomically(aside / _DATA, json.dumps(sealed(data, beside=arrays), indent=1).encode())
    aside.rename(place)
    sync_folder(folder)
    for older in _checkpoints(folder)[:-_KEPT]:
        shutil.rmtree(older)
    return place


def load_latest(folder: Path, is_wanted: Callable[[int], bool] = lambda contests: True) -> Checkpoint | None:
    """Read the last checkpoint after a wanted number of contests, or return ``None`` if there is none.

    Raises:
        BadInputError: If it is damaged; the message names the file.
    """
    found = [path for path in _checkpoints(folder) if is_wanted(int(path.name))]
    if not found:
        return None
    last = found[-1]
    data = read_unverified(last / _DATA, _KIND)
    with _KIND.reading(last / _ARRAYS):
        content = (last / _ARRAYS).read_bytes()
        arrays = arrays_in(content)
    _KIND.demand_whole(f"{last / _ARRAYS}, or {_DATA} beside it,", data.pop(SEAL, None), checksum(data, content))
    with _KIND.reading(last / _DATA):
        carried = {name: arrays.pop(name) for name in [*arrays] if name.startswith(_TRAINER) and "trainer" in data}
        of_trainer = {name.removeprefix(_TRAINER): array for name, array in carried.items()}
        trainer, learner = Snapshot(of_trainer, data.get("trainer", {})), Snapshot(arrays, data["learner"])
        return Checkpoint(data["contests"], data["streak"], data["done"], learner, data["recent_points"], trainer)


def progress_of_latest(folder: Path) -> tuple[int, int]:
    """Return the contests and the streak at the last checkpoint without verifying it; zeros if there is none.

    Raises:
        BadInputError: If it is damaged; the message names the file.
    """
    for path in reversed(_checkpoints(folder)):
        try:
            data = read_unverified(path / _DATA, _KIND)
        except BadInputError:
            if (path / _DATA).exists():
                raise
            continue  # (a training has just removed it)
        with _KIND.reading(path / _DATA):
            return int(data["contests"]), int(data["streak"])
    return 0, 0


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("[0-9]" * 12) if path.is_dir())
