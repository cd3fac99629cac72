"""`boardgames analyse`, `rollout` and `match --save`, with a small network that knows next to nothing."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from boardgames_agents.arena.luck import luck_by_agent, points_less_luck
from boardgames_agents.experiments.estimate import mean_of
from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.rollout import RolloutOptions
from boardgames_agents.people.judging.match_analysis import Analyst, Totals
from boardgames_agents.people.judging.position_analysis import advise, before_the_roll, roll_out, rolls_of
from boardgames_agents.policy.explanation import signed
from boardgames_agents.record import read_records
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import save_network
from boardgames_agents.td.options import Design
from boardgames_cli.analysis_text import outcomes_row
from boardgames_cli.shared_options import BACKGAMMON
from boardgames_env import Game, make_game
from boardgames_env.contest import turn_text
from boardgames_env.games.backgammon.notation.match_file import read_match
from boardgames_env.games.backgammon.notation.position_id import parse_position
from tests.conftest import Command, Run

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6"
MATCH = """
 0 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
  3) 66: 24/18(2) 13/7(2)        52: 13/11 13/8
  4) 21: 6/3
      Wins 2 points

 Game 2
 Ann : 2                        Bob : 0
  1)                             62: 24/18 13/11
  2) 11: 8/7*(2) 6/5(2)          Doubles => 2
  3)  Drops
                                  Wins 1 point
"""


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The spec of an agent that has learned nothing yet."""
    file = tmp_path_factory.mktemp("nets") / "net.safetensors"
    save_network(file, Network(make_game("backgammon"), Design("raw", 10, 6), seed=1))
    return f"td_net(file='{file}')"


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    path = tmp_path / "match.mat"
    path.write_text(MATCH, encoding="utf-8")
    return path


def search(net: str, game: Game, plies: int, candidates: int = 8) -> Expectimax:
    return Expectimax(game, evaluator_of(net, game), plies, candidates)


def test_the_plays_of_a_roll(boardgames: Run, net: str) -> None:
    words = ("--with", net, "--candidates", 5)
    out = boardgames("analyse", "start", "--dice", "3-1", *words)
    assert "+13-14-15-16-17-18------19-20-21-22-23-24-+" in out
    assert f"4HPwATDgc/ABMA   {XGID}" in out
    game = make_game(BACKGAMMON)
    position = parse_position(game, XGID)
    plays = search(net, game, 3, 5).candidates(position)
    assert f"The best of {len(plays)} plays" in out
    rows = re.findall(r"^ (\S+\d\*?(?: \S+)?) +([+-]\d\.\d{3}) +(0\.\d{3})? +(\d+\.\d)% .* 3 $", out, re.MULTILINE)
    assert [row[:2] for row in rows] == [
        (turn_text(position, each.actions), signed(each.equity, 3)) for each in plays[:5]
    ]
    assert [bool(row[2]) for row in rows] == [False, True, True, True, True], "what is lost"
    assert boardgames("analyse", "4HPwATDgc/ABMA", "--dice", "13", *words) == boardgames("analyse", XGID, *words) == out
    told = json.loads(boardgames("analyse", XGID, *words, "--json"))
    assert (told["game"], told["xgid"], told["with"]) == (game.spec, XGID, net)
    assert [each["play"] for each in told["plays"]] == [turn_text(position, each.actions) for each in plays]
    assert set(told["plays"][0]) == {
        *("play", "equity", "loss", "cubeful", "plies"),
        *("win", "gammon", "backgammon", "lost_gammon", "lost_backgammon"),
    }


def test_probabilities_include_the_rarer_ones() -> None:
    found = outcomes_row((0.3, 0.2, 0.1, 0.25, 0.1, 0.05))
    assert list(found.values()) == pytest.approx([0.6, 0.3, 0.1, 0.15, 0.05])


