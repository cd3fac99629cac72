"""SVG and pixels: two paintings of one picture."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import ImageColor

from boardgames_env import BadInputError, Contest, make_game, registered_games
from boardgames_env.chance import ChanceStream
from boardgames_env.render.layout import draw
from boardgames_env.render.pixels import draw_pixels
from boardgames_env.render.shapes import CANVAS, PAGE, PAPER, WOOD, Box, Circle
from boardgames_env.render.svg import draw_svg
from tests.variants import WITHOUT_CHANCE, sampled

SVG = "{http://www.w3.org/2000/svg}"


def after_some_plies(name):
    game = make_game(name)
    contest = Contest(game, ChanceStream(game, np.random.default_rng(4)))
    for _ in range(4):
        contest.play(contest.position.legal_actions[-1])
    return contest.position


@pytest.mark.parametrize("name", registered_games())
def test_svg_is_well_formed_and_always_the_same(name):
    position = after_some_plies(name)
    text = draw_svg(position)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert len(root) == 1 + len(draw(position))
    assert text == draw_svg(position) == position.svg
    assert root.find(f"{SVG}title").text == position.game.title


@pytest.mark.parametrize(("name", "size"), sampled(list(registered_games()), [1, 64, 480]))
def test_pixels_have_the_shape_asked_for(name, size):
    pixels = draw_pixels(make_game(name).initial, size)
    assert pixels.shape == (size, size, 3)
    assert pixels.dtype == np.uint8
    pixels[:] = 0  # fresh, and the caller's own


@pytest.mark.parametrize("name", sampled(list(registered_games()), one_in=3))
def test_men_are_seen_where_they_stand(name):
    position = after_some_plies(name)
    pixels = draw_pixels(position, int(CANVAS))
    assert tuple(pixels[0, 0]) == ImageColor.getrgb(PAGE)
    for man in position.game.men:
        colour = np.array(ImageColor.getrgb(man.colour))
        assert (pixels == colour).all(axis=2).sum() > 200


@pytest.mark.parametrize("name", sampled(WITHOUT_CHANCE, one_in=3))
def test_locations_are_seen_on_the_ground(name):
    position = after_some_plies(name)
    board, pixels = position.game.board, draw_pixels(position, int(CANVAS))
    box = next(shape for shape in draw(position) if isinstance(shape, Box) and shape.fill != PAGE)
    centres = [shape.centre for shape in draw(position) if isinstance(shape, Circle) and shape.fill]
    x, y = box.corner
    is_rack = position.game.actions[0].kind == "column"
    assert tuple(pixels[int(y) + 8, int(x) + 20]) == ImageColor.getrgb(PAPER if board.cells and not is_rack else WOOD)
    assert (board.cells and not is_rack) or len(centres) >= board.size


def test_labels_are_left_out_on_request():
    position = make_game("achi").initial
    assert (draw_pixels(position) != draw_pixels(position, labels=False)).any()
    assert ">4</text>" in draw_svg(position)
    assert ">4</text>" not in draw_svg(position, labels=False)


@pytest.mark.parametrize("size", [0, -3, 4097, 10**30, 2.5, float("nan"), "480", True, None])
@pytest.mark.parametrize("paint", [draw_svg, draw_pixels])
def test_a_size_is_a_whole_number_within_bounds(paint, size):
    with pytest.raises(BadInputError, match=f"size={size!r} is not allowed; it must be a whole number from 1 to 4,096"):
        paint(make_game("achi").initial, size)
