"""The drawing of an environment, in every render mode."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, MissingLibraryError, one_of, require_whole
from boardgames_env.position import Position
from boardgames_env.render.shapes import LARGEST
from boardgames_env.render.svg import draw_svg
from boardgames_env.render.text import draw_text

if TYPE_CHECKING:
    import pygame

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
        self._window = self._window or Window(self._title)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


class Window:
    """A window, opened when it is first shown a picture. It cannot be copied or pickled.

    The user may close it; pictures that are shown after that are dropped. `show` waits, so that there are at most
    `RENDER_FPS` pictures a second. Without pygame-ce it raises `BadInputError`.
    """

    def __init__(self, title: str) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on the standard output
        try:
            import pygame

            _ = pygame.Window  # which the other pygame lacks
        except (ImportError, AttributeError):
            raise MissingLibraryError("a window needs pygame-ce", "human") from None
        self._pygame = pygame
        self._title = title
        self._clock = pygame.time.Clock()
        self._window: pygame.Window | None = None
        self.is_closed = False

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show red, green and blue, shape ``(height, width, 3)``; raise `BadInputError` if there is no screen."""
        if self._window is None and not self.is_closed:
            self._window = self._opened(pixels.shape[1], pixels.shape[0])
        self._mind_events()
        if self._window is None:
            return
        picture = self._pygame.surfarray.make_surface(pixels.swapaxes(0, 1))
        self._window.get_surface().blit(picture, (0, 0))
        self._window.flip()
        self._clock.tick(RENDER_FPS)

    def close(self) -> None:
        """Close the window for good."""
        self.is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None

    def _opened(self, width: int, height: int) -> "pygame.Window":
        try:
            self._pygame.display.init()
            return self._pygame.Window(self._title, (width, height))
        except self._pygame.error as error:
            raise BadInputError(f"no window can be opened ({error}); draw to text, SVG or pixels instead") from None

    def _mind_events(self) -> None:
        """Handle closing, keep it for other windows, and drop all other events."""
        if self._window is None:
            return
        pygame = self._pygame
        for event in pygame.event.get(pygame.WINDOWCLOSE):
            if event.window is self._window:
                self.close()
            else:
                pygame.event.post(event)
        pygame.event.get(exclude=[pygame.WINDOWCLOSE])
