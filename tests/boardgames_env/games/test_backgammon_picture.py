"""What pictures of backgammon show."""

from functools import cache

import numpy as np
import pytest

from boardgames_env import Position, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.games.backgammon.rules import backgammon_board
from boardgames_env.games.backgammon.rules.backgammon_board import (
    DOUBLE,
    DOUBLED,
    DOUBLING,
    ROLL,
    ROLLING,
    STAGE,
    STEPS,
)
from boardgames_env.render.layout import caption, draw
from boardgames_env.render.shapes import CANVAS, GLOW, PAGE, Box, Circle, Polygon, Text
from tests.boardgames_env.games.backgammon_contests import START, position_of, random_contest

WHITE, BLACK = backgammon_board.WHITE.colour, backgammon_board.BLACK.colour


@cache
def busy() -> Position:
    return position_of(
        "backgammon", {25: 2, 24: 1, 8: 2, 6: 7, 4: 1, 3: 1, 0: 1}, {25: 6, 13: 2, 6: 4, 0: 3}, dice=(5, 2)
    )


def men(shapes, colour):
    return [shape for shape in shapes if isinstance(shape, Circle) and shape.fill == colour and shape.radius > 12]


def texts(position, labels=True):
    return [shape.text for shape in draw(position, labels) if isinstance(shape, Text)]


def test_the_start():
    shapes = draw(make_game("backgammon").initial)
    assert sum(isinstance(shape, Polygon) for shape in shapes) == 24
    assert len(men(shapes, WHITE)) == len(men(shapes, BLACK)) == 15
    assert texts(make_game("backgammon").initial)[:24] == [str(point) for point in range(1, 25)]
    assert "24" not in texts(make_game("backgammon").initial, labels=False)


def test_tall_piles_have_a_number():
    shapes = draw(busy())
    assert len(men(shapes, WHITE)) == 14 - 2
    assert len(men(shapes, BLACK)) == 12 - 1
    assert sorted(set(texts(busy(), labels=False))) == sorted({
        "7", "6", "1", "3", "white", "black", "white to play 5-2", "pips: white 139, black 200"
    })  # fmt: skip


def test_seat_0_bears_off_at_the_bottom_right_and_enters_at_the_top():
    shapes = draw(busy())
    slabs = [shape for shape in shapes if isinstance(shape, Box) and shape.fill in (WHITE, BLACK) and shape.width > 28]
    assert [slab.fill for slab in slabs] == [WHITE] + [BLACK] * 3
    assert slabs[0].corner[0] > 0.85 * CANVAS
    assert slabs[0].corner[1] > CANVAS / 2 > slabs[-1].corner[1]
    on_bar = [shape for shape in men(shapes, WHITE) if abs(shape.centre[0] - 216) < 16]
    assert len(on_bar) == 2
    assert all(shape.centre[1] < CANVAS / 2 for shape in on_bar)


def test_dice_are_the_movers():
    for seat, colour in ((0, WHITE), (1, BLACK)):
        position = make_game("backgammon").initial.happen(15 * seat + 14)
        dice = [shape for shape in draw(position) if isinstance(shape, Box) and shape.fill == colour]
        assert len(dice) == 2
        assert all((die.corner[0] > CANVAS / 2) == (seat == 0) for die in dice)
        spots = [shape for shape in draw(position) if isinstance(shape, Circle) and shape.radius < 4]
        assert len(spots) == 6 + 5


@pytest.mark.parametrize(("owner", "low", "high"), [(1, 0.7, 1), (-1, 0, 0.3), (0, 0.4, 0.6)])
def test_the_cube_lies_at_its_owners_edge(owner, low, high):
    position = position_of("backgammon(cube=True)", START, START, (3, 1), cube=3 * abs(owner), owner=owner)
    found = [shape for shape in draw(position, labels=False) if isinstance(shape, Text)]
    cube = next(shape for shape in found if shape.text == ("8" if owner else "1"))
    assert cube.centre[0] < 60
    assert low * CANVAS < cube.centre[1] < high * CANVAS


def test_an_offered_cube_lies_on_the_board():
    position = position_of("backgammon(cube=True)", START, START, seat=1, stage=DOUBLED)
    cube = next(shape for shape in draw(position, labels=False) if isinstance(shape, Text) and shape.text == "2")
    assert cube.centre[0] > CANVAS / 2, "on the doubler's right"
    assert caption(position) == "black to take or drop; pips: white 167, black 167"


def test_changed_points_are_marked():
    before = make_game("backgammon").initial.happen(1)
    marked = [shape for shape in draw(before.play(before.legal_actions[0]), before=before)
              if isinstance(shape, Polygon) and shape.fill == GLOW]  # fmt: skip
    assert len(marked) == 2


def dice_of(shapes, colour):
    return [shape for shape in shapes if isinstance(shape, Box) and shape.fill == colour and shape.rounding < 10]


def test_the_others_dice_stay_in_sight_until_ones_own_first_move():
    contest = Contest(make_game("backgammon"), ChanceStream(make_game("backgammon"), np.random.default_rng(4)))
    before = contest.position
    for action in before.moves()[0].actions:
        contest.play(action)
    other, own = (contest.game.men[seat].colour for seat in (before.seat, contest.seat))
    shapes = draw(contest.position, before=before)
    assert len(dice_of(shapes, other)) == 2
    assert len(dice_of(shapes, own)) in (2, 4)
    assert dice_of(shapes, other)[0].width < dice_of(shapes, own)[0].width
    start = contest.position
    contest.play(start.legal_actions[0])
    assert not dice_of(draw(contest.position, before=start), other)


