"""Every game of the registry is played to its end on the page; see `every_game` for more than one contest each."""

from collections.abc import Iterator

import pytest

from boardgames_env import registered_games
from tests.boardgames_cli.web.chromium import Tab, browser, found_chromium
from tests.boardgames_cli.web.every_game import SIZE
from tests.boardgames_cli.web.page_player import By, play

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    executable = found_chromium()
    if executable is None:
        pytest.skip("there is no Chromium on this machine")
    with browser(executable) as opened:
        opened.resize(*SIZE)
        yield opened


@pytest.mark.parametrize("by", ["clicks", "keys"])
@pytest.mark.parametrize("game", sorted(registered_games()))
def test_a_contest_is_played_to_its_end(tab: Tab, address: str, game: str, by: By) -> None:
    """Positions and legal actions are compared with the rules before every action; see `page_player.play`."""
    assert play(tab, address, game, by, seed=[7]).actions > 0
