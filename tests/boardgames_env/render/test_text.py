"""Positions as characters."""

from hashlib import sha256

import pytest

from boardgames_env import make_game, registered_games
from boardgames_env.board import Board, grid
from boardgames_env.render.text import draw_locations, draw_text
from tests.variants import WITHOUT_CHANCE


def test_cells():
    position = make_game("tic_tac_toe").initial.play(0).play(4)
    assert draw_text(position).splitlines() == [
        " X | 1 | 2",
        "---+---+---",
        " 3 | O | 5",
        "---+---+---",
        " 6 | 7 | 8",
        "",
        "X to move",
    ]


def test_points():
    position = make_game("achi").initial.play(4).play(0)
    assert draw_text(position).splitlines() == [
        " W---1---2",
        r" | \ | / |",
        " 3---B---5",
        r" | / | \ |",
        " 6---7---8",
        "",
        "black to move",
    ]


@pytest.mark.parametrize("name", registered_games())
def test_the_page_of_a_game_shows_its_board(name):
    game = make_game(name)
    text = game.drawing.text(game.initial) if game.drawing else draw_locations(game.board, game.board.labels)
    drawn = [line.rstrip() for line in text.splitlines()]
    page = [line.rstrip() for line in registered_games()[name].page.splitlines()]
    assert any(page[start : start + len(drawn)] == drawn for start in range(len(page)))


def test_boards_are_drawn_as_they_were_in_the_first_version():
    later = {"breakthrough", "connect_four", "disguised", "english_draughts", "gomoku", "hex", "hexapawn", "othello"}
    boards = [make_game(name).board for name in WITHOUT_CHANCE if name not in later]
    drawn = "\n\n".join(draw_locations(board, board.labels) for board in boards)
    assert sha256(drawn.encode()).hexdigest()[:16] == "5dba8b4639e1d1b4"


def test_a_line_crossing_others_between_locations():
    board = Board(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)), ((0, 3), (1, 2)))
    assert draw_locations(board, "abcd").splitlines() == [" a   b", "   x", " c   d"]


def test_hexagons():
    game = make_game("hex", size=3)
    assert draw_text(game.initial.play(4)).splitlines() == [
        " a1 |  b1 |  c1",
        r"   /  \  /  \  /",
        "    a2 |  R  |  c2",
        r"      /  \  /  \  /",
        "       a3 |  b3 |  c3",
        "",
        "blue to move; joins left and right",
    ]


def test_wide_labels_keep_the_cells_apart():
    board = Board(grid(11, 1), winning_lines=(tuple(range(11)),), cells=True)
    assert draw_locations(board, board.labels) == " 0  | 1  | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10"


def test_boards_at_an_angle_are_drawn_somehow():
    points = ((0.0, 1.3), (9.1, 0.0), (4.4, 2.2), (1.1, 7.7), (9.3, 8.0))
    drawn = draw_locations(Board(points, ((0, 1, 4, 3, 0), (0, 2, 4), (1, 2, 3))), "abcde")
    assert sorted(character for character in drawn if character.isalpha() and character != "x") == list("abcde")
    assert drawn.isascii()
