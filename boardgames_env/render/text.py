"""Positions drawn with ASCII characters."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import floor, pi, sin

from boardgames_env.board import Board, Line
from boardgames_env.position import Position
from boardgames_env.render.layout import caption, neighbouring_cells

# characters from one row of locations to the next; from one column to the next it depends on the labels
_ROWS = 2
_GAP = 3

# a slanting line has one character a row; with more columns to a row than this it is dotted
_STEEPEST = 6

Place = tuple[int, int]
Canvas = dict[Place, str]


def draw_text(position: Position, labels: bool = True) -> str:
    """Return a position as lines of characters, with a caption as the last one.

    A man is its letter, with a number if several stand there; an empty location is its label, or a dot. A game with a
    drawing of its own returns that drawing's text.
    """
    game = position.game
    drawn = game.drawing.text(position) if game.drawing else draw_locations(game.board, _tokens(position, labels))
    return f"{drawn}\n\n{caption(position, is_picture=False)}"


def token_places(position: Position) -> list[tuple[int, int, int]]:
    """Return where `draw_text` writes what stands on each location: row, first column, and number of characters.

    The list is empty for a game with a drawing of its own.
    """
    game = position.game
    if game.drawing:
        return []
    tokens = _tokens(position, labels=True)
    width = max(len(token) for token in tokens)
    found = []
    for (column, row), token in zip(_places_of_tokens(game.board, width), tokens, strict=True):
        centred = token.center(width)
        found.append((row, column + len(centred) - len(centred.lstrip()), len(token)))
    return found


def draw_locations(board: Board, tokens: Sequence[str]) -> str:
    """Return a board as lines of characters, with a text on each location, such as ``board.labels``."""
    width = max(len(token) for token in tokens)
    canvas = _canvas_of_cells(board, width) if board.cells else _canvas_of_points(board, width)
    for (column, row), token in zip(_places_of_tokens(board, width), tokens, strict=True):
        for offset, character in enumerate(token.center(width)):
            if character != " ":
                canvas[column + offset, row] = character
    lines = range(min(row for _, row in canvas), max(row for _, row in canvas) + 1)
    columns = range(max(column for column, _ in canvas) + 1)
    return "\n".join("".join(canvas.get((column, line), " ") for column in columns).rstrip() for line in lines)


def _tokens(position: Position, labels: bool) -> list[str]:
    board = position.game.board
    tokens = []
    for label, men in zip(board.labels, position.state[1 : 1 + board.size].tolist(), strict=True):
        if men == 0:
            tokens.append(label if labels else ".")
            continue
        man, number = position.game.men_at(men)
        tokens.append(man.letter if number == 1 else f"{man.letter}{number}")
    return tokens


def _places_of_tokens(board: Board, width: int) -> list[Place]:
    """Return the place at which each location's token begins. Tokens do not touch."""
    unit = _unit(board)
    xs, ys = zip(*board.points, strict=True)
    # rounded as seen from the middle, so that what is symmetric stays so
    across, down = width + _GAP, _ROWS / sin(2 * pi / board.cell_sides)
    if board.cell_sides == 6:  # (every other row is shifted by half of it)
        across += across % 2
    columns = [_nearest((x - (min(xs) + max(xs)) / 2) / unit * across) for x in xs]
    rows = [_nearest((y - (min(ys) + max(ys)) / 2) / unit * down) for y in ys]
    return [(1 + column - min(columns), row - min(rows)) for column, row in zip(columns, rows, strict=True)]


def _unit(board: Board) -> float:
    """Return the distance on the board that is one step on the canvas."""
    if board.cells:
        return board.spacing
    distances = (max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in combinations(board.points, 2))
    unit = min((distance for distance in distances if distance > 0), default=1.0)
    # lines that are not along a row, a column or a diagonal need more room to be distinguishable
    return unit if all(_is_straight(board, line) for line in board.lines) else unit / 2


def _is_straight(board: Board, line: Line) -> bool:
    steps = [
        (abs(board.points[b][0] - board.points[a][0]), abs(board.points[b][1] - board.points[a][1]))
        for a, b in pairwise(line)
    ]
    return all(min(x, y, abs(x - y)) < 1e-6 * max(x, y) for x, y in steps)


def _nearest(value: float) -> int:
    """Round, halves up, so that places a whole number apart stay so."""
    return floor(value + 0.5 + 1e-9)


def _canvas_of_cells(board: Board, width: int) -> Canvas:
    """Return a canvas with the sides that cells share."""
    canvas: Canvas = {}
    places = _places_of_tokens(board, width)
    for first, second in neighbouring_cells(board):
        (column, row), (to_column, to_row) = places[first], places[second]
        middle = (column + to_column + width - 1) // 2
        if row == to_row:
            canvas[middle, row] = "|"
        elif column == to_column:
            for offset in range(-1, width + 1):
                canvas[column + offset, row + 1] = "-"
        else:
            canvas[middle, row + 1] = "/" if column < to_column else "\\"
    for column, row in [place for place, character in canvas.items() if character == "|"]:
        corner = (column, row + 1)
        if canvas.get((column - 1, row + 1)) == "-" or canvas.get((column + 1, row + 1)) == "-":
            canvas[corner] = "+"
    return canvas


def _canvas_of_points(board: Board, width: int) -> Canvas:
    """Return a canvas with the predrawn lines."""
    canvas: Canvas = {}
    # lines run between the middles of tokens
    places = [(column + (width - 1) // 2, row) for column, row in _places_of_tokens(board, width)]
    for line in board.lines:
        for here, there in pairwise(line):
            for place, character in _segment(*sorted((places[here], places[there]))):
                canvas[place] = _crossing(canvas.get(place, character), character)
    return canvas


def _segment(start: Place, end: Place) -> Iterator[tuple[Place, str]]:
    """Yield the characters strictly between two places, the first of which is not to the right of the second."""
    (x, y), (to_x, to_y) = start, end
    rows = abs(to_y - y)
    if rows == 0:
        for column in range(x + 1, to_x):
            yield (column, y), "-"
        return
    down = 1 if to_y > y else -1
    if (to_x - x) > _STEEPEST * rows:
        for column in range(x + 2, to_x - 1, 2):
            yield (column, y + round((column - x) * (to_y - y) / (to_x - x))), "."
        return
    character = "|" if x == to_x else "\\" if down == 1 else "/"
    for row in range(1, rows):
        yield (round(x + (to_x - x) * row / rows), y + down * row), character


def _crossing(one: str, other: str) -> str:
    if one == other:
        return one
    return "x" if {one, other} == {"/", "\\"} else "+"
