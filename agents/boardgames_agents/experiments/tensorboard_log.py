"""The run log: the only code that writes and reads TensorBoard files."""

import io
import re
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
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
        folder: The folder of the run.
        first_step: First step of this session; TensorBoard drops this and later steps of earlier ones.
    """

    def __init__(self, folder: Path, first_step: int = 0) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.summary.writer.record_writer import RecordWriter

        self.folder = folder
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

        points = [Summary.Value(tag=tag_of(name), simple_value=value) for name, value in values.items()]
        self._add(Summary(value=points), step)

    def text(self, tag: str, text: str, step: int = 0) -> None:
        """Write a text in Markdown."""
        from tensorboard.plugins.text.summary_v2 import text_pb

        self._add(text_pb(f"{tag_of(tag)}/text_summary", [text]), step)

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

    def layout(self, charts: Mapping[str, Sequence[tuple[str, str, str]]]) -> None:
        """Write which curves TensorBoard's *Custom Scalars* draw together, each as a band.

        Args:
            charts: By the title of a chart its curves: the tags of the values, of the lower and of the upper bounds.
        """
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.plugins.custom_scalar import layout_pb2, metadata
        from tensorboard.util.tensor_util import make_tensor_proto

        drawn = []
        for title, curves in charts.items():
            chart = layout_pb2.Chart(title=title)
            for value, lower, upper in curves:
                chart.margin.series.add(value=tag_of(value), lower=tag_of(lower), upper=tag_of(upper))
            drawn.append(chart)
        category = layout_pb2.Category(title="tests, with 95 % intervals", chart=drawn)
        layout = make_tensor_proto(layout_pb2.Layout(category=[category]).SerializeToString())
        tag, about = metadata.CONFIG_SUMMARY_TAG, metadata.create_summary_metadata()
        self._add(Summary(value=[Summary.Value(tag=tag, metadata=about, tensor=layout)]), 0)

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


class Curve:
    """A curve: its steps, in order, and the value at each."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.values: list[float] = []

    def cut(self, step: int) -> None:
        """Remove the points at a step and later."""
        kept = bisect_left(self.steps, step)
        del self.steps[kept:], self.values[kept:]

    def add(self, step: int, value: float) -> None:
        """Add a point; it replaces those at the same step and later."""
        if self.steps and self.steps[-1] >= step:
            self.cut(step)
        self.steps.append(step)
        self.values.append(value)


_LARGEST_LOG = 256 * 2**20
"""Bytes of the event files that are read."""

_HEAD, _TAIL = 12, 4
"""Bytes before and after an event: its length with a checksum, and its own checksum, which is not verified."""


class RunLogReader:
    """The curves of a run, for those who show them while the run goes on: each reading goes on where the last ended.

    A session that begins at a step drops this and later steps of earlier sessions, as TensorBoard does. An unfinished
    event at the end of a file is left for the next reading.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, int] = {}
        self._curves: dict[str, Curve] = {}

    def curves(self) -> dict[str, Curve]:
        """Return the curves by tag, with what has been logged since the last reading.

        Raises:
            BadInputError: If an event file is damaged, or the log is too long.
        """
        files = sorted(path for path in self._folder.glob(f"{_EVENTS}*") if path.is_file())
        sizes = {path: path.stat().st_size for path in files}
        if sum(sizes.values()) > _LARGEST_LOG:
            raise BadInputError(f"the log in {self._folder.name} is longer than {_LARGEST_LOG // 2**20} MiB")
        if any(sizes.get(path, 0) < done for path, done in self._read.items()):
            self._read, self._curves = {}, {}  # (another run has been made there)
        for path in files:
            if sizes[path] > self._read.get(path, 0):
                for event in self._events_of(path):
                    self._take(event)
        return self._curves

    def _events_of(self, path: Path) -> Iterator[Any]:
        """Yield the events of a file that have not been read."""
        from google.protobuf.message import DecodeError
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c

        done = self._read.get(path, 0)
        with path.open("rb") as file:
            file.seek(done)
            content = memoryview(file.read())
        place = 0
        while place + _HEAD <= len(content):
            length = bytes(content[place : place + 8])
            if masked_crc32c(length) != int.from_bytes(content[place + 8 : place + _HEAD], "little"):
                raise _damaged_log(path)
            end = place + _HEAD + int.from_bytes(length, "little")
            if end + _TAIL > len(content):
                break
            try:
                event = Event.FromString(bytes(content[place + _HEAD : end]))
            except DecodeError:
                raise _damaged_log(path) from None
            place = end + _TAIL
            yield event
        self._read[path] = done + place

    def _take(self, event: Any) -> None:
        if event.HasField("session_log"):
            for curve in self._curves.values():
                curve.cut(event.step)
        for value in event.summary.value:
            if value.HasField("simple_value"):
                self._curves.setdefault(value.tag, Curve()).add(event.step, value.simple_value)


def _damaged_log(path: Path) -> BadInputError:
    return BadInputError(f"{path.parent.name}/{path.name} is damaged; TensorBoard shows what can be read of it")
