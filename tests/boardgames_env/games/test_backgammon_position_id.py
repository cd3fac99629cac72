"""Position IDs and XGIDs, against what gnubg and eXtreme Gammon write."""

import base64

import numpy as np
import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.notation.position_id import (
    match_options,
    parse_position,
    parse_roll,
    position_id,
    xgid,
)
from boardgames_env.games.backgammon.rules import backgammon_board as board
from tests.boardgames_env.games.backgammon_contests import position_of, random_contest
from tests.variants import fast_for

GAME = "backgammon"
SMALL = "hypergammon(cube=True,jacoby=True,beavers=True)"
START = "4HPwATDgc/ABMA"


def test_the_start(game):
    assert position_id(game.initial) == START
    rolled = game.initial.happen(0)
    assert parse_position(game, START, (2, 1)) == parse_position(game, f" {START}\n", (1, 2)) == rolled
    assert xgid(rolled) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:6"
    assert xgid(game.initial.happen(15)) == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:21:0:0:0:0:6"


def test_the_seat_to_move_comes_second(game):
    after = game.initial.happen(1).play(game.parse_action("8/5")).play(game.parse_action("6/5"))
    assert (after.seat, position_id(after)) == (1, "sGfwATDgc/ABMA")
    mirrored = parse_position(game, "sGfwATDgc/ABMA")
    assert mirrored.state[1:25].tolist() == [-men for men in after.state[24:0:-1]]


@pytest.mark.parametrize("spec", ["backgammon", "hypergammon"])
def test_ids_are_read_back(spec):
    for seed in range(2):
        for position in random_contest(spec, seed)[1]:
            if position.state[board.STAGE] in (board.ROLLING, board.OVER):
                text = position_id(position)
                assert len(text) == 14
                read = parse_position(position.game, text)
                assert position_id(read) == text
                assert position.seat == 1 or read == position


@pytest.mark.parametrize("spec", fast_for([SMALL], ["backgammon", SMALL]))
def test_xgids_are_read_back(spec):
    seen = set()
    for seed in range(12):
        for position in random_contest(spec, seed, drops=0.5)[1]:
            try:
                text = xgid(position)
            except BadInputError:
                continue
            read = parse_position(position.game, text)
            if position.state[board.STAGE] not in (board.OPENING, board.ROLLING):
                assert read == position
            assert xgid(read) == text
            seen.add(position.state[board.STAGE])
    assert "beavers" not in spec or {board.DOUBLING, board.DOUBLED, board.BEAVERED} <= seen


NO_POSITION = "is not a position; write a position ID, 14 characters with nothing behind"


def id_of(ones):
    """The ID with some bits of its key set."""
    bits = np.zeros(80, dtype=np.uint8)
    bits[ones] = 1
    return base64.b64encode(np.packbits(bits, bitorder="little").tobytes()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, NO_POSITION) for text in ("", "begin", START[:-1], "4HPwATDgc/ABM!", "ümlaut-ümlaut1")),
        *((text, NO_POSITION) for text in (f"{START}:cIkqAAAAAAA", f"XGID={START}", f"{START}:0:0:1:31:0:0:0:0:6")),
        ("4HPwATDgc/ABMB", "more than 80 bits"),
        ("//////////////", "more than 80 bits"),
        ("/////////////w", "does not tell of twice 25 points"),
        ("4HPwATDgc/ABcA", "does not tell of twice 25 points"),
        ("AAAAAAAAAAAAAA", "there are no men on the board"),
        (id_of(range(16)), "a seat has 16 men on the board; at backgammon it has 15"),
        # a man on point 1 of the seat not to move, then its other 24 zeros; the mover's man on its own point 24
        (id_of([0, 1 + 25 + 23]), "both seats have men on one point, seat 0's 24"),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:31:0:0:0:0:10", "is not an XGID"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:10", "is not an XGID"),
        ("XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "a seat has 16 men"),
        ("XGID=Bb----E-C---eE---c-e------:0:0:1:31:0:0:0:0:10", "the first pile is seat 1's bar"),
        ("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:0:10", "the cube has been turned"),
    ],
)
def test_what_is_no_position(text, why, game):
    with pytest.raises(BadInputError, match=why):
        parse_position(game, text)
    assert parse_position(game, id_of([0, 1 + 25 + 22])).state[[23, 24]].tolist() == [1, -1]


def test_what_else_is_asked_for(game):
    for spec, text, dice, why in (
        (GAME, START, (7, 1), r"\(7, 1\) is not a roll"),
        (GAME, xgid(game.initial.happen(1)), (3, 1), "no seat is to roll"),
        (GAME, "cAkAAAAAAAAAAA", (3, 1), "no seat is to roll"),
        ("achi", START, None, "achi is not a game of backgammon"),
        ("hypergammon", START, None, "at hypergammon it has 3"),
    ):
        with pytest.raises(BadInputError, match=why):
            parse_position(make_game(spec), text, dice)
    with pytest.raises(BadInputError, match="achi is not a game of backgammon"):
        position_id(make_game("achi").initial)