def test_before_the_roll(boardgames: Run, net: str) -> None:
    out = boardgames("analyse", "start", "--with", net, "--plies", 2)
    told = json.loads(boardgames("analyse", "start", "--with", net, "--plies", 2, "--json"))
    assert f"white to roll: equity {signed(told['equity'], 3)} " in out
    game = make_game(BACKGAMMON)
    look_ahead, position = search(net, game, 2), parse_position(game, "start")
    advice, rolls = advise(look_ahead, position), rolls_of(look_ahead, before_the_roll(position))
    assert [(each["formula"], each["advice"]) for each in told["cube"]] == [(e.formula, e.advice) for e in advice]
    assert all(re.search(rf"^ {each.formula} +{each.advice} +[+-]", out, re.MULTILINE) for each in advice)
    assert [(each["roll"], each["play"]) for each in told["rolls"]] == [(each.text, each.play) for each in rolls]
    assert len(re.findall(r"^ [1-6][1-6]  +\S+\d", out, re.MULTILINE)) == len(rolls) == 21


def test_a_double_that_is_to_be_answered(boardgames: Run, net: str) -> None:
    out = boardgames("analyse", XGID.replace(":31:", ":D:"), "--with", net, "--plies", 1)
    assert "black to take or drop" in out
    assert "white to roll: equity " in out
    assert XGID.replace(":31:", ":D:") in out
    blacks = XGID.replace(":1:31:", ":-1:31:")
    assert blacks in boardgames("analyse", blacks, "--with", net, "--plies", 1)
    assert re.search(r"janowski +(take|drop) +[+-]\d\.\d+ +-1\.000 +\d\d\.\d%", out)


def test_without_a_cube_there_is_no_decision_about_it(boardgames: Run, net: str) -> None:
    out = boardgames("analyse", "start", "--game", "backgammon", "--with", net, "--plies", 1)
    assert "The cube" not in out
    assert "The best play of each roll" in out


def test_a_match(boardgames: Run, net: str, match_file: Path) -> None:
    out = boardgames("analyse", match_file, "--with", net, "--plies", 1, "--worst", 2)
    assert "Game 1: Ann (white), Bob (black)" in out
    assert re.search(r"^ 1 +white +31 +8/5 6/5 ", out, re.MULTILINE)
    assert re.search(r"^ \d+ +white +drop ", out, re.MULTILINE)
    assert len(re.findall(r"^ (?:1|2|all) +(?:Ann \(white\)|Bob \(black\)) ", out, re.MULTILINE)) == 6
    assert "?! from 0.04, ? from 0.08, ?? (blunders) from 0.16" in " ".join(out.split())
    assert len(re.findall(r"^\d\. game \d: (?:Ann|Bob) \(\w+\) loses \d\.\d{3}$", out, re.MULTILINE)) == 2
    assert out.count("+12-11-10--9--8--7-") == 2
    assert len(re.findall(r"^played: .*\nbest:   ", out, re.MULTILINE)) == 2


def test_a_match_as_json(boardgames: Run, net: str, match_file: Path) -> None:
    words = ("analyse", match_file, "--with", net, "--plies", 1, "--doubling", "zadeh_kobliska(number=0.9)", "--json")
    told = json.loads(boardgames(*words))
    assert (told["players"], told["doubling"]) == (["Ann", "Bob"], "zadeh_kobliska(number=0.9)")
    match = read_match(match_file)
    analyst = Analyst(search(net, match.game_of_contests, 1), make_formula("zadeh_kobliska(number=0.9)"))
    games = [list(analyst.decisions(*each)) for each in zip(match.contests, match.starts, strict=False)]
    assert [[each["played"] for each in game] for game in told["games"]] == [[e.played for e in game] for game in games]
    assert [each["game"] for each in told["totals"]] == ["1", "2", "all"]
    for seat, found in enumerate(told["totals"][-1]["players"]):
        totals = Totals.of(each for game in games for each in game if each.position.seat == seat)
        assert found == {**asdict(totals), "rate": totals.rate}


def test_a_match_is_analysed_at_its_scores(boardgames: Run, net: str, match_file: Path) -> None:
    match_file.write_text(MATCH.replace(" 0 point match", " 5 point match"), encoding="utf-8")
    words = ("analyse", match_file, "--with", net, "--plies", 1)
    out = boardgames(*words)
    assert "Game 1 at 0–0 in a match to 5: Ann (white), Bob (black)" in out
    assert "Game 2 at 2–0 in a match to 5" in out
    assert "half of the chance to win the match that the stake decides" in " ".join(out.split())
    told = json.loads(boardgames(*words, "--json"))
    assert (told["match_length"], told["scores"]) == (5, [[0, 0], [2, 0], [2, 1]])


