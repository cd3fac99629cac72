"""Whole plays as people write them."""

import numpy as np
import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.notation import parse_play, play_text
from boardgames_env.games.backgammon.notation.position_id import parse_position
from boardgames_env.games.backgammon.rules.backgammon_board import MOVING, NO_MOVE, STAGE
from tests.boardgames_env.games.backgammon_contests import position_of, random_contest
from tests.positions import play
from tests.variants import WITH_CHANCE, fast_for

GAME = "backgammon"
START = "-b----E-C---eE---c-e----B-"


def start(dice, seat=0):
    return parse_position(make_game(GAME), f"{START}:0:0:{1 - 2 * seat}:{dice}")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("dice", "texts", "written"),
    [
        ("31", ["8/5 6/5", "6/5, 8/5"], "8/5 6/5"),
        ("61", ["24/18, 8/7"], "24/18 8/7"),
        ("65", ["24/18/13", "24-18 18-13", "24/13"], "24/13"),
        ("11", ["8/7(2) 6/5(2)", "6/5 8/7 6/5 8/7"], "8/7(2) 6/5(2)"),
        ("44", ["24/20(2) 13/9(2)"], "24/20(2) 13/9(2)"),
        ("44", ["24/16(2)"], "24/16(2)"),
        ("33", ["13/7 8/5 13/10"], "13/10 13/7 8/5"),
    ],
)
def test_the_opening(dice, texts, written, seat):
    position = start(dice, seat)
    for text in texts:
        assert play_text(position, parse_play(position, text)) == written


# black has blots on white's 18, 4 and 24, and holds 13 and 6
BLOTS = ({24: 1, 8: 2, 7: 12}, {7: 1, 6: 2, 12: 2, 14: 10}, (6, 1))
ENTERING = ({25: 2, 6: 13}, {5: 1, 6: 2, 13: 12}, (5, 4))
TWO_BLOTS = ({24: 1, 7: 14}, {7: 1, 2: 1, 12: 13}, (6, 1))
FOURS = ({8: 2, 6: 2, 5: 11}, {21: 1, 12: 14}, (4, 4, 4, 4))


@pytest.mark.parametrize(
    ("made", "texts", "written"),
    [
        (BLOTS, ["24/18*/17", "24/18/17"], "24/18*/17"),
        (BLOTS, ["24/18* 8/7", "24/18 8/7"], "24/18* 8/7"),
        (BLOTS, ["24/17"], "24/17"),  # without a word of the blot it is passed by on the other way
        (({24: 1, 7: 14}, {7: 1, 2: 2, 12: 12}, (6, 1)), ["24/17"], "24/18*/17"),  # there is no other way
        (TWO_BLOTS, ["24/23*/17"], "24/23*/17"),
        (FOURS, ["8/4(2) 6/2(2)", "8/4 8/4 6/2 6/2"], "8/4*(2) 6/2(2)"),  # men hit together are counted
        (ENTERING, ["bar/20* bar/21", "25/20 B/21"], "bar/21 bar/20*"),
        (({6: 1, 4: 1, 2: 2, 0: 11}, {24: 2, 6: 13}, (6, 5)), ["6/off 4/off", "6/0 4/O"], "6/off 4/off"),
        (({8: 1, 0: 14}, {24: 1, 6: 14}, (6, 2)), ["8/off", "8/2/off"], "8/off"),
    ],
)
def test_hits_the_bar_and_bearing_off(made, texts, written):
    position = position_of(GAME, *made)
    for text in texts:
        assert play_text(position, parse_play(position, text)) == written


@pytest.mark.parametrize(
    ("made", "text", "why"),
    [
        (BLOTS, "24/18 8/7*", r"'24/18 8/7\*' is not a legal play of 61"),
        (TWO_BLOTS, "24/17", "'24/17' could be more than one play of 61"),
        (ENTERING, "6/1 6/2", r"such are: bar/21 bar/20\*$"),
    ],
)
def test_plays_that_the_position_does_not_allow(made, text, why):
    with pytest.raises(BadInputError, match=why):
        parse_play(position_of(GAME, *made), text)


def test_a_blot_is_hit_if_that_is_written():
    position = position_of(GAME, *BLOTS)
    assert play(position, *parse_play(position, "24/17")) != play(position, *parse_play(position, "24/18*/17"))


def test_no_move():
    closed = dict.fromkeys(range(1, 7), 2)
    position = position_of("backgammon", {25: 1, 13: 14}, {**closed, 8: 3}, dice=(6, 5))
    for text in ("no move", "", "Cannot Move", " dances "):
        assert parse_play(position, text) == (NO_MOVE,)
    assert play_text(position, [NO_MOVE]) == "no move"
    with pytest.raises(BadInputError, match="'no move' is not a legal play of 65 here"):
        parse_play(start("65"), "no move")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("24/18 13/10", "not a legal play of 61 here; such are: .*, \\.\\.\\.$"),
        ("24/18", "not a legal play of 61"),
        ("13/7 8/7 6/5", "not a legal play of 61"),
        ("hello", "'hello' is no part of a play"),
        ("18/24", "no part of a play"),
        ("24/18(9)", "no part of a play"),
        ("26/20", "no part of a play"),
        ("24/", "no part of a play"),
        ("2" * 5000 + "/1", "no part of a play"),
    ],
)
def test_what_is_no_play(text, why):
    with pytest.raises(BadInputError, match=why):
        parse_play(start("61"), text)


def test_there_must_be_dice(game):
    with pytest.raises(BadInputError, match="only where a seat has dice to play"):
        parse_play(game.initial, "24/18")
    with pytest.raises(BadInputError, match="achi is not a game of backgammon"):
        play_text(make_game("achi").initial, [0])


@pytest.mark.parametrize("spec", fast_for(["hypergammon"], WITH_CHANCE))
def test_every_play_of_a_contest_is_read_back(spec):
    """As it was written, the play leads where it led, and the order of its steps does not show."""
    rng = np.random.default_rng(5)
    for position in random_contest(spec, 7)[1]:
        if position.state[STAGE] == MOVING and position.state[28 + 1 : 28 + 7].sum() in (2, 4):
            moves = position.moves()
            texts = {}
            for which in rng.choice(len(moves), min(len(moves), 12), replace=False):
                text = play_text(position, moves[which].actions)
                assert play(position, *parse_play(position, text)) == moves[which].afterstate
                assert texts.setdefault(text, moves[which].afterstate) == moves[which].afterstate
