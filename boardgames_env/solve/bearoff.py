"""Tables for bearing off in backgammon: number of rolls, and chances in a race."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardgames_env.array_file import load_or_make, read_arrays, write_arrays
from boardgames_env.files import FileKind, cache_root
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.rules.turns import ROLLS
from boardgames_env.kernels import content_key
from boardgames_env.moves import moves_kernel
from boardgames_env.solve.bearoff_kernels import (
    MOST_ROLLS,
    MOST_ROLLS_TO_FIRST,
    POSITIONS,
    POSITIONS_OF_EACH,
    fill_one_sided,
    fill_two_sided,
    list_moves,
)

_MOST_LISTED = 2_000_000


@dataclass(frozen=True, eq=False)
class Bearoff:
    """The bear-off tables; kernels read them with `race_chances`.

    Attributes:
        rolls: Probability that bearing off takes 0, 1, 2, … rolls, played for the smallest mean; shape
            ``(54264, 31)``, float32. There is a row for each arrangement of up to 15 men at home (`home_number`).
        firsts: The same until one more man is off, played for the smallest mean of that; shape ``(54264, 11)``,
            float32.
        wins: Probability that the seat to roll wins under best play, with up to six men each; shape ``(924, 924)``,
            float32; the row is the number of that seat's arrangement, the column that of the other seat's.
    """

    rolls: NDArray[np.float32]
    firsts: NDArray[np.float32]
    wins: NDArray[np.float32]


@cache
def bearoff() -> Bearoff:
    """Return the tables of the user's cache folder, computed in a few seconds if there are none."""
    return load_or_make(
        bearoff_path(), read_bearoff, compute_bearoff, write_bearoff, "the bear-off table", is_default=True
    )


def bearoff_path() -> Path:
    """Return the file of the tables."""
    return cache_root() / "tables" / f"bearoff-{_kind().marks['content']}.safetensors"


def compute_bearoff() -> Bearoff:
    """Compute the tables with the dice and moves of backgammon."""
    game = make_game("backgammon").ready
    kernels = (game.rules.chance_events, game.rules.happen, moves_kernel(game))
    rolls, firsts = np.zeros((POSITIONS, MOST_ROLLS + 1)), np.zeros((POSITIONS, MOST_ROLLS_TO_FIRST + 1))
    fill_one_sided(*kernels, rolls, firsts, np.zeros((POSITIONS, 2)))
    starts = np.empty(POSITIONS_OF_EACH * len(ROLLS) + 1, dtype=np.int32)
    reached = np.empty(_MOST_LISTED, dtype=np.int32)
    likely = np.empty(len(ROLLS))
    list_moves(*kernels, starts, reached, likely)
    wins = np.empty((POSITIONS_OF_EACH, POSITIONS_OF_EACH))
    fill_two_sided(starts, reached, likely, wins)
    return Bearoff(rolls.astype(np.float32), firsts.astype(np.float32), wins.astype(np.float32))


def write_bearoff(tables: Bearoff, path: Path) -> None:
    """Write tables, whole or not at all, in the safetensors format."""
    write_arrays(path, vars(tables), _kind().marks)


def read_bearoff(path: Path) -> Bearoff:
    """Map tables into memory; raise `BadInputError` if they are damaged, or of other rules."""
    arrays, _ = read_arrays(path, _kind(), mapped=True)
    return Bearoff(**arrays)


def _kind() -> FileKind:
    """Return the kind of the file, marked by the dice, moves and kernels that the tables depend on."""
    rules = make_game("backgammon").rules
    sizes = (POSITIONS, POSITIONS_OF_EACH, MOST_ROLLS, MOST_ROLLS_TO_FIRST)
    kernels = (rules.chance_events, rules.happen, rules.moves, fill_one_sided, list_moves, fill_two_sided)
    marks = {"table": "bearoff", "content": content_key([sizes, *kernels])}
    return FileKind("the bear-off tables of these rules", "remove it", marks)
