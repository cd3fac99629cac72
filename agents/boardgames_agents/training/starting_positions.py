"""Starting positions of contests, for games that begin with an empty board, in files that people can write.

A file is a JSON object with its ``format``, a description ``about`` it, and a list of ``positions``. Each position has
the cells ``x`` that seat 0 has marked, and as many cells ``o`` of seat 1; seat 0 moves next. An agent that brings sets
of its own registers their folder with `register_sets`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boardgames_agents.registry import registered_agents
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.game import Game
from boardgames_env.json_file import parse_json
from boardgames_env.position import Position

if TYPE_CHECKING:
    from importlib.abc import Traversable

_KIND = FileKind("starting positions", marks={"format": "boardgames-env starting positions, 1"}, is_sealed=False)

_folders: list["Traversable"] = []


def register_sets(folder: "Traversable") -> None:
    """Register a folder of files with starting positions; each is a set called by the file's name."""
    _folders.append(folder)


@dataclass(frozen=True)
class Start:
    """A starting position: the cells that seat 0 has marked, and as many that seat 1 has marked."""

    x: tuple[int, ...]
    o: tuple[int, ...]

    @property
    def actions(self) -> tuple[int, ...]:
        """The marks in turn, seat 0's first: an opening for `play_contest`."""
        return tuple(chain.from_iterable(zip(self.x, self.o, strict=True)))

    def position(self, game: Game) -> Position:
        """Return the position on an otherwise empty board.

        Raises:
            BadInputError: If marks overlap or lie off the board, one seat has more, or a seat has won.
        """
        cells, size = [*self.x, *self.o], game.board.size
        if len(self.x) != len(self.o):
            raise BadInputError(f"it has {len(self.x)} marks of x and {len(self.o)} of o; it must have as many of each")
        if off := [cell for cell in cells if not 0 <= cell < size]:
            raise BadInputError(f"cell {off[0]} lies off the board; cells are 0 to {size - 1}")
        if twice := [cell for cell in cells if cells.count(cell) > 1]:
            raise BadInputError(f"cell {twice[0]} is marked twice; marks must not overlap")
        position = game.position(np.zeros(game.state_size, dtype=np.int8))
        for action in self.actions:
            position = position.play(action)
            if position.is_over:
                raise BadInputError("it is over already; a starting position must not be won")
        return position


Starts = tuple[Start, ...]


def load_starts(name: str, game: Game) -> Starts:
    """Return the starting positions of a registered set, or of a file.

    Raises:
        BadInputError: If there is no such file, it is damaged, or one of its positions is not allowed.
    """
    remedy = f"give a file or one of: {one_of(shipped_sets())}"
    try:
        content = shipped_sets().get(name, Path(name)).read_bytes()
    except (OSError, ValueError) as error:
        raise BadInputError(f"there are no starting positions {name!r} ({type(error).__name__}); {remedy}") from None
    listed = parse_json(content, name, replace(_KIND, remedy=remedy)).get("positions")
    if not isinstance(listed, list) or not listed:
        raise BadInputError(f"{name} holds no starting positions; it must list at least one")
    starts = []
    for number, entry in enumerate(listed, start=1):
        try:
            cells = [entry.get(letter) if isinstance(entry, dict) else None for letter in "xo"]
            if not all(isinstance(each, list) and all(type(cell) is int for cell in each) for each in cells):
                raise BadInputError("it must list the cells of x and of o, as whole numbers")
            starts.append(Start(*(tuple(each or ()) for each in cells)))
            starts[-1].position(game)
        except BadInputError as error:
            raise BadInputError(f"position {number} of {name} is not allowed: {error}") from None
    return tuple(starts)


def save_starts(path: Path, starts: Sequence[Start], about: str) -> None:
    """Write a file that `load_starts` reads, atomically.

    Raises:
        OSError: If it cannot be written.
    """
    rows = ",\n".join(f'  {{"x": {json.dumps(start.x)}, "o": {json.dumps(start.o)}}}' for start in starts)
    head = f'{{\n "format": {json.dumps(_KIND.marks["format"])},\n "about": {json.dumps(about)},\n "positions": [\n'
    write_atomically(path, f"{head}{rows}\n ]\n}}\n".encode())


def shipped_sets() -> dict[str, "Traversable"]:
    """Return the files of all registered sets by name."""
    registered_agents()  # (importing an agent registers its sets)
    found = {each.name.removesuffix(".json"): each for folder in _folders for each in folder.iterdir()}
    return {name: each for name, each in sorted(found.items()) if each.name.endswith(".json")}
