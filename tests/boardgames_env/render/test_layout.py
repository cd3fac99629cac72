"""What pictures of positions show."""

from dataclasses import replace

import numpy as np
import pytest

from boardgames_env import make_game, registered_games
from boardgames_env.board import CROSS, WHITE, Board, aligned, grid
from boardgames_env.kernels import ONGOING
from boardgames_env.position import Position
from boardgames_env.render.layout import caption, draw
from boardgames_env.render.shapes import CANVAS, GLOW, TRACE, Box, Circle, Drawing, Polygon, Stroke, Text
from boardgames_env.render.text import draw_text
from tests.positions import play
from tests.variants import WITHOUT_CHANCE


def played(spec, *actions):
    return play(make_game(spec).initial, *actions)


def with_board(board, men, looks=None):
    """A position on any board, with some men on it."""
    game = make_game("tic_tac_toe")
    game = replace(game, board=board, state_size=1 + board.size, men=looks or game.men)
    state = np.zeros(1 + board.size, dtype=np.int8)
    for location, count in men.items():
        state[1 + location] = count
    position = Position.unchecked(game, state)
    position._outcome = ONGOING  # the rules are not those of this board
    return position


def texts(shapes):
    return [shape.text for shape in shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("name", registered_games())
def test_nothing_lies_outside(name):
    for shape in draw(make_game(name).initial):
        if isinstance(shape, Box):
            (x, y), room = shape.corner, 0.0
            points = [(x, y), (x + shape.width, y + shape.height)]
        elif isinstance(shape, Stroke | Polygon):
            points, room = shape.points, 0.0
        else:
            points, room = [shape.centre], shape.radius if isinstance(shape, Circle) else shape.size / 2
        assert all(room <= value <= CANVAS - room for point in points for value in point)


@pytest.mark.parametrize("name", WITHOUT_CHANCE)
def test_every_location_is_drawn(name):
    position = make_game(name).initial
    shapes = draw(position)
    empty = [label for label, men in zip(position.game.board.labels, position.state[1:], strict=False) if men == 0]
    assert texts(shapes) == [*empty, caption(position)]
    assert texts(draw(position, labels=False)) == [caption(position)]


@pytest.mark.parametrize("scale", [0.137, 1.0, 40.0])
def test_the_scale_of_the_coordinates_does_not_matter(scale):
    board = Board(tuple((x * scale - 3, y * scale + 0.2) for x, y in grid(3, 3)), aligned(3, 3, 3))
    plain = Board(grid(3, 3), aligned(3, 3, 3))
    for shape, same in zip(draw(with_board(board, {4: 1})), draw(with_board(plain, {4: 1})), strict=True):
        assert type(shape) is type(same)
        if isinstance(shape, Circle):
            assert shape.centre == pytest.approx(same.centre)
            assert shape.radius == pytest.approx(same.radius)


def test_a_line_that_decided_the_contest_is_lit():
    lit = [shape for shape in draw(played("tic_tac_toe", 4, 0, 2, 1, 6)) if getattr(shape, "colour", "") == GLOW]
    assert [len(shape.points) for shape in lit] == [3]
    assert not [shape for shape in draw(played("tic_tac_toe", 4, 0, 2)) if getattr(shape, "colour", "") == GLOW]


def test_what_has_changed_is_marked():
    before = played("achi", 7, 5, 3, 1, 2, 0, 4, 6)
    shapes = draw(before.play(4), before=before)
    assert sum(isinstance(shape, Circle) and shape.fill == TRACE for shape in shapes) == 2


def test_the_last_man_of_a_line_that_won_is_marked_on_it():
    before = played("tic_tac_toe", 4, 0, 2, 1)
    colours = [getattr(shape, "colour", getattr(shape, "fill", "")) for shape in draw(before.play(6), before=before)]
    assert colours.index(GLOW) < colours.index(TRACE)


@pytest.mark.parametrize("looks", [(CROSS, CROSS), (WHITE, WHITE)])
def test_a_pile_shows_its_number(looks):
    shapes = draw(with_board(Board(grid(2, 2), aligned(2, 2, 2)), {0: 1, 1: 5, 2: -12}, looks))
    assert texts(shapes)[:-1] == ["5", "12", "3"]


def test_captions():
    assert caption(played("tic_tac_toe")) == "X to move"
    assert caption(played("tic_tac_toe", 4)) == "O to move"
    assert caption(played("tic_tac_toe", 4, 0, 2, 1, 6)) == "X has won"
    assert caption(played("lose_tic_tac_toe", 4, 0, 2, 1, 6)) == "O has won"
    assert caption(played("tic_tac_toe", 0, 1, 2, 4, 3, 5, 7, 6, 8)) == "a draw"


def test_a_game_may_draw_itself():
    whole = [Text((240.0, 240.0), "a position", 20, "#000000")]
    drawing = Drawing(lambda position, labels, before: whole, lambda position: "a board", lambda position: "who knows")
    position = Position.unchecked(replace(make_game("achi"), drawing=drawing), make_game("achi").initial.state.copy())
    assert draw(position) == whole
    assert draw_text(position) == "a board\n\nwho knows"
    assert caption(position) == "who knows"
