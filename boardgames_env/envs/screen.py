"""The drawing of an environment, in every render mode."""

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, one_of, require_whole
from boardgames_env.position import Position
from boardgames_env.render.shapes import LARGEST
from boardgames_env.render.svg import draw_svg
from boardgames_env.render.text import draw_text

if TYPE_CHECKING:
    from boardgames_env.render.window import Window

RENDER_MODES = ("human", "rgb_array", "ansi", "svg")
RENDER_FPS = 10

Rendering = NDArray[np.uint8] | str | None


class Screen:
    """A screen that draws positions in one of the `RENDER_MODES`; the mode ``None`` draws nothing.

    ``render_size`` is the side of a picture in pixels, ``render_labels`` whether empty locations show their labels. A
    copy, pickled or deep, opens a window of its own. An unknown mode and a size that is not allowed raise
    `BadInputError`.
    """

    def __init__(self, title: str, mode: str | None, render_size: int, render_labels: bool) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise BadInputError(f"render_mode={mode!r} is not known; it must be None or one of: {one_of(RENDER_MODES)}")
        require_whole(1, LARGEST, render_size=render_size)
        self.mode = mode
        self._size, self._labels = render_size, render_labels
        self._title = title
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def draw(self, position: Position, before: Position | None = None) -> Rendering:
        """Draw a position; pictures mark what has changed since ``before``.

        Returns:
            A picture, shape ``(height, width, 3)``, or text for ``ansi`` and ``svg``; ``None`` for ``human`` and, with
            a warning, if there is no render mode.
        """
        if self.mode == "ansi":
            return draw_text(position, self._labels)
        if self.mode == "svg":
            return draw_svg(position, self._size, self._labels, before)
        if self.mode is None:
            logger.warn("render() draws nothing, because the environment was made without a render_mode")
            return None
        from boardgames_env.render.pixels import draw_pixels

        pixels = draw_pixels(position, self._size, self._labels, before)
        if self.mode == "rgb_array":
            return pixels
        from boardgames_env.render.window import Window

        self._window = self._window or Window(self._title, fps=RENDER_FPS)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