@pytest.mark.parametrize("seat", [0, 1])
def test_dice_and_cube_are_pressed_where_they_lie(seat):
    position = position_of("backgammon(cube=True)", START, START, (3, 1), seat=seat)
    controls = position.game.drawing.controls(position)
    assert [STEPS[action][1] for action in controls.preferred] == sorted(
        (STEPS[action][1] for action in position.legal_actions), reverse=True
    )
    dice = dice_of(draw(position), position.game.men[seat].colour)
    for die in dice:
        x, y = die.corner
        assert abs(x + die.width / 2 - controls.swaps.centre[0]) < controls.swaps.width / 2
        assert abs(y + die.width / 2 - controls.swaps.centre[1]) < controls.swaps.height / 2
    assert dice[1].corner[0] - dice[0].corner[0] == pytest.approx(controls.swaps.width / 2)
    assert position_of("backgammon", START, START, (2, 2)).game.drawing.controls(
        position_of("backgammon", START, START, (2, 2))
    ).swaps is None  # fmt: skip
    waiting = position_of("backgammon(cube=True)", START, START, seat=seat, stage=DOUBLING)
    controls = waiting.game.drawing.controls(waiting)
    assert list(controls.buttons) == list(waiting.legal_actions) == [ROLL, DOUBLE]
    assert list(controls.taps) == [DOUBLE]
    assert {area.centre[0] > CANVAS / 2 for area in controls.buttons.values()} == {seat == 0}


def test_buttons_lie_upon_no_men_and_are_large_enough() -> None:
    game, seen = make_game("backgammon(cube=True)"), 0
    for number in range(12):
        rng = np.random.default_rng(number)
        contest = Contest(game, ChanceStream(game, rng))
        while not contest.is_over and contest.plies < 80:
            position = contest.position
            men = [shape for shape in draw(position) if isinstance(shape, Circle) and shape.radius > 12]
            for action, area in game.drawing.controls(position).buttons.items():
                seen += 1
                assert area.width / CANVAS * 374 >= (44 if action in (ROLL, DOUBLE) else 20), position.text
                assert area.height / CANVAS * 374 >= 28
                for man in men:
                    right, down = (abs(one - other) for one, other in zip(man.centre, area.centre, strict=True))
                    beside = right >= 0.99 * (area.width / 2 + man.radius)
                    assert beside or down >= 0.99 * (area.height / 2 + man.radius), position.text
            contest.advance(int(rng.choice([each for each in position.legal_actions if each != DOUBLE])))
    assert seen > 300


def test_points_are_numbered_for_the_seat_that_looks():
    position = make_game("backgammon").initial.happen(1)
    numbers = {
        viewer: [
            shape.text for shape in draw(position, viewer=viewer) if isinstance(shape, Text) and shape.colour == PAGE
        ]
        for viewer in (0, 1, None)
    }
    assert numbers[0][:3] == ["1", "2", "3"]
    assert numbers[1][:3] == ["24", "23", "22"]
    assert numbers[None] == numbers[position.seat] != numbers[1 - position.seat]


def test_captions():
    game = make_game("backgammon(beavers=True,cube=True)")
    assert caption(game.initial) == "the opening roll; pips: white 167, black 167"
    seen = {caption(position).partition(";")[0] for position in random_contest(game.spec, 3, drops=0.5)[1]}
    assert {"white to roll", "black to roll or double", "white to take, drop or beaver"} <= seen
    assert any(text.startswith("black to play ") for text in seen)


def test_text():
    assert busy().text.splitlines() == [
        " +13-14-15-16-17-18------19-20-21-22-23-24-+",
        " |                  |   | X              O |  X off: 3",
        " |                  |   | X                |",
        " |                  |   | X                |",
        " |                  | O | X                |",
        " |                  | O |                  |",
        " |                  |BAR|                  |  dice: 5 2",
        " |                  | X | 7                |",
        " |                  | X | O                |",
        " |                  | X | O                |",
        " | X           O    | X | O                |",
        " | X           O    | 6 | O     O  O       |  O off: 1",
        " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
        "",
        "white to play 5-2; pips: white 139, black 200",
    ]


def test_text_counts_from_the_movers_side_and_shows_the_cube():
    position = position_of("backgammon(cube=True)", START, START, seat=1, cube=2, owner=-1)
    lines = position.text.splitlines()
    assert lines[0] == " +12-11-10--9--8--7-------6--5--4--3--2--1-+"
    assert lines[2].endswith("|  cube: 4")
    assert position.state[STAGE] == ROLLING


def test_a_long_caption_is_as_wide_as_the_picture_at_most() -> None:
    game = make_game("backgammon(cube=True,match_length=25,score=(24,23))")
    lines = [each for each in draw(game.initial, labels=True) if isinstance(each, Text) and "pips" in each.text]
    assert "Crawford" in lines[0].text
    assert 0.55 * lines[0].size * len(lines[0].text) <= CANVAS