def test_a_cube_in_an_xgid(game):
    position = parse_position(
        make_game("backgammon(cube=True)"), "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:0:0:3:0:10"
    )
    assert (position.seat, position.state[board.STAGE]) == (0, board.DOUBLED)
    amid = game.initial.happen(1).play(game.parse_action("8/5"))
    with pytest.raises(BadInputError, match="a roll of which a part has been played"):
        xgid(amid)


def test_men_off_and_on_the_bar(game):
    position = position_of("backgammon", {25: 2, 6: 12, 0: 1}, {25: 1, 6: 5, 0: 9}, dice=(6, 6, 6, 6))
    assert xgid(position) == "XGID=a-----L------------e-----B:0:0:1:66:0:0:0:0:6"
    assert parse_position(game, xgid(position)) == position
    assert parse_position(game, position_id(position), (6, 6)) == position


def test_positions_are_read_however_they_are_written(game):
    rolled = game.initial.happen(1)
    for text, dice in ((START, (1, 3)), (f" {START} ", (3, 1)), ("start", (3, 1)), (xgid(rolled), None)):
        assert parse_position(game, text, dice) == rolled
    assert parse_position(game, xgid(rolled)[len("XGID=") :]) == rolled
    cube = make_game("backgammon(cube=True)")
    doubling = parse_position(cube, "start")
    assert doubling.state[board.STAGE] == board.DOUBLING
    assert parse_position(cube, xgid(doubling)) == doubling
    assert parse_position(cube, "start", (6, 6)) == parse_position(cube, xgid(doubling), (6, 6))
    assert parse_position(game, "start").state[board.STAGE] == board.ROLLING


def test_rolls():
    assert [parse_roll(text) for text in ("31", " 3-1", "6,6", "1 3")] == [(3, 1), (3, 1), (6, 6), (1, 3)]
    for text in ("", "3", "311", "70", "17", "3x1", "٣١"):
        with pytest.raises(BadInputError, match="is not a roll; a roll is two numbers from 1 to 6, such as 31"):
            parse_roll(text)


BASE = "XGID=b-----E-C---eE---c-e----B-:0:0:1:00:{}:{}:{}:{}:{}"


@pytest.mark.parametrize(
    ("fields", "spec"),
    [
        ((0, 0, 0, 0, 10), "backgammon(cube=True)"),
        ((0, 0, 1, 0, 10), "backgammon(cube=True, jacoby=True)"),
        ((0, 0, 2, 0, 10), "backgammon(beavers=True, cube=True)"),
        ((3, 2, 3, 0, 10), "backgammon(beavers=True, cube=True, jacoby=True)"),
        ((0, 0, 1, 0, 0), "backgammon(jacoby=True)"),
        ((3, 5, 0, 7, 10), "backgammon(cube=True, match_length=7, score=(3, 5))"),
        ((6, 5, 1, 7, 10), "backgammon(cube=True, match_length=7, score=(6, 5))"),
        ((6, 5, 0, 7, 10), "backgammon(cube=True, match_length=7, post_crawford=True, score=(6, 5))"),
        ((6, 6, 0, 7, 3), "backgammon(cube=True, match_length=7, post_crawford=True, score=(6, 6))"),
        ((0, 0, 0, 1, 10), "backgammon(cube=True, match_length=1, score=(0, 0))"),
        ((0, 0, 1, 1, 10), "backgammon(cube=True, match_length=1, score=(0, 0))"),
    ],
)
def test_an_xgid_chooses_the_rules_and_keeps_its_fields(fields, spec):
    text = BASE.format(*fields)
    game = make_game("backgammon(cube=True)", **match_options(text))
    assert game.spec == spec
    position = parse_position(game, text)
    assert xgid(position, text) == text
    assert parse_position(game, xgid(position)) == position
    is_asked = board.DOUBLE in position.legal_actions
    assert is_asked == (fields[4] > 0 and fields[3] != 1 and not (fields[3] and fields[2]))


