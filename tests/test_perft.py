"""The tables of `tests.perft`, counted again in up to three ways."""

from itertools import islice

import pytest

from boardgames_env import Game
from tests.perft import (
    FOLDER,
    GAMES,
    path_of,
    position_after,
    read_tables,
    through_environment,
    through_kernels,
    through_positions,
)
from tests.variants import spec_of

every_game = pytest.mark.parametrize("game", GAMES, ids=spec_of)
without_dice = pytest.mark.parametrize("game", [game for game in GAMES if not game.rules.has_chance], ids=spec_of)


def test_every_game_has_its_tables() -> None:
    assert set(FOLDER.glob("*.csv")) == set(map(path_of, GAMES)), "run `python -m tests.perft`"


@every_game
def test_positions(game: Game) -> None:
    for after, rows in read_tables(path_of(game)).items():
        table = [row for row in rows if row[1] is not None]
        assert list(islice(through_positions(position_after(game, after)), len(table))) == table


@without_dice
def test_environment(game: Game) -> None:
    for after, rows in read_tables(path_of(game)).items():
        # (a copy of an environment takes its time)
        table = [row for row in rows if row[0] <= (200 if after else 2000)]
        assert table
        assert through_environment(game, after, len(table)) == table


@every_game
def test_kernels(game: Game) -> None:
    for after, rows in read_tables(path_of(game)).items():
        table = [ways for ways, _ in rows if ways <= 7_000_000]
        assert through_kernels(position_after(game, after), len(table)) == table
