"""Datasets of positions of a solved game, with the exact value of every move, as Parquet files."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boardgames_agents.arena.solved_game import SolvedGame
from boardgames_agents.experts.exact_points import NOTHING
from boardgames_agents.people.language.prompt import PromptForm, prompt
from boardgames_env import __version__
from boardgames_env.contest import turn_text
from boardgames_env.errors import MissingLibraryError, require, require_whole
from boardgames_env.files import checksum, replacing
from boardgames_env.game import Game
from boardgames_env.plain_data import legal_moves
from boardgames_env.position import Position

if TYPE_CHECKING:
    import pyarrow

_AT_ONCE = 1000
"""The rows that are held in memory."""


def write_dataset(
    game: Game,
    path: str | Path,
    positions: int = 0,
    seed: int = 0,
    test: float = 0.0,
    form: PromptForm | None = None,
    on_row: Callable[[], object] = lambda: None,
) -> int:
    """Write positions of a solved game with their moves and values to a Parquet file, and return their number.

    The rows and their order are the same for the same arguments. The page on language models documents the columns.

    Args:
        game: The game.
        path: The file, which is whole or absent; one that is there is replaced.
        positions: The number of positions; 0 for all of a small game. There may be fewer (see `SolvedGame.positions`).
        seed: The seed that draws the positions and the split.
        test: The share of positions whose split is ``test``; positions that are symmetric to each other share theirs.
        form: What a prompt holds; without it, there is no column of prompts.
        on_row: Called after each row is made.

    Raises:
        BadInputError: If the game cannot be solved, an argument is not allowed, or the package pyarrow is missing.
    """
    require_whole(0, positions=positions, seed=seed)
    require(0, 1, test=test)
    solved = SolvedGame(game)
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingLibraryError("datasets need the package pyarrow", "dataset") from error
    schema = _schema(form is not None, game.rules.has_chance)

    def row(position: Position) -> dict[str, Any]:
        made = _row(solved, position, "test" if _part(position, seed) < test else "train", form)
        on_row()
        return made

    rows = map(row, solved.positions(positions, np.random.default_rng(seed), choices=1))
    count = 0
    with replacing(Path(path)) as file, parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows, _AT_ONCE)):
            writer.write_batch(pyarrow.RecordBatch.from_pylist(batch, schema))
            count += len(batch)
    return count


def _schema(with_prompt: bool, with_dice: bool) -> "pyarrow.Schema":
    import pyarrow as pa

    texts, small, value = pa.list_(pa.string()), pa.list_(pa.int8()), pa.float32() if with_dice else pa.int8()
    columns = {
        "game": pa.string(),
        "state": small,
        "seat": pa.int8(),
        "board": pa.string(),
        "moves": texts,
        "actions": pa.list_(pa.list_(pa.int32())),
        "values": pa.list_(value),
        "best_moves": texts,
        "value": value,
        "distance": pa.int32(),
        "is_key": pa.bool_(),
        "split": pa.string(),
        **({"prompt": pa.string()} if with_prompt else {}),
    }
    return pa.schema(list(columns.items()), metadata={"boardgames_env": __version__})


def _row(solved: SolvedGame, position: Position, split: str, form: PromptForm | None) -> dict[str, Any]:
    actions = legal_moves(position)
    values = [solved.value_after(position, each) for each in actions]
    moves, best = [turn_text(position, each) for each in actions], max(values)
    return {
        "game": position.game.spec,
        "state": position.state.tolist(),
        "seat": position.seat,
        "board": position.text,
        "moves": moves,
        "actions": actions,
        "values": values,
        "best_moves": [move for move, value in zip(moves, values, strict=True) if best - value < NOTHING],
        "value": best,
        "distance": solved.distance(position),
        "is_key": min(values) < best - NOTHING,
        "split": split,
        **({"prompt": prompt(position, form=form)} if form is not None else {}),
    }


def _part(position: Position, seed: int) -> float:
    """Return a number from 0 to 1 that all images of a position share."""
    return int(checksum([seed, position.game.spec, position.canonical.hex()])[:12], 16) / 16**12
