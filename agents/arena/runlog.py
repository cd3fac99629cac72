"""The run log: the one place that writes TensorBoard files, with TensorBoard's own writer."""

import io
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class RunLog:
    """Curves, texts and pictures of a run, for ``tensorboard --logdir``.

    Args:
        folder: Where the event file goes.
        resumed_at: The first step of a resumed run: TensorBoard forgets what it has read of it and of later ones.
    """

    def __init__(self, folder: Path, resumed_at: int | None = None) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        # TensorBoard reads a folder's files in the order of their names, which tell the second they were begun in
        while any(folder.glob(f"*.tfevents.{int(time.time())}.*")):
            time.sleep(0.05)
        self._writer = EventFileWriter(str(folder))
        if resumed_at is not None:
            self._writer.add_event(Event(wall_time=time.time(), step=resumed_at, file_version="brain.Event:2"))
            log = SessionLog(status=SessionLog.START)
            self._writer.add_event(Event(wall_time=time.time(), step=resumed_at, session_log=log))

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        """Points of several curves at one step."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        self._add(Summary(value=[Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]), step)

    def text(self, tag: str, text: str, step: int = 0) -> None:
        """A text, in Markdown."""
        from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
        from tensorboard.compat.proto.tensor_pb2 import TensorProto
        from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

        plugin = SummaryMetadata.PluginData(plugin_name="text")
        shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
        tensor = TensorProto(dtype="DT_STRING", string_val=[text.encode()], tensor_shape=shape)
        value = Summary.Value(tag=f"{tag}/text_summary", metadata=SummaryMetadata(plugin_data=plugin), tensor=tensor)
        self._add(Summary(value=[value]), step)

    def image(self, tag: str, pixels: NDArray[np.uint8], step: int) -> None:
        """A picture.

        Args:
            tag: Its name.
            pixels: Shape ``(height, width, 3)``, dtype uint8.
            step: The step it belongs to.
        """
        from PIL import Image
        from tensorboard.compat.proto.summary_pb2 import Summary

        png = io.BytesIO()
        Image.fromarray(pixels).save(png, "PNG")
        height, width, _ = pixels.shape
        image = Summary.Image(height=height, width=width, colorspace=3, encoded_image_string=png.getvalue())
        self._add(Summary(value=[Summary.Value(tag=tag, image=image)]), step)

    def hyperparameters(self, values: Mapping[str, Any]) -> None:
        """What the run was told, for TensorBoard's table of hyperparameters."""
        from tensorboard.plugins.hparams.summary_v2 import hparams_pb

        plain = {name: value if isinstance(value, (bool, int, float)) else str(value) for name, value in values.items()}
        self._add(hparams_pb(plain), 0)

    def flush(self) -> None:
        """Write out everything that was logged."""
        self._writer.flush()

    def close(self) -> None:
        """Write out everything, and close the file."""
        self._writer.close()

    def _add(self, summary: Any, step: int) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        self._writer.add_event(Event(wall_time=time.time(), step=step, summary=summary))
