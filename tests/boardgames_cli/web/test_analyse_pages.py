"""The page *Analyse*: positions and matches that are pasted or sent, and the reports made of them."""

import csv
import io
import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.policy.explanation import signed
from boardgames_agents.record import Record, write_records
from boardgames_agents.registry import make_player
from boardgames_cli.web.analyses import CANDIDATES, PLIES
from boardgames_cli.web.chart import line_chart
from boardgames_cli.web.positions import code_of, code_of_contest, contest_of, position_of
from boardgames_env import BadInputError, Game, Position, make_game, registered_games
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.match_file import parse_match, write_match
from boardgames_env.games.backgammon.notation.position_id import parse_position
from tests.boardgames_cli.web.conftest import HERE, TestClient, client_of
from tests.boardgames_cli.web.test_web_pages import begun, post, stored

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6"

MATCH = """ 3 point match

 Game 1
 =ada : 0                       <b>bob : 0
  1) 31: 13/9                     Doubles => 2
  2)  Takes                      64: 24/18 13/9
  3) 55: 8/3(2) 6/1*(2)          62: bar/17
"""


def sent(client: TestClient, content: bytes, name: str = "club.mat") -> Any:
    return client.post("/analyse", files={"file": (name, content)})


def sentence(answer: Any) -> str:
    """Return the one sentence of a page on which nothing else is said."""
    found = re.findall(r"<h1>That did not work</h1>\n<p>(.*?)</p>", answer.text)
    assert answer.status_code == 400
    assert len(found) == 1, answer.text
    return str(found[0])


def judge_of(game: Game) -> Expectimax:
    """Return the look-ahead by which the pages judge."""
    return Expectimax(game, evaluator_of(str(predictor_of(game)), game), PLIES, CANDIDATES)


def done(client: TestClient, there: str) -> str:
    """Return the report once it is computed."""
    while "load delay" in (text := client.get(there).text):
        time.sleep(0.05)
    return str(text)


@pytest.mark.parametrize("name", registered_games())
def test_an_address_holds_any_position(name: str) -> None:
    game = make_game(name)
    rng = np.random.default_rng(3)
    contest = Contest(game, ChanceStream(game, rng))
    while not contest.is_over and contest.plies < 30:
        assert position_of(game, code_of(contest.position)) == contest.position
        contest.advance(int(rng.choice(contest.position.legal_actions)))
    code = code_of(contest.position)
    assert position_of(game, code) == contest.position
    assert len(code) < 120
    assert contest_of(code_of_contest(contest.actions, contest.events)) == (
        tuple(contest.actions),
        tuple(contest.events),
    )


@pytest.mark.parametrize("code", ["", "A", "AAAA", "***", "Y_jHAASsDMxA8jcrkPjL8BskwgQiGIEQzAQA"])
def test_a_damaged_address_is_a_sentence(client: TestClient, code: str) -> None:
    for page in ("/analyse", "/analyse/moves", "/picture.png", "/picture.svg"):
        assert "link is damaged" in sentence(client.get(f"{page}?game=achi&position={code}"))
    with pytest.raises(BadInputError):
        contest_of("A")


def test_a_position_that_no_contest_reaches_is_refused(client: TestClient) -> None:
    code = code_of(Position.unchecked(make_game("tic_tac_toe"), np.array([0, *[1] * 9], dtype=np.int8)))
    assert "no contest" in sentence(client.get(f"/analyse?game=tic_tac_toe&position={code}")).lower()


