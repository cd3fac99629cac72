"""The pages on which one's mistakes come back, without a browser; the date is passed in."""

import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.people.cards import INTERVALS, Card
from boardgames_agents.people.judging.mistakes import had_a_choice
from boardgames_agents.registry import make_player
from boardgames_cli.web.positions import state_of
from boardgames_env import make_game, registered_games
from tests.boardgames_cli.web.conftest import HERE, TestClient, client_of
from tests.boardgames_cli.web.test_analyse_pages import MATCH, done
from tests.boardgames_cli.web.test_taught_pages import begun as lesson_begun
from tests.boardgames_cli.web.test_taught_pages import play as lesson_played
from tests.boardgames_cli.web.test_web_pages import begun, post


class Clock:
    """A day that goes on when a test lets it."""

    def __init__(self) -> None:
        self.day = date(2026, 3, 1)

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    """A browser at a server of its own."""
    with client_of(HERE, store=tmp_path / "contests.sqlite", runs=tmp_path, today=clock) as made:
        yield made


def lost_at_tic_tac_toe(client: TestClient, there: str = "") -> str:
    """Play the edge to a centre, which loses, unless that has been played; return the address of a report."""
    if not there:
        there = begun(client)
        for action in (4, 1, 0, 8, 6, 3, 2):
            post(client, there, "act", action=action)
    report = client.post(f"{there}/analysis").headers["location"]
    done(client, report)
    return str(report)


def kept(client: TestClient, report: str, name: str = "Ann", seat: int = 1) -> str:
    answer = client.post(f"{report}/mistakes", data={"seat": seat, "name": name})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def fields(text: str) -> dict[str, str]:
    """Return what the form of a card would post besides the action."""
    found = dict(re.findall(r'<input type="hidden" name="(game|position|played)" value="([^"]*)">', text))
    assert found.keys() == {"game", "position", "played"}, text
    return {name: value.replace("&#39;", "'") for name, value in found.items()}