def test_a_position_at_a_score(boardgames: Run, net: str) -> None:
    out = boardgames("analyse", XGID.replace(":0:0:0:0:6", ":1:1:0:2:6").replace(":31:", ":00:"), "--with", net)
    assert "The cube, at 1–1 in a match to 2" in out
    last = XGID.replace(":0:0:0:0:6", ":2:2:0:3:6")
    told = json.loads(boardgames("analyse", last, "--with", net, "--plies", 1, "--json"))
    assert told["game"] == "backgammon(cube=True, match_length=3, post_crawford=True, score=(2, 2))"
    assert told["xgid"] == last


def test_rollouts_of_plays(boardgames: Run, net: str) -> None:
    words = ("rollout", "start", "--dice", 31, "--with", net, "--trials", 100, "--truncate", 2, "--candidates", 2)
    out = boardgames(*words)
    assert "100 trials by td_net" in " ".join(out.split())
    rows = re.findall(r"^ (\S+\d(?: \S+)?) +([+-]\d\.\d{4}) +0\.\d{4} +[+-]\d\.\d{3} to ", out, re.MULTILINE)
    game = make_game(BACKGAMMON)
    found = roll_out(search(net, game, 1, 2), parse_position(game, XGID), RolloutOptions(trials=100, truncate=2))
    assert rows == [(each.play, signed(each.rollout.equity, 4)) for each in found]
    assert boardgames(*words, "--seed", 1) != out
    told = json.loads(boardgames(*words, "--json"))["rollouts"]
    assert [each["play"] for each in told] == [each.play for each in found]
    assert [each["interval"] for each in told] == [[*each.rollout.interval] for each in found]


def test_a_rollout_of_a_position(boardgames: Run, net: str) -> None:
    words = ("rollout", "4HPwATDgc/ABMA", "--with", net, "--trials", 36, "--truncate", 2)
    out = boardgames(*words)
    assert "wins a gammon" in out
    assert "loses a backgammon" in out
    alone = json.loads(boardgames(*words[:5], 1, *words[6:], "--json"))["rollouts"][0]
    assert (alone["play"], alone["trials"], alone["error"], alone["interval"]) == ("", 1, None, None)


def test_contests_are_saved_as_a_match(boardgames: Run, net: str, tmp_path: Path) -> None:
    path = tmp_path / "session.mat"
    words = ("match", "backgammon(cube=True)", net, "random", "--contests", 2, "--json", "--save", path)
    out = boardgames(*words)
    score = json.loads(out)
    match = read_match(path)
    assert match.players == (net, "random")
    assert match.length == 0
    outcomes = [contest.outcome for contest in match.contests]
    assert len(outcomes) == 2
    assert sum(outcome > 0 for outcome in outcomes) == score["wins"]
    assert sum(outcomes) / 2 == pytest.approx(score["points_per_contest"])
    boardgames("analyse", path, "--with", net, "--plies", 1)


def test_matches_are_saved_a_file_each(boardgames: Run, net: str, tmp_path: Path) -> None:
    path = tmp_path / "night.mat"
    words = ("match", "backgammon(cube=True)", net, "random", "--contests", 2, "--match-length", 2)
    score = json.loads(boardgames(*words, "--json", "--save", path))
    assert score["game"] == "backgammon(cube=True, match_length=2)"
    matches = [read_match(tmp_path / f"night-{k}.mat") for k in (1, 2)]
    assert [(each.players, each.length) for each in matches] == [((net, "random"), 2)] * 2
    assert sum(each.scores_after[0] >= 2 for each in matches) == score["wins"]
    assert sum(each.scores_after[1] >= 2 for each in matches) == score["losses"]


