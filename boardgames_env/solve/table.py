"""Tables of solved games: value and distance of every reachable position, kept on disk and mapped into memory."""

import hashlib
import json
import os
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardgames_env.cache import cache_root, digest, write_atomically
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve.explore import ABSENT, explore, find_state
from boardgames_env.solve.retrograde import NO_DISTANCE, analyse

_DTYPES = {"I8": np.int8, "I32": np.int32}


@dataclass(frozen=True, eq=False)
class Table:
    """A solved game: its values and distances are those of play without `Limits`.

    Attributes:
        game: The game.
        states: Every reachable state, shape ``(n, state_size)``, int8; row 0 is the initial one.
        slots: The hash table in which `find_state` looks rows up; int32.
        values: Values for the seat to move: +1, 0, −1; shape ``(n,)``, int8.
        distances: Plies to the end when the winner hurries and the loser delays, −1 for draws; int32.
        acyclic: Whether no position can ever recur.
    """

    game: Game
    states: NDArray[np.int8]
    slots: NDArray[np.int32]
    values: NDArray[np.int8]
    distances: NDArray[np.int32]
    acyclic: bool

    def __len__(self) -> int:
        return len(self.values)

    def row(self, position: Position) -> int:
        """The row of a position.

        Raises:
            BadInputError: If the position is another game's, or cannot be reached from the initial one.
        """
        if position.game.rules != self.game.rules:
            raise BadInputError(f"{position!r} is not a position of {self.game.spec}, whose table this is")
        row: int = find_state.run(self.states, self.slots, position.state)
        if row == ABSENT:
            raise BadInputError(f"{position!r} cannot be reached in {self.game.spec}, so its table does not hold it")
        return row

    def value(self, position: Position) -> int:
        """What best play gives the seat to move: +1, 0 or −1."""
        return int(self.values[self.row(position)])

    def distance(self, position: Position) -> int | None:
        """Plies to the end of the contest when the winner hurries and the loser delays; ``None`` for a draw."""
        distance = int(self.distances[self.row(position)])
        return None if distance == NO_DISTANCE else distance

    def value_for(self, position: Position, seat: int) -> int:
        """What best play gives a seat: +1, 0 or −1."""
        value = self.value(position)
        return value if position.seat == seat else -value


def solve(game: Game, folder: Path | None = None, on_progress: Callable[[int, int], None] | None = None) -> Table:
    """Solve a game by retrograde analysis over all its reachable positions, or load what that left before.

    Args:
        game: The game; small enough to hold every position in memory.
        folder: Where tables are kept; by default in the user's cache folder.
        on_progress: Told now and then how many positions were looked at and how many are known.

    Raises:
        BadInputError: If the game is too large, or its contests are not won by a single point.
    """
    if not game.is_registered:  # it has no name that a file could be found by
        return _solve(game, on_progress)
    path = table_path(game, folder)
    if os.path.exists(path):  # (which says no, too, of a folder that may not be read)
        try:
            return load_table(game, path)
        except BadInputError as error:
            warnings.warn(f"{error}; solving {game.spec} again", RuntimeWarning, stacklevel=2)
    table = _solve(game, on_progress)
    try:
        save_table(table, path)
    except OSError as error:
        warnings.warn(f"the table of {game.spec} is not kept: {error}", RuntimeWarning, stacklevel=2)
        return table
    return load_table(game, path)


def _solve(game: Game, on_progress: Callable[[int, int], None] | None) -> Table:
    reachable = explore(game, on_progress)
    values, distances, acyclic = analyse(reachable)
    return Table(game, reachable.states, reachable.slots, values, distances, acyclic)


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Where the table of a game, with these options under these rules, is kept."""
    name = re.sub(r"[^\w.=-]+", "_", game.spec).strip("_")
    return (folder or cache_root() / "tables") / f"{name}-{rules_digest(game)}.safetensors"


def rules_digest(game: Game) -> str:
    """A hash of all that the table depends on: the sources of the game's kernels and the solver's."""
    rules = game.rules
    kernels = (rules.initial, rules.legal, rules.play, rules.outcome, find_state)
    return digest(tuple(dict.fromkeys(file for kernel in kernels for file in kernel.sources)))


def save_table(table: Table, path: Path) -> None:
    """Write a table, whole or not at all, in the safetensors format.

    Raises:
        OSError: If it cannot be written.
    """
    from safetensors.numpy import save

    arrays = _arrays(table)
    metadata = {**_identity(table.game), "acyclic": str(table.acyclic), "sha256": _checksum(arrays, str(table.acyclic))}
    # one entry, because the library writes several in no order
    data = save({n: np.ascontiguousarray(a) for n, a in arrays.items()}, metadata={"table": json.dumps(metadata)})
    write_atomically(path, lambda file: file.write(data))


def load_table(game: Game, path: Path) -> Table:
    """Map a table into memory.

    Raises:
        BadInputError: If the file is damaged, or is not the table of this game under these rules.
    """
    try:
        arrays, metadata = _map_safetensors(path)
        is_ours = {key: metadata.get(key) for key in _identity(game)} == _identity(game)
        is_whole = metadata["sha256"] == _checksum(arrays, metadata["acyclic"])
        table = Table(
            game=game,
            states=arrays["states"].view(np.int8),
            slots=arrays["slots"].view(np.int32),
            values=arrays["values"].view(np.int8),
            distances=arrays["distances"].view(np.int32),
            acyclic=metadata["acyclic"] == "True",
        )
    except Exception as error:  # a damaged header can say anything
        raise BadInputError(f"{path} is damaged or not a table: {error!r}") from error
    if not is_ours:
        raise BadInputError(f"{path} is not a table of {game.spec} under these rules")
    if not is_whole:
        raise BadInputError(f"{path} is damaged: its checksum is wrong")
    return table


def _identity(game: Game) -> dict[str, str]:
    return {"game": game.spec, "version": str(game.version), "rules": rules_digest(game)}


def _arrays(table: Table) -> dict[str, NDArray[np.generic]]:
    return {
        "states": table.states,
        "slots": table.slots,
        "values": table.values,
        "distances": table.distances,
    }


def _checksum(arrays: Mapping[str, NDArray[np.generic]], acyclic: str) -> str:
    total = hashlib.sha256(acyclic.encode())
    for name in sorted(arrays):
        total.update(f"{name}{arrays[name].dtype}{arrays[name].shape}".encode())
        total.update(np.ascontiguousarray(arrays[name]).data)
    return total.hexdigest()


def _map_safetensors(path: Path) -> tuple[dict[str, NDArray[np.generic]], dict[str, str]]:
    """The arrays of a safetensors file, mapped read-only, and its metadata.

    The library reads copies; the format (8 bytes of header length, a JSON header, the data) is made to be mapped.
    """
    content = np.memmap(path, dtype=np.uint8, mode="r")
    length = int.from_bytes(content[:8].tobytes(), "little")
    header = json.loads(content[8 : 8 + length].tobytes())
    metadata = json.loads(header.pop("__metadata__")["table"])
    arrays = {}
    for name, entry in header.items():
        first, end = (8 + length + offset for offset in entry["data_offsets"])
        arrays[name] = content[first:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"]).view(np.ndarray)
    return arrays, metadata
