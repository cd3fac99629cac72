"""The tables of backgammon with few men, with a doubling cube or without: computed once, and kept in files."""

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

from boardgames_env.array_file import load_or_make, read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, cache_root
from boardgames_env.game import Game
from boardgames_env.kernels import content_key
from boardgames_env.solve.few_men import FewMen, solve_without_cube, sweep_without_cube
from boardgames_env.solve.few_men_with_cube import FewMenWithCube, solve_with_cube, sweep_with_cube
from boardgames_env.solve.placings import PRECISION, is_of_few_men, list_plays, rules_of

Table = FewMen | FewMenWithCube


def solve_few_men(
    game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None
) -> Table:
    """Solve a game, or load its table from a folder, by default in the user's cache folder.

    ``on_progress`` is called after each sweep with how precise the values are by now, and will be in the end, in tenths
    of decimal places.

    Returns:
        A `FewMenWithCube` if the game has a cube, otherwise a `FewMen`.

    Raises:
        BadInputError: If it is not backgammon with up to `MOST_MEN` men, or is played in matches.
        OSError: If the table cannot be written into the folder (into the user's cache folder that is only a warning).
    """
    rules_of(game)
    solve: Callable[[], Table] = partial(solve_with_cube if game.stake else solve_without_cube, game, on_progress)
    if not game.is_registered:
        return solve()
    return load_or_make(
        table_path(game, folder),
        partial(_load, game),
        solve,
        _save,
        f"the table of {game.spec}",
        is_default=folder is None,
    )


def known_few_men(game: Game) -> Table:
    """Return the solution of a game from the user's cache folder; raise `BadInputError` if it is missing or damaged."""
    rules_of(game)
    if not is_few_men_known(game):
        raise BadInputError(f"{game.spec} has not been solved; boardgames solve '{game.spec}' does so, in some minutes")
    return _known(game, table_path(game))


@lru_cache(maxsize=2)
def _known(game: Game, path: Path) -> Table:
    """Return the solution, which is kept: its file is large, and its checksum takes a second."""
    return _load(game, path)


def is_few_men_known(game: Game) -> bool:
    """Return whether the solution of a game is in the user's cache folder."""
    return is_of_few_men(game) and table_path(game).exists()


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Return the file of the table of a game with its options and rules."""
    return (folder or cache_root() / "tables") / f"{game.name}-{_kind(game).marks['rules']}.safetensors"


def _save(table: Table, path: Path) -> None:
    write_arrays(path, table.arrays, _kind(table.game).marks)


def _load(game: Game, path: Path) -> Table:
    arrays, _ = read_arrays(path, _kind(game), mapped=True)
    return FewMenWithCube(game, **arrays) if game.stake else FewMen(game, **arrays)


def _kind(game: Game) -> FileKind:
    sweep = sweep_with_cube if game.stake else sweep_without_cube
    key = content_key([*game.rules.kernels, list_plays, sweep, PRECISION, rules_of(game).men])
    return FileKind(
        f"a table of {game.spec} under these rules",
        "remove it, or give another folder",
        {"game": game.spec, "rules": key},
    )
