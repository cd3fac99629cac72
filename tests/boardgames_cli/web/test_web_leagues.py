"""Leagues, and what learners know, in the page without a browser."""

import csv
import re
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.league_folder import match_store_in, read_league_folder
from boardgames_agents.league.league_tables import pairs_data, players_data, times_data
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.training.run import RunConfig, train

if TYPE_CHECKING:
    from starlette.testclient import TestClient

CONTESTS = 4


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a league, the same before it was finished, and a league whose files are damaged."""
    made = tmp_path_factory.mktemp("runs")
    folder = made / "leagues" / "one & only"
    entrants = (Entrant("random"), Entrant("perfect"), Entrant.trained("menace", "<b>MENACE", contests=3))
    found = play(League(("tic_tac_toe",), entrants, CONTESTS), folder)
    for name, data in (("players", players_data), ("pairs", pairs_data), ("times", times_data)):
        (folder / f"{name}.csv").write_text(data(found).csv())
    (folder / "tables.md").write_text("| a |\n\n* A note on `this` <script>.\n")
    (folder / "league.png").write_bytes(b"\x89PNG")
    store = match_store_in(folder)
    assert store
    for name in ("unfinished", "damaged"):
        (made / name).mkdir()
        copy(store, made / name)
    (made / "damaged" / "pairs.csv").write_text("game,a,b\nx,y,z\n")
    (made / "half").mkdir()
    (made / "half" / "contests-0.sqlite").write_bytes(b"not a store at all" * 100)
    return made


LEAGUE = f"/leagues/{quote('leagues/one & only')}"


def test_every_league_is_listed(client: "TestClient") -> None:
    text = client.get("/leagues").text
    assert LEAGUE in text
    assert "3 agents, finished" in text
    assert "3 agents, not finished" in text
    assert "pairs.csv is damaged" in text
    assert "half/contests-0.sqlite" in text


def test_a_damaged_league_is_refused_in_one_sentence(client: "TestClient", place: Path) -> None:
    for name in ("damaged", "half"):
        answer = client.get(f"/leagues/{name}")
        assert answer.status_code == 400
        assert str(place) not in answer.text


def test_the_tables_of_a_league(client: "TestClient", place: Path) -> None:
    text = client.get(LEAGUE).text
    assert "&lt;b&gt;MENACE" in text
    assert "<b>MENACE" not in text
    assert "A note on <code>this</code> &lt;script&gt;." in text
    with (place / "leagues" / "one & only" / "players.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = re.findall(r'<tr><td>\d</td><th scope="row">([^<]+)</th><td class="figure">[+-]\d+ ± \d+', text)
    assert names == [row["agent"].replace("<", "&lt;").replace(">", "&gt;") for row in rows]
    for row in rows:
        assert f"{float(row['power']):.1f} <span" in text
        assert f"{round(float(row['rating'])):+d} ± {round(float(row['rating_error']))}" in text
    assert text.count('class="figure shade') == 6
    assert client.get(f"/league-charts/{quote('leagues/one & only')}").content == b"\x89PNG"
    assert client.get("/league-charts/unfinished").status_code == 404


def test_an_unfinished_league_has_the_same_scores(client: "TestClient", place: Path) -> None:
    finished, begun = (read_league_folder(place / name).games[0] for name in ("leagues/one & only", "unfinished"))
    assert [each.score.wins for each in finished.places] == [each.score.wins for each in begun.places]
    assert [each.spec for each in finished.places] == [each.spec for each in begun.places]
    assert "is not finished" in client.get("/leagues/unfinished").text


def test_the_contests_of_a_pair_are_replayed(client: "TestClient") -> None:
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
        assert (
            client.post(f"{again}/step", data={}, headers={"HX-Request": "true"}).status_code == 200
        )  # (both agents can be made)
    assert client.post(LEAGUE, data={**fields, "number": CONTESTS + 1}).status_code == 400
    assert client.post(LEAGUE, data={**fields, "a": "nobody"}).status_code == 400
    assert client.post(LEAGUE, data={**fields, "game": "achi"}).status_code == 400
    assert client.post(LEAGUE, data={}).status_code == 400


@pytest.mark.parametrize("name", ["leagues", "nothing", "leagues/one & only/runs", "..%2f", "out"])
def test_other_folders_are_no_leagues(client: "TestClient", place: Path, name: str) -> None:
    if not (place / "out").exists():
        (place / "out").symlink_to(place / "leagues" / ".." / "..")
    for page in ("leagues", "league-charts"):
        assert client.get(f"/{page}/{quote(name)}").status_code == 404


def test_a_chart_elsewhere_is_not_sent(client: "TestClient", place: Path) -> None:
    outside = place.parent / "secret.png"
    outside.write_bytes(b"secret")
    (place / "unfinished" / "league.png").symlink_to(outside)
    assert client.get("/league-charts/unfinished").status_code == 404


def test_the_runs_of_a_league_are_listed(client: "TestClient") -> None:
    assert f"/runs/{quote('leagues/one & only')}/runs/" in client.get("/runs").text


@pytest.mark.slow
def test_what_a_learner_knows_is_drawn(client: "TestClient", place: Path) -> None:
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


def test_every_learner_has_a_page_of_knowledge(client: "TestClient", place: Path) -> None:
    train(place / "menace", RunConfig("tic_tac_toe", "menace", "random", 3))
    text = client.get("/knowledge/menace").text
    assert "<dt>boxes</dt>" in text
    assert "the beads of a matchbox" in text
