"""Connect four on boards too large for a table of all positions: a search, and a table of the openings.

Positions with few enough empty cells are searched when they are asked for. The table holds the scores of all those with
more, up to symmetry. It is computed ply by ply from the last one backwards, on request, and kept as far as it has come.
That of the usual board is in the package: `boardgames solve connect_four --dir FOLDER` makes it anew.
"""

import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import numpy as np

from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind, cache_root
from boardgames_env.game import Game
from boardgames_env.games.connect_four import FourInColumns
from boardgames_env.kernels import announce_compilation, content_key
from boardgames_env.kernels.signatures import Bools, Int8s, Int64s
from boardgames_env.position import Position, demand_game
from boardgames_env.solve.bitboards import (
    MOST_BITS,
    MOST_CELLS,
    Shape,
    completing,
    mirrored,
    score_within,
    search_arrays_of,
    shape_of,
)
from boardgames_env.solve.explore import MOST_POSITIONS
from boardgames_env.solve.position_table import Solution

MOST_EMPTY = 37
"""The most empty cells of a position that is searched when it is asked for."""

_MOST_EMPTY_QUICK = 34
"""The most empty cells of a position that is searched within a second."""

_UNKNOWN = -128
_ENTRIES = 1 << 20
"""Entries of a transposition table: 8 MB stay in a processor's caches, which is worth more than fewer positions."""

_SECONDS_BETWEEN_FILES = 60
_AT_ONCE = 4


def is_searched(game: Game) -> bool:
    """Return whether a game is solved by a search: connect four on a board that is too large for a table."""
    family = game.family
    return (
        isinstance(family, FourInColumns)
        and (game.positions or 0) > MOST_POSITIONS
        and family.columns * family.rows <= MOST_CELLS
        and family.columns * (family.rows + 1) <= MOST_BITS
    )