@pytest.mark.parametrize(("text", "dice"), [(XGID, ""), ("start", "31"), ("4HPwATDgc/ABMA", "3-1")])
def test_a_position_is_pasted_and_shown_with_its_plays(client: TestClient, text: str, dice: str) -> None:
    there = client.post("/analyse", data={"text": f" {text}\n", "dice": dice}).headers["location"]
    shown = client.get(there).text
    assert XGID in shown
    assert there.replace("&", "&amp;") in shown
    moves = client.get(there.replace("/analyse?", "/analyse/moves?")).text
    game = make_game("backgammon(cube=True)")
    best = judge_of(game).candidates(parse_position(game, XGID))[0]
    row = ("8/5 6/5", signed(best.equity, 3))
    assert re.findall(r'<th scope="row">([^<]*)</th><td class="number">([^<]*)', moves)[0] == row
    assert 'class="mark shade3 chosen"' in moves, "the best play is drawn on the board"
    assert client.post("/analyse", data={"text": HERE + there}).headers["location"] == there
    for kind in ("svg", "png"):
        picture = client.get(there.replace("/analyse?", f"/picture.{kind}?"))
        assert picture.headers["content-type"].startswith(f"image/{kind}")


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABMA:cIkGAAAAAAAE",
        "Position ID: 4HPwATDgc/ABMA\nMatch ID: cIkGAAAAAAAE",
        "Position ID: 4HPwATDgc/ABMA\r\nMatch ID   : cIkGAAAAAAAE\r\n",
        "4HPwATDgc/ABMA\nMatch ID: cIkGAAAAAAAE",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cIkGAAAAAAAE\n +13-14-15-16-+\n",
    ],
)
def test_ids_are_read_as_gnu_backgammon_prints_them(client: TestClient, text: str) -> None:
    asked = client.post("/analyse", data={"text": text})
    sent = client.post("/analyse", files={"file": ("position.txt", text.encode())})
    there = asked.headers["location"]
    assert sent.headers["location"] == there
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:-1:51:0:0:0:0:6" in client.get(there).text


@pytest.mark.parametrize("link", ["/analyse", "/contests/1", "http://localhost/editor?game=backgammon"])
def test_a_link_without_a_position_is_refused_in_words_of_people(client: TestClient, link: str) -> None:
    assert "This link holds no position" in sentence(client.post("/analyse", data={"text": link}))


def test_a_refusal_leads_back_and_keeps_what_was_pasted(client: TestClient) -> None:
    answer = client.post("/analyse", data={"text": "<b>nonsense", "dice": "77"})
    assert answer.status_code == 400
    assert "&lt;b&gt;nonsense</textarea>" in answer.text
    assert 'value="77"' in answer.text
    refused = client.post("/taught", data={"name": "../x"})
    assert (refused.status_code, '<a href="/taught">Back</a>' in refused.text) == (400, True)
    assert '<a href="/analyse">Back</a>' in client.get("/analyse?game=tic_tac_toe&position=AAA").text
    assert ">Back<" not in client.get("/nowhere").text


def test_before_the_roll_there_is_advice_about_the_cube(client: TestClient) -> None:
    there = client.post("/analyse", data={"text": XGID.replace(":31:", ":00:")}).headers["location"]
    moves = client.get(there.replace("/analyse?", "/analyse/moves?")).text
    assert "No double, take" in moves
    assert len(re.findall(r'<tr><th scope="row">\d\d</th>', moves)) == 21


@pytest.mark.parametrize(("dice", "expected"), [(":00:", "White can expect"), (":D:", "White can expect")])
def test_what_is_expected_is_that_of_the_seat_that_rolls(client: TestClient, dice: str, expected: str) -> None:
    there = client.post("/analyse", data={"text": XGID.replace(":31:", dice)}).headers["location"]
    assert expected in client.get(there.replace("/analyse?", "/analyse/moves?")).text


def test_the_moves_of_other_games_are_worth_what_is_known(client: TestClient) -> None:
    there = f"game=tic_tac_toe&position={code_of(make_game('tic_tac_toe').initial.after(4))}"
    moves = client.get(f"/analyse/moves?{there}").text
    assert re.findall(r"<li><strong>(\d)</strong> ([^<]*)</li>", moves)[0] == ("0", "draws")
    assert "exact values of the solved game" in moves
    assert client.get(f"/analyse?{there}").status_code == 200


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"<html><script>alert(1)</script></html>", "is not a match file, but an HTML page"),
        (b"<!doctype html>\n<b onclick='x'>", "is not a match file, but an HTML page"),
        (b"x" * 5000, "is not a match file"),
        (b'{"format": "other"}', "This is no file of contests, or it is damaged"),
        (b"\x89PNG\r\n\x1a\n" + bytes(400), "but a picture"),
        (b"PK\x03\x04" + bytes(400), "but an archive"),
        (b"", "Nothing was given"),
        (b"XGID=nonsense", "is not a position; write a position ID"),
        (b" 3 point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 8/7 6/2\n", "line 5"),
    ],
)
def test_a_file_of_another_kind_is_one_sentence(client: TestClient, content: bytes, expected: str) -> None:
    answer = sent(client, content, "<script>.mat")
    assert expected in sentence(answer)
    assert "<script>" not in answer.text.replace('<script src="/static', "")
    assert "/tmp" not in answer.text


