"""Solving games completely, and the tables that leaves: ``solve(game).value(position)``."""

from collections.abc import Callable
from pathlib import Path
from weakref import WeakValueDictionary

from boardgames_env.errors import BadInputError
from boardgames_env.files import cache_root
from boardgames_env.game import Game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.solve.morris.tables import ClassTables, solve_classes
from boardgames_env.solve.solution import Solution
from boardgames_env.solve.table import Table, load_table, save_table, solve_reachable, table_path

__all__ = [
    "ClassTables",
    "Solution",
    "Table",
    "known_so_far",
    "load_table",
    "save_table",
    "solve",
    "solve_classes",
    "solve_reachable",
    "table_path",
]


def known_so_far(game: Game, folder: Path) -> Solution:
    """What a folder of tables says of a game that is solved class by class; nothing is solved now.

    Args:
        game: The game.
        folder: Where its tables are kept.

    Returns:
        Ask it what it knows (`Solution.knows`).

    Raises:
        BadInputError: If there is no such folder, it does not hold this game's tables, or the game is not solved by
            classes.
    """
    tables = ClassTables(game, folder)
    if not folder.is_dir():
        raise BadInputError(f"there is no folder {folder}; solve some classes of {game.spec} into it first")
    tables.check()
    return tables


_in_use: WeakValueDictionary[tuple[int, Path], Solution] = WeakValueDictionary()
"""What somebody in this process has a hold of, by the game and the cache folder.

Every file that is mapped takes one of the few that a process may have open, and a game of men's morris has dozens:
sixty copies of an environment with a perfect player inside would run out of them. (A solution keeps its game, so nobody
else can have that game's id.)
"""


def solve(game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None) -> Solution:
    """Solve a game completely, or load what that left before: morris games by classes, others position by position.

    A solution in the cache folder that is still in use is given out again.

    Args:
        game: The game; small enough for that.
        folder: Where tables are kept; by default in the user's cache folder.
        on_progress: Told now and then how much is done, and how much is known to be to do.

    Raises:
        BadInputError: If the game is too large, its contests are not won by a single point, or it is one of chance.
    """
    if folder is not None:
        return _solve(game, folder, on_progress)
    key = (id(game), cache_root())
    solution = _in_use.get(key)
    if solution is None:
        solution = _in_use[key] = _solve(game, None, on_progress)
    return solution


def _solve(game: Game, folder: Path | None, on_progress: Callable[[int, int], None] | None) -> Solution:
    if isinstance(game.family, MorrisRules):
        return solve_classes(game, folder=folder, on_progress=on_progress)
    return solve_reachable(game, folder, on_progress)
