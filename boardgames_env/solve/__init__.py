"""Solving games completely: ``solve(game).value(position)``.

The module itself can be called, too: ``from boardgames_env import solve`` imports it when it is first needed.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from boardgames_env.errors import BadInputError
from boardgames_env.files import cache_root
from boardgames_env.game import Game
from boardgames_env.games.disguised import Disguise
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.position import Position, demand_game
from boardgames_env.solve.explore import refuse_unsolvable
from boardgames_env.solve.morris.class_tables import ClassTables, demand_solvable_whole, solve_classes
from boardgames_env.solve.openings import SearchedGame, is_searched, solve_openings
from boardgames_env.solve.position_table import (
    PositionTable,
    Solution,
    load_table,
    save_table,
    solve_reachable,
    table_path,
)

__all__ = [
    "ClassTables",
    "PositionTable",
    "SearchedGame",
    "Solution",
    "demand_solvable",
    "is_searched",
    "known_so_far",
    "load_table",
    "save_table",
    "solve",
    "solve_classes",
    "solve_openings",
    "solve_reachable",
    "table_path",
]


def known_so_far(game: Game, folder: Path) -> Solution:
    """Return the tables of a folder, perhaps incomplete (see `Solution.knows`), of a game solved class by class.

    `BadInputError` is raised if there is no such folder, or it does not hold tables of such a game.
    """
    tables = ClassTables(game, folder)
    if not folder.is_dir():
        raise BadInputError(f"there is no folder {folder}; solve some classes of {game.spec} into it first")
    tables.check()
    return tables


class DisguisedSolution(Solution):
    """The solution of a game in disguise, by that of the game behind it."""

    def __init__(self, game: Game, disguise: Disguise, behind: Solution) -> None:
        self.game, self.acyclic, self._disguise, self._behind = game, behind.acyclic, disguise, behind

    def value(self, position: Position) -> int:
        """Return the value for the seat to move under best play: +1, 0 or −1."""
        return self._behind.value(self._uncovered(position))

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end under best play, or ``None`` for a draw."""
        return self._behind.distance(self._uncovered(position))

    def knows(self, position: Position) -> bool:
        """Return whether the solution holds the value of a position."""
        return self._behind.knows(self._uncovered(position))

    def _uncovered(self, position: Position) -> Position:
        demand_game(position, self.game)
        return Position.unchecked(self._disguise.original, self._disguise.uncovered(position.state))


def _family_in_disguise(game: Game) -> Game | None:
    """Return the game behind one in disguise, where it is solved class by class; ``None`` for any other game."""
    behind = game.family.original if isinstance(game.family, Disguise) else game
    return behind if behind is not game and isinstance(behind.family, MorrisRules) else None


_in_use: WeakValueDictionary[tuple[int, Path], Solution] = WeakValueDictionary()
"""Solutions that are in use in this process, by the id of the game and the cache folder.

Every mapped file counts against the files that a process may have open, and a game of men's morris has dozens: sixty
copies of an environment with a perfect player inside would exceed the limit. (A solution keeps its game alive, so the
id cannot become that of another game.)
"""


def solve(game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None) -> Solution:
    """Solve a game, or load its tables from a folder, by default in the user's cache folder.

    Morris games are solved class by class (in disguise, the game behind it is), large boards of connect four by a
    search when a position is asked for (whose openings `solve_openings` computes), others position by position. A
    solution from the cache folder that is still in use is returned again. ``on_progress`` is called now and then with
    the work done and the work that is known.

    Raises:
        BadInputError: If the game is too large, its contests are not won by a single point, or it has chance events.
    """
    key = (id(game), cache_root())
    solution = _in_use.get(key) if folder is None else None
    if solution is None:
        if isinstance(game.family, MorrisRules):
            solution = solve_classes(game, folder=folder, on_progress=on_progress)
        elif isinstance(game.family, Disguise) and (behind := _family_in_disguise(game)):
            solution = DisguisedSolution(game, game.family, solve(behind, folder, on_progress))
        elif is_searched(game):
            solution = SearchedGame(game, folder)
        else:
            solution = solve_reachable(game, folder, on_progress)
        if folder is None:
            _in_use[key] = solution
    return solution


def demand_solvable(game: Game) -> None:
    """Raise `BadInputError` for a game that `solve` refuses; one whose size is not known before is solved for that."""
    if isinstance(game.family, MorrisRules):
        demand_solvable_whole(game)
    elif behind := _family_in_disguise(game):
        demand_solvable_whole(behind)
    elif game.positions is None:
        solve(game)
    elif not is_searched(game):
        refuse_unsolvable(game)


class _CallableModule(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Solution:
        return solve(*args, **options)


sys.modules[__name__].__class__ = _CallableModule
