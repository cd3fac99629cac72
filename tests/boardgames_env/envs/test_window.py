"""The window, on SDL's invisible screen."""

import sys

import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.envs.screen import Window
from boardgames_env.render.pixels import draw_pixels
from tests.processes import printed

pygame = pytest.importorskip("pygame")


@pytest.fixture(autouse=True)
def closed_display():
    yield
    pygame.display.quit()


@pytest.fixture
def pixels():
    return draw_pixels(make_game("achi").initial, 120)


def test_it_shows_the_pixels(pixels):
    window = Window("achi")
    window.show(pixels)
    shown = pygame.surfarray.array3d(window._window.get_surface()).swapaxes(0, 1)
    assert (shown == pixels).all()
    window.close()
    window.close()


def test_closing_one_window_leaves_the_other_open(pixels):
    one, other = Window("one"), Window("other")
    one.show(pixels)
    other.show(pixels)
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=other._window))
    one.show(pixels)
    other.show(pixels)
    assert (one.is_closed, other.is_closed) == (False, True)
    other.show(pixels)  # nobody sees it, and nothing breaks
    one.close()


def test_without_a_screen_one_clear_error(monkeypatch, pixels):
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(BadInputError, match="no window can be opened"):
        Window("achi").show(pixels)


def test_without_pygame_one_clear_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(BadInputError, match=r"pip install 'boardgames-env\[human\]'"):
        Window("achi")


@pytest.mark.slow
def test_drawing_needs_no_pygame_and_the_package_no_pillow():
    printed(
        "import sys, boardgames_env, boardgames_env.envs.screen, boardgames_env.render.pixels; "
        "assert not {'PIL', 'pygame', 'torch'} & set(sys.modules), sorted(sys.modules)"
    )
