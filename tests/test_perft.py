"""The tables of `tests.perft`, counted again in three ways."""

from itertools import islice
from pathlib import Path

import pytest

from boardgames_env import make_game, registered_games
from tests.perft import FOLDER, read_table, through_environment, through_kernels, through_positions

every_table = pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)


def test_every_game_has_a_table() -> None:
    assert set(registered_games()) <= {path.stem for path in FOLDER.glob("*.csv")}, "run `python -m tests.perft`"


@every_table
def test_positions(path: Path) -> None:
    table = read_table(path)
    assert list(islice(through_positions(make_game(path.stem)), len(table))) == table


@every_table
def test_environment(path: Path) -> None:
    # (a copy of an environment takes its time)
    table = [row for row in read_table(path) if row[0] <= 2000]
    assert table
    assert through_environment(make_game(path.stem), len(table)) == table


@every_table
def test_kernels(path: Path) -> None:
    table = [ways for ways, _ in read_table(path) if ways <= 1_000_000]
    assert through_kernels(make_game(path.stem), len(table)) == table
