"""Solving games completely, and the tables that leaves: ``solve(game).value(position)``."""

from collections.abc import Callable
from pathlib import Path

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.morris_rules import MorrisRules
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


def solve(game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None) -> Solution:
    """Solve a game completely, or load what that left before: morris games by classes, others position by position.

    Args:
        game: The game; small enough for that.
        folder: Where tables are kept; by default in the user's cache folder.
        on_progress: Told now and then how much is done, and how much is known to be to do.

    Raises:
        BadInputError: If the game is too large, its contests are not won by a single point, or it is one of chance.
    """
    if isinstance(game.family, MorrisRules):
        return solve_classes(game, folder=folder, on_progress=on_progress)
    return solve_reachable(game, folder, on_progress)
