"""Which tests are run: the lists of games, the parts, and no records of games that are gone."""

from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from boardgames_env import make_game, registered_games
from boardgames_env.kernels import content_key
from tests import golden_records, perft
from tests.conftest import Part
from tests.processes import python
from tests.variants import (
    EACH_GAME,
    EACH_SMALL_GAME,
    EVERY_GAME,
    MORRIS,
    OWN_RULES,
    VARIANTS,
    WITH_CHANCE,
    WITH_HEURISTICS,
    is_small,
)


@pytest.mark.parametrize("name", EACH_GAME)
def test_every_option_is_varied(name: str) -> None:
    varied = {option for spec in VARIANTS if (game := make_game(spec)).name == name for option in game.options}
    assert varied == set(registered_games()[name].options)


def test_the_lists_are_true_of_the_games() -> None:
    assert all(make_game(spec).spec == spec for spec in EVERY_GAME)
    games = [make_game(name) for name in EACH_GAME]
    assert [game.name for game in games if game.rules.has_chance] == WITH_CHANCE
    assert [game.name for game in games if is_small(game)] == EACH_SMALL_GAME
    assert [game.name for game in games if type(game.family).__name__ == "MorrisRules"] == MORRIS
    assert [game.name for game in games if game.heuristics] == WITH_HEURISTICS

    def contents(spec: str) -> list[str]:
        return [content_key([each]) for each in make_game(spec).rules.kernels]

    same = {spec for spec, plain in VARIANTS.items() if contents(spec) == contents(plain)}
    assert set(EVERY_GAME) - set(OWN_RULES) == same, "they differ in nothing but their limits"


@pytest.mark.parametrize(("tables", "games"), [(golden_records, EVERY_GAME), (perft, perft.GAMES)])
def test_there_are_no_records_of_other_games(tables, games: list[str]) -> None:
    kept = {path for path in tables.FOLDER.iterdir() if path.suffix in (".txt", ".csv")}
    assert kept == set(map(tables.path_of, games)), f"run `python -m {tables.__name__}`"


COLLECT = """
import sys, pytest
from boardgames_env import Game

def refuse(game):
    raise AssertionError("a game is made while tests are collected")

Game.__post_init__ = refuse
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-m", ""]))
"""


@pytest.mark.slow
def test_collecting_the_tests_makes_no_game_and_compiles_and_solves_nothing(tmp_path: Path) -> None:
    done = python(code=COLLECT, BOARDGAMES_CACHE=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_each_test_is_in_one_part(of: int) -> None:
    names = [f"tests/test_games.py::test_ends[{number}]" for number in range(1000)]
    parts = [[name for name in names if Part(number, of).has(name)] for number in range(1, of + 1)]
    assert sorted(name for part in parts for name in part) == sorted(names)
    assert max(map(len, parts)) < 2 * len(names) / of


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "-1/3", "1/0", "a/b", "1/3/5"])
def test_only_parts_are_named(text: str) -> None:
    assert Part.parse("2/3") == Part(2, 3)
    with pytest.raises(ArgumentTypeError, match="is no part K/N of the tests, such as 2/3"):
        Part.parse(text)
