"""The paper's definitions once more, slowly and from its pictures, to hold the kernels to."""

import re
from functools import cache

import numpy as np

from boardgames_agents.fives.coefficients import Coefficients
from boardgames_env import Game, Position
from boardgames_env.board import Board, aligned, grid
from boardgames_env.games.shared import in_a_row

FIVE, FULL_FOUR, HALF_FOUR, FULL_THREE, HALF_THREE, QUARTER_THREE, BROKEN_FOUR, BROKEN_THREE = 7, 0, 1, 2, 3, 4, 5, 6
"""Where features stand in a seat's counts."""

# a line as one seat sees it: s its marks, _ empty cells, # what blocks
_PICTURES = {
    FIVE: ["(?<!s)s{5,}"],
    FULL_FOUR: ["(?=_ssss_)"],
    HALF_FOUR: ["(?=_ssss#)", "(?=#ssss_)"],
    FULL_THREE: ["(?=__sss__)"],
    HALF_THREE: ["(?=__sss_[s#])", "(?=[s#]_sss__)"],
    QUARTER_THREE: ["(?=[s#]_sss_[s#])", "(?=__sss#)", "(?=#sss__)"],
    BROKEN_FOUR: [
        rf"(?<!s)(?=s{{{one}}}_s{{{other}}}(?!s))" for one, other in [(1, 3), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
    ],
    BROKEN_THREE: ["(?=_s_ss_)", "(?=_ss_s_)"],
}


@cache
def grid_game(columns: int, rows: int) -> Game:
    """Five in a row on a rectangle."""
    board = Board(points=grid(columns, rows), winning_lines=aligned(columns, rows, 5), cells=True)
    return Game(
        title="five in a row",
        board=board,
        rules=in_a_row.rules(board),
        state_size=in_a_row.state_size(board),
        num_features=2 * board.size + 1,
    )


def sides(game: Game) -> tuple[int, int]:
    """Columns and rows."""
    columns, rows = np.array(game.board.points, dtype=int).max(axis=0) + 1
    return int(columns), int(rows)


@cache
def pictures_on(line: str) -> tuple[int, ...]:
    """How many of each feature there are on a line, in the order of the counts."""
    return tuple(sum(len(re.findall(each, f"#{line}#")) for each in _PICTURES[which]) for which in range(8))


def texts(position: Position) -> list[str]:
    """All rows, columns and diagonals: x, o and _."""
    columns, rows = sides(position.game)
    letters = np.array(["_", "x", "o"])[position.state[1 : 1 + columns * rows]].reshape(rows, columns)
    lines = [*letters, *letters.T]
    for turned in (letters, letters[:, ::-1]):
        lines += [turned.diagonal(k) for k in range(1 - rows, columns)]
    return ["".join(line) for line in lines]


def plain_counts(position: Position) -> np.ndarray:
    """The features of both seats, shape ``(2, 8)``."""
    as_seen = (str.maketrans("xo", "s#"), str.maketrans("xo", "#s"))
    return np.array(
        [np.sum([pictures_on(line.translate(seen)) for line in texts(position)], axis=0) for seen in as_seen]
    )


def plain_evaluation(position: Position, coefficients: Coefficients) -> float:
    """F of section 2.2, for x."""
    x, o = plain_counts(position)
    if x[FIVE] >= 1:
        return 999999
    if o[FIVE] >= 1:
        return -999999
    total = 0.0
    for coefficient, difference in zip(coefficients.values, x - o, strict=False):
        total += coefficient * int(difference)
    return total


def interest_zone(position: Position) -> list[int]:
    """The empty cells of the interest zone."""
    columns, rows = sides(position.game)
    marks = position.state[1 : 1 + columns * rows].reshape(rows, columns)
    if not marks.any():
        return list(range(columns * rows))
    down, across = np.nonzero(marks)
    return [
        row * columns + column
        for row in range(max(down.min() - 1, 0), min(down.max() + 1, rows - 1) + 1)
        for column in range(max(across.min() - 1, 0), min(across.max() + 1, columns - 1) + 1)
        if marks[row, column] == 0
    ]


def plain_children(position: Position, coefficients: Coefficients, width: int) -> list[tuple[float, int]]:
    """The best children by static evaluation for who is to move, the best first, the lowest cell among equals."""
    sign = 1 - 2 * position.seat
    found = [(sign * plain_evaluation(position.after(cell), coefficients), cell) for cell in interest_zone(position)]
    return sorted(found, key=lambda child: (-child[0], child[1]))[:width]


def plain_minimax(position: Position, coefficients: Coefficients, level: int, width: int) -> tuple[float, int]:
    """What a position is worth to the seat to move, and the first of its best children that are worth that."""
    sign = 1 - 2 * position.seat
    if level == 0 or position.is_over:
        return sign * plain_evaluation(position, coefficients), -1
    values = [
        (-plain_minimax(position.after(cell), coefficients, level - 1, width)[0], cell)
        for _, cell in plain_children(position, coefficients, width)
    ]
    best = max(value for value, _ in values)
    return next(value for value in values if value[0] == best)


def random_positions(game: Game, count: int, seed: int, near: bool = True) -> list[Position]:
    """Positions of random contests that are not over; if ``near``, marks are put in the interest zone."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.initial
        while not position.is_over:
            found.append(position)
            position = position.after(int(rng.choice(interest_zone(position) if near else position.legal_actions)))
    return [found[i] for i in rng.permutation(len(found))[:count]]