def answered(client: TestClient, there: str, *actions: int) -> str:
    """Play a turn in the position that is shown; return the part of the page after the last action."""
    text = client.get(there).text
    for action in actions:
        answer = client.post(there, data={**fields(text), "action": action}, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.text
        text = answer.text
    return text


def cards(client: TestClient, name: str) -> list[Any]:
    studies = client.app.state.parts.tutor.files.read(name)  # type: ignore[attr-defined]
    return [card for study in studies.values() for card in study.cards]


def test_mistakes_are_linked_and_a_name_is_asked_for_once(client: TestClient) -> None:
    assert 'href="/mistakes"' in client.get("/").text
    assert 'name="name"' in client.get("/mistakes").text
    there = client.post("/mistakes", data={"name": "Ann B"}).headers["location"]
    assert there == "/taught/Ann%20B/mistakes"
    assert "There are none yet" in client.get(there).text
    assert client.get("/mistakes").headers["location"] == there
    assert client.post("/mistakes", data={"name": "../x"}).status_code == 400
    report = lost_at_tic_tac_toe(client)
    assert 'name="name"' not in client.get(report).text


@pytest.mark.parametrize("name", ["..%2F..%2Fetc", "%00", "x" * 50, "%F0%9F%98%80"])
def test_a_name_that_nobody_can_have_is_asked_for_again(client: TestClient, name: str) -> None:
    client.cookies.set("boardgames-pupil", name)
    assert 'name="name"' in client.get("/mistakes").text


def test_nothing_of_a_visitor_is_shown_to_another(client: TestClient, tmp_path: Path) -> None:
    assert "comes back" not in client.get(kept(client, lost_at_tic_tac_toe(client))).text
    client.cookies.clear()
    text = client.get("/mistakes").text
    assert "Ann" not in text
    assert "data-location" not in text
    assert client.get("/taught").status_code == 200, "nobody is led to the page of another"


def test_an_error_comes_back_after_growing_intervals(client: TestClient, clock: Clock) -> None:
    report = lost_at_tic_tac_toe(client)
    text = client.get(report).text
    assert "Practise what a person (O) got wrong" in text
    there = kept(client, report)
    (card, *_) = cards(client, "Ann")
    assert (card.due, card.box, sum(map(abs, card.state[1:]))) == (clock.day, 0, 1)
    # a wrong answer: the better move is on the board, and it comes back the next day
    text = answered(client, there, 7)
    assert 'class="status over">Not right<' in text
    assert "You played" in text
    assert re.search(r"Better: [0268], which draws; as good: [0268], [0268] and [0268][.]", text)
    assert re.search(r"> Then X can play [0-8], and wins[.]</p>", text)
    assert (text.count(">×</text>"), text.count(">✓!</text>")) == (1, 1), "the answer is where the better move goes"
    assert f"comes back on {2} March 2026" in text
    # right answers: each interval is twice as long
    clock.day += timedelta(days=1)
    for days in (*INTERVALS[1:], INTERVALS[-1]):
        text = answered(client, there, 2)
        assert 'class="status over">Right<' in text
        assert "Better" not in text
        assert (text.count(">×</text>"), text.count(">✓</text>")) == (0, 1)
        (card,) = [each for each in cards(client, "Ann") if each.state == card.state]
        assert card.due == clock.day + timedelta(days=days)
        clock.day = card.due
    clock.day -= timedelta(days=1)
    assert "The next position comes back on" in client.get(there).text


def test_an_answer_counts_once(client: TestClient, clock: Clock) -> None:
    there = kept(client, lost_at_tic_tac_toe(client))
    text = client.get(there).text
    for _ in range(2):
        client.post(there, data={**fields(text), "action": 2})
    assert sorted(card.box for card in cards(client, "Ann")) == [0] * (len(cards(client, "Ann")) - 1) + [1]


def test_a_report_is_kept_once_and_a_new_error_brings_a_card_back(client: TestClient, clock: Clock) -> None:
    first = lost_at_tic_tac_toe(client)
    there = kept(client, first)
    answered(client, there, 2)
    before = cards(client, "Ann")
    (where,) = before[0].sources
    for again in (first, lost_at_tic_tac_toe(client, f"/contests/{where}")):
        kept(client, again)
        assert cards(client, "Ann") == before
    clock.day += timedelta(days=1)
    kept(client, lost_at_tic_tac_toe(client))
    assert [card.box for card in cards(client, "Ann")] == [0] * len(before)
    assert {card.due for card in cards(client, "Ann")} == {clock.day}


def test_the_errors_of_a_lesson_come_back_without_being_asked_for(client: TestClient) -> None:
    there = lesson_begun(client, "Eve")
    lesson_played(client, there, well=False)
    assert 'href="/taught/Eve/mistakes"' in client.get(f"{there}/review").text
    assert "You went wrong here once" in client.get("/taught/Eve/mistakes").text
    assert "Your mistakes: 1 position" in client.get("/taught/Eve").text
    client.post("/taught/Eve/forget", data={"game": "tic_tac_toe"})
    assert "There are none yet" in client.get("/taught/Eve/mistakes").text


@pytest.mark.slow
@pytest.mark.parametrize("name", registered_games())
def test_a_position_of_every_game_is_asked_and_answered(name: str, client: TestClient, clock: Clock) -> None:
    game = make_game(name)
    record = play_contest(game, (make_player("random", game),) * 2, [4])
    turn = next(each for each in record.turns(game)[1:] if had_a_choice(each))
    card = Card(tuple(turn.before.state.tolist()), turn.actions, turn.actions, 1.0, clock.day)
    client.app.state.parts.tutor.course("Ann", game).keep_cards([card])  # type: ignore[attr-defined]
    assert "You went wrong here once" in client.get("/taught/Ann/mistakes").text
    text = answered(client, "/taught/Ann/mistakes", *turn.actions)
    assert 'class="status over">Right<' in text, "it leads where the better turn does"
    assert cards(client, "Ann")[0].due == clock.day + timedelta(days=INTERVALS[1])


def test_the_errors_of_a_file_count_once(client: TestClient) -> None:
    lost_at_tic_tac_toe(client)
    there = re.findall(r'href="(/contests/[^"?]+)"', client.get("/contests").text)[0]
    content = client.get(f"{there}/record.json").content

    def sent() -> str:
        report = client.post("/analyse", files={"file": ("x.json", content)}).headers["location"]
        done(client, report)
        return kept(client, report)

    answered(client, sent(), 2)
    sent()
    assert [card.box for card in cards(client, "Ann")] == [1]


@pytest.mark.slow
def test_a_match_of_backgammon_comes_back_with_its_decisions_about_the_cube(client: TestClient) -> None:
    report = client.post("/analyse", files={"file": ("club.mat", MATCH.encode())}).headers["location"]
    done(client, report)
    for seat in (0, 1):
        there = kept(client, report, "Bob", seat)
    (spec,) = client.app.state.parts.tutor.files.read("Bob")  # type: ignore[attr-defined]
    game = make_game(spec)
    asked = set()
    while "What is best?" in (text := client.get(there).text):
        state = tuple(state_of(game, fields(text)["position"]).tolist())
        (card,) = [each for each in cards(client, "Bob") if each.state == state]
        if len(card.better) > 1:
            assert "Begin the move anew" in answered(client, there, *card.better[:-1])
        asked.add(game.action_text(card.better[0]) if len(card.better) == 1 else len(card.better))
        assert 'class="status over">Right<' in answered(client, there, *card.better)
    assert asked & {"take", "drop", "double", "roll"}
    assert asked & {2, 4}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"action": "4"}, "legal"),
        ({"position": "AAAA"}, "link is damaged"),
        ({"game": "achi"}, "damaged"),
        ({"played": "2", "action": "3"}, "more than one turn"),
        ({"action": "x"}, "whole number"),
    ],
)
def test_what_is_no_answer_is_a_sentence(client: TestClient, changed: dict[str, str], sentence: str) -> None:
    there = kept(client, lost_at_tic_tac_toe(client))
    before = cards(client, "Ann")
    answer = client.post(there, data={**fields(client.get(there).text), "action": "2", **changed})
    assert answer.status_code == 400
    assert sentence in answer.text
    assert cards(client, "Ann") == before


