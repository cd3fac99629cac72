from math import cos, pi, sin
from typing import Any

import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.board import Board, aligned, grid


def test_a_grid_has_the_symmetries_of_its_shape() -> None:
    assert len(Board(grid(3, 3), winning_lines=aligned(3, 3, 3)).symmetries) == 8
    assert len(Board(grid(3, 2), winning_lines=aligned(3, 2, 2)).symmetries) == 4


def test_symmetries_form_a_group_and_keep_lines() -> None:
    board = Board(grid(3, 3), winning_lines=aligned(3, 3, 3))
    symmetries = set(board.symmetries)
    assert board.symmetries[0] == tuple(range(9))
    for one in symmetries:
        for other in symmetries:
            assert tuple(one[location] for location in other) in symmetries
        assert {frozenset(one[location] for location in line) for line in board.winning_lines} == {
            frozenset(line) for line in board.winning_lines
        }


def test_lines_that_break_a_symmetry_take_it_away() -> None:
    flat = tuple(line for line in aligned(3, 3, 3) if line != (0, 4, 8))
    assert len(Board(grid(3, 3), winning_lines=flat).symmetries) == 4
    rows = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    assert len(Board(grid(3, 3), winning_lines=rows).symmetries) == 4


def test_winning_lines_of_known_boards() -> None:
    assert len(aligned(3, 3, 3)) == 8
    assert len(aligned(3, 3, 3, diagonals=False)) == 6
    assert len(aligned(10, 10, 5)) == 192


def test_adjacency_follows_the_lines() -> None:
    board = Board(grid(3, 3), lines=aligned(3, 3, 3))
    assert board.adjacency[0] == (1, 3, 4)
    assert board.adjacency[1] == (0, 2, 4)
    assert board.adjacency[4] == (0, 1, 2, 3, 5, 6, 7, 8)
    assert (board.adjacency_array == board.adjacency_array.T).all()
    assert board.adjacency_array.sum() == sum(map(len, board.adjacency))


def test_a_pentagon_has_ten_symmetries() -> None:
    points = tuple((cos(2 * pi * k / 5), sin(2 * pi * k / 5)) for k in range(5))
    assert len(Board(points, lines=tuple((k, (k + 1) % 5) for k in range(5))).symmetries) == 10


@pytest.mark.parametrize(
    ("name", "points", "lines", "winning", "symmetries", "automorphisms", "of_winning", "actions"),
    [
        ("five_mens_morris", 16, 12, 8, 8, 16, 128, 16 + 40 + 16),
        ("five_mens_morris(fly_at=3)", 16, 12, 8, 8, 16, 128, 16 + 16 * 15 + 16),
        ("nine_mens_morris", 24, 16, 16, 8, 16, 48, 24 + 64 + 24),
        ("eleven_mens_morris", 24, 20, 20, 8, 16, 48, 24 + 80 + 24),
        ("eleven_mens_morris(diagonal_mills=False)", 24, 20, 16, 8, 16, 48, 24 + 80 + 24),
        ("twelve_mens_morris", 24, 20, 20, 8, 16, 48, 24 + 80 + 24),
        ("nerenchi", 24, 20, 20, 8, 16, 48, 24 + 80 + 24 + 1),
        ("murabaraba", 25, 18, 16, 8, 8, 48, 25 + 80 + 25),
        ("murabaraba(centre_mills=True)", 25, 18, 22, 8, 8, 8, 25 + 80 + 25),
        ("qubic", 64, 0, 76, 48, 192, 192, 64),
        ("fives", 100, 0, 192, 8, 8, 8, 100),
        ("gomoku", 225, 30, 572, 8, 8, 8, 225),
        ("connect_four", 42, 0, 69, 2, 2, 2, 7),
        ("connect_four(columns=4,rows=4)", 16, 0, 10, 2, 2, 2, 4),
    ],
)
def test_boards_of_games(
    name: str, points: int, lines: int, winning: int, symmetries: int, automorphisms: int, of_winning: int, actions: int
) -> None:
    board = make_game(name).board
    assert make_game(name).num_actions == actions
    assert (board.size, len(board.lines), len(set(board.winning_lines))) == (points, lines, winning)
    assert (len(board.symmetries), len(board.automorphisms)) == (symmetries, automorphisms)
    assert len(board.flying_automorphisms) == of_winning
    assert len(board.winning_lines) == winning
    assert set(board.symmetries) <= set(board.automorphisms)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ({"points": grid(2, 2), "lines": ((0, 1, 2),)}, r"locations \[3\] lie on no line"),
        ({"points": grid(2, 2), "lines": ((0, 1, 2, 3, 4),)}, r"locations \[4\]; this board has 0 to 3"),
        ({"points": grid(2, 1), "lines": ((0, 1),), "labels": ("a", "a")}, "as many different labels"),
    ],
)
def test_boards_that_make_no_sense_are_refused(board: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        Board(**board)


def test_boards_whose_locations_are_alike_have_no_list_of_symmetries() -> None:
    """64 squares without winning lines can be permuted in more ways than could be listed."""
    for name in ("breakthrough", "english_draughts", "othello"):
        with pytest.raises(BadInputError, match=r"^too little tells the \d+ locations of the board apart"):
            _ = make_game(name).board.flying_automorphisms
    board = Board(points=grid(8, 1), lines=(tuple(range(8)),))
    assert len(board.automorphisms) == 2
    with pytest.raises(BadInputError, match="too little tells"):
        _ = board.flying_automorphisms
