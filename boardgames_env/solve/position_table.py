"""Solved games: the interface of all, and tables of values position by position.

A table is kept on disk and mapped into memory.
"""

import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from boardgames_env.array_file import load_or_make, read_arrays, write_arrays
from boardgames_env.files import FileKind, cache_root
from boardgames_env.game import Game
from boardgames_env.kernels import content_key
from boardgames_env.kernels.signatures import Int8s, Int32s
from boardgames_env.position import Position, demand_game
from boardgames_env.solve.explore import ABSENT, SEARCH, explore, find_state, refuse_unsolvable
from boardgames_env.solve.retrograde import ANALYSIS, NO_DISTANCE, analyse


class Solution(ABC):
    """Values and distances of a game's positions under best play without `Limits`.

    Attributes:
        game: The game.
        acyclic: Whether no position can recur.
    """

    game: Game
    acyclic: bool

    @abstractmethod
    def value(self, position: Position) -> int:
        """Return the value for the seat to move: +1, 0 or −1."""

    @abstractmethod
    def distance(self, position: Position) -> int | None:
        """Return the plies to the end if the winner hurries and the loser delays; ``None`` for a draw."""

    def knows(self, position: Position) -> bool:
        """Return whether the solution holds the value of a position; a game may be solved in part."""
        return True

    def value_for(self, position: Position, seat: int) -> int:
        """Return the value for a seat: +1, 0 or −1."""
        value = self.value(position)
        return value if position.seat == seat else -value


@dataclass(frozen=True, eq=False)
class PositionTable(Solution):
    """The value and distance of every reachable position of a game.

    Attributes:
        game: The game.
        states: Every reachable state, shape ``(n, state_size)``, int8; row 0 is the initial one.
        slots: The hash table that `find_state` uses; int32.
        values: Values for the seat to move: +1, 0, −1; shape ``(n,)``, int8.
        distances: Plies to the end when the winner hurries and the loser delays, −1 for draws; int32.
        acyclic: Whether no position can recur.
    """

    game: Game
    states: Int8s
    slots: Int32s
    values: Int8s
    distances: Int32s
    acyclic: bool

    def __len__(self) -> int:
        return len(self.values)

    def value(self, position: Position) -> int:
        """Return the value for the seat to move under best play: +1, 0 or −1."""
        table, row = self._find(position)
        return int(table.values[row])

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end under best play, or ``None`` for a draw."""
        table, row = self._find(position)
        distance = int(table.distances[row])
        return None if distance == NO_DISTANCE else distance

    def _find(self, position: Position) -> tuple["PositionTable", int]:
        """Return the table that holds a position, and its row there.

        A position that no contest reaches, as an editor may set it up, is solved with all those that follow.
        """
        demand_game(position, self.game)
        for table in (self, *self._elsewhere):
            row: int = find_state.run(table.states, table.slots, position.state)
            if row != ABSENT:
                return table, row
        self._elsewhere.append(_solve(self.game, start=self.game.position(position.state)))
        return self._elsewhere[-1], 0

    @cached_property
    def _elsewhere(self) -> deque["PositionTable"]:
        """The tables of the last positions that no contest reaches."""
        return deque(maxlen=4)


def solve_reachable(
    game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None
) -> PositionTable:
    """Solve a game by retrograde analysis over all its reachable positions, or load its table.

    The folder of the tables is by default one in the user's cache folder; see `explore` for ``on_progress``.

    Raises:
        BadInputError: If the game is too large, its contests are not won by a single point, or it has chance events.
        OSError: If the table cannot be written into the folder (into the user's cache folder that is only a warning).
    """
    refuse_unsolvable(game)
    # without a name, or with kernels whose content cannot be described, it has no file that could be found again
    if not game.is_registered or any(kernel.key is None for kernel in game.rules.kernels):
        return _solve(game, on_progress)
    return load_or_make(
        table_path(game, folder),
        partial(load_table, game),
        partial(_solve, game, on_progress),
        save_table,
        f"the table of {game.spec}",
        is_default=folder is None,
    )


def _solve(
    game: Game, on_progress: Callable[[int, int], None] | None = None, start: Position | None = None
) -> PositionTable:
    reachable = explore(game, on_progress, start)
    values, distances, acyclic = analyse(reachable)
    return PositionTable(game, reachable.states, reachable.slots, values, distances, acyclic)


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Return the file of the table of a game with its options and rules."""
    name = re.sub(r"[^\w.=-]+", "_", game.spec).strip("_")
    return (folder or cache_root() / "tables") / f"{name}-{rules_digest(game)}.safetensors"


def rules_digest(game: Game) -> str:
    """Return a hash of the content of the game's and the solver's kernels."""
    rules = game.rules
    return content_key([rules.initial, rules.legal, rules.play, rules.outcome, *SEARCH, *ANALYSIS])


def save_table(table: PositionTable, path: Path) -> None:
    """Write a table, whole or not at all, in the safetensors format."""
    arrays = {name: getattr(table, name) for name in ("states", "slots", "values", "distances")}
    write_arrays(path, arrays, {**_kind_of_table(table.game).marks, "acyclic": str(table.acyclic)})


def load_table(game: Game, path: Path) -> PositionTable:
    """Map a table into memory; raise `BadInputError` if it is damaged, or not of this game under these rules."""
    arrays, data = read_arrays(path, _kind_of_table(game), mapped=True)
    return PositionTable(game, acyclic=data["acyclic"] == "True", **arrays)


def _kind_of_table(game: Game) -> FileKind:
    return FileKind(
        f"a table of {game.spec} under these rules",
        "remove it, or give another folder",
        {"game": game.spec, "version": str(game.version), "rules": rules_digest(game)},
    )
