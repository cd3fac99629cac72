"""Every game of the registry is played to its end on the page; see `every_game` for more than one contest each."""

from typing import Any

import pytest

from boardgames_env import registered_games
from tests.boardgames_cli.web.page_player import By, play

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("by", ["clicks", "keys"])
@pytest.mark.parametrize("game", sorted(registered_games()))
def test_a_contest_is_played_to_its_end(page: Any, address: str, game: str, by: By) -> None:
    """Positions and legal actions are compared with the rules before every action; see `page_player.play`."""
    assert play(page, address, game, by, seed=[7]).actions > 0
