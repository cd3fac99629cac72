"""The tables of `tests.perft`, counted again in up to three ways."""

from itertools import islice

from boardgames_env import Game
from tests.perft import (
    GAMES,
    path_of,
    position_after,
    read_tables,
    through_environment,
    through_kernels,
    through_positions,
)
from tests.variants import WITH_CHANCE, over

every_game = over(GAMES)


@every_game
def test_positions(game: Game) -> None:
    for after, rows in read_tables(path_of(game.spec)).items():
        table = [row for row in rows if row[1] is not None]
        assert list(islice(through_positions(position_after(game, after)), len(table))) == table


@over([spec for spec in GAMES if spec not in WITH_CHANCE])
def test_environment(game: Game) -> None:
    for after, rows in read_tables(path_of(game.spec)).items():
        # (a copy of an environment takes its time)
        table = [row for row in rows if row[0] <= (200 if after else 2000)]
        assert table
        assert through_environment(game, after, len(table)) == table


@every_game
def test_kernels(game: Game) -> None:
    for after, rows in read_tables(path_of(game.spec)).items():
        table = [ways for ways, _ in rows if ways <= 7_000_000]
        assert through_kernels(position_after(game, after), len(table)) == table
