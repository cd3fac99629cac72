"""Matches in the words of programs, servers and people are read as the contests that they were written from."""

from itertools import islice

import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.notation.match_file import parse_match
from tests.boardgames_env.games.backgammon_contests import assert_same_contests
from tests.boardgames_env.games.written_matches import SPECS, Writer, dialects, match_to_write
from tests.variants import fast_for

TEXTS, PARTS = 3_000, 60


@pytest.mark.parametrize("part", fast_for(range(6), range(PARTS)))
def test_texts_in_any_dialect_are_the_matches_they_were_written_from(part: int) -> None:
    """The first parts have every way to write something by itself, the others several ways at once."""
    size = TEXTS // PARTS
    for number, dialect in enumerate(islice(dialects(TEXTS), part * size, (part + 1) * size)):
        match = match_to_write(number % len(SPECS) + len(SPECS) * (part % 6))
        text = Writer(match, dialect).text()
        try:
            read = parse_match(text)
            assert (read.game, read.players, read.length) == (match.game, match.players, match.length)
            assert not read.warnings
            assert_same_contests(read, match)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"text {part * size + number}, {dialect}:\n{text}") from error


BASE = """\
 {length} point match

 Game 1
 ann : 0                        bob : 0
  1) 31: 8/5 6/5                  42: 8/4 6/4
"""
MATCH, MONEY = BASE.format(length=7), BASE.format(length=0)
DROPPED = "  2)  Doubles => 2                Drops\n      Wins 1 point\n"
LEFT, RIGHT = " " * 6, " " * 34


@pytest.mark.parametrize(
    ("comments", "text", "spec"),
    [
        (['[Jacoby "On"]'], MONEY, "backgammon(cube=True, jacoby=True)"),
        (['[Jacoby "On"]', '[Beaver "On"]'], MONEY, "backgammon(beavers=True, cube=True, jacoby=True)"),
        (['[Beavers "Yes"]'], MONEY, "backgammon(beavers=True, cube=True)"),
        (['[Jacoby "Off"]', '[Beaver "Off"]'], MONEY, "backgammon(cube=True)"),
        (['[jacoby: "ON"]'], MONEY, "backgammon(cube=True, jacoby=True)"),
        (["[Jacoby On]"], MONEY, "backgammon(cube=True, jacoby=True)"),
        (['[Jacoby Rule "true"]'], MONEY, "backgammon(cube=True, jacoby=True)"),
        (['[Jacoby "On"]', '[Beaver "On"]', '[Crawford "On"]'], MATCH, "backgammon(cube=True)"),
        (['[Crawford "Off"]'], MONEY, "backgammon(cube=True)"),
        (['[Crawford "Off"]'], BASE.format(length=1), "backgammon(cube=True)"),
        (['[CubeLimit "1024"]'], MATCH, "backgammon(cube=True)"),
        (['[CubeLimit "8"]'], MATCH, "backgammon(cube=True)"),
        (['[CubeLimit "1"]', '[Jacoby "On"]'], MONEY, "backgammon"),
        (['[Cube "Off"]'], MATCH, "backgammon"),
        (['[Variation "Backgammon"]'], MATCH, "backgammon(cube=True)"),
        (['[Variation "BACKGAMMON"]', '[Jacoby "On"]'], MONEY, "backgammon(cube=True, jacoby=True)"),
        (['[Rules "backgammon"]', '[Jacoby "On"]'], MONEY, "backgammon"),
        (['[Event "Jacoby"]', '[Unrated "On"]', "[Game 1, Move 1: Dice set to Manual Rolls]"], MONEY,
         "backgammon(cube=True)"),
    ],
)  # fmt: skip
def test_comments_choose_the_rules(comments: list[str], text: str, spec: str) -> None:
    for mark in ("; ", ";", "# "):
        assert parse_match("".join(f"{mark}{each}\n" for each in comments) + text).game.spec == spec


HYPER = """\
; [Variation "{name}"]
 3 point match

 Game 1
 ann : 0                        bob : 0
  1) 31: 24/21 24/23              42: 24/20 23/21
"""


@pytest.mark.parametrize("name", ["HyperGammon (3)", "hypergammon", "HYPERGAMMON(3)"])
def test_hypergammon_is_heard(name: str) -> None:
    text = HYPER.format(name=name).replace("24/21 24/23", "24/21 22/21")
    assert parse_match(text).game.spec == "hypergammon(cube=True)"


