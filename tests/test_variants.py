"""What is varied of every game, and that nothing is kept of games that are gone."""

import pytest

from boardgames_env import registered_games
from tests.golden_records import FOLDER, path_of
from tests.variants import EVERY_GAME, VARIANTS


@pytest.mark.parametrize("name", registered_games())
def test_every_option_is_varied(name: str) -> None:
    varied = {option for game in VARIANTS if game.name == name for option in game.options}
    assert varied == set(registered_games()[name].options)


def test_there_are_no_golden_records_of_other_games() -> None:
    assert set(FOLDER.glob("*.txt")) == set(map(path_of, EVERY_GAME)), "run `python -m tests.golden_records`"
