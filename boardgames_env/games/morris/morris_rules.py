"""The boards and the rules of the morris family. The package's docstring describes them.

The boards are squares within each other, joined by spokes. Points are numbered row by row from the top left. A mill is
a winning line: three points next to each other on a predrawn line.

A state is the seat to move; the points; how many men seat 0 and seat 1 have in hand; and how many captures the seat
to move has still to make, or -1 if it misses this turn. Actions are one at each point (a man is placed there), the
moves, a capture at each point and, where it can be needed, a pass.
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb

from boardgames_env.actions import Action, at_each, captures, moves
from boardgames_env.board import Board, Line
from boardgames_env.errors import BadInputError, require
from boardgames_env.games.shared.place_and_move import steps_on

Place = tuple[int, int]


@cache
def morris_board(
    squares: int, corners: int = 0, corner_mills: bool = False, centre: bool = False, centre_mills: bool = False
) -> Board:
    """Return a board of squares within each other, whose sides' middles are joined.

    Args:
        squares: The number of squares.
        corners: The number of squares, from the outermost, whose corners are joined by diagonals.
        corner_mills: Whether three men along a diagonal are a mill.
        centre: Whether the middles are joined through a point in the centre.
        centre_mills: Whether a mill may contain the centre.
    """
    rings = range(squares, 0, -1)
    sides = [[(x * ring, y * ring) for x, y in side] for side in _SIDES for ring in rings]
    inward = [[(x * ring, y * ring) for ring in rings] for x, y in _MIDDLES]
    # opposite spokes are one line if they meet
    spokes = [[*inward[a], (0, 0), *inward[b][::-1]] for a, b in ((0, 3), (1, 2))] if centre else inward
    diagonals = [[(x * ring, y * ring) for ring in rings[:corners]] for x, y in _CORNERS] if corners else []

    places = sorted({place for line in (*sides, *spokes) for place in line}, key=lambda place: place[::-1])
    number = {place: point for point, place in enumerate(places)}
    straight = _numbered([*sides, *spokes], number)
    slanting = _numbered(diagonals, number)
    carrying = (*straight, *slanting) if corner_mills else straight
    mills = tuple(line[first : first + 3] for line in carrying for first in range(len(line) - 2))
    if not centre_mills:
        mills = tuple(mill for mill in mills if number.get((0, 0)) not in mill)
    return Board(
        points=tuple((float(squares + x), float(squares + y)) for x, y in places),
        lines=straight + slanting,
        winning_lines=mills,
    )


_MIDDLES: list[Place] = [(0, -1), (-1, 0), (1, 0), (0, 1)]
_CORNERS: list[Place] = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
_SIDES: list[list[Place]] = [
    [(-1, -1), (0, -1), (1, -1)],
    [(-1, 1), (0, 1), (1, 1)],
    [(-1, -1), (-1, 0), (-1, 1)],
    [(1, -1), (1, 0), (1, 1)],
]


def _numbered(lines: list[list[Place]], number: dict[Place, int]) -> tuple[Line, ...]:
    """Return lines of places as lines of points, each from the top left."""
    return tuple(sorted(tuple(sorted(number[place] for place in line)) for line in lines))


@dataclass(frozen=True)
class MorrisRules:
    """The rules of one game of the family.

    Attributes:
        board: The board; its winning lines are the mills, three points each.
        men: The men of each seat, all in hand at the start.
        fly_at: A seat with no man in hand and at most this many on the board may move to any empty point; 0 for never.
        any_capture: Whether a man in a mill may be captured like any other.
        capture_each_mill: Whether two mills closed at once capture two men.
        placing_captures: Whether a mill made in the placing stage captures.
        extra_turn: Whether a mill, after the capture if there is one, gives another turn: the other seat must pass.
        lose_at: A seat with at most this many men, those in hand included, has lost.
        placing_ends: The placing stage ends when only this many points are empty, and men still in hand are put away;
            0 if it ends when nobody has men in hand.

    Raises:
        BadInputError: If the rules contradict each other.
    """

    board: Board
    men: int
    fly_at: int = 0
    any_capture: bool = False
    capture_each_mill: bool = False
    placing_captures: bool = True
    extra_turn: bool = False
    lose_at: int = 2
    placing_ends: int = 0

    def __post_init__(self) -> None:
        require(0, self.men - 1, lose_at=self.lose_at)
        if not self.men <= self.board.size // 2:
            raise BadInputError(
                f"men={self.men} is not allowed; the men of both seats find room on {self.board.size} points"
            )
        most_lost = self.board.size - self.placing_ends - self.men - 1
        if self.placing_ends and self.lose_at > most_lost:
            raise BadInputError(
                f"lose_at={self.lose_at} is not allowed; it is 0 to {most_lost}, for a seat may have placed no more "
                f"than {most_lost + 1} men when placing ends"
            )
        if self.fly_at and not self.lose_at < self.fly_at <= self.men:
            raise BadInputError(
                f"fly_at={self.fly_at} is not allowed; it is 0 (never), or {self.lose_at + 1} to {self.men}: "
                f"a seat with {self.lose_at} men has lost, and none has more than {self.men}"
            )

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions in the order of their numbers."""
        waiting = (Action("pass", told="passes"),) if self.may_pass else ()
        return at_each(self.board) + moves(move_pairs(self.board, self.fly_at > 0)) + captures(self.board) + waiting

    @property
    def may_pass(self) -> bool:
        """Whether a seat may have to pass: it misses a turn, or is out of men while the other still places."""
        return self.extra_turn

    @property
    def most_captures(self) -> int:
        """The largest number of men that one turn can capture."""
        if not self.capture_each_mill:
            return 1
        mills = self.board.winning_lines
        return max(sum(point in mill for mill in mills) for point in range(self.board.size))

    @property
    def state_size(self) -> int:
        """The length of a state."""
        return self.board.size + 4

    @property
    def num_features(self) -> int:
        """The number of features; see `boardgames_env.games.morris.morris_kernels`."""
        return 2 * self.board.size + 4 + self.may_pass

    @property
    def most_positions(self) -> int:
        """An upper bound on the number of positions.

        The men in hand follow from how many have been placed, unless a seat may place several in a row.
        """
        stages = 2 * (self.men + 1) ** 2 if self.extra_turn else 2 * self.men + 2
        return count_boards(self.board.size, self.men) * stages * (1 + self.most_captures + self.may_pass)


def move_pairs(board: Board, flying: bool) -> tuple[tuple[int, int], ...]:
    """Return origins and targets of moves on a board: along a line to the next point, or anywhere."""
    return tuple(permutations(range(board.size), 2)) if flying else steps_on(board)


def count_boards(points: int, men: int) -> int:
    """Return the number of ways to have at most ``men`` men of each seat on a board."""
    return sum(
        comb(points, first) * comb(points - first, second) for first in range(men + 1) for second in range(men + 1)
    )