def test_an_xgid_keeps_the_order_of_the_dice(game):
    text = BASE.format(0, 0, 0, 0, 10).replace(":00:", ":13:")
    position = parse_position(game, text)
    assert xgid(position, text) == text
    assert ":31:" in xgid(position, text.replace(":13:", ":12:"))
    without = text.replace(":13:", ":00:")
    assert xgid(parse_position(game, without, (1, 3)), without) == text.replace(":13:", ":31:")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ((3, 5, 1, 7, 10), "3–5 in a match to 7 is not the score of a Crawford game"),
        ((6, 6, 1, 7, 10), "6–6 in a match to 7 is not the score of a Crawford game"),
        ((3, 5, 2, 7, 10), "the XGID of a match has 2 where 1 is the Crawford game"),
        ((0, 0, 4, 0, 10), "the rules of a money session are 4 in the XGID"),
        ((0, 0, -1, 0, 10), "the rules of a money session are -1"),
        ((7, 0, 0, 7, 10), r"score=\(7, 0\) is not allowed"),
        ((0, 0, 0, 100, 10), "match_length=100 is not allowed"),
        ((0, 0, 0, 0, 3), "a cube that shows 8 at most is not played here"),
        ((3, 5, 0, 9, 2), "a cube that shows 4 at most is not played here"),
    ],
)
def test_rules_that_contradict_themselves_or_are_not_played(fields, why):
    with pytest.raises(BadInputError, match=why):
        match_options(BASE.format(*fields))


def test_a_match_to_one_point_has_a_single_game():
    with pytest.raises(BadInputError, match="post_crawford is not allowed in a match to 1 point"):
        make_game("backgammon", match_length=1, score=(0, 0), post_crawford=True)


@pytest.mark.parametrize("written", ["XGID={}", "xgid={}", "XgId = {}", "XGID {}", "xgid: {}", "{}", "\n XGID= {} \n"])
def test_an_xgid_in_any_case_with_or_without_blanks(written, game):
    fields = xgid(game.initial.happen(1)).removeprefix("XGID=")
    for each in (fields, fields.replace(":", " : ")):
        assert parse_position(game, written.format(each)) == game.initial.happen(1)
    cube = make_game("backgammon(cube=True)")
    doubled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:d:0:0:0:0:10"
    assert parse_position(cube, doubled) == parse_position(cube, doubled.replace(":d:", ":D:"))


@pytest.mark.parametrize(
    ("text", "spec", "same"),
    [
        # (as GNU Backgammon 1.07 has printed them; its player 0 is seat 0)
        ("GNUBGID 4HPwATDgc/ABMA:MIEFAAAAAAAA", "backgammon(cube=True, jacoby=True)", "0:0:1:31:0:0:1:0:6"),
        ("GNUBGID 4HPwATDgc/ABMA:cIkGAAAAAAAE", "backgammon(cube=True)", "0:0:-1:51:0:0:0:0:6"),
        (" Position ID: 4HPwATDgc/ABMA\n Match ID   : cIkGAAAAAAAE", "backgammon(cube=True)", "0:0:-1:51:0:0:0:0:6"),
        ("4HPwATDgc/ABMA:cIkGAAAAAAAE", "backgammon(cube=True)", "0:0:-1:51:0:0:0:0:6"),
        ("4HPwATDgc/ABMA\r\nmatch id: cIkGAAAAAAAE", "backgammon(cube=True)", "0:0:-1:51:0:0:0:0:6"),
        (" GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n   Match ID   : cIkGAAAAAAAE", "backgammon(cube=True)",
         "0:0:-1:51:0:0:0:0:6"),
        ("Position ID: 4HPwATDgc/ABMA", "backgammon(cube=True)", "0:0:1:00:0:0:0:0:6"),
        ("GNUBGID 4HPwATDgc/ABMA", "backgammon(cube=True)", "0:0:1:00:0:0:0:0:6"),
        ("gnubgid=4HPwATDgc/ABMA:MIHlACAAKAAE", "backgammon(cube=True, match_length=7, score=(2, 5))",
         "0:0:1:31:2:5:0:7:6"),
        ("GnuBgId : 4HPwATDgc/ABMA : cInlACAAKAAE", "backgammon(cube=True, match_length=7, score=(2, 5))",
         "0:0:-1:31:2:5:0:7:6"),
        ("GNUID 4HPwATDgc/ABMA:QYnlACAAKAAE", "backgammon(cube=True, match_length=7, score=(2, 5))",
         "1:1:-1:31:2:5:0:7:6"),
    ],
)  # fmt: skip
def test_a_match_id_tells_the_rest(text, spec, same):
    game = make_game("backgammon(cube=True)", **match_options(text))
    position = parse_position(game, text)
    assert (game.spec, xgid(position)) == (spec, f"XGID=-b----E-C---eE---c-e----B-:{same}")


@pytest.mark.parametrize(
    ("match_id", "why"),
    [
        ("cInlACAAKAA", "is not a position; write a position ID"),
        ("////////////", "its dice show 7 and 7"),
        ("UwTgAAAAQAAE", r"score=\(0, 8\) is not allowed"),
        ("MAIAAAAAAAAA", "the game is over by the match ID"),
    ],
)
def test_what_is_no_match_id(match_id, why):
    text = f"GNUBGID 4HPwATDgc/ABMA:{match_id}"
    with pytest.raises(BadInputError, match=why):
        parse_position(make_game("backgammon(cube=True)", **match_options(text)), text)
