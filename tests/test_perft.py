"""The tables of `tests.perft`, counted again in up to two ways."""

from itertools import islice, takewhile

import pytest

from boardgames_env import Game
from tests.perft import GAMES, Row, path_of, position_after, read_tables, through_kernels, through_positions
from tests.variants import over, sampled

every_game = over(GAMES)
fast_and_slow = pytest.mark.parametrize("effort", [0.2, pytest.param(1, marks=pytest.mark.slow)])
"""The share of the largest tables that is counted."""


@fast_and_slow
@every_game
def test_positions(game: Game, effort: float) -> None:
    for after, rows in read_tables(path_of(game.spec)).items():
        counted = [row for row in rows if row[1] is not None]
        table = counted if effort == 1 else short(counted, 2000)
        assert list(islice(through_positions(position_after(game, after)), len(table))) == table


def short(rows: list[Row], most: float) -> list[Row]:
    """The rows before the first with more ways."""
    return list(takewhile(lambda row: row[0] <= most, rows))


@fast_and_slow
@over(sampled(GAMES, one_in=3))
def test_kernels(game: Game, effort: float) -> None:
    for after, rows in read_tables(path_of(game.spec)).items():
        table = [ways for ways, _ in short(rows, effort * 7_000_000)]
        assert through_kernels(position_after(game, after), len(table)) == table