@pytest.mark.parametrize(
    ("comment", "text", "why"),
    [
        ('[Variation "NackGammon"]', MATCH, r"line 1: '; \[Variation \"NackGammon\"\]' is not played here"),
        ('[Variation "Longgammon"]', MATCH, "only Backgammon and HyperGammon"),
        ('[Variation "HyperGammon (2)"]', MATCH, "is not played here"),
        ('[Variation "HyperGammon (3)"]', MATCH, "line 6: '8/5 6/5' is not a legal play"),
        ('[Crawford "Off"]', MATCH, r"\[Crawford \"Off\"\]: a match has its Crawford game here"),
        ('[CubeLimit "4"]', MATCH, r"\[CubeLimit \"4\"\]: a cube that shows 4 at most is not played here"),
        ('[CubeLimit "8"]', MONEY, r"\[CubeLimit \"8\"\]"),
        ('[CubeLimit "many"]', MONEY, "has no number for the cube's limit"),
        ('[Raccoon "On"]', MONEY, r"\[Raccoon \"On\"\] is not played here"),
        ('[AutoDoubles "On"]', MONEY, "is not played here"),
        ('[Jacoby "perhaps"]', MONEY, "line 1: .* is neither on nor off"),
        ("Set Pos=-b----E-C---eE---c-e----B-/0", MATCH, "line 1: 'Set Pos' puts the men elsewhere"),
    ],
)
def test_rules_that_are_not_played_are_refused_by_name_unless_a_game_is_given(
    comment: str, text: str, why: str
) -> None:
    with pytest.raises(BadInputError, match=why):
        parse_match(f"; {comment}\n{text}")
    if "Set Pos" not in comment:
        game = make_game("backgammon(cube=True, jacoby=True)" if text == MONEY else "backgammon(cube=True)")
        assert parse_match(f"; {comment}\n{text}", game).game is game


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        ([LEFT + "Resigned Game"], -1),
        ([RIGHT + "Resigned Game"], 1),
        ([RIGHT + "RESIGNED MATCH"], 7),
        ([LEFT + "resigns a gammon"], -2),
        ([LEFT + "Resigns backgammon"], -3),
        ([RIGHT + "Lost on time"], 7),
        ([RIGHT + "Forfeits"], 7),
        ([LEFT + "Resigned Game", LEFT + "Wins 2 points"], 2),
        ([LEFT + "Resigned Match", RIGHT + "Wins 7 points and the match"], -7),
        ([RIGHT + "Wins 1 point"], -1),
        (["  2)" + RIGHT + "wins 3 pts"], -3),
        (["Bob wins 2 points"], -2),
        ([RIGHT + "ann: Wins 2 points"], 2),
        (["  2) 51: ????", RIGHT + "Wins 1 point"], -1),
        (["  2) 51: ????                    Wins 1 point"], -1),
        (["  2) 51: ????                    Resigned Game", RIGHT + "Wins 2 points"], -2),
        (["  2) 51:       Wins 1 point"], 1),
        (["  2) 51:                         Wins 1 point"], -1),
        (["  2) 51: 13/8 6/5               42:  Wins 1 point"], -1),
        (["  2) 51: 13/8 6/5               42:", "      Wins 1 point"], 1),
        (["  2) 51: Resigns"], -1),
        (["  2) 51: 13/8 6/5 Resigns"], -1),
        (["  2)  Doubles => 2                Resigns"], 1),
        (["  2)  Doubles => 2                Accepts", LEFT + "Resigned Game"], -2),
        (["  2)  Doubles => 2                Passes"], 1),
        ([" Game 2", " ann : 0      bob : 2"], -2),
        ([RIGHT + "Resigned Match", " Game 2", " ann : 1      bob : 0"], 1),
        (["  2) 51: ????", " Game 2", " ann : 0      bob : 4"], -4),
    ],
)
def test_who_has_won_and_what(lines: list[str], outcome: int) -> None:
    for text in (MATCH, MATCH.replace("bob : 0", "bob : 0\n").replace("ann : 0                  ", "ann : 0")):
        assert parse_match(text + "\n".join(lines)).contests[0].outcome == outcome


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["  2) 51: ????                    42: 6/4 6/2"], "the roll before was not played"),
        ([LEFT + "Resigned Game", "  2) 51: 13/8 6/5"], "a seat has resigned, and '51:' comes after that"),
        ([LEFT + "Wins 1 point", LEFT + "Resigned Game"], "the contest is won"),
        (["  2)  Doubles => 4"], "the cube is turned to 2 here"),
        (["  2)  Raccoons => 4"], "there are no raccoons here"),
        (["  2) 51: Illegal play (position)"], "'Illegal' is no part of a play"),
        (["Cid wins 2 points"], "is not a row of turns"),
        (["1"], "'1' is not a row of turns"),
    ],
)
def test_what_cannot_be_understood(lines: list[str], why: str) -> None:
    with pytest.raises(BadInputError, match=rf"^line [67]: .*{why}"):
        parse_match(MATCH + "\n".join(lines))


