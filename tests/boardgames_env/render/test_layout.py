"""What pictures of positions show."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from boardgames_env import make_game, registered_games
from boardgames_env.board import CROSS, WHITE, Board, aligned, grid
from boardgames_env.kernels import ONGOING
from boardgames_env.position import Position
from boardgames_env.render.layout import areas, caption, draw
from boardgames_env.render.shapes import CANVAS, GLOW, PAPER, TRACE, Box, Circle, Drawing, Polygon, Stroke, Text
from boardgames_env.render.text import draw_text
from tests.positions import after
from tests.variants import WITHOUT_CHANCE, fast_for


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


LETTERED = ("breakthrough", "connect_four", "gomoku", "hexapawn", "othello")
"""Games whose pictures show letters and numbers at the edges of the board."""


@pytest.mark.parametrize("name", WITHOUT_CHANCE)
def test_every_location_is_drawn(name):
    position = make_game(name).initial
    shapes = draw(position)
    board = position.game.board
    empty = [label for label, men in zip(board.labels, position.state[1:], strict=False) if men == 0]
    if name in LETTERED:
        edges = {label[0] for label in board.labels} | {label[1:] for label in board.labels}
        assert sorted(texts(shapes)) == sorted([*edges, caption(position)])
    else:
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
    lit = [shape for shape in draw(after("tic_tac_toe", 4, 0, 2, 1, 6)) if getattr(shape, "colour", "") == GLOW]
    assert [len(shape.points) for shape in lit] == [3]
    assert not [shape for shape in draw(after("tic_tac_toe", 4, 0, 2)) if getattr(shape, "colour", "") == GLOW]


def test_what_has_changed_is_marked():
    before = after("achi", 7, 5, 3, 1, 2, 0, 4, 6)
    shapes = draw(before.play(4), before=before)
    assert sum(isinstance(shape, Circle) and shape.fill == TRACE for shape in shapes) == 2


def test_the_last_man_of_a_line_that_won_is_marked_on_it():
    before = after("tic_tac_toe", 4, 0, 2, 1)
    colours = [getattr(shape, "colour", getattr(shape, "fill", "")) for shape in draw(before.play(6), before=before)]
    assert colours.index(GLOW) < colours.index(TRACE)


@pytest.mark.parametrize("looks", [(CROSS, CROSS), (WHITE, WHITE)])
def test_a_pile_shows_its_number(looks):
    shapes = draw(with_board(Board(grid(2, 2), aligned(2, 2, 2)), {0: 1, 1: 5, 2: -12}, looks))
    assert texts(shapes)[:-1] == ["5", "12", "3"]


def test_captions():
    assert caption(after("tic_tac_toe")) == "X to move"
    assert caption(after("tic_tac_toe", 4)) == "O to move"
    assert caption(after("tic_tac_toe", 4, 0, 2, 1, 6)) == "X has won"
    assert caption(after("lose_tic_tac_toe", 4, 0, 2, 1, 6)) == "O has won"
    assert caption(after("tic_tac_toe", 0, 1, 2, 4, 3, 5, 7, 6, 8)) == "a draw"


def test_hexagons_have_six_sides_and_the_seats_their_sides_of_the_board():
    game = make_game("hex", size=4)
    polygons = [shape for shape in draw(game.initial) if isinstance(shape, Polygon)]
    cells = [shape.points for shape in polygons if shape.fill == PAPER]
    assert [len(points) for points in cells] == [6] * 16
    assert [shape.fill for shape in polygons[:4]] == [man.colour for man in game.men for _ in range(2)]
    middles = [area.centre for area in areas(game)]
    for points, middle in zip(cells, middles, strict=True):
        assert np.mean(points, axis=0) == pytest.approx(middle)
    # the sides that cells share are the strokes: each joins two corners of either cell
    strokes = [shape.points for shape in draw(game.initial) if isinstance(shape, Stroke)]
    assert len(strokes) == len(game.board.lines) == 33
    for ends, (first, second) in zip(strokes, sorted(game.board.lines), strict=True):
        for end in ends:
            for cell in (first, second):
                assert min(np.hypot(*np.subtract(end, corner)) for corner in cells[cell]) < 1e-6
    # red's at the top and at the bottom, blue's on the left and on the right
    (top, bottom, left, right) = (np.mean(shape.points[1:], axis=0) for shape in polygons[:4])
    assert top[1] < min(left[1], right[1]) <= max(left[1], right[1]) < bottom[1]
    assert left[0] < min(top[0], bottom[0]) <= max(top[0], bottom[0]) < right[0]


def test_a_game_may_draw_itself():
    whole = [Text((240.0, 240.0), "a position", 20, "#000000")]
    drawing = Drawing(lambda position, labels, before: whole, lambda position: "a board", lambda position: "who knows")
    position = Position.unchecked(replace(make_game("achi"), drawing=drawing), make_game("achi").initial.state.copy())
    assert draw(position) == whole
    assert draw_text(position) == "a board\n\nwho knows"
    assert caption(position) == "who knows"


def drawn_at(game, location):
    """The centres of all that is drawn for a man on a location of an empty board."""
    state = game.initial.state.copy()
    state[1 : 1 + game.board.size] = 0
    empty = draw(Position.unchecked(game, state.copy()), labels=False)
    state[1 + location] = 1 if location % 2 == 0 else -1
    drawn = [each for each in draw(Position.unchecked(game, state), labels=False) if each not in empty]
    assert drawn
    for each in drawn:
        if isinstance(each, Box):
            yield each.corner[0] + each.width / 2, each.corner[1] + each.height / 2
        elif isinstance(each, (Circle, Stroke)):
            yield each.centre if isinstance(each, Circle) else np.mean(each.points, axis=0)


AREAS = ["tic_tac_toe", "achi", "hex(size=5)", "nine_mens_morris", "backgammon", "hypergammon(cube=True)"]


@pytest.mark.parametrize("name", fast_for(AREAS, [*AREAS, "qubic"]))
def test_each_location_has_an_area_of_its_own_with_its_men_in_it(name):
    game = make_game(name)
    found = areas(game)
    assert len(found) == game.board.size
    for one, other in combinations(found, 2):
        apart = [abs(a - b) for a, b in zip(one.centre, other.centre, strict=True)]
        assert apart[0] >= (one.width + other.width) / 2 - 1e-6 or apart[1] >= (one.height + other.height) / 2 - 1e-6
    for location, area in enumerate(found):
        for x, y in drawn_at(game, location):
            assert abs(x - area.centre[0]) <= area.width / 2
            assert abs(y - area.centre[1]) <= area.height / 2


def test_a_drawing_may_show_no_locations():
    drawing = Drawing(lambda position, labels, before: [], lambda position: "", lambda position: "")
    assert areas(replace(make_game("achi"), drawing=drawing)) == ()
