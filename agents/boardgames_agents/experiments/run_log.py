"""The run log: the only code that writes TensorBoard files."""

import io
import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.files import naming

_EVENTS = "events.out.tfevents."
"""What the names of event files begin with."""


def folders_for(names: Iterable[str]) -> dict[str, str]:
    """Return a folder name for each name, all different, which TensorBoard shows."""
    found: dict[str, str] = {}
    for name in names:
        plain = "".join(letter if letter.isalnum() or letter in "-=.& " else "_" for letter in name).strip(" .") or "_"
        alike = sum(other == plain or other.startswith(f"{plain} (") for other in found.values())
        found.setdefault(name, f"{plain} ({alike + 1})" if alike else plain)
    return found


def remove_logs(folder: Path) -> None:
    """Remove the event files below a folder, and nothing else."""
    for file in folder.rglob(f"{_EVENTS}*"):
        file.unlink()


def tag_of(name: str) -> str:
    """Return the tag of a name: TensorBoard's filters and other programs read tags without blanks more easily."""
    return "_".join(name.split())


class RunLog:
    """Curves, texts and pictures of a run, for ``tensorboard --logdir``; blanks in tags are written as ``_``.

    TensorBoard shows the groups of tags, by what is before the first ``/``, in alphabetical order, the first two open.

    Each session of a run has an event file of its own, and TensorBoard reads them in the order of their names. It is
    written with TensorBoard's record format and messages, but not with its `EventFileWriter`, which imports TensorFlow
    where there is one.

    Args:
        first_step: First step of this session; TensorBoard drops this and later steps of earlier ones.
    """

    def __init__(self, folder: Path, first_step: int = 0) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.summary.writer.record_writer import RecordWriter

        folder.mkdir(parents=True, exist_ok=True)
        last = max((path.name for path in folder.glob(f"{_EVENTS}[0-9]*")), default=f"{_EVENTS}0")
        session = 1 + int(re.findall(r"\d+", last)[0])
        self._path = folder / f"{_EVENTS}{session:010d}"
        self._writer = RecordWriter(self._path.open("xb"))
        self._write(Event(file_version="brain.Event:2"), first_step)
        self._write(Event(session_log=SessionLog(status=SessionLog.START)), first_step)

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        """Write points of several curves at one step."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        self._add(
            Summary(value=[Summary.Value(tag=tag_of(tag), simple_value=value) for tag, value in values.items()]), step
        )

    def text(self, tag: str, text: str, step: int = 0) -> None:
        """Write a text in Markdown."""
        from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
        from tensorboard.compat.proto.tensor_pb2 import TensorProto
        from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

        plugin = SummaryMetadata.PluginData(plugin_name="text")
        shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
        tensor = TensorProto(dtype="DT_STRING", string_val=[text.encode()], tensor_shape=shape)
        value = Summary.Value(
            tag=f"{tag_of(tag)}/text_summary", metadata=SummaryMetadata(plugin_data=plugin), tensor=tensor
        )
        self._add(Summary(value=[value]), step)

    def image(self, tag: str, pixels: NDArray[np.uint8], step: int) -> None:
        """Write a picture; ``pixels`` has the shape ``(height, width, 3)``."""
        from PIL import Image
        from tensorboard.compat.proto.summary_pb2 import Summary

        png = io.BytesIO()
        Image.fromarray(pixels).save(png, "PNG")
        height, width, _ = pixels.shape
        image = Summary.Image(height=height, width=width, colorspace=3, encoded_image_string=png.getvalue())
        self._add(Summary(value=[Summary.Value(tag=tag_of(tag), image=image)]), step)

    def hyperparameters(self, values: Mapping[str, Any]) -> None:
        """Write the options of the run for TensorBoard's table of hyperparameters."""
        from tensorboard.plugins.hparams.summary_v2 import hparams_pb

        plain = {name: value if isinstance(value, (bool, int, float)) else str(value) for name, value in values.items()}
        self._add(hparams_pb(plain), 0)

    def flush(self) -> None:
        """Write out everything that was logged."""
        with naming(self._path):
            self._writer.flush()

    def close(self) -> None:
        """Write out everything, and close the file."""
        with naming(self._path):
            self._writer.close()

    def _add(self, summary: Any, step: int) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        self._write(Event(summary=summary), step)

    def _write(self, event: Any, step: int) -> None:
        event.wall_time, event.step = time.time(), step
        with naming(self._path):
            self._writer.write(event.SerializeToString())