def test_a_file_of_5_mb_is_one_sentence(client: TestClient) -> None:
    answer = sent(client, b"  1) 31: 8/5 6/5\n" * 300_000)
    assert answer.status_code == 413
    assert "What was sent is too large; at most 1 MB is allowed." in answer.text
    assert '<a href="/analyse">Back</a>' in answer.text
    assert "at most 1 MB" in client.get("/analyse").text


def test_the_report_of_a_match_is_that_of_the_command(client: TestClient, boardgames: Any, tmp_path: Path) -> None:
    file = tmp_path / "club.mat"
    file.write_text(MATCH, encoding="utf-8")
    expected = json.loads(boardgames("analyse", file, "--json"))
    there = sent(client, MATCH.encode()).headers["location"]
    text = done(client, there)
    *_, both = expected["totals"]
    for seat, player in enumerate(both["players"]):
        rate = re.search(r"Error rate[^\n]*" + r'<td class="figure">([^<]*)</td>' * 2, text)
        assert rate
        assert rate[1 + seat] == f"{player['rate']:.1f}"
    assert "&lt;b&gt;bob" in text
    assert "<b>bob" not in text
    rows = list(csv.DictReader(io.StringIO(client.get(f"{there}/report.csv").text)))
    (decisions,) = expected["games"]
    assert [(row["roll"], row["played"], row["best"], float(row["error"])) for row in rows] == [
        (each["roll"], each["played"], each["best"], pytest.approx(each["error"], abs=1e-4)) for each in decisions
    ]
    assert {row["player"] for row in rows} == {"'=ada", "<b>bob"}, "no spreadsheet takes a name for a formula"
    kept = client.get(f"{there}/report.html").text
    assert 'href="/' not in kept
    assert "Errors with the cube" in kept
    pr = re.search(r">PR: 500[^\n]*" + r'<td class="figure">([^<]*)</td>' * 2, text)
    assert pr
    assert [float(pr[1]), float(pr[2])] == [pytest.approx(each["rate"] / 2, abs=0.051) for each in both["players"]]


def test_a_play_costs_as_much_in_a_report_as_on_the_page_of_its_position(client: TestClient) -> None:
    there = sent(client, MATCH.encode()).headers["location"]
    text = done(client, there)
    card = r'Played \d\d: .*?gives away ([\d.]+) points\.</p>.*?<a href="(/analyse\?[^"]+)">This position'
    cards = re.findall(card, text, re.S)
    assert cards
    for cost, address in cards:
        page = client.get(address.replace("&amp;", "&")).text
        assert f'<a href="{there}">Back to the report</a>' in page
        moves = re.search(r'hx-get="(/analyse/moves[^"]+)"', page)
        assert moves
        shown = client.get(moves[1].replace("&amp;", "&")).text
        rows = re.findall(r'<th scope="row">([^<]*)</th><td class="number">[^<]*</td><td class="number">([^<]*)', shown)
        assert [loss for play, loss in rows if play.endswith("(played)")] == [cost]


def test_a_bad_play_is_examined_as_deeply_as_the_best_where_somebody_played_it(client: TestClient) -> None:
    xgid = "XGID=-HD-------A-------a--bBeg-:0:0:1:41:0:2:1:3:6"
    there = client.post("/analyse", data={"text": xgid}).headers["location"].replace("/analyse?", "/analyse/moves?")
    fields = parse_qs(there.partition("?")[2])
    position = position_of(make_game(fields["game"][0]), fields["position"][0])
    play, search = parse_play(position, "10/5"), judge_of(position.game)
    best, *others = search.candidates(position)
    [glance] = (each for each in others if each.actions == play)

    def costs(address: str) -> list[tuple[str, str]]:
        row = r'<th scope="row">10/5[^<]*</th><td class="number">[^<]*</td><td class="number">([^<]*)<.*>(\d)</td></tr>'
        return re.findall(row, client.get(address).text)

    assert costs(there) == [(f"{best.equity - glance.equity:.3f}", "1")]
    played = f"{there}&played={'-'.join(map(str, play))}"
    assert costs(played) == [(f"{best.equity - search.candidate(position, play).equity:.3f}", "3")]
    assert costs(played) != costs(there)