def test_the_cards_of_another_are_no_answer(client: TestClient) -> None:
    there = kept(client, lost_at_tic_tac_toe(client))
    form = {**fields(client.get(there).text), "action": "2"}
    assert "not among your mistakes" in client.post("/taught/Eve/mistakes", data=form).text


def test_cards_open_in_anki(client: TestClient, tmp_path: Path) -> None:
    pytest.importorskip("genanki", reason="the extra anki is not installed")
    there = kept(client, lost_at_tic_tac_toe(client))
    packages = [client.get(f"{there}.apkg").content for _ in range(2)]
    guids = []
    for content in packages:
        with zipfile.ZipFile(BytesIO(content)) as package:
            media = json.loads(package.read("media"))
            (tmp_path / "collection").write_bytes(package.read("collection.anki2"))
            pictures = {name: package.read(number) for number, name in media.items()}
        database = sqlite3.connect(tmp_path / "collection")
        notes = database.execute("SELECT guid, flds FROM notes").fetchall()
        decks = json.loads(database.execute("SELECT decks FROM col").fetchone()[0])
        assert database.execute("SELECT COUNT(*) FROM cards").fetchone()[0] == len(notes)
        database.close()
        guids.append([guid for guid, _ in notes])
        assert "Board games::Tic-tac-toe" in [deck["name"] for deck in decks.values()]
        assert len(notes) == len(cards(client, "Ann"))
        for _, text in notes:
            _, front, question, back, answer = text.split("\x1f")
            shown = [re.findall('<img src="(.*)">', side)[0] for side in (front, back)]
            assert all(pictures[name].startswith(b"<svg") for name in shown)
            assert pictures[shown[0]] != pictures[shown[1]]
            assert question == "O to move. What is best?"
            assert re.fullmatch(
                r"Better: \d(; as good: [\d, and]+)?\. You played \d, which gave away \d points?\.", answer
            )
    assert guids[0] == guids[1], "a card that is imported again is the same"


def test_a_report_and_its_contest_lead_to_each_other(client: TestClient) -> None:
    there = begun(client)
    for action in (4, 1, 0, 8, 6, 3, 2):
        post(client, there, "act", action=action)
    assert "Report of the contest" not in client.get(there).text
    report = lost_at_tic_tac_toe(client, there)
    assert f'<a href="{report}">Report of the contest</a>' in client.get(there).text
    assert f'<a href="{there}">Back to the contest</a>' in client.get(report).text
    post(client, there, "undo")
    post(client, there, "act", action=2)
    assert report not in client.get(there).text, "it is about what was played before"


def test_a_report_counts_the_errors_and_the_positions_that_come_back(client: TestClient) -> None:
    report = lost_at_tic_tac_toe(client)
    text = client.get(report).text
    (errors,) = re.findall(r'Errors</th><td class="figure">(\d+)</td><td class="figure">(\d+)', text)
    counts = re.findall(r"got wrong: (\d+) position", text)
    assert counts == [each for each in errors if each != "0"]
    assert "(draws); as good: " in text, "all of the best moves are named"
    client.post(f"{report}/mistakes", data={"name": "Ann", "seat": "1"})
    assert f"Tic-tac-toe: {errors[1]} position" in client.get("/taught/Ann/mistakes").text


@pytest.mark.parametrize("name", ["a/b", "-", "x" * 41])
def test_a_refused_name_stays_in_the_form_beside_the_sentence(client: TestClient, name: str) -> None:
    report = lost_at_tic_tac_toe(client)
    for path, fields in (("/mistakes", {}), ("/taught", {"game": "achi"}), (f"{report}/mistakes", {"seat": "1"})):
        answer = client.post(path, data={"name": name, **fields})
        assert answer.status_code == 400
        assert f'name="name" value="{name}"' in answer.text, path
        assert "A name has up to 40 letters" in answer.text
        assert "That did not work" not in answer.text


def test_the_file_for_anki_has_the_name_and_the_game(client: TestClient) -> None:
    pytest.importorskip("genanki", reason="the extra anki is not installed")
    kept(client, lost_at_tic_tac_toe(client))
    named = client.get("/taught/Ann/mistakes.apkg").headers["content-disposition"]
    assert named.endswith("mistakes-Ann-tic_tac_toe.apkg")