class SearchedGame(Solution):
    """Exact values by a search, and by a table of openings as far as that has been computed.

    Args:
        game: A game that `is_searched`.
        folder: The folder of the table; by default one in the user's cache folder, unless the package has the table.

    Raises:
        BadInputError: If the table in the folder is damaged, or of another game. (A damaged one in the user's cache
            folder is a warning.)
    """

    acyclic = True

    def __init__(self, game: Game, folder: Path | None = None) -> None:
        assert isinstance(game.family, FourInColumns)
        self.game = game
        self.is_default = folder is None
        self.shape = shape_of(game.family.columns, game.family.rows)
        self.cells = self.shape.columns * self.shape.rows
        self.plies = max(-1, self.cells - MOST_EMPTY - 1)
        key = content_key([*game.rules.kernels, score_within, self.plies])
        board = f"{self.shape.columns}x{self.shape.rows}"
        self.path = (folder or cache_root() / "tables") / f"connect_four-{board}-openings-{key}.safetensors"
        shipped = Path(__file__).with_name(f"connect_four-{board}.safetensors")
        if self.is_default and shipped.exists():
            self.path = shipped
        # by the cells of a state in their order, from the top left
        columns, rows = np.meshgrid(range(self.shape.columns), range(self.shape.rows)[::-1])
        self._bits = np.left_shift(np.int64(1), (columns * (self.shape.rows + 1) + rows).ravel())
        self.levels = _levels(self.shape, self.plies)
        self.codes = np.sort(np.concatenate([*(level.codes for level in self.levels), np.zeros(0, np.int64)]))
        self.scores = self._read()

    @cached_property
    def table(self) -> Int64s:
        """The transposition table; threads may share it."""
        return np.zeros(_ENTRIES, dtype=np.int64)

    @property
    def is_complete(self) -> bool:
        """Whether every position is known."""
        return self.plies < 0 or bool((self.scores != _UNKNOWN).all())

    def demand_openings(self) -> None:
        """Raise `BadInputError` unless every position is known."""
        if not self.is_complete:
            raise self._unknown

    @property
    def _unknown(self) -> BadInputError:
        return BadInputError(
            f"positions of {self.game.spec} with fewer than {self.plies + 1} discs are not known before their table is "
            f"computed; boardgames solve '{self.game.spec}' computes it, and goes on where it was stopped"
        )

    def value(self, position: Position) -> int:
        """Return the value for the seat to move under best play: +1, 0 or −1."""
        if position.is_over:
            return position.points_for(position.seat) or 0
        return int(np.sign(self._score(position, 1)))

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end under best play, or ``None`` for a draw."""
        if position.is_over:
            return 0 if position.outcome else None
        score = self._score(position, self.cells)
        if score == 0:
            return None
        empty = self.cells - self._discs(position)
        # a score stands for two numbers of cells that are empty before the last disc, which is the winner's
        left = 2 * abs(score) - (empty + (score < 0)) % 2
        return empty - left + 1

    def knows(self, position: Position) -> bool:
        """Return whether the value of a position is found soon: few cells are empty, or the table has it."""
        demand_game(position, self.game)
        if position.is_over or self._discs(position) > self.plies:
            return True
        return self._known_score(position) not in (None, _UNKNOWN)

    def is_quick(self, position: Position) -> bool:
        """Return whether the value of a position, and of all that its moves lead to, takes a second at most."""
        demand_game(position, self.game)
        return self.cells - self._discs(position) <= _MOST_EMPTY_QUICK

    def _discs(self, position: Position) -> int:
        return int(position.state[1 + self.cells])

    def _boards(self, position: Position) -> tuple[int, int]:
        """Return the discs of the seat to move, and all discs."""
        demand_game(position, self.game)
        cells = position.state[1 : 1 + self.cells]
        return int(self._bits[cells == 1 - 2 * position.seat].sum()), int(self._bits[cells != 0].sum())

    def _score(self, position: Position, most: int) -> int:
        """Return the score of a position in which the contest goes on, or ``most`` or ``-most`` if that is nearer to 0.

        `BadInputError` is raised for an opening that has not been solved. Few discs that cannot have fallen in turn,
        as an editor may place them, are searched like many.
        """
        own, mask = self._boards(position)
        score = self._known_score(position)
        if score is None:
            found: int = score_within.run(self.shape, search_arrays_of(self.shape, self.table), own, mask, -most, most)
            return found
        if score == _UNKNOWN:
            raise self._unknown
        return score

    def _known_score(self, position: Position) -> int | None:
        """Return the score of an opening or `_UNKNOWN`, or ``None`` if the position is none."""
        code = sum(self._boards(position))
        code = min(code, mirrored(self.shape, code))
        row = int(np.searchsorted(self.codes, code))
        return int(self.scores[row]) if row < len(self.codes) and self.codes[row] == code else None

    def _read(self) -> Int8s:
        """Return the scores of the openings, by their codes in ascending order, as far as they are kept."""
        if self.plies >= 0 and self.path.exists():
            try:
                arrays, _ = read_arrays(self.path, self._kind)
                if len(arrays["scores"]) != len(self.codes):
                    raise self._kind.damaged(self.path, f"it has {len(arrays['scores']):,} positions")
                return arrays["scores"]
            except BadInputError as error:
                if not self.is_default:
                    raise
                warnings.warn(f"{error}; it is computed again", RuntimeWarning, stacklevel=3)
        return np.full(len(self.codes), _UNKNOWN, dtype=np.int8)

    def keep(self) -> None:
        """Write the table; if it cannot be written into the user's cache folder, that is only a warning."""
        try:
            write_arrays(self.path, {"scores": self.scores}, self._kind.marks)
        except OSError as error:
            if not self.is_default:
                raise
            warnings.warn(f"the openings of {self.game.spec} are not kept: {error}", RuntimeWarning, stacklevel=2)

    @cached_property
    def _kind(self) -> FileKind:
        marks = {"game": self.game.spec, "version": str(self.game.version), "plies": self.plies}
        return FileKind(f"the openings of {self.game.spec}", "remove it, or give another folder", marks)


class _Level(NamedTuple):
    """The positions with the same number of discs in which the contest goes on, up to symmetry, by their codes."""

    own: Int64s
    mask: Int64s

    @property
    def codes(self) -> Int64s:
        """The codes, in ascending order."""
        return self.own + self.mask


