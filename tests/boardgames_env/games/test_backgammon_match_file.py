"""Match files: what is written is read back, and what is wrong is refused by line."""

from pathlib import Path

import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.notation.match_file import match_text, parse_match, read_match, write_match
from boardgames_env.games.backgammon.notation.matches import Match, MatchContest, games_of, seats_exchanged
from boardgames_env.games.backgammon.notation.position_id import position_id
from boardgames_env.games.backgammon.rules.backgammon_board import BEAVER, DOUBLE, DROP, MOVING, STAGE, TAKE
from tests.boardgames_env.games.backgammon_contests import assert_same_contests, played_match, random_contest, turns_of
from tests.variants import fast_for

SESSION = """\
; [Site "a club"]
 0 point match

 Game 1
 Ann : 0                        Bob : 0
  1)                             13: 24/23 13/10
  2) 42: 8/4 6/4                  Doubles => 2
  3)  Takes                      66: 13/7(2) 8/2(2)
  4)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 Ann : 2                        Bob : 0
  1) 65: 24/13                   64: 24/14
  2) 31:                          Wins 1 point
"""


RULES = ["backgammon", "hypergammon", "backgammon(cube=True)", "backgammon(beavers=True,cube=True,jacoby=True)"]


@pytest.mark.parametrize("spec", fast_for(["hypergammon"], RULES))
def test_contests_are_read_back(spec, tmp_path):
    path, session = tmp_path / "session.mat", played_match(spec, 0)
    write_match(path, session)
    read = read_match(path)
    assert (read.game, read.players, read.length) == (session.game, session.players, 0)
    assert_same_contests(read, session)
    assert match_text(read) == path.read_text(encoding="utf-8")
    assert parse_match(path.read_text(encoding="utf-8"), session.game) == read
    if "beavers" in spec:
        assert {DOUBLE, TAKE, DROP, BEAVER} <= {action for contest in session.contests for action in contest.actions}


def test_a_session():
    read = parse_match(SESSION)
    assert (read.game.spec, read.players, read.length) == ("backgammon(cube=True)", ("Ann", "Bob"), 0)
    first, second = read.contests
    assert (first.outcome, second.outcome) == (2, -1)
    assert first.actions.count(DOUBLE) == 2
    assert first.events[0] == 15 + 1
    assert turns_of(read.game, first)[-1].outcome == 2
    assert turns_of(read.game, second)[-1].outcome is None, "white has resigned after a roll that it did not play"
    written = match_text(read).splitlines()
    assert written[:2] == ['; [Rules "backgammon(cube=True)"]', ""]
    assert "\n".join(written[2:]) == SESSION.partition("\n")[2].replace("13: ", "31: ").rstrip("\n")
    assert parse_match(match_text(read)) == read


def test_other_programs_ways():
    """Steps one by one, 25 and 0, dice in any order, `Wins` in a row of its own number, Windows' line ends."""
    text = SESSION.replace("13/7(2) 8/2(2)", "13/7 8/2 13/7 8/2").replace("      Wins 2", "  5)  Wins 2")
    text = text.replace("31:      ", "31:\n         ")
    assert parse_match(text.replace("\n", "\r\n").replace("42: ", "24: ")) == parse_match(SESSION)


def test_a_match_has_scores_and_an_end():
    contest, _ = random_contest("backgammon", 3)
    points = abs(contest.outcome)
    match = Match(make_game("backgammon"), ("one", "other"), (contest, contest), length=2 * points)
    lines = match_text(match).splitlines()
    assert lines[2] == f" {2 * points} point match"
    assert sum(line.endswith("and the match") for line in lines) == 1
    read = parse_match("\n".join(lines))
    assert (read.length, [each.outcome for each in read.contests]) == (2 * points, [contest.outcome] * 2)


MATCH = """\
; [Rules "backgammon(cube=True)"]

 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1)                             31: 8/5 6/5
  2)  Doubles => 2                Takes
  3) 42: 8/4 6/4                  Doubles => 4
  4)  Drops                       Wins 2 points

 Game 2
 Ann : 0                        Bob : 2
  1) 65: 24/13                   64: 24/14
  2) 31: 8/5 6/5                 66:
      Wins 1 point

 Game 3
 Ann : 1                        Bob : 2
  1) 65: 24/13                   64: 24/14
  2)  Doubles => 2                Takes
  3) 31:                          Wins 2 points and the match
"""