def test_a_match_is_read_as_far_as_it_goes(client: TestClient) -> None:
    there = sent(client, (MATCH + "  4) 31: 8/7\n").encode()).headers["location"]
    assert "the match is read up to there." in done(client, there)


def test_every_match_of_a_file_is_analysed(client: TestClient) -> None:
    other = MATCH.replace("=ada", "eve").replace("<b>bob", "dan").replace("13/9   ", "24/21 6/5")
    there = sent(client, (MATCH + "\n" + other + "\n" + other.replace("eve", "cyd")).encode()).headers["location"]
    text = client.get(there).text
    assert "There are 3 matches in this file" in text
    addresses = re.findall(r'<li><a href="(/analyses/[^"]+)"', text)
    assert addresses[0] == there
    reports = [done(client, each) for each in addresses]
    for report, players in zip(reports, ("=ada (white) against &lt;b&gt;bob", "eve", "cyd"), strict=True):
        assert f"match to 3: {players}" in report
        assert 'aria-current="page"' in report
    assert "matches in this file" not in client.get(f"{there}/report.html").text
    assert "matches in this file" not in done(client, sent(client, MATCH.encode()).headers["location"])


def test_the_records_of_several_whole_matches_have_a_report_each(client: TestClient, tmp_path: Path) -> None:
    game = make_game("hypergammon(match_length=1)")
    players = make_player("random", game), make_player("random", game)
    write_records(tmp_path / "two.json", [play_contest(game, players, [seed]) for seed in (1, 2)])
    there = sent(client, (tmp_path / "two.json").read_bytes(), "two.json").headers["location"]
    assert "There are 2 matches in this file" in client.get(there).text


def test_the_progress_of_a_report_grows_with_each_turn() -> None:
    from boardgames_cli.web.analyses import _judged, analyses_of_matches

    (analysis,) = analyses_of_matches([parse_match(MATCH, strict=False)], "club.mat")
    shares = [analysis.share, *(each.share for each in _judged(analysis))]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)
    assert len(set(shares)) > 3


def test_the_report_of_a_contest_is_in_the_terms_of_its_game(client: TestClient) -> None:
    there = begun(client)
    for action in (0, 1, 4, 2, 8):  # O on an edge, and then not in the way
        post(client, there, "act", action=action)
    assert f'action="{there}/analysis"' in client.get(there).text
    report = client.post(f"{there}/analysis").headers["location"]
    text = done(client, report)
    assert re.search(r"Given away.*<td class=\"figure\">0 points</td><td class=\"figure\">1 point</td>", text)
    assert "exact values of the solved game" in text
    assert "loses in 6 plies; best was 4, which draws" in text
    content = client.get(f"{there}/record.json").content
    assert re.search(r"Given away.*1 point</td>", done(client, sent(client, content, "c.json").headers["location"]))


def test_an_analysis_is_found_by_its_address_alone(client: TestClient) -> None:
    there = sent(client, MATCH.encode()).headers["location"]
    assert len(there.rpartition("/")[2]) >= 12
    for page in ("/", "/contests", "/analyse"):
        assert there not in client.get(page).text
    assert client.get("/analyses/another").status_code == 404
    assert client.get("/analyses/another/report.csv").status_code == 404
    done(client, there)


def test_an_analysis_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    kept = {"store": tmp_path / "contests.sqlite", "runs": tmp_path}
    with client_of(HERE, **kept) as client:
        there = sent(client, MATCH.encode()).headers["location"]
        whole = done(client, there)
        store = client.app.state.parts.store  # type: ignore[attr-defined]
        name = there.rpartition("/")[2]
        store.keep_analysis(name, {**store.analysis(name), "judged": []})
    with client_of(HERE, **kept) as client:
        assert "turns judged so far" in client.get(there).text
        assert done(client, there) == whole


def test_a_long_analysis_lets_other_requests_come_first(client: TestClient, tmp_path: Path) -> None:
    match = parse_match(MATCH)
    write_match(tmp_path / "long.mat", match)
    game = (tmp_path / "long.mat").read_text(encoding="utf-8").partition("Game 1")[2]
    text = " 0 point match\n\n" + "".join(f" Game {number}{game}" for number in range(1, 5))
    reports = [sent(client, text.encode()).headers["location"] for _ in range(2)]
    there = begun(client)
    began = time.monotonic()
    assert post(client, there, "hint").status_code == 200
    waited = time.monotonic() - began
    assert "turns judged so far" in client.get(reports[-1]).text
    assert waited < 10
    assert stored(client, there).actions == ()