def test_the_rules_of_a_match_are_heard_and_named(boardgames: Run, net: str, match_file: Path) -> None:
    words = ("analyse", match_file, "--with", net, "--plies", 1)
    assert "rules: backgammon(cube=True), for money" in boardgames(*words)
    match_file.write_text(f'; [Jacoby "On"]\n; [Beaver "On"]\n{MATCH}', encoding="utf-8")
    assert "rules: backgammon(beavers=True, cube=True, jacoby=True), for money" in boardgames(*words)
    assert json.loads(boardgames(*words, "--json"))["game"] == "backgammon(beavers=True, cube=True, jacoby=True)"
    assert "rules: backgammon(cube=True), for money" in boardgames(*words, "--game", "backgammon(cube=True)")


def test_the_rules_of_an_id_are_heard_and_named(boardgames: Run, net: str) -> None:
    found = {}
    for rules in (0, 1, 3):
        text = f"XGID=b-----E-C---eE---c-e----B-:0:0:1:00:2:1:{rules}:0:10"
        told = json.loads(boardgames("analyse", text, "--with", net, "--plies", 1, "--json"))
        assert told["xgid"] == text
        assert f"rules: {told['game']}\n" in boardgames(
            "analyse", text.lower()[:5] + text[5:], "--with", net, "--plies", 1
        )
        found[told["game"]] = told["equity"]
    assert list(found) == [
        *("backgammon(cube=True)", "backgammon(cube=True, jacoby=True)"),
        "backgammon(beavers=True, cube=True, jacoby=True)",
    ]
    assert len(set(found.values())) == 2, "gammons do not count, or they do"
    told = json.loads(boardgames("analyse", "GNUBGID 4HPwATDgc/ABMA:MIHlACAAKAAE", "--with", net, "--json"))
    assert told["game"] == "backgammon(cube=True, match_length=7, score=(2, 5))"


def test_a_match_is_analysed_as_far_as_it_can_be_read(
    boardgames: Run, command: Command, net: str, match_file: Path
) -> None:
    words = ("analyse", match_file, "--with", net, "--plies", 1, "--json")
    games = json.loads(boardgames(*words))["games"]
    match_file.write_text(MATCH.replace("8/7*(2) 6/5(2)", "8/7*(2) 6/6"), encoding="utf-8")
    code, out, err = command(*words)
    told = json.loads(out)
    assert code == 0
    assert told["games"][0] == games[0]
    assert len(told["games"][1]) < len(games[1])
    (warning,) = told["warnings"]
    assert warning.startswith("line 15: '6/6' is no part of a play; ")
    assert err == f"Warning: match.mat: {warning}\n"
    code, out, err = command(*words[:-1])
    assert "Game 2: Ann (white), Bob (black)" in out
    assert err == f"Warning: match.mat: {warning}\n"


def test_one_of_several_matches_is_analysed(command: Command, refused: Run, net: str, match_file: Path) -> None:
    match_file.write_text(f"{MATCH}\n{MATCH.replace('Ann', 'Cid')}", encoding="utf-8")
    words = ("analyse", match_file, "--with", net, "--plies", 1, "--json")
    for number, chosen in enumerate(((), ("--match", 2))):
        _, out, err = command(*words, *chosen)
        assert json.loads(out)["players"] == [["Ann", "Cid"][number], "Bob"]
        assert err.startswith(f"Warning: match.mat: this is match {number + 1} of 2 in the text; --match ")
    assert "match=3 is not allowed; the text has 2 of them" in refused(*words, "--match", 3)


SIX_BY_FIVE = "connect_four(columns=6, rows=5)"


def test_analyse_names_the_value_of_every_column(boardgames: Run) -> None:
    out = boardgames("analyse", "connect_four", *"ddddddcce")
    lines = [line.split(maxsplit=1) for line in out.splitlines() if line.rstrip().endswith(" plies")]
    assert {column: value.strip() for column, value in lines} == dict.fromkeys("abcefg", "loses in 2 plies")
    assert "exact values of the solved game" in out
    found = json.loads(boardgames("analyse", SIX_BY_FIVE, "c", "--json"))
    assert (found["game"], found["actions"], found["to move"]) == (SIX_BY_FIVE, ["c"], "yellow")
    values = {each["move"]: each["text"] for each in found["moves"]}
    assert values == {**dict.fromkeys("cd", "draws"), **dict.fromkeys("abef", "loses in 26 plies")}