@pytest.mark.parametrize(
    "end", ["", " Game 2", " Game 2\n\n", " Game 2 (Crawford)\x1a", " Game 2\n\x00\x00", "\x1ajunk", "; end"]
)
def test_the_end_of_a_file(end: str) -> None:
    (contest,) = parse_match(MATCH + DROPPED + "\n" + end).contests
    assert contest.outcome == 1


def test_what_can_be_read_is_kept() -> None:
    for broken, why in [
        (" Game 2\n ann : 1      bob : 0\n  1) 31: 8/5 6/6\n", "line 10: '6/6' is no part of a play"),
        (" Game 2\n ann : 1      bob : 0\n  1) 31: 8/5 7/5\n", "line 10: '8/5 7/5' is not a legal play of 31"),
        (" Game 2\n ann : 2      bob : 0\n", "line 9: after the contests before it is 'ann : 1  bob : 0'"),
        (" Game 2\n ann : 1      cid : 0\n", "line 9: after the contests before"),
        ("-- exported on Monday --\n", "line 8: '-- exported on Monday --' is not a row of turns"),
        (" Game 2\nhello\n", "line 9: the players and their points are expected"),
        ("x" * 3000, "line 8: it has 3000 characters"),
    ]:
        text = MATCH + DROPPED + broken
        with pytest.raises(BadInputError, match=f"^{why}"):
            parse_match(text)
        read = parse_match(text, strict=False)
        assert read == parse_match(MATCH + DROPPED)
        (warning,) = read.warnings
        assert warning.startswith(why)
        assert warning.endswith("; the match is read up to there")
    read = parse_match(f"{MATCH}  2) 51: 13/8 6/6\n", strict=False)
    assert [len(contest.actions) for contest in read.contests] == [6]
    wrong_points = parse_match(MATCH + DROPPED.replace("1 point", "2 points"), strict=False)
    assert wrong_points.contests == parse_match(MATCH + DROPPED).contests
    assert wrong_points.warnings


@pytest.mark.parametrize("text", ["", "hello", " 7 point match", MATCH[:30], MATCH.replace("8/5 6/5", "8/5 6/6")])
def test_where_nothing_can_be_read_that_is_an_error(text: str) -> None:
    with pytest.raises(BadInputError, match=r"^line [0-9]: "):
        parse_match(text, strict=False)


@pytest.mark.parametrize("title", ["", "\nThe return match\n", '; [Site "a club"]\n; [Jacoby "On"]\n\n'])
def test_several_matches_in_a_file(title: str) -> None:
    first, second = MATCH + DROPPED, MONEY.replace("ann", "cid")
    text = first + title + second
    read = parse_match(text)
    assert read == parse_match(first)
    assert read.warnings == ("this is match 1 of 2 in the text; --match (in Python, match) takes another",)
    assert parse_match(text, match=2) == parse_match(title + second)
    assert ("jacoby" in parse_match(text, match=2).game.spec) == ("Jacoby" in title)
    for wrong in (0, 3):
        with pytest.raises(BadInputError, match=f"match={wrong} is not allowed; the text has 2 of them"):
            parse_match(text, match=wrong)
    broken = text.replace("8/4 6/4", "8/4 6/5")
    with pytest.raises(BadInputError, match=r"^line 5: "):
        parse_match(broken)
    with pytest.raises(BadInputError, match=f"^line {12 + title.count(chr(10))}: "):
        parse_match(broken, match=2)


def test_the_length_above_every_game_begins_no_match() -> None:
    second = " Game 2\n ann : 1                        bob : 0\n" + MATCH.partition("\n\n")[2].split("\n", 2)[2]
    length = " 7 point match\n\n"
    assert parse_match(MATCH + DROPPED + length + second) == parse_match(MATCH + DROPPED + second)
    assert len(parse_match(MATCH + DROPPED + length + second).contests) == 2
    with pytest.raises(BadInputError, match="line 8: '5 point match' is not a row of turns"):
        parse_match(MATCH + DROPPED + length.replace("7", "5") + second)


def test_columns_that_are_exchanged_for_a_game() -> None:
    text = (
        MATCH
        + DROPPED
        + " Game 2\n bob : 0                        ann : 1\n"
        + DROPPED.replace("Doubles => 2", "31: 8/5 6/5  ").replace("Drops", "Doubles => 2")
        + "  3)  Drops\n"
    )
    text = text.replace("      Wins 1 point\n  3)  Drops", "  3)  Drops")
    read = parse_match(text)
    assert [contest.outcome for contest in read.contests] == [1, 1]
    assert read.contests[1].events[0] >= 15, "bob has begun, who is black"