def test_hypergammon_is_analysed_by_who_predicts_it(client: TestClient) -> None:
    there = begun(client, game="hypergammon")
    for _ in range(2):
        actions = re.findall(r'name="action" value="(\d+)"', client.get(there).text)
        post(client, there, "act", action=actions[0])
    text = done(client, client.post(f"{there}/analysis").headers["location"])
    assert f"By {predictor_of(make_game('hypergammon'))}" in text


def test_the_record_of_a_whole_match_is_a_match(client: TestClient, tmp_path: Path) -> None:
    spec = "hypergammon(match_length=1)"
    record = play_contest(
        make_game(spec), (make_player("random", make_game(spec)), make_player("random", make_game(spec))), [1]
    )
    write_records(tmp_path / "match.json", [record])
    there = sent(client, (tmp_path / "match.json").read_bytes(), "match.json").headers["location"]
    assert "Hypergammon, match to 1: random (white) against random (black)" in client.get(there).text


def test_contests_that_are_too_many_or_of_several_games_are_refused(client: TestClient, tmp_path: Path) -> None:
    record = Record("tic_tac_toe", ("human", "human"), (4,), 0, cut=True, plies=1)
    other = replace(record, game="achi")
    wrong = replace(record, actions=(4, 4))
    cases = (([record] * 101, "too many"), ([record, other], "several games"), ([wrong], "not legal"))
    for records, expected in cases:
        write_records(tmp_path / "c.json", records)
        assert expected in sentence(sent(client, (tmp_path / "c.json").read_bytes(), "c.json"))


@pytest.mark.slow
@pytest.mark.parametrize("swaps", [False, True], ids=["the same seats", "swapped seats"])
def test_a_match_played_here_is_reported_as_its_match_file(client: TestClient, tmp_path: Path, swaps: bool) -> None:
    there = begun(client, game="hypergammon(cube=True,match_length=7)", player0="human", player1="random", seed0="1")
    played = []
    while True:
        for _ in range(3):
            if not (actions := re.findall(r'name="action" value="(\d+)"', client.get(there).text)):
                break
            post(client, there, "act", action=actions[0])
        answers = (post(client, there, "resign", points=points) for points in (1, 2, 3))  # (too few are refused)
        text = next(answer for answer in answers if answer.status_code == 200).text
        played.append(stored(client, there))
        if "wins the match" in text:
            break
        assert "Report of the whole match" not in text
        there = post(client, there, "again").headers["hx-redirect"]
        if swaps and len(played) == 1:
            post(client, there, "swap")
    assert "Report of the whole match" in text
    report = client.post(f"{there}/analysis", data={"match": "whole"}).headers["location"]
    text = done(client, report)
    last = played[-1]
    you = last.people[0]
    assert len(played) > 2
    assert "match to 7" in text
    assert text.count("<summary>Game ") == len(played) + 1
    found = client.app.state.parts.analyses.get(report.rpartition("/")[2])  # type: ignore[attr-defined]
    assert found.players[you] == "you"
    assert not found.failure
    for number, (sitting, start, contest) in enumerate(zip(played, found.starts, found.contests, strict=True)):
        game = make_game(found.game)
        away = game.score(position_of(game, start).state)
        is_turned = sitting.people != last.people
        assert away == (sitting.score.turned if is_turned else sitting.score)
        assert contest.outcome == (-sitting.points if is_turned else sitting.points)
        assert max(contest.outcome * (1 - 2 * you), 0) == 0, f"the person has resigned game {number}"
    assert post(client, there, "again").status_code == 204


def test_a_chart_over_games_has_the_first_and_the_last_and_no_halves() -> None:
    for last, expected in ((2, ["1", "2"]), (7, ["1", "2", "3", "4", "5", "6", "7"])):
        games = range(1, last + 1)
        chart = line_chart("Luck", "game", {"white": (games, [0.5 * each for each in games])}, y_range=(0.0,))
        texts = [tick.text for tick in chart.x_ticks]
        assert (texts[0], texts[-1], set(texts) <= set(expected)) == ("1", str(last), True)
        assert chart.x_ticks[0].place == chart.left
        assert "0" in [tick.text for tick in chart.y_ticks]
