"""What the tests of the environments share."""

import copy
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from boardgames_env.envs import screen
from tests.variants import EACH_GAME, spec_of

GAMES = [*EACH_GAME, "achi(adjacent=True)", "backgammon(cube=True, beavers=True)"]
"""What the tests of the environments run over."""

# all eight men placed without a line, and six slides that bring the position back
ACHI_WITHOUT_A_LINE = (0, 1, 2, 3, 5, 4, 7, 6)
ACHI_ROUND = (5, 4, 8, 5, 4, 8)


def pickled(thing: Any) -> Any:
    """A copy through pickle."""
    return pickle.loads(pickle.dumps(thing))


BY_SPEC: Any = {"ids": spec_of, "indirect": ["game"]}
"""How tests take a game as one of several arguments: by its spec."""

KINDS_OF_COPY = [copy.deepcopy, pickled]


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows open in memory, and nobody has to be able to follow them."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(screen, "RENDER_FPS", 10_000)


@contextmanager
def only_warning(*allowed: str) -> Iterator[None]:
    """Fails at any warning that does not begin with one of the given texts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    said = {str(each.message) for each in caught}
    assert not {text for text in said if not text.startswith(allowed)}