def test_a_match_with_its_crawford_game():
    read = parse_match(MATCH)
    assert (read.game.spec, read.length, read.scores_after) == ("backgammon(cube=True)", 3, (1, 4))
    assert read.game_of_contests.spec == "backgammon(cube=True, match_length=3, score=(0, 0))"
    scores = [(each.points, each.is_crawford) for each in read.scores_before]
    assert scores == [((0, 0), False), ((0, 2), True), ((1, 2), False)]
    assert [each.state[-3:].tolist() for each in read.starts] == [[3, 3, 0], [3, 1, 1], [2, 1, 0]]
    assert [each.outcome for each in read.contests] == [-2, 1, -2]
    assert match_text(read) == MATCH.rstrip("\n") + "\n"


@pytest.mark.parametrize("spec", ["hypergammon(match_length=3)", "hypergammon(cube=True,match_length=7)"])
def test_matches_are_read_back(spec: str, tmp_path: Path) -> None:
    for seed in range(3):
        match = played_match(spec, seed)
        write_match(tmp_path / "match.mat", match)
        read = read_match(tmp_path / "match.mat")
        assert (read.length, read.players, read.starts) == (match.length, match.players, match.starts)
        assert max(read.scores_after) >= match.length
        assert_same_contests(read, match)


def test_a_match_broken_off() -> None:
    game, spec = make_game("hypergammon(match_length=3)"), "hypergammon(match_length=3)"
    whole, _ = random_contest(spec, 1)
    first, *_ = games_of(game, whole)
    cut = MatchContest(whole.events[: len(first.events) + 1], whole.actions[: len(first.actions)], 0)
    assert games_of(game, cut) == [first, MatchContest(whole.events[len(first.events) : len(first.events) + 1], (), 0)]
    assert games_of(game, MatchContest((), (), 0)) == []


def test_a_contest_broken_off():
    game, (contest, positions) = make_game("backgammon"), random_contest("backgammon", 3)
    first_turn = [position.state[STAGE] == MOVING for position in positions[1:]].index(False)
    assert first_turn == 2
    for events, actions in [(1, 0), (1, first_turn), (2, first_turn)]:
        part = MatchContest(contest.events[:events], contest.actions[:actions], 0)
        read = parse_match(match_text(Match(game, ("a", "b"), (part,)))).contests[0]
        assert turns_of(game, read) == turns_of(game, part)
        assert read.events == part.events
    amid = MatchContest(contest.events[:1], contest.actions[:1], 0)
    with pytest.raises(BadInputError, match="a contest that ends amid a play"):
        match_text(Match(game, ("a", "b"), (amid,)))


def test_what_is_no_contest_is_not_written():
    with pytest.raises(BadInputError, match="event 30 cannot happen in this position of backgammon"):
        match_text(Match(make_game("backgammon"), ("a", "b"), (MatchContest((30,), (), 0),)))
    with pytest.raises(BadInputError, match="achi is not a game of backgammon"):
        match_text(Match(make_game("achi"), ("a", "b"), ()))


