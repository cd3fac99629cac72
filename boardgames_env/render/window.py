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

    One that is ``clickable`` can be resized, shows pictures in its middle, and keeps clicks and keys until `clicks` and
    `pressed_keys` are called. Others drop them.

    The user may close it; pictures that are shown after that are dropped. `show` waits, so that there are at most
    ``fps`` pictures a second. Without pygame-ce it raises `BadInputError`.
    """

    def __init__(self, title: str, fps: float = 10.0, clickable: bool = False) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on the standard output
        try:
            import pygame

            _ = pygame.Window  # which the other pygame lacks
        except (ImportError, AttributeError):
            raise MissingLibraryError("a window needs pygame-ce", "human") from None
        self._pygame = pygame
        self._title = title
        self._fps = fps
        self._clickable = clickable
        self._clicks: list[tuple[int, int]] = []
        self._keys: list[str] = []
        self._corner = (0, 0)  # of the picture shown last
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
        surface = self._window.get_surface()
        if self._clickable:
            surface.fill("black")
            width, height = surface.get_size()
            self._corner = max(0, (width - pixels.shape[1]) // 2), max(0, (height - pixels.shape[0]) // 2)
        surface.blit(picture, self._corner)
        self._window.flip()
        self._clock.tick(self._fps)

    def clicks(self) -> list[tuple[int, int]]:
        """Return where the picture has been clicked since the last call: pixels from its left and upper edge."""
        self._mind_events()
        found, self._clicks = self._clicks, []
        return [(x - self._corner[0], y - self._corner[1]) for x, y in found]

    def pressed_keys(self) -> list[str]:
        """Return the keys that have been pressed since the last call, by their names, such as ``u`` or ``escape``."""
        self._mind_events()
        found, self._keys = self._keys, []
        return found

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height in pixels; ``None`` before the first picture, and once the window is closed."""
        return None if self._window is None else self._window.size

    def close(self) -> None:
        """Close the window for good."""
        self.is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None

    def _opened(self, width: int, height: int) -> "pygame.Window":
        try:
            self._pygame.display.init()
            return self._pygame.Window(self._title, (width, height), resizable=self._clickable)
        except self._pygame.error as error:
            raise BadInputError(f"no window can be opened ({error}); draw to text, SVG or pixels instead") from None

    def _mind_events(self) -> None:
        """Handle closing, clicks and keys, keep what other windows wait for, and drop all other events."""
        if self._window is None:
            return
        pygame = self._pygame
        for event in pygame.event.get(pygame.WINDOWCLOSE):
            if event.window is self._window:
                self.close()
            else:
                pygame.event.post(event)
        waited_for = [pygame.WINDOWCLOSE, pygame.MOUSEBUTTONUP, pygame.KEYDOWN]
        for event in pygame.event.get(pygame.MOUSEBUTTONUP):
            if getattr(event, "window", None) is not self._window:
                pygame.event.post(event)
            elif self._clickable and event.button == 1:
                self._clicks.append(event.pos)
        for event in pygame.event.get(pygame.KEYDOWN):
            if getattr(event, "window", None) is not self._window:
                pygame.event.post(event)
            elif self._clickable:
                self._keys.append(pygame.key.name(event.key))
        pygame.event.get(exclude=waited_for)
