"""The solved classes of a morris game: their files, and values of positions."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np

from boardgames_env.array_file import demand_kind, read_arrays, write_arrays
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind, cache_root
from boardgames_env.game import Game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.kernels import content_key
from boardgames_env.kernels.signatures import Int16s
from boardgames_env.position import Position, demand_game
from boardgames_env.solve.morris.classes import Classes, PositionClass
from boardgames_env.solve.morris.codes import WON_NEXT, Rows, known_rows, make_ground
from boardgames_env.solve.morris.solver import (
    SOLVER_KERNELS,
    Solver,
    count_codes,
    count_men,
    read_capture_code,
    read_code,
)
from boardgames_env.solve.position_table import Solution

MOST_ROWS = 30_000_000
"""The most rows of a game that is solved whole; larger games are solved class by class, on request."""

_FORMAT = 2
"""Raise this when `classes` or `index` number classes or rows in another way: they are not kernels with a content."""


@dataclass(frozen=True)
class Counts:
    """Number of positions of a class by value, without regard to symmetry.

    ``longest`` is the most plies to the end in a position that is not drawn.
    """

    won: int
    drawn: int
    lost: int
    longest: int

    @property
    def positions(self) -> int:
        """All positions of the class."""
        return self.won + self.drawn + self.lost


@dataclass
class _Place:
    """Where a position is looked up.

    Attributes:
        each: Its class, or the class that captures lead to.
        captures: Whether a mill has been closed and a man is to be captured.
        wins: Whether the capture leaves the other seat too few men.
        rows: The rows of the class, once they have been read.
    """

    each: PositionClass
    captures: bool = False
    wins: bool = False
    rows: Rows | None = None


class ClassTables(Solution):
    """Tables of a morris game's classes: a folder with a file for each, mapped when it is first read.

    The folder is by default one in the user's cache folder, for exactly these rules. A game that cannot be solved class
    by class raises `BadInputError`.
    """

    acyclic = False

    def __init__(self, game: Game, folder: Path | None = None) -> None:
        if not isinstance(game.family, MorrisRules):
            raise BadInputError(f"{game.spec} is not a morris game, so its positions have no classes")
        self.game = game
        self.classes = Classes(game.family)
        self.is_default = folder is None
        self.folder = folder or cache_root() / "tables" / f"{game.name}-{self._rules}"
        self._ground = make_ground(game.family)
        self._codes: dict[PositionClass, Int16s] = {}
        self._seconds: dict[PositionClass, float] = {}
        self._places: dict[int, _Place] = {}

    @cached_property
    def _rules(self) -> str:
        return content_key([_FORMAT, repr(self.classes.rules), *SOLVER_KERNELS])

    def _kind(self, each: PositionClass | None = None) -> FileKind:
        """Return the kind of the file of a class, or of any class."""
        which, marks = ("", {}) if each is None else (f"the class {each} of ", {"class": str(each)})
        return FileKind(
            f"a table of {which}{self.game.spec}", "remove it, or give another folder", {"rules": self._rules, **marks}
        )

    def path(self, each: PositionClass) -> Path:
        """Return the file of a class."""
        return self.folder / f"{each}.safetensors"

    def holds(self, each: PositionClass) -> bool:
        """Return whether a class has been solved."""
        return each in self._codes or self.path(each).exists()

    def codes(self, each: PositionClass) -> Int16s:
        """Return the codes of a class; see `boardgames_env.solve.morris.codes`.

        `BadInputError` is raised if it has not been solved, or its file is damaged or for other rules.
        """
        if each not in self._codes:
            path = self.path(each)
            if not path.exists():
                raise BadInputError(f"the class {each} of {self.game.spec} has not been solved: there is no {path}")
            kind = self._kind(each)
            arrays, data = read_arrays(path, kind, mapped=True)
            if len(arrays["codes"]) != self.classes.rows(each):
                raise kind.damaged(path, f"it has {len(arrays['codes']):,} rows")
            self._codes[each] = arrays["codes"]
            self._seconds[each] = float(data["seconds"])
        return self._codes[each]

    def keep(self, each: PositionClass, codes: Int16s, seconds: float = 0.0) -> None:
        """Add a class that has been solved, and write its file.

        If that cannot be written, an `OSError` is raised; in the user's cache folder it is only a warning.
        """
        self._codes[each], self._seconds[each] = codes, seconds
        data = {**self._kind(each).marks, "game": self.game.spec, "seconds": f"{seconds:.1f}"}
        try:
            write_arrays(self.path(each), {"codes": codes}, data)
        except OSError as error:
            if not self.is_default:
                raise
            warnings.warn(f"the table of {self.game.spec} is not kept: {error}", RuntimeWarning, stacklevel=2)
            return
        del self._codes[each]  # to be mapped from the file

    def seconds(self, each: PositionClass) -> float:
        """Return the seconds it took to solve a class together with its partner."""
        self.codes(each)
        return self._seconds[each]

    def check(self) -> None:
        """Raise `BadInputError` if the folder holds no tables, or those of another game; reads no arrays."""
        paths = sorted(self.folder.glob("*.safetensors"))
        if not paths:
            raise BadInputError(f"{self.folder} holds no tables; solve some classes of {self.game.spec} into it first")
        for path in paths:
            demand_kind(path, self._kind())

    def knows(self, position: Position) -> bool:
        """Return whether the tables hold the value of a position, or all that is needed to find it soon."""
        if position.is_over:
            return True
        place = self._place(position)
        return place.wins or self.holds(place.each) or self._is_whole

    def _place(self, position: Position) -> "_Place":
        """Return where to look a position up, by its numbers of men."""
        demand_game(position, self.game)
        key = count_men.run(position.state)
        if key not in self._places:
            self._places[key] = self._find_place(position)
        return self._places[key]

    def _find_place(self, position: Position) -> "_Place":
        points, rules = self.classes.points, self.classes.rules
        on_board = position.state[1 : 1 + points] * (1 - 2 * position.seat)
        own, other = int((on_board == 1).sum()), int((on_board == -1).sum())
        in_hand = position.state[1 + points : 3 + points].tolist()
        captures = bool(position.state[3 + points])
        ply = 2 * rules.men - sum(in_hand)
        each = PositionClass(other - 1, own) if captures else PositionClass(own, other)
        if ply < 2 * rules.men:
            each = each._replace(ply=ply)
        wins = captures and each.own + in_hand[1 - position.seat] <= rules.lose_at
        mover = 1 - position.seat if captures else position.seat
        fits = min(self._lost(each)) >= 0 if not each.is_sliding else each in self._all_classes
        possible = position.state[3 + points] in (0, 1) and (wins or fits)
        possible = possible and (each.is_sliding or mover == each.ply % 2)
        if not possible or self.classes.in_hand(each) != (in_hand[mover], in_hand[1 - mover]):
            raise BadInputError(f"{position!r} cannot be reached in {self.game.spec}, so its tables do not hold it")
        return _Place(each, captures, wins)

    def _lost(self, each: PositionClass) -> tuple[int, int]:
        """Return how many of their men the mover and the other seat have lost in the placing stage."""
        men, (own, other) = self.classes.rules.men, self.classes.in_hand(each)
        return men - own - each.own, men - other - each.other

    @property
    def _is_whole(self) -> bool:
        """Whether the whole game has been solved, in the user's cache folder, into which more may be written."""
        return self.is_default and self.holds(PositionClass(0, 0, 0))

    @cached_property
    def _all_classes(self) -> frozenset[PositionClass]:
        return frozenset(self.classes.all())

    def code(self, position: Position) -> int:
        """Return the code of a position; see `boardgames_env.solve.morris.codes`."""
        if position.is_over:
            return 0 if position.outcome == 0 else 1 if position.points_for(position.seat) == -1 else 2
        place = self._place(position)
        if place.wins:
            return WON_NEXT
        if place.rows is None:
            place.rows = self._rows(place.each)
        if place.captures:
            found: int = read_capture_code.run(self._ground, position.state, *place.rows)
        else:
            found = read_code.run(position.state, *place.rows)
        return found

    def _rows(self, each: PositionClass) -> Rows:
        # (an editor may take a man away before anybody can have closed a mill: a class that no contest reaches)
        if each not in self._all_classes and not self.holds(each) and self._is_whole:
            _solve(self, self.classes.closure([each]))
        return known_rows(self.classes.index(each), self.codes(each))

    def value(self, position: Position) -> int:
        """Return the value for the seat to move under best play: +1, 0 or −1."""
        code = self.code(position)
        return 0 if code == 0 else -1 if code & 1 else 1

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end under best play, or ``None`` for a draw."""
        code = self.code(position)
        if code == 0:
            return None
        return 0 if position.is_over else code - 1

    def counts(self, each: PositionClass) -> Counts:
        """Count the positions of a class by value."""
        rows = self._rows(each)
        counts = np.zeros(int(rows.codes.max(initial=0)) + 2, dtype=np.int64)
        count_codes(rows, rows.numbering.weights(), counts)
        decided = np.flatnonzero(counts[1:])
        longest = int(decided.max()) if len(decided) else 0
        return Counts(int(counts[2::2].sum()), int(counts[0]), int(counts[1::2].sum()), longest)


def demand_solvable_whole(game: Game) -> None:
    """Raise `BadInputError` for a game that is not a morris game, or too large to be solved whole."""
    classes = ClassTables(game).classes
    total = sum(map(classes.rows, classes.all()))
    if total > MOST_ROWS:
        raise BadInputError(f"{game.spec} is too large to be solved whole ({total:,} rows); solve classes of it")


def solve_classes(
    game: Game,
    wanted: list[PositionClass] | None = None,
    folder: Path | None = None,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> ClassTables:
    """Solve a morris game, or some of its classes and what they depend on, or load their tables.

    The file of a class is written, whole or not at all, when the class is solved. A class that has a file is not
    solved again, so a run that was killed continues where it stopped.

    Args:
        game: A game whose family is `MorrisRules`.
        wanted: The classes; all by default.
        folder: The folder of the tables; by default one in the user's cache folder.
        jobs: Number of threads; the tables are the same for any number.
        on_progress: Called now and then with the number of rows that are finished and of all rows.

    Raises:
        BadInputError: If the rules are not among those that can be solved, a class is not one of the game's, the
            whole game is too large, or a file in the folder is damaged or for other rules.
        OSError: If a file cannot be written into the folder.
    """
    require(1, jobs=jobs)
    if wanted is None:
        demand_solvable_whole(game)
    tables = ClassTables(game, folder)
    classes = tables.classes
    order = classes.all() if wanted is None else classes.closure(wanted)
    _solve(tables, order, jobs, on_progress)
    return tables


def _solve(
    tables: ClassTables,
    order: list[PositionClass],
    jobs: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> None:
    """Solve those of some classes that have no table, in an order in which they can be."""
    classes = tables.classes
    total, done = sum(map(classes.rows, order)), 0

    def advance(rows: int) -> None:
        nonlocal done
        done += rows
        if on_progress:
            on_progress(done, total)

    solver = Solver(classes, tables.codes, jobs, advance)
    for each in order:
        if _is_kept(tables, each):
            advance(classes.rows(each))
        elif not each.is_sliding or each.own >= each.other:  # (the others are solved as partners)
            before = perf_counter()
            solved = solver.solve(each)
            for one, codes in solved.items():
                tables.keep(one, codes, perf_counter() - before)


def _is_kept(tables: ClassTables, each: PositionClass) -> bool:
    """Return whether a class has a table; a damaged file in the user's cache folder is removed."""
    if not all(tables.holds(partner) for partner in tables.classes.partners(each)):
        return False
    try:
        for partner in tables.classes.partners(each):
            tables.codes(partner)
    except BadInputError as error:
        if not tables.is_default:
            raise
        warnings.warn(f"{error}; solving it again", RuntimeWarning, stacklevel=2)
        for partner in tables.classes.partners(each):
            tables.path(partner).unlink(missing_ok=True)
        return False
    return True
