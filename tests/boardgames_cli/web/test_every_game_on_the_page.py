"""Every game of the registry is played to its end on the page, as often as the environment's ``CONTESTS`` says."""

import os
from typing import Any

import pytest

from boardgames_env import registered_games
from tests.boardgames_cli.web.every_game import SIZE, By, play

pytestmark = pytest.mark.slow

CONTESTS = int(os.environ.get("CONTESTS", "1"))


@pytest.mark.parametrize("by", ["clicks", "keys", "drags"])
@pytest.mark.parametrize("game", sorted(registered_games()))
def test_contests_are_played_to_their_end(page: Any, address: str, game: str, by: By) -> None:
    page.set_viewport_size(SIZE)
    for number in range(CONTESTS):
        assert play(page, address, game, by, seed=[7, number]) > 0