@pytest.mark.parametrize(
    ("text", "old", "new", "why"),
    [
        (SESSION, " 0 point match", "hello",
         "line 2: a match file begins with a line like '7 point match', not 'hello'"),
        (SESSION, " Game 1\n", "", "line 4: 'Game 1' is expected, not 'Ann : 0"),
        (SESSION, "Ann : 0   ", "Ann       ", "line 5: the players and their points are expected"),
        (SESSION, "13: 24/23", "11: 24/23", "line 6: the opening roll is of two different dice"),
        (SESSION, "24/23 13/10", "24/22", "line 6: '24/22' is not a legal play of 31 here"),
        (SESSION, "24/23 13/10", "24/23 wat", "line 6: 'wat' is no part of a play"),
        (SESSION, "Doubles => 2", "Doubles => 4", "line 7: the cube is turned to 2 here"),
        (SESSION, "  Takes                      66", " 21:                            66",
         "line 8: a double must be taken"),
        (SESSION, "  3)  Takes ", "  3)  Drops ", "line 8: the contest is over, and '66:' comes after its end"),
        (SESSION, "42: 8/4 6/4 ", "Beavers => 4", "line 7: white cannot do that here: 'beavers'"),
        (SESSION, "  2) 42: 8/4 6/4                  Doubles => 2", "  2)                              Doubles => 2",
         "line 7: 'Doubles' is in the column of black, but it is white's turn"),
        (SESSION, "Wins 2 points\n", "Wins 4 points\n", "line 10: the contest is won with 2 points by the rules of"),
        (SESSION, "Wins 2 points\n", "Wins\n", "line 10: 'Wins 2 points' is expected"),
        (SESSION, "Wins 2 points\n", "Wins 2 points\n  6) 21:\n",
         "line 11: the contest is won, and there can be no more"),
        (SESSION, "Ann : 2", "Ann : 1", "line 13: after the contests before it is 'Ann : 2  Bob : 0'"),
        (SESSION, "Bob : 0\n  1) 65", "Rob : 0\n  1) 65", "line 13: after the contests before"),
        (SESSION, "  1) 65: 24/13", "  1) what 65: 24/13", "line 14: .* is not a row of turns"),
        (SESSION, "65: 24/13 ", "65:       ", "line 14: the roll before was not played"),
        (SESSION, "  2) 31:", "x" * 3000, "line 15: it has 3038 characters"),
        (SESSION, '; [Site "a club"]', '; [Rules "achi"]', "line 1: achi is not a game of backgammon"),
        (SESSION, '; [Site "a club"]', '; [Game "chess"]', "line 1: there is no game 'chess'"),
        (SESSION, '; [Site "a club"]', '; [Game "backgammon"]', "line 7: black cannot do that here"),
        (MATCH, "  2) 31: 8/5 6/5                 66:", "  2)  Doubles => 2                66:",
         "line 15: white cannot do that here: 'doubles'"),
        (MATCH, "and the match\n", "and the match\n\n Game 4\n Ann : 1   Bob : 4\n",
         "line 25: the match to 3 points is won, and there can be no more games"),
        (MATCH, "Ann : 1   ", "Ann : 0   ", "line 19: after the contests before it is 'Ann : 1  Bob : 2'"),
        (MATCH, "(cube=True)", "(cube=True, jacoby=True)", "line 6: jacoby and beavers are rules of money sessions"),
        (MATCH, " 3 point match", " 100 point match", "line 6: match_length=100 is not allowed"),
        (MATCH, "Ann : 0                        Bob : 0", "Ann : 3                        Bob : 0",
         r"line 6: score=\(3, 0\) is not allowed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_by_line(text, old, new, why):
    assert text.count(old) >= 1
    with pytest.raises(BadInputError, match=f"^{why}"):
        parse_match(text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "\n\n", " 7 point match\n", " 7 point match\n Game 1\n", "\x00\x01\x02"])
def test_a_file_without_contests(text):
    with pytest.raises(BadInputError, match=r"line [0-9]: "):
        parse_match(text)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read: No such file"):
        read_match(tmp_path / "none.mat")
    path = tmp_path / "junk.mat"
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(BadInputError, match="is not a match file: line 1: "):
        read_match(path)
    path.write_bytes(SESSION.replace("Ann", "Anné").encode("latin-1"))
    assert read_match(path).players == ("Anné", "Bob")


@pytest.mark.parametrize("spec", ["backgammon", "backgammon(cube=True)"])
def test_exchanging_the_seats_mirrors_a_contest(spec):
    game = make_game(spec)
    contest, _ = random_contest(spec, 11)
    exchanged = seats_exchanged(contest)
    assert exchanged.outcome == -contest.outcome
    assert seats_exchanged(exchanged) == contest
    for one, other in zip(turns_of(game, contest), turns_of(game, exchanged), strict=True):
        assert position_id(one) == position_id(other), "each seat counts the points from its own end"
        assert one == game.initial or one.seat == 1 - other.seat
    (read,) = parse_match(match_text(Match(game, ("a", "b"), [exchanged]))).contests
    assert read.outcome == exchanged.outcome


def test_players_with_long_names(tmp_path):
    contest, _ = random_contest("backgammon(cube=True)", 3)
    match = Match(make_game("backgammon(cube=True)"), ("a" * 90, "b"), [contest, seats_exchanged(contest)])
    write_match(tmp_path / "long.mat", match)
    read = read_match(tmp_path / "long.mat")
    assert read.players == match.players
    assert [each.events for each in read.contests] == [each.events for each in match.contests]
