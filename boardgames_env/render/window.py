"""A window on the screen that shows pictures."""

import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, MissingLibraryError

if TYPE_CHECKING:
    import pygame


class Window:
    """A window, opened when it is first shown a picture. It cannot be copied or pickled.

    The user may close it; pictures that are shown after that are dropped. `show` waits, so that there are at most
    ``fps`` pictures a second. Without pygame-ce it raises `BadInputError`.
    """

    def __init__(self, title: str, fps: float = 10.0) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on the standard output
        try:
            import pygame

            _ = pygame.Window  # which the other pygame lacks
        except (ImportError, AttributeError):
            raise MissingLibraryError("a window needs pygame-ce", "human") from None
        self._pygame = pygame
        self._title = title
        self._fps = fps
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
        self._clock.tick(self._fps)

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