def test_analyse_searches_where_nothing_is_exact(boardgames: Run) -> None:
    out = boardgames("analyse", "gomoku", "h8", "i9", "--candidates", 2)
    assert "a search of 20,000 positions for each move, the best move first, in units of the game's own" in out
    assert re.search(r"^ *[a-o]\d+ +[+-]\d+ *$", out, re.MULTILINE)
    assert "wins in" not in out
    assert "wins in 5 plies" in boardgames("analyse", "tic_tac_toe", "0", "1")


BAD = [
    (["analyse", "connect_four", "h"], "'h' is not an action of connect_four"),
    (["analyse", "connect_four", *"aabbccd"], "the contest is over after 'a a b b c c d'"),
    (["analyse", "connect_four", "d", "--dice", "31"], "--dice is for backgammon; here is connect_four"),
    (["analyse", "connect_four", "--with", "mcts"], "--with is for backgammon; here is connect_four"),
    (["analyse", "connect_four", "--candidates", "0"], "candidates=0 is not allowed"),
    (["analyse", "connect_four(rows=1)"], "rows=1 is not allowed"),
    (["analyse", "hypergammon"], "positions of hypergammon are given by an ID, or as start, and the game as --game"),
    (["analyse", "start", "d"], "'d' is not allowed after start: actions follow the name of a game"),
    (["analyse", "start", "--match", "2"], "--match is for a match file; here is a position"),
    (["analyse", "x" * 5000], "is not a position; write a position ID"),
    (["analyse", "none.xg"], "'none.xg' cannot be read: No such file or directory"),
    (["analyse", XGID.replace(":0:0:0:0:6", ":3:5:1:7:6")], "is not the score of a Crawford game"),
    (["analyse", "hello"], "'hello' is not a position; write a position ID, 14 characters"),
    (["analyse", "cAkAAAAAAAAAAA"], "the contest is over in 'cAkAAAAAAAAAAA'"),
    (["analyse", "start", "--with", "td_net(file='none')"], "there is no file none"),
    (["analyse", "start", "--game", "achi"], "achi is not a game of backgammon"),
    (["analyse", "start", "--worst", "3"], "--worst is for a match file"),
    (["analyse", "none.mat"], "'none.mat' cannot be read: No such file or directory"),
    (["analyse", "MATCH", "--dice", "31"], "--dice is for a position: a match file has the rolls"),
    (["rollout", "start", "--with", "NET", "--jobs", "0"], "jobs=0 is not allowed; it must be at least 1"),
    (["match", "achi", "random", "random", "--save", "x.mat"], "achi is not a game of backgammon"),
    (["match", "achi", "random", "random", "--match-length", "3"], "achi has no option 'match_length'"),
    (["analyse", "start", "--game", "backgammon(match_length=3)"], "is a whole match; give the score of the game"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "why"), BAD)
def test_what_is_wrong_is_said(refused: Run, net: str, match_file: Path, words: list[str], why: str) -> None:
    given = {"NET": net, "MATCH": match_file}
    assert why in refused(*(given.get(word, word) for word in words))


@pytest.mark.slow
def test_a_match_less_luck(boardgames: Run, refused: Run, net: str, tmp_path: Path) -> None:
    file = tmp_path / "contests.json"
    words = ("match", "backgammon", net, "random", "--luck", net, "--contests")
    out = " ".join(boardgames(*words, 3, "--save", file, "--store", tmp_path / "store.sqlite").split())
    game, records = make_game("backgammon"), read_records(file)
    wanted = mean_of(points_less_luck(records, luck_by_agent(net, game, records)))
    assert f"less luck, by {net}: {wanted.signed(3)} " in out
    found = json.loads(boardgames(*words, 3, "--json"))["less_luck"]
    assert found["by"] == net
    assert [found["points_per_contest"], *found["interval"]] == pytest.approx([wanted.value, wanted.low, wanted.high])
    assert json.loads(boardgames(*words, 1, "--json"))["less_luck"]["interval"] is None
    assert "left to chance" in refused("match", "tic_tac_toe", "random", "random", "--luck", "random")
    assert "does not predict" in refused("match", "backgammon", "random", "random", "--luck", "random")
