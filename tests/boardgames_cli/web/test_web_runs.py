"""Runs in the page, without a browser."""

import html
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from boardgames_agents.arena.score import Score
from boardgames_agents.training.run import RunConfig, RunVerdict, train, write_verdict
from boardgames_env.json_file import write_json
from tests.boardgames_cli.web.conftest import HERE, TestClient

LEARNER, CONTESTS = "q_learning(alpha=0.5)", 40
PART = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: one that has ended, and one in a folder, with a name that addresses must quote."""
    made = tmp_path_factory.mktemp("runs")
    config = RunConfig("tic_tac_toe", LEARNER, "self", CONTESTS, test_every=20, test_contests=2, checkpoint_every=20)
    train(made / "first", config)
    train(made / "more" / "a (b=1) & c", RunConfig("tic_tac_toe", "menace", "random", 3))
    return made


def test_every_run_is_listed(client: TestClient) -> None:
    text = client.get("/runs").text
    assert 'href="/runs/first"' in text
    assert f"Finished after {CONTESTS} contests" in text
    assert 'href="/runs/more/a%20%28b%3D1%29%20%26%20c"' in text
    assert client.get("/runs/more/a%20%28b%3D1%29%20%26%20c").status_code == 200


def test_runs_are_compared_as_a_table_of_their_last_results(client: TestClient) -> None:
    assert 'href="/runs?compared"' in client.get("/runs").text
    text = html.unescape(client.get("/runs?compared").text)
    cells = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>.*?</tr>", text)]
    assert len({len(row) for row in cells}) == 1
    first = dict(zip(cells[0], next(row for row in cells if ">first<" in row[0]), strict=True))
    assert (first["Learner"], first["Trainer"], first["Contests"]) == (LEARNER, "self", str(CONTESTS))
    assert 0 <= float(first["Power: random"]) <= 100


def test_a_damaged_run_is_listed_with_a_sentence(client: TestClient, place: Path) -> None:
    wrong = ("{", "[]", '{"game": 1}', "\0", '{"game": "x", "learner": "y", "trainer": "z", "contests": "1"}')
    for number, content in enumerate(wrong):
        folder = place / f"damaged-{number}"
        folder.mkdir()
        (folder / "config.json").write_text(content, encoding="utf-8")
        text = client.get("/runs").text
        compared = client.get("/runs?compared").text
        assert all(f"{folder.name}/config.json is damaged" in each for each in (text, compared))
        assert str(place) not in text + compared
        answer = client.get(f"/runs/{folder.name}")
        assert (answer.status_code, str(place) in answer.text) == (400, False)


def test_a_damaged_log_or_checkpoint_or_test_leaves_the_rest_of_the_page(client: TestClient, place: Path) -> None:
    train(place / "broken", RunConfig("tic_tac_toe", "menace", "random", 4, test_every=2, test_contests=1))
    assert "<polyline" in client.get("/runs/broken").text
    (place / "broken" / "test.json").write_text("{}", encoding="utf-8")
    events = next((place / "broken").glob("events*"))
    events.write_bytes(b"\x05" + bytes(11) + b"\xff" * 9)
    text = client.get("/runs/broken").text
    assert "test.json is damaged" in text
    assert "is damaged" in text.replace("test.json is damaged", "")
    for file in (place / "broken").glob("checkpoints/*/checkpoint.json"):
        file.write_text("{", encoding="utf-8")
    assert client.get("/runs/broken").status_code == 400
    assert client.get("/runs").status_code == 200


def test_the_page_of_a_run_has_its_settings_and_curves(client: TestClient) -> None:
    text = client.get("/runs/first").text
    for word in (LEARNER, "tic_tac_toe", "test every", "Power in tests, %", "against the challenger"):
        assert word in text
    assert text.count("<polyline") == 8  # (power and reliability against four challengers)
    assert "Power in tests, % over contests: expert" in text
    assert "delay:1s" not in text


def test_the_curves_can_be_chosen(client: TestClient) -> None:
    text = client.get("/runs/first", params={"curves": ["training/plies", "nothing"]}).text
    assert text.count("<polyline") == 1
    assert "The number of plies of the contest" in text
    assert re.search(r'value="training/plies" checked', text)
    assert not re.search(r'value="power" checked', text)


def test_a_run_is_an_opponent(client: TestClient, place: Path) -> None:
    text = client.get("/runs/first").text
    link = re.search(r'href="(/new[^"]+)">Play against', text)
    assert link
    there = link[1].replace("&amp;", "&")
    form = client.get(there).text
    assert f"{LEARNER}, trained in first" in form
    fields = {name: values[0] for name, values in parse_qs(urlsplit(there).query).items()}
    contest = client.post("/contests", data=fields).headers["location"]
    answer = client.post(f"{contest}/act", data={"version": 1, "action": 4}, headers=PART).text
    assert f"{LEARNER}, trained in first" in answer
    assert "Your move" in answer


def test_the_result_of_a_test_is_shown(client: TestClient, place: Path) -> None:
    assert "not been tested yet" in client.get("/runs/first").text
    score = Score(wins=3, draws=1, losses=1)
    write_verdict(place / "first", RunVerdict(CONTESTS, 5, 0, {"perfect": score}, {"perfect": 0.0}, False, ("power",)))
    text = client.get("/runs/first").text
    assert "Fails the game players&#39; Turing test: power." in text
    assert "60.0" in text
    assert "Fails" in client.get("/runs").text


def test_other_folders_are_not_shown(client: TestClient, place: Path) -> None:
    (place / "out").symlink_to(place.parent)
    for name in ("../runs", "first/..", "first/../first", "/etc", "first//", "out", "first/checkpoints/../..", "a\0b"):
        assert client.get(f"{HERE}/runs/{quote(name, safe='')}").status_code == 404, name


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of folders are in Unicode always")
def test_folders_with_names_of_no_encoding_are_not_shown(client: TestClient, place: Path) -> None:
    odd = place / os.fsdecode(b"caf\xe9")
    shutil.copytree(place / "first", odd)
    assert [client.get(page).status_code for page in ("/runs", "/leagues", "/runs/caf%E9")] == [200, 200, 404]
    assert "caf" not in client.get("/runs").text
    shutil.rmtree(odd)


def test_a_run_that_another_process_trains_is_watched(client: TestClient, place: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (place / "first" / "lock").open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = client.get("/runs/first").text
        assert f"In training: {CONTESTS} of {CONTESTS} contests" in text
        assert f"It plays itself, after {CONTESTS} contests" in text
        more = re.search(r'id="live" hx-get="([^"]+)"', text)
        assert more
        there = more[1].replace("&amp;", "&")
        assert f"trained={CONTESTS}&amp;number=2" in client.get(there, headers=PART).text
    assert client.get(there, headers=PART).headers["hx-refresh"] == "true"
    assert "In training" not in client.get("/runs/first").text


def test_the_page_names_the_commands_and_starts_none(client: TestClient, place: Path) -> None:
    def stop(contests: int) -> None:
        if contests == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(place / "stopped", RunConfig("tic_tac_toe", "menace", "random", 8, checkpoint_every=2), stop)
    text = client.get("/runs/stopped").text
    assert f"boardgames train --run {place.name}/stopped" in text
    assert f"boardgames test {place.name}/stopped" in text
    assert "boardgames train --run" not in client.get("/runs/first").text
    assert "<button name" not in text
    assert client.post("/runs/first", data={"do": "train"}).status_code == 405
    assert client.get("/train").status_code == 404


def test_the_page_runs_no_code_of_a_run_from_elsewhere(client: TestClient, place: Path) -> None:
    run = place / "stranger"
    train(run, RunConfig("tic_tac_toe", "hoyle", "random", 2, checkpoint_every=2))
    text = (run / "config.json").read_text(encoding="utf-8")
    data = {name: value for name, value in json.loads(text).items() if name != "sha256"}
    write_json(run / "config.json", {**data, "imports": [str(run / "evil.py")]})
    (run / "evil.py").write_text(f"open({str(run / 'mark')!r}, 'w', encoding='utf-8').close()", encoding="utf-8")
    for address in ("/runs", "/runs/stranger"):
        assert client.get(address).status_code == 200
    answer = client.get("/knowledge/stranger")
    assert answer.status_code == 400
    assert "if you trust it, give --import" in answer.text
    assert str(place) not in answer.text
    assert not (run / "mark").exists()


def test_any_agent_is_tested_exactly(client: TestClient) -> None:
    def asked(game: str, agent: str) -> Any:
        return client.get("/exact-test", params={"game": game, "agent": agent})

    assert '<input name="agent"' in client.get("/exact-test").text
    text = asked("tic_tac_toe", "perfect").text
    assert re.findall(r'<th scope="row">X</th><td class="figure">([\d.]+)', text) == ["0.0000"]
    for game, agent, why in (
        ("nine_mens_morris", "random", "too large to be tested exactly on a page"),
        ("tic_tac_toe", "mcts", "cannot be tested exactly"),
        ("tic_tac_toe", "sb3(file='/etc/passwd')", "may name only files in runs"),
        ("tic_tac_toe", "<b>", "is not a spec"),
    ):
        answer = asked(game, agent)
        assert answer.status_code == 400
        assert why in html.unescape(answer.text)


def test_the_page_of_a_run_of_a_small_game_leads_to_its_exact_test(client: TestClient) -> None:
    address = re.search(r'href="(/exact-test[^"]+)"', client.get("/runs/first").text)
    assert address
    assert "random</th>" in client.get(html.unescape(address[1])).text


def test_pages_and_their_links_keep_no_path_of_the_server(client: TestClient, place: Path) -> None:
    run = client.get("/runs/first").text
    addresses = [html.unescape(each) for each in re.findall(r'href="(/(?:new|exact-test)\?[^"]*)"', run)]
    assert len(addresses) == 3
    seen = [run, *(client.get(each).text for each in addresses)]
    form = {"game": "tic_tac_toe", "player0": "human", "player1": parse_qs(urlsplit(addresses[0]).query)["player1"][0]}
    assert form["player1"] == "trained(run='first')"
    there = client.post("/contests", data=form).headers["location"]
    seen += [client.get(f"{there}{each}").text for each in ("", "/thinkers", "/record.json")]
    asked = re.findall(r'name="who" value="(trained[^"]*)"', seen[-2])
    assert html.unescape(asked[0]) == form["player1"]
    seen.append(client.get(f"{there}/thoughts", params={"who": form["player1"]}).text)
    assert "trained in first" in seen[-1]
    loaded = client.post("/load", files={"file": ("x.json", client.get(f"{there}/record.json").content)})
    seen.append(client.get(loaded.headers["location"]).text)
    in_folder = "trained(run='more/a (b=1) & c')"
    seen.append(client.get("/new", params={"game": "tic_tac_toe", "player0": in_folder}).text)
    assert "trained in more/a (b=1) &amp; c" in seen[-1]
    assert [text for text in seen if str(place.resolve()) in html.unescape(text)] == []