def solve_openings(
    solution: SearchedGame, jobs: int = 1, on_progress: Callable[[int, int], None] | None = None
) -> None:
    """Compute what is missing of a table of openings, and keep it.

    The table is written about once a minute, so a run that was stopped goes on where it was.

    Args:
        solution: The solution whose table it is.
        jobs: Number of threads; the table is the same for any number.
        on_progress: Called now and then with the number of positions of the last ply that are solved and of all.

    Raises:
        BadInputError: If the number of jobs is not allowed.
        OSError: If the table cannot be written into a folder other than the user's cache folder.
    """
    require(1, jobs=jobs)
    if solution.is_complete:
        return
    _solve_level(solution, solution.levels[-1], jobs, on_progress or (lambda done, total: None))
    for level in reversed(solution.levels[:-1]):
        solution.scores[np.searchsorted(solution.codes, level.codes)] = _scores_before(solution, level)
    solution.keep()


def _solve_level(solution: SearchedGame, level: _Level, jobs: int, on_progress: Callable[[int, int], None]) -> None:
    """Search the positions of a level that are not known yet, by threads that share a transposition table."""
    shape, most, rows = solution.shape, solution.cells, np.searchsorted(solution.codes, level.codes)
    table = np.zeros(_ENTRIES, dtype=np.int64)
    missing = np.flatnonzero(solution.scores[rows] == _UNKNOWN)
    done, kept = len(rows) - len(missing), monotonic()
    announce_compilation("the search", [score_within])

    def solve(places: Int64s) -> int:
        work = search_arrays_of(shape, table)
        for place in places:
            own, mask = int(level.own[place]), int(level.mask[place])
            solution.scores[rows[place]] = score_within.run(shape, work, own, mask, -most, most)
        return len(places)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            for solved in pool.map(solve, np.array_split(missing, max(1, len(missing) // _AT_ONCE))):
                done += solved
                on_progress(done, len(rows))
                if monotonic() - kept > _SECONDS_BETWEEN_FILES:
                    solution.keep()
                    kept = monotonic()
        finally:
            pool.shutdown(cancel_futures=True)
            solution.keep()


def _levels(shape: Shape, plies: int) -> list[_Level]:
    """Return the positions of up to ``plies`` discs, by their number of discs."""
    if plies < 0:
        return []
    nothing = np.zeros(1, dtype=np.int64)
    levels = [_Level(nothing, nothing)]
    for _ in range(plies):
        goes_on = [(reached, can & ~wins) for can, wins, reached in _after(shape, levels[-1])]
        own, mask = (np.concatenate([each[part][on] for each, on in goes_on]) for part in (0, 1))
        is_image = mirrored(shape, own + mask) < own + mask
        own, mask = (np.where(is_image, mirrored(shape, each), each) for each in (own, mask))
        _, first = np.unique(own + mask, return_index=True)
        levels.append(_Level(own[first], mask[first]))
    return levels


def _scores_before(solution: SearchedGame, level: _Level) -> Int64s:
    """Return the scores of a level's positions by those of the level after it."""
    empty = solution.cells - int(level.mask[0]).bit_count()
    best = np.full(len(level.own), -solution.cells)
    for can, wins, reached in _after(solution.shape, level):
        codes = np.minimum(reached.codes, mirrored(solution.shape, reached.codes))
        rows = np.minimum(np.searchsorted(solution.codes, codes), len(solution.codes) - 1)
        scores = np.where(wins, (empty + 1) // 2, -solution.scores[rows].astype(np.int64))
        best = np.where(can, np.maximum(best, scores), best)
    return best


def _after(shape: Shape, level: _Level) -> Iterator[tuple[Bools, Bools, _Level]]:
    """Yield for each column in which positions of a level have room, in which it wins, and the positions after it."""
    for column in range(shape.columns):
        lowest = 1 << column * (shape.rows + 1)
        move = (level.mask + lowest) & (lowest * ((1 << shape.rows) - 1))
        yield move != 0, completing(shape, level.own) & move != 0, _Level(level.own ^ level.mask, level.mask | move)
