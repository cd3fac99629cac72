"""Leagues, and what learners know, in the page without a browser."""

import csv
import re
from pathlib import Path
from shutil import copy
from urllib.parse import quote

import pytest

from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.league_folder import read_schedule, store_of
from boardgames_agents.league.league_tables import write_league
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.training.run import RunConfig, train
from tests.boardgames_cli.web.conftest import TestClient

CONTESTS = 4


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a league, the same before it was finished, and a league whose files are damaged."""
    made = tmp_path_factory.mktemp("runs")
    folder = made / "leagues" / "one & only"
    named = (Entrant("random"), Entrant("perfect"), Entrant("pubeval", "<i>pubeval"))
    entrants = (*named, Entrant.trained("menace", "<b>MENACE", contests=3))
    league = League(("tic_tac_toe",), entrants, CONTESTS)
    write_league(league, play(league, folder), folder)
    for name in ("damaged", "half", "unplayed"):
        (made / name).mkdir()
        copy(folder / "league.json", made / name)
    (made / "damaged" / "league.json").write_text('{"games": []}', encoding="utf-8")
    store_of(made / "half", read_schedule(folder).program).write_bytes(b"not a store at all" * 100)
    return made


LEAGUE = f"/leagues/{quote('leagues/one & only')}"


def test_every_league_is_listed(client: TestClient) -> None:
    text = client.get("/leagues").text
    assert LEAGUE in text
    assert "3 agents, 4 contests of each pair" in text
    assert "damaged/league.json is damaged" in text


def test_a_damaged_league_is_refused_in_one_sentence(client: TestClient, place: Path) -> None:
    for name in ("damaged", "half"):
        answer = client.get(f"/leagues/{name}")
        assert answer.status_code == 400
        assert str(place) not in answer.text


def test_the_tables_of_a_league(client: TestClient, place: Path) -> None:
    text = client.get(LEAGUE).text
    assert "&lt;b&gt;MENACE" in text
    assert "<b>MENACE" not in text
    assert "&lt;i&gt;pubeval is left out at tic_tac_toe" in text
    with (place / "leagues" / "one & only" / "players.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = re.findall(r'<tr><td>\d</td><th scope="row">([^<]+)</th><td class="figure">[+-]\d+ ± \d+', text)
    assert names == [row["agent"].replace("<", "&lt;").replace(">", "&gt;") for row in rows]
    for row in rows:
        assert f'<td class="figure">{float(row["power"]):.1f} (' in text
        assert f"{round(float(row['rating'])):+d} ± {round(float(row['rating_error']))}" in text
    assert text.count('class="figure shade') == 6


def test_a_league_that_is_not_finished_says_so(client: TestClient) -> None:
    assert "is not finished" in client.get("/leagues/unplayed").text
    assert "is not finished" not in client.get(LEAGUE).text


def test_the_contests_of_a_pair_are_replayed(client: TestClient) -> None:
    text = client.get(LEAGUE).text
    link = re.search(r'href="([^"]+)" title="&lt;b&gt;MENACE against perfect', text)
    assert link
    text = client.get(link[1].replace("&amp;", "&")).text
    assert text.count(">Replay<") == CONTESTS
    fields = {"game": "tic_tac_toe", "a": "<b>MENACE", "b": "perfect", "number": 2}
    listed = client.get("/contests").text
    there = client.post(LEAGUE, data=fields).headers["location"]
    assert client.get("/contests").text == listed, "it is none of one's own contests"
    shown = client.get(there).text
    assert "The position after 0 of" in shown
    assert "&lt;b&gt;MENACE" in shown
    again = client.post(f"{there.partition('?')[0]}/again", data={}).headers["location"]
    assert again in client.get("/contests").text
    for _ in range(2):
        step = client.post(f"{again}/step", data={}, headers={"HX-Request": "true"})
        assert step.status_code == 200, "both agents can be made"
    for wrong in ({**fields, "number": CONTESTS + 1}, {**fields, "a": "nobody"}, {**fields, "game": "achi"}, {}):
        assert client.post(LEAGUE, data=wrong).status_code == 400


def test_other_folders_are_no_leagues(client: TestClient, place: Path) -> None:
    (place / "out").symlink_to(place / "leagues" / ".." / "..")
    for name in ("leagues", "nothing", "leagues/one & only/runs", "..%2f", "out"):
        assert client.get(f"/leagues/{quote(name)}").status_code == 404, name


def test_the_runs_of_a_league_are_listed(client: TestClient) -> None:
    assert f"/runs/{quote('leagues/one & only')}/runs/" in client.get("/runs").text


@pytest.mark.slow
def test_what_a_learner_knows_is_drawn(client: TestClient, place: Path) -> None:
    train(place / "hoyle", RunConfig("tic_tac_toe", "hoyle", "random", 6))
    text = client.get("/knowledge/hoyle?number=2").text
    assert "significant and dangerous states" in text
    assert "Significant states" in text
    assert text.count('<li class="chart">') >= 2
    assert text.count('class="region"') > 4, "forks are marked"
    assert 'class="part"' in text
    assert "?number=26" in text
    assert client.get("/knowledge/hoyle?number=1000").status_code == 400
    assert client.get("/knowledge/nothing").status_code == 404


def test_every_learner_has_a_page_of_knowledge(client: TestClient, place: Path) -> None:
    train(place / "menace", RunConfig("tic_tac_toe", "menace", "random", 3))
    text = client.get("/knowledge/menace").text
    assert "<dt>boxes</dt>" in text
    assert "the beads of a matchbox" in text
