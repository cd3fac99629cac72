"""The boards of the morris family: squares within each other, joined by spokes.

Points are numbered row by row from the top left. A mill is a winning line: three points next to each other on a
predrawn line.
"""

from functools import cache

from boardgames_env.board import Board, Line

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
    mills = _threes((*straight, *slanting) if corner_mills else straight)
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


def _threes(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return every three points next to each other on a line."""
    return tuple(line[first : first + 3] for line in lines for first in range(len(line) - 2))
