"""Starting positions for experiments, made at random: the paper's own are lost.

A position is drawn mark by mark, the first near the middle of the board and the others next to an earlier one. It is
accepted if

* no winning line with three marks of one seat is still open to it,
* the lines with two marks that are open to one seat are not many more than those that are open to the other, and
* a search like the teacher's (five plies, the ten best children) finds no forced win, whichever seat is to move.

A position belongs to one role: lessons, the self-test filter's exam, or the reported exam. The role is a hash of the
position that is invariant under symmetries of the board and exchange of the seats. So sets for different roles never
share a position, whatever their seeds.
"""

import hashlib

import numpy as np

from boardgames_agents.fives.coefficients import INITIAL
from boardgames_agents.fives.minimax import FIVE_VALUE, FivesSearch
from boardgames_agents.training.starting_positions import Start, Starts
from boardgames_env.errors import BadInputError, one_of, require
from boardgames_env.game import Game

ROLES = ("lessons", "self_test", "exam")
"""The roles of starting positions."""

POSITIONS, PAIRED_MOVES = 5, 5
"""The number of positions in a set of the paper, and of marks of each seat in a position."""

_MOST_LINES_AHEAD = 2
"""The largest difference between the seats' numbers of open lines with two marks."""


def make_starts(game: Game, role: str, seed: int, count: int = POSITIONS) -> Starts:
    """Return a set of starting positions for one of `ROLES`, all different up to symmetry.

    Raises:
        BadInputError: If the role does not exist, or a number is not allowed.
    """
    if role not in ROLES:
        raise BadInputError(f"role={role!r} is not allowed; starting positions are for one of: {one_of(ROLES)}")
    require(0, seed=seed)
    require(1, count=count)
    rng = np.random.default_rng([seed, ROLES.index(role)])
    search = FivesSearch(game, INITIAL, 5, 10)
    found: dict[bytes, Start] = {}
    while len(found) < count:
        start = _random_start(game, rng)
        form = form_of(start, game)
        if role_of(form) == role and form not in found and _is_even(game, start) and _is_calm(search, game, start):
            found[form] = start
    return tuple(found.values())


def form_of(start: Start, game: Game) -> bytes:
    """Return the canonical form of a position under symmetries of the board and exchange of the seats."""
    marks = np.zeros(game.board.size, dtype=np.int8)
    marks[list(start.x)], marks[list(start.o)] = 1, -1
    images = np.array([marks[list(symmetry)] for symmetry in game.board.symmetries])
    forms: list[bytes] = [image.tobytes() for image in (*images, *-images)]
    return min(forms)


def role_of(form: bytes) -> str:
    """Return the role of the positions of a form."""
    return ROLES[int.from_bytes(hashlib.sha256(form).digest()[:8], "big") % len(ROLES)]


def _random_start(game: Game, rng: np.random.Generator) -> Start:
    """Draw marks at random, the first near the middle of the board, others beside or diagonal to an earlier one."""
    points = np.array(game.board.points)
    near = np.abs(points[:, None] - points[None]).max(axis=2) == 1
    middle = np.abs(points - points.mean(axis=0)).max(axis=1)
    cells = [int(rng.choice(np.flatnonzero(middle <= 1.5)))]
    while len(cells) < 2 * PAIRED_MOVES:
        beside = np.flatnonzero(near[cells].any(axis=0))
        cells.append(int(rng.choice(np.setdiff1d(beside, cells))))
    return Start(tuple(cells[0::2]), tuple(cells[1::2]))


def _is_even(game: Game, start: Start) -> bool:
    """Return whether no seat has three marks on an open line or many more open lines with two than the other."""
    lines = np.array(game.board.winning_lines)
    x, o = np.isin(lines, start.x).sum(axis=1), np.isin(lines, start.o).sum(axis=1)
    if max(x[o == 0].max(initial=0), o[x == 0].max(initial=0)) >= 3:
        return False
    return bool(abs(int((x[o == 0] == 2).sum()) - int((o[x == 0] == 2).sum())) <= _MOST_LINES_AHEAD)


def _is_calm(search: FivesSearch, game: Game, start: Start) -> bool:
    """Return whether the search finds no forced win for either seat, whichever is to move."""
    exchanged = Start(start.o, start.x)  # With seat 0 to move, it is the other seat's turn.
    return all(abs(search.score(each.position(game).state)) < FIVE_VALUE for each in (start, exchanged))
