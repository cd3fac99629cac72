"""Starting positions: the marks that are on the board before anybody is asked, from files that people can write.

In the paper every game begins from such a position, "the first 5 x's and o's in the board", and its own are lost. A
file is a JSON object with the ``format``, what it is ``about`` in words, and a list of ``positions``; each has the
cells marked ``x``, which is seat 0 and moves first, and as many marked ``o``. The sets that come with the package are
called ``lessons-1``, ``self_test-1``, ``exam-1`` and so on; `boardgames_agents.fives.making` says how they were made.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.files import write_atomically
from boardgames_env.game import Game
from boardgames_env.position import Position

_FORMAT = "boardgames-env starting positions, 1"

_SHIPPED = files("boardgames_agents.fives") / "data"


@dataclass(frozen=True)
class Start:
    """A starting position.

    Attributes:
        x: The cells that seat 0 has marked,
        o: and those of seat 1, which are as many.
    """

    x: tuple[int, ...]
    o: tuple[int, ...]

    @property
    def actions(self) -> tuple[int, ...]:
        """The marks in turn, seat 0's first: an opening for `boardgames_agents.arena.contest.play_contest`."""
        return tuple(chain.from_iterable(zip(self.x, self.o, strict=True)))

    def position(self, game: Game) -> Position:
        """The position on an otherwise empty board.

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
    """The starting positions of a file.

    Args:
        name: The name of a set that comes with the package, or a file's.
        game: The game whose board they are for.

    Raises:
        BadInputError: If there is no such file, it is damaged, or one of its positions is not allowed.
    """
    try:
        text = (_SHIPPED / f"{name}.json" if name in shipped_sets() else Path(name)).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadInputError(
            f"there are no starting positions {name!r} ({type(error).__name__}); give a file or one of: "
            f"{one_of(shipped_sets())}"
        ) from None
    try:
        data = json.loads(text)
        made_by, listed = data["format"], data["positions"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadInputError(f"{name} is damaged, or holds no starting positions: {error!r}") from None
    if made_by != _FORMAT:
        raise BadInputError(f"{name} has the format {made_by!r}, which is not known here; known is {_FORMAT!r}")
    if not isinstance(listed, list) or not listed:
        raise BadInputError(f"{name} holds no starting positions; it must list at least one")
    starts = tuple(_read(entry, f"position {number} of {name}") for number, entry in enumerate(listed, start=1))
    for number, start in enumerate(starts, start=1):
        try:
            start.position(game)
        except BadInputError as error:
            raise BadInputError(f"position {number} of {name} is not allowed: {error}") from None
    return starts


def _read(entry: Any, where: str) -> Start:
    cells = [entry.get(letter) if isinstance(entry, dict) else None for letter in "xo"]
    if not all(isinstance(each, list) and all(type(cell) is int for cell in each) for each in cells):
        raise BadInputError(f"{where} is not allowed; it must list the cells of x and of o, as whole numbers")
    return Start(tuple(cells[0] or ()), tuple(cells[1] or ()))


def save_starts(path: Path, starts: Sequence[Start], about: str) -> None:
    """Write a file that `load_starts` reads, whole or not at all.

    Raises:
        OSError: If it cannot be written.
    """
    rows = ",\n".join(f'  {{"x": {json.dumps(start.x)}, "o": {json.dumps(start.o)}}}' for start in starts)
    head = f'{{\n "format": {json.dumps(_FORMAT)},\n "about": {json.dumps(about)},\n "positions": [\n'
    write_atomically(path, lambda file: file.write(f"{head}{rows}\n ]\n}}\n".encode()))


def shipped_sets() -> list[str]:
    """The names of the sets that come with the package."""
    return sorted(each.name.removesuffix(".json") for each in _SHIPPED.iterdir() if each.name.endswith(".json"))
