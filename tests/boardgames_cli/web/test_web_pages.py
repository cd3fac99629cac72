"""The pages, without a browser."""

import html
import json
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardgames_agents.people.language import player
from boardgames_agents.people.session import PlaySession
from boardgames_agents.registry import registered_agents
from boardgames_cli.web.overlay import journeys, spots
from boardgames_cli.web.pages.gallery import drawn_picture
from boardgames_cli.web.sitting import new_sitting, session_of
from boardgames_env import BadInputError, make_game, registered_games
from boardgames_env.contest import turns
from boardgames_env.files import checksum
from boardgames_env.games.backgammon.notation.match_file import parse_match
from boardgames_env.games.backgammon.rules.backgammon_board import DICE, ROLLING, STAGE, STEPS
from boardgames_env.match_score import MatchScore
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg
from tests.boardgames_agents.people.language.chats import Chats, serving
from tests.boardgames_cli.web.conftest import HERE, TestClient, client_of

OPTIONS_OF_HOYLE = "/agents/options?seat=0&game=achi&agent0=hoyle"
PLAIN = ["achi", "backgammon", "nine_mens_morris", "gomoku", "mu_torere", "english_draughts"]
"""Games whose options are documented with markup."""

THERE = {"game": "tic_tac_toe", "player0": "human", "player1": "human"}


def begun(client: TestClient, **fields: str) -> str:
    """Begin a contest and return its address."""
    answer = client.post("/contests", data={**THERE, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def post(client: TestClient, there: str, name: str, **fields: Any) -> Any:
    """Post to a contest in the version that its page shows."""
    version = stored(client, there).version
    return client.post(f"{there}/{name}", data={"version": version, **fields}, headers={"HX-Request": "true"})


def stored(client: TestClient, there: str) -> Any:
    return client.app.state.parts.store.get(there.rpartition("/")[2])  # type: ignore[attr-defined]


MATCH_WAY = "Match to {match_length} points, with cube and Crawford rule"


def legal(client: TestClient, there: str) -> list[str]:
    """Return the actions that the page of a contest offers."""
    return re.findall(r'name="action" value="(\d+)"', client.get(there).text)


def test_every_game_is_in_the_gallery(client: TestClient) -> None:
    text = client.get("/").text
    for name in registered_games():
        assert f'href="/new?game={name}"' in text
        assert f'href="/games/{name}"' in text
        assert make_game(name).title.replace("'", "&#39;") in text


def test_the_gallery_leads_to_each_group_whose_best_known_games_come_first(client: TestClient) -> None:
    text = client.get("/").text
    jumps = re.findall(r'<a href="#(group-\d)">([^<]+)</a>', text)
    assert jumps == re.findall(r'<h2 id="(group-\d)">([^<]+)</h2>', text)
    for part in text.split("<h2")[1:5]:
        names = re.findall(r'href="/games/(\w+)"', part)
        known = [registered_games()[name].is_well_known for name in names]
        assert any(known), names
        assert known == sorted(known, reverse=True), names
        hidden = [bool(make_game(name).own_rules) for name in names]
        assert hidden == sorted(hidden)


def test_the_editor_without_a_game_offers_all_by_links(client: TestClient) -> None:
    text = client.get("/editor").text
    assert set(re.findall(r'href="/editor\?game=(\w+)"', text)) == set(registered_games())
    assert "<select" not in text


@pytest.mark.parametrize("score", ["2-3", "2 : 3", "(2, 3)", "2, 3"])
def test_a_score_is_read_as_people_write_it_and_money_rules_are_not_those_of_a_match(
    client: TestClient, score: str
) -> None:
    form = {"way": MATCH_WAY, "game.match_length": "5", "game.score": score, "game.jacoby": "True"}
    there = begun(client, game="backgammon", **form)
    assert stored(client, there).game == "backgammon(cube=True, match_length=5, score=(2, 3))"
    form = {**form, "way": "Money, with the cube"}
    assert stored(client, begun(client, game="backgammon", **form)).game == "backgammon(cube=True, jacoby=True)"


def test_a_match_is_one_row_of_the_list_of_the_browser_that_plays_it(folder: Path) -> None:
    settings = {"store": folder / "rows.sqlite", "runs": folder / "runs"}
    client, other = client_of(HERE, **settings), client_of(HERE, **settings)
    first = begun(client, game="backgammon", player1="random", way=MATCH_WAY, **{"game.match_length": "5"})
    post(client, first, "resign", points=1)
    row = client.get("/contests").text
    assert all(words in row for words in ("against Random player", "You lose", "match to 5: white 0, black 1")), row
    assert f'action="{first}/analysis"' in row
    second = post(client, first, "again").headers["hx-redirect"]
    assert re.findall(r'<a href="(/contests/[^"?]+)"', client.get("/contests").text) == [second]
    assert "There are none yet" in other.get("/contests").text
    assert "Your contests" not in other.get("/").text
    assert other.get(second).status_code == 200, "it has a link"


def test_the_first_form_of_a_game_compiles_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def unknown(self: object, game: object, seconds: float) -> None:
        return None

    monkeypatch.setattr("boardgames_cli.web.thinking.Offers.levels", unknown)
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    monkeypatch.setattr("boardgames_env.kernels.Kernel._compile", lambda self: pytest.fail(f"{self} is compiled"))
    shown = client.get("/new?game=backgammon").text
    monkeypatch.undo()
    assert picture(shown) in draw_svg(make_game("backgammon").initial)


@pytest.mark.parametrize("name", ["achi", "five_mens_morris", "backgammon"])
def test_a_game_has_a_page_a_picture_and_a_form(client: TestClient, name: str) -> None:
    assert "<h2>Rules</h2>" in client.get(f"/games/{name}").text
    assert client.get(f"/pictures/{name}.svg").text == drawn_picture(name)
    text = client.get(f"/new?game={name}").text
    for option in registered_games()[name].options:
        assert f'name="game.{option}"' in text


@pytest.mark.parametrize("name", registered_games())
def test_rules_are_for_players_and_the_research_is_one_fold_away(client: TestClient, name: str) -> None:
    text = client.get(f"/games/{name}").text
    rules, research = text.split("<summary>For researchers</summary>")
    assert len(rules[rules.index("<h2>Rules</h2>") :]) > 90
    for word in ("<code>", "Seat", "seat", "paper", "Epstein", "option", "<h2>Actions"):
        assert word not in rules[rules.index("<article") :]
    headings = [line[3:] for line in registered_games()[name].page.splitlines() if line.startswith("## ")]
    assert [each for each in headings if f"<h2>{each}</h2>" not in research] == []
    pictures = {client.get(address).text for address in re.findall(r'src="(/pictures/[^"]*)"', rules)}
    assert len(pictures) == 3
    assert client.get(f"/pictures/{name}.svg?at=noon").status_code == 404


def test_the_options_of_an_agent_are_fields(client: TestClient) -> None:
    text = client.get("/agents/options?seat=1&game=achi&agent1=alpha_beta").text
    for option in ("nodes", "depth", "width", "tables"):
        assert f'name="player1.{option}"' in text
    assert 'value="20000"' in text
    for_players, _, research = text.partition('<div id="options1"')
    assert "Tries the moves and answers as far as it has time." in for_players
    assert "White is played by <code>alpha_beta</code>: Minimax" in research
    assert client.get("/agents/options?seat=0&game=achi&agent0=").status_code == 200


def test_a_level_that_a_link_has_as_a_spec_is_chosen_as_a_level(client: TestClient) -> None:
    text = ""
    while 'name="level"' not in text:  # (the game is solved first)
        text = client.get("/new?game=tic_tac_toe&player1=fallible(e=0.1)").text
    assert 'value="hard" checked' in text
    assert "<details><summary>More players" in text
    assert text.count("<summary>For researchers") == 1
    for_players, _, research = text.partition("<summary>For researchers")
    assert "fallible(e" not in re.sub(r'value="[^"]*"', "", for_players)
    assert "<code>fallible(e=0.1)</code>" in research


def test_options_that_are_filled_in_are_in_the_spec(client: TestClient) -> None:
    options = {"player1": "mcts", "player1.playouts": "20", "player1.c": "1.4", "game.adjacent": "True"}
    sitting = stored(client, begun(client, game="achi", **options))
    assert (sitting.game, sitting.players) == ("achi(adjacent=True)", ("human", "mcts(playouts=20)"))


@pytest.mark.parametrize(
    ("way", "length", "expected"), [
        ("Single game", "5", "backgammon"),
        ("Money, with the cube", "5", "backgammon(cube=True)"),
        (MATCH_WAY, "7", "backgammon(cube=True, match_length=7, score=(0, 0))"),
    ]
)  # fmt: skip
def test_backgammon_is_chosen_as_people_say_it(client: TestClient, way: str, length: str, expected: str) -> None:
    text = client.get("/new?game=backgammon").text
    assert [html.unescape(each) for each in re.findall(r'name="way" value="([^"]*)"', text)] == list(
        registered_games()["backgammon"].ways
    )
    form = {"way": way, "game.match_length": length, "game.cube": "", "game.jacoby": "False"}
    assert stored(client, begun(client, game="backgammon", **form)).game == expected
    answer = client.post("/contests", data={**THERE, "game": "backgammon", "way": "for fun"})
    assert (answer.status_code, "no way to play" in answer.text) == (400, True)
    form = {"way": MATCH_WAY, "game.match_length": " "}
    answer = client.post("/contests", data={**THERE, "game": "backgammon", **form})
    assert answer.status_code == 400
    assert "Match length is empty" in answer.text


def test_the_way_and_the_options_of_an_address_are_chosen_in_the_form(client: TestClient) -> None:
    text = client.get("/new?game=backgammon(cube=True,match_length=9)").text
    assert re.search(f'value="{re.escape(MATCH_WAY)}" checked', text)
    assert 'name="game.match_length" value="9"' in text
    text = client.get("/new?game=nine_mens_morris(fly_at=3)").text
    assert re.search(r'name="game.fly_at" value="3" checked> <span>Men may fly when three are left', text)
    unticked = {"game": "nine_mens_morris(fly_at=3)", "game.fly_at": "0"}
    assert stored(client, begun(client, **unticked)).game == "nine_mens_morris"
    assert 'name="game.fly_at" value="4"' in client.get("/new?game=nine_mens_morris(fly_at=4)").text


def test_the_computer_plays_either_side_at_the_strength_that_was_chosen(client: TestClient) -> None:
    players = stored(client, begun(client, player0="computer", level="perfect")).players
    assert players == ("perfect", "human")
    players = stored(client, begun(client, player1="computer", level="easy", agent1="random")).players
    assert players == ("human", "random")


@pytest.mark.parametrize(
    "path", ["/", "/agents/options?seat=0&game=achi&agent0=hoyle", *map("/new?game={}".format, PLAIN)]
)
def test_no_text_of_the_registry_has_markup(client: TestClient, path: str) -> None:
    assert "`" not in client.get(path).text


def test_a_forced_turn_is_one_button_and_a_turn_is_taken_back_man_by_man(client: TestClient) -> None:
    seen = 0
    there = begun(client, game="hypergammon")
    while seen < 2:
        session = session_of(stored(client, there))
        position = session.position
        text, forced = client.get(there).text, position.only_move()
        offered = re.findall(r'name="actions" value="([^"]*)"', text)
        assert offered == (["-".join(map(str, forced))] if len(forced) > 1 else [])
        before = stored(client, there).actions
        if position.is_over:
            there = begun(client, game="hypergammon")
        elif offered and not session.is_within_turn:
            seen += 1
            post(client, there, "act", actions=offered[0])
            assert stored(client, there).actions == (*before, *forced)
            post(client, there, "undo")
            assert stored(client, there).actions == before
            for action in forced[:-1]:
                post(client, there, "act", action=action)
            post(client, there, "undo")
            assert stored(client, there).actions == (*before, *forced[:-2])
            for action in forced[len(forced) - 2 :]:
                post(client, there, "act", action=action)
        else:
            post(client, there, "act", action=position.legal_actions[0])


@pytest.mark.parametrize("path", ["/", "/games/achi", "/new?game=achi", "/runs", "/leagues", "/taught", "/contests"])
def test_links_lead_somewhere(client: TestClient, path: str) -> None:
    begun(client)
    links = {html.unescape(each) for each in re.findall(r'href="(/[^"#]*)', client.get(path).text)}
    found = {each: client.get(each).status_code for each in links if "game=" not in each or "achi" in each}
    assert {each: code for each, code in found.items() if code >= 400} == {}


def test_a_contest_of_two_people(client: TestClient) -> None:
    there = begun(client)
    for action in (0, 3, 1, 4):
        assert post(client, there, "act", action=action).status_code == 200
    text = post(client, there, "act", action=2).text
    assert "X wins" in text
    assert "The line" in text or "has the line" in text
    assert post(client, there, "act", action=5).status_code == 400
    assert "after 2 of 5" in client.get(f"{there}?after=2").text


def test_the_computer_answers_and_moves_are_taken_back(client: TestClient) -> None:
    there = begun(client, player1="perfect")
    assert "a perfect player" in post(client, there, "act", action=0).text
    assert len(stored(client, there).actions) == 2
    assert "draws" in post(client, there, "hint").text
    post(client, there, "undo")
    assert stored(client, there).actions == ()
    post(client, there, "swap")
    assert stored(client, there).players == ("perfect", "human")
    assert len(stored(client, there).actions) == 1
    assert "You lose" in post(client, there, "resign").text
    assert stored(client, there).points == 1
    again = post(client, there, "again").headers["hx-redirect"]
    assert stored(client, again).players == ("perfect", "human")


def test_two_agents_play_turn_by_turn(client: TestClient) -> None:
    there = begun(client, player0="random", player1="random")
    for number in (1, 2, 3):
        post(client, there, "step")
        assert len(stored(client, there).actions) == number


def test_a_page_that_is_out_of_date_changes_nothing(client: TestClient) -> None:
    there = begun(client)
    for status in (200, 409):
        answer = client.post(f"{there}/act", data={"version": 1, "action": 4}, headers={"HX-Request": "true"})
        assert answer.status_code == status
    assert answer.text == "The contest has gone on since this page was shown; reload it"
    assert stored(client, there).actions == (4,)


def test_dice_come_from_the_seed_and_a_link_restores_a_position(client: TestClient) -> None:
    there = begun(client, game="hypergammon")
    for _ in range(3):
        post(client, there, "act", action=legal(client, there)[0])
    sitting, text = stored(client, there), client.get(there).text
    link = re.search(r'href="(/new[^"]+)">Link', text)
    assert link
    shown = client.get(link[1].replace("&amp;", "&")).text
    assert picture(shown) == picture(text)
    fields = dict(re.findall(r'name="(actions|events)" value="([^"]*)"', shown))
    again = stored(client, begun(client, game="hypergammon", **fields))
    assert (again.actions, again.events) == (sitting.actions, sitting.events)


def picture(text: str) -> str:
    return text[text.index("<svg") : text.index("</svg>")]


def test_a_contest_is_saved_and_loaded(client: TestClient) -> None:
    there = begun(client, player1="random")
    post(client, there, "act", action=4)
    content = client.get(f"{there}/record.json").content
    loaded = client.post("/load", files={"file": ("x.json", content)}).headers["location"]
    one, other = stored(client, there), stored(client, loaded)
    assert (one.actions, one.players, one.seed) == (other.actions, other.players, other.seed)
    assert client.post("/load", files={"file": ("x.json", content[:-5])}).status_code == 400


def test_a_new_server_goes_on_with_the_contests(client: TestClient, folder: Path) -> None:
    there = begun(client, player1="easy")
    post(client, there, "act", action=4)
    before = stored(client, there)
    with client_of(HERE, store=folder / "contests.sqlite", runs=folder / "runs") as restarted:
        assert stored(restarted, there) == before
        restarted.cookies.update(client.cookies)
        assert there in restarted.get("/").text
        free = next(action for action in range(9) if action not in before.actions)
        assert post(restarted, there, "act", action=free).status_code == 200
        assert len(stored(restarted, there).actions) == 4


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """What agents wait for before they choose."""
    goes_on = threading.Event()
    advance = PlaySession.advance

    def advance_later(session: PlaySession) -> int:
        assert goes_on.wait(10)
        return advance(session)

    monkeypatch.setattr(PlaySession, "advance", advance_later)
    monkeypatch.setattr("boardgames_cli.web.pages.contest._PATIENCE", 0.05)
    return goes_on


def test_a_move_is_taken_back_while_an_agent_thinks(client: TestClient, slow: threading.Event) -> None:
    there = begun(client, player1="random")
    assert "is thinking" in post(client, there, "act", action=0).text
    post(client, there, "undo")
    slow.set()
    while client.app.state.parts.thinkers.is_playing(stored(client, there)):  # type: ignore[attr-defined]
        pass
    text = post(client, there, "act", action=4).text
    while "is thinking" in text:
        text = client.get(there).text
    assert len(stored(client, there).actions) == 2


def test_an_agent_that_fails_is_asked_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(session: PlaySession) -> int:
        raise BadInputError("out of order")

    there = begun(client, player1="random")
    with monkeypatch.context() as broken:
        broken.setattr(PlaySession, "advance", fail)
        answer = post(client, there, "act", action=4)
        assert (answer.status_code, answer.text) == (400, "Out of order")
    client.get(there)
    assert len(stored(client, there).actions) == 2


def test_a_file_that_cannot_be_written_is_one_sentence(folder: Path) -> None:
    client = client_of(HERE, store=folder / "full.sqlite", runs=folder / "runs")
    there = begun(client)
    client.app.state.parts.store._database.execute("PRAGMA query_only = 1")  # type: ignore[attr-defined]
    answer = post(client, there, "act", action=4)
    assert (answer.status_code, answer.text.count("cannot be used")) == (400, 1)
    assert client.get(there).status_code == 200


@pytest.mark.parametrize("has_log", [False, True])
def test_contests_are_kept_where_processes_cannot_share_memory(tmp_path: Path, has_log: bool) -> None:
    """SQLite's log needs such memory, and folders of a network have none; here a folder has the name of its file."""
    path = tmp_path / "contests.sqlite"
    there = ""
    if has_log:  # of a server that was killed in another folder
        (tmp_path / "other").mkdir()
        with client_of(HERE, store=tmp_path / "other" / path.name, runs=tmp_path / "runs") as client:
            there = begun(client)
            for name in (path.name, f"{path.name}-wal"):
                shutil.copy(tmp_path / "other" / name, tmp_path)
    (tmp_path / f"{path.name}-shm").mkdir()
    for action in (4, 5):
        with pytest.warns(RuntimeWarning, match=r"contests.sqlite allows no log of changes, .*; --store FILE takes"):
            client = client_of(HERE, store=path, runs=tmp_path / "runs")
        there = there or begun(client)
        post(client, there, "act", action=action)
    assert stored(client, there).actions == (4, 5)


@pytest.mark.parametrize("points", [2, -(10**30)])
def test_a_file_with_points_that_nobody_wins_is_refused(client: TestClient, points: int) -> None:
    content = json.loads(client.get(f"{begun(client)}/record.json").content)
    content["contests"][0]["points"] = points
    del content["sha256"]
    signed = json.dumps({**content, "sha256": checksum(content)})
    answer = client.post("/load", files={"file": ("x.json", signed)})
    assert answer.status_code == 400
    assert "nobody wins" in answer.text.lower()


def test_a_server_whose_agents_are_all_thinking_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    there = begun(client, player1="random")
    monkeypatch.setattr("boardgames_cli.web.thinking._MOST_WAITING", 0)
    answer = post(client, there, "act", action=4)
    assert (answer.status_code, answer.text) == (503, "Too many agents are thinking; try again in some seconds")
    assert int(answer.headers["retry-after"]) > 0
    monkeypatch.undo()
    assert client.get(there).status_code == 200
    assert len(stored(client, there).actions) == 2


def test_without_scripts_a_post_leads_back_to_the_contest(client: TestClient) -> None:
    there = begun(client)
    answer = client.post(f"{there}/act", data={"version": 1, "action": 4})
    assert (answer.status_code, answer.headers["location"]) == (303, there)
    assert client.post(f"{there}/hint", data={"version": 2}).status_code == 200


def test_the_form_shows_how_strong_a_level_is(client: TestClient) -> None:
    form = ready_form(client, "tic_tac_toe")
    assert "For those who know the game: a perfect player that plays 3 moves in 10 at random." in form
    shown = client.get("/agents/options?seat=1&game=tic_tac_toe&agent1=perfect").text
    assert "A perfect player, which never gives away a win or a draw." in shown
    assert 'value="perfect"' not in ready_form(client, "backgammon")


def ready_form(client: TestClient, game: str) -> str:
    """Return the form of a game once it can be sent."""
    while "Begin" not in (text := client.get(f"/new?game={game}").text):
        pass
    return text


def test_only_agents_that_can_play_the_game_are_offered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {name: registered_agents()[name] for name in ("alpha_beta", "menace", "pubeval", "td_gammon", "td_net")}
    monkeypatch.setattr("boardgames_cli.web.specs.Checker.offered", lambda self: asked)
    text = answered(client, "/new/agents?game=achi(adjacent=True)")
    assert re.findall(r'<option value="(\w+)"', text) == 2 * ["alpha_beta", "td_net", "menace"]
    assert text.count("hx-swap-oob") == 2
    assert re.findall(r'<option value="\w+">([^<]*)', text)[:3] == [
        "Look-ahead: tries the moves and answers as far as it has time",
        "Network from a file: plays as it was trained, and learns no more",
        "Matchboxes, which has learned nothing",
    ]
    assert 'value="menace"' in ready_form(client, "achi(adjacent=True)")
    text = answered(client, "/new/agents?game=hypergammon")
    assert re.findall(r'<option value="(\w+)"', text) == 2 * ["td_gammon", "td_net"]


def answered(client: TestClient, address: str) -> str:
    """Ask again until agents have answered."""
    while 'id="asking"' in (text := client.get(address).text):
        pass
    return text


def test_how_far_a_game_is_solved_is_shown(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()

    def solve(game: Any, on_progress: Any) -> None:
        on_progress(30, 120)
        goes_on.wait(10)

    monkeypatch.setattr("boardgames_cli.web.thinking.solve", solve)
    monkeypatch.setattr("boardgames_cli.web.pages.setup._PATIENCE", 0.05)
    text = client.get("/new?game=nine_holes(recurrences=7)").text
    assert "solved, once: 25% of the positions known so far" in text
    assert "Begin" not in text
    goes_on.set()
    for _ in range(100):
        if "Begin" in (text := client.get("/new/players?game=nine_holes(recurrences=7)").text):
            break
    assert "computer, normal" in text


def test_a_contest_is_resigned_for_one_of_the_points_that_can_be_lost(client: TestClient) -> None:
    there = begun(client, game="backgammon")
    text = client.get(there).text
    assert [f'name="points" value="{points}"' in text for points in (1, 2, 3, 4)] == [True, True, True, False]
    assert post(client, there, "resign", points=4).status_code == 400
    text = post(client, there, "resign", points=2).text
    assert "wins by 2 points" in text
    assert "resigns for 2 points" in text


@pytest.mark.parametrize("viewer", [0, 1])
def test_every_position_is_shown_as_the_library_draws_it_for_the_person(client: TestClient, viewer: int) -> None:
    there = begun(client, game="backgammon", **{f"player{1 - viewer}": "random"})
    while len(stored(client, there).actions) < 12:
        if actions := legal(client, there):
            post(client, there, "act", action=actions[0])
    session, text = session_of(stored(client, there)), client.get(there).text
    for number, position in enumerate(session.positions):
        before = next((turn.before for turn in reversed(session.turns) if turn.number < number), None)
        shown = client.get(f"{there}?after={number}").text
        assert picture(shown) == picture(draw_svg(position, before=before, viewer=viewer))
        assert re.findall(r'data-location="\d+"[^>]*aria-label="([^"]*)"', shown) == [
            spot.label for spot in spots(position, viewer)
        ]
    assert re.search(rf'data-said="[^"]*(?i:{re.escape(caption(session.position))})', text)
    for turn in session.turns:
        rolled = f"{session.game.men[turn.seat].name} {turn.chance}:"
        assert f'<span class="quiet">{rolled}</span> {turn.text}<' in text


def test_an_agent_does_not_take_less_than_it_expects(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    there = begun(client, game="backgammon", player1="td_gammon")
    while stored(client, there).actions == () and "Your move" not in client.get(there).text:
        pass
    lost = SimpleNamespace(moves=[SimpleNamespace(value=-1.8)])
    monkeypatch.setattr("boardgames_agents.people.endings.best_moves", lambda position, count: lost)
    answer = post(client, there, "resign", points=1)
    assert (answer.status_code, "expects to win more" in answer.text) == (400, True)
    assert "You lose by 2 points" in post(client, there, "resign", points=2).text


def test_all_contests_are_listed_on_pages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_cli.web.pages.gallery._LISTED", 4)
    client = client_of(HERE, store=folder / "pages.sqlite", runs=folder / "runs")
    assert "There are none yet" in client.get("/contests").text
    begun_here = [begun(client) for _ in range(7)]
    listed = [re.findall(r'href="(/contests/[^"?]+)"', client.get(f"/contests?page={page}").text) for page in (1, 2)]
    assert listed[0] + listed[1] == begun_here[::-1]
    assert "All 7 contests" in client.get("/").text
    for number in ("0", "3", "x", "-1"):
        assert client.get(f"/contests?page={number}").status_code == 400


@pytest.mark.parametrize("game", ["backgammon(cube=True, match_length=3)", "hypergammon(cube=True)", "backgammon"])
def test_the_moves_list_has_no_entries_that_are_but_a_roll(client: TestClient, game: str) -> None:
    there = begun(client, game=game)
    for _ in range(12):
        post(client, there, "act", action=legal(client, there)[0])
    text = client.get(there).text
    listed = re.findall(r'<li><a href="[^"]*"[^>]*><span class="quiet">([^<]*)</span> ([^<]*)</a>', text)
    assert len(listed) > 2
    assert all(re.fullmatch(r"(white|black) \d\d:", who) and played != "roll" for who, played in listed), listed


@pytest.mark.parametrize("game", ["backgammon(cube=True, match_length=3)", "hypergammon", "tic_tac_toe"])
def test_backgammon_players_play_games(client: TestClient, game: str) -> None:
    there = begun(client, game=game)
    shown = re.sub(r"<[^>]*>", " ", client.get(there).text.partition("<main")[2])
    assert bool(re.search(r"\bcontest\b", shown)) == (game == "tic_tac_toe")


def test_the_crawford_game_is_called_that(client: TestClient) -> None:
    there = begun(client, game="backgammon(cube=True, match_length=3)")
    post(client, there, "resign", points=2)
    there = post(client, there, "again").headers["hx-redirect"]
    assert "(the Crawford game: there is no cube)" in client.get(there).text


def test_the_end_of_othello_counts_the_discs(client: TestClient) -> None:
    there = begun(client, game="othello(size=4)")
    while "has a legal move" not in (text := client.get(there).text) and "board is full" not in text:
        post(client, there, "act", action=legal(client, there)[0])
    black, white = map(int, re.findall(r"; discs: black (\d+), white (\d+)\.</p>", text)[0])
    men = session_of(stored(client, there)).position.state[1:17].tolist()
    assert (black, white) == (men.count(1), men.count(-1))


def test_a_match_goes_on_until_somebody_has_enough_points(client: TestClient) -> None:
    there = begun(client, game="hypergammon(cube=True,match_length=4)")
    assert "Match to 4: white 0, black 0." in client.get(there).text
    games, text = [], ""
    while "wins the match to 4" not in text:
        sitting = stored(client, there)
        games.append((max(sitting.score.points), sitting.score.is_crawford))
        text = post(client, there, "resign", points=1 if len(games) > 1 else 3).text
        assert ("Next game of the match" in text) != ("wins the match" in text)
        there = post(client, there, "again").headers["hx-redirect"]
    assert games[:2] == [(0, False), (3, True)]
    assert not any(is_crawford for _, is_crawford in games[2:])
    assert (stored(client, there).score.points, stored(client, there).score.length) == ((0, 0), 4)


def test_points_of_a_match_go_with_the_players() -> None:
    game = make_game("backgammon(cube=True)").at_score(MatchScore.begun(5, (2, 4)))
    sitting = new_sitting(game, ("human", "random"), seed=1)
    swapped = sitting.swapped()
    assert swapped.players == ("random", "human")
    assert swapped.score == MatchScore(5, (4, 2), is_crawford=True)
    assert session_of(swapped).position.state[:-3].tolist() == session_of(sitting).position.state[:-3].tolist()


def test_the_page_says_what_to_click(client: TestClient) -> None:
    there = begun(client, game="five_mens_morris")
    assert "Click where your piece goes" in client.get(there).text
    for action in ("0", "3", "1", "4", "2"):
        texts = dict(re.findall(r'value="(\d+)" data-path="[^"]*">([^<]*)<', client.get(there).text))
        text = post(client, there, "act", action=next(each for each in texts if texts[each] == action)).text
    assert "Take a piece of the other side: x3, x4." in text
    assert " data-within " in text


@pytest.mark.parametrize(("game", "actions", "placed", "prompt"), [
    ("nine_holes", "2 1 4 0 7 8 70 76 46 15 61 17", 6, "Click a piece, and then where it goes"),
    ("achi", "6 4 8 7 0 5 1 2 6 2 0 4 2 5", 8, "Click one of your pieces: it goes to the only empty place."),
])  # fmt: skip
def test_the_page_says_anew_what_to_click_once_pieces_move(
    client: TestClient, game: str, actions: str, placed: int, prompt: str
) -> None:
    there = begun(client, game=game)
    texts = [client.get(there).text, *(post(client, there, "act", action=int(each)).text for each in actions.split())]
    shown = [re.findall(r'data-usual="([^"]*)"', text)[0] for text in texts]
    assert shown[:6] == ["Click where your piece goes."] * 6
    assert not any(shown[6:placed])
    assert all(each.startswith(prompt) for each in shown[placed : placed + 6])
    assert shown[placed + 6] == ""


def test_undo_is_offered_once_a_person_has_moved(client: TestClient) -> None:
    there = begun(client, game="nine_holes", player0="random", player1="human")
    while not stored(client, there).actions:
        client.get(there)
    text = client.get(there).text
    assert stored(client, there).actions
    assert f'{there}/undo"' not in text
    text = post(client, there, "act", action=next(iter(legal(client, there)))).text
    assert f'{there}/undo"' in text


def test_a_click_anywhere_in_a_column_drops_a_disc_into_it() -> None:
    game = make_game("connect_four")
    position = game.initial.play(3)
    for _ in range(5):
        position = position.play(4)
    labels = game.board.labels
    for spot in spots(position, 0):
        landing = {"d": "d2", "e": "e6"}.get(labels[spot.location][0], f"{labels[spot.location][0]}1")
        assert labels[spot.stands_for] == landing
    full = position.play(4)
    assert all(spot.stands_for == spot.location for spot in spots(full, 0) if labels[spot.location][0] == "e")


def test_games_are_in_groups_that_say_for_whom_they_are(client: TestClient) -> None:
    sections = re.split(
        r"<h2 id=.group-\d.>", client.get("/").text.partition('id="games"')[2].partition('id="load"')[0]
    )[1:]
    games = {
        section.partition("<")[0]: re.findall(r'href="/games/(\w+)"', section)
        for section in sections
        if re.search(r"</h2>\n<p>[^<]*minutes[^<]*</p>", section)
    }
    assert list(games) == ["First games", "Morris", "Larger games", "Backgammon"]
    assert sorted(name for group in games.values() for name in group) == sorted(registered_games())
    assert {"tic_tac_toe", "achi", "hexapawn"} <= set(games["First games"])
    assert {"nine_mens_morris", "trique", "murabaraba"} <= set(games["Morris"])
    assert {"connect_four", "othello", "hex"} <= set(games["Larger games"])
    assert games["Backgammon"] == ["backgammon", "hypergammon"]


def test_contests_that_wait_to_go_on_come_first(tmp_path: Path) -> None:
    with client_of(HERE, store=tmp_path / "contests.sqlite", runs=tmp_path) as client:
        waiting = begun(client)
        over = [begun(client) for _ in range(7)]
        for there in over:
            post(client, there, "resign")
        shown = re.findall(r'<li><a href="(/contests/[^"]+)">', client.get("/").text)
        assert shown == [waiting, *reversed(over)][:6]


def test_the_box_of_the_front_page_takes_positions_and_matches(client: TestClient) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6"
    for sent in ({"data": {"text": xgid}}, {"files": {"file": ("x.txt", xgid.encode())}}):
        there = client.post("/load", **sent).headers["location"]  # type: ignore[arg-type]
        assert there.startswith("/analyse?game=backgammon")
    match = b" 1 point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5\n"
    there = client.post("/load", files={"file": ("x.mat", match)}).headers["location"]
    assert there.startswith("/analyses/")
    assert client.post("/load").status_code == 400


@pytest.mark.parametrize("name", registered_games())
def test_every_card_and_page_says_what_is_known_of_best_play(client: TestClient, name: str) -> None:
    text = client.get(f"/games/{name}").text
    known = re.search(r"<dt>Best play</dt><dd>([^<]+)</dd>", text)
    assert known
    if make_game(name).value is None:
        partly = {"nine_mens_morris": "With flying", "hypergammon": "Under best play, who wins"}
        assert known[1].startswith(partly.get(name, "Not known"))


def test_nine_mens_morris_with_flying_is_a_draw(client: TestClient) -> None:
    assert "Best play: with flying a draw</p>" in client.get("/").text
    assert "With flying (fly_at=3) a draw (Gasser 1996)" in client.get("/games/nine_mens_morris").text


def test_small_games_have_matchboxes_to_print(client: TestClient) -> None:
    assert 'href="/matchboxes/hexapawn"' in client.get("/games/hexapawn").text
    assert "/matchboxes/" not in client.get("/games/othello").text
    shown = client.get("/matchboxes/hexapawn").text
    assert "2 sheets" in shown
    for paper in ("a4", "letter"):
        answer = client.get(f"/matchboxes/hexapawn/{paper}.pdf")
        assert (answer.headers["content-type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    assert client.get("/matchboxes/hexapawn/a5.pdf").status_code == 404
    for name in ("othello", "backgammon"):
        assert "too large for matchboxes" in client.get(f"/matchboxes/{name}").text
    assert client.get("/matchboxes/nothing").status_code == 404


def bead_changes(text: str) -> list[tuple[int, int]]:
    """Return the beads before and after of each colour that was played."""
    found = re.findall(r'class="played">.*?<span>(\d+)(?: → <strong>(\d+)</strong>)?', text)
    return [(int(before), int(after or before)) for before, after in found]


@pytest.mark.parametrize("game", ["tic_tac_toe", "hexapawn", "achi"])
@pytest.mark.parametrize("against", ["random", "perfect"])
def test_the_beads_of_the_matchboxes_move_after_each_game(client: TestClient, game: str, against: str) -> None:
    rewards, kept = {"won": 3, "drawn": 1, "lost": -1}, {"won": 0, "drawn": 0, "lost": 0}
    for games in range(1, 6):
        text = client.get(f"/matchboxes/{game}?games={games}&against={against}", headers={"HX-Request": "true"}).text
        assert "<html" not in text
        counts = re.search(r"they have won (\d+), drawn (\d+) and lost (\d+)", text)
        assert counts
        now = dict(zip(kept, map(int, counts.groups()), strict=True))
        (result,) = [each for each in kept if now[each] == kept[each] + 1]
        kept = now
        changes = bead_changes(text)
        assert changes
        assert all(after == before + rewards[result] for before, after in changes)
        assert text.count('class="added"') == (rewards[result] * len(changes) if rewards[result] > 0 else 0)
        assert text.count('class="taken"') == (len(changes) if rewards[result] < 0 else 0)


def test_the_first_boxes_hold_the_beads_that_their_labels_name(client: TestClient) -> None:
    text = client.get("/matchboxes/tic_tac_toe?games=1&against=random").text
    assert "Next game" in text
    assert [before for before, _ in bead_changes(text)] == [4, 3, 2, 1]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("games=201", "it must be from 0 to 200"),
        ("games=x", "ames is not a whole number"),
        ("games=1&against=hoyle", "cannot play against"),
    ],
)
def test_the_matchboxes_refuse_what_they_cannot_play(client: TestClient, query: str, why: str) -> None:
    answer = client.get(f"/matchboxes/hexapawn?{query}")
    assert (answer.status_code, why in answer.text) == (400, True), answer.text


CHAT = "chat(model='m')"


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Chats], TestClient]:
    """Return a browser of a page that may ask a server; the transcript is among the test's files."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(player, "data_root", lambda: tmp_path)

    def client(server: Chats) -> TestClient:
        monkeypatch.setenv("BOARDGAMES_CHAT_URL", server.url)
        return client_of(HERE, store=tmp_path / "contests.sqlite", runs=tmp_path, agents=(CHAT,))

    return client


def settled(client: TestClient, there: str) -> str:
    """Return the page of a contest once no agent thinks."""
    while "is thinking" in (text := client.get(there).text):
        pass
    return text


def test_what_a_model_said_is_beside_the_board(asking: Callable[[Chats], TestClient]) -> None:
    with serving(
        lambda request, number: f"<script>alert(1)</script>\nMy answer {number}: " + "08"[number - 1]
    ) as server:
        client = asking(server)
        there = begun(client, player1=CHAT)
        assert "said</summary>" not in client.get(there).text
        post(client, there, "act", action=4)
        text = settled(client, there)
        words = "<p>&lt;script&gt;alert(1)&lt;/script&gt;\nMy answer 1: 0</p>"
        assert words in text
        assert "said</summary>" not in client.get(f"{there}?after=1").text
        post(client, there, "act", action=1)
        text = settled(client, there)
        assert "My answer 2: 8" in text
        assert words not in text


def test_a_model_without_a_move_loses_on_the_page(asking: Callable[[Chats], TestClient]) -> None:
    with serving(lambda request, number: "I resign.") as server:
        client = asking(server)
        there = begun(client, player1=CHAT)
        post(client, there, "act", action=4)
        text = settled(client, there)
        assert len(server.requests) == 3
    assert "O resigns" in text
    assert "<p>I resign.</p>" in text


def test_a_model_is_on_the_page_only_as_the_owner_says(
    client: TestClient, asking: Callable[[Chats], TestClient]
) -> None:
    with serving(lambda request, number: "4") as server:
        for text in ("chat(model='other')", f"chat(model='m',url='{server.url}')"):
            answer = asking(server).post("/contests", data={**THERE, "player1": text})
            assert (answer.status_code, "connects to another program" in answer.text) == (400, True)
        assert client.post("/contests", data={**THERE, "player1": CHAT}).status_code == 400
        assert CHAT in html.unescape(asking(server).get(f"/new?game=tic_tac_toe&player1={CHAT}").text)
    assert not server.requests


def test_hex_is_in_words_that_hold_however_the_board_is_turned(client: TestClient) -> None:
    there = begun(client, game="hex(size=4)")
    assert "joins the red sides" in client.get(there).text
    text = post(client, there, "act", action=5).text
    assert "joins the blue sides" in text
    assert "top" not in text.partition("<nav")[0].replace("data-stop", "")
    assert "Or swap, which is possible only now" in text
    assert "Or swap" not in post(client, there, "act", action=6).text
    assert "joins top and bottom" in make_game("hex(size=4)").initial.text, "rows of text are never turned"


def test_a_match_to_one_point_has_no_cube(client: TestClient) -> None:
    spec = "backgammon(cube=True,match_length=1,score=(0,0))"
    there = begun(client, game=spec)
    shown = client.get(there).text + client.get(f"/editor?game={spec}").text.partition('<form id="rules"')[0]
    assert not re.search(r"Crawford|>Cr<|[Cc]ube\b(?!=)", re.sub(r'href="[^"]*"|value="[^"]*"', "", shown))
    assert ">Cr<" in client.get(begun(client, game="backgammon(cube=True,match_length=3,score=(2,0))")).text
    post(client, there, "resign")
    report = client.post(f"{there}/analysis")
    assert report.status_code == 400, "nothing has been played"


@pytest.mark.parametrize(
    ("spec", "points"),
    [
        ("backgammon", [1, 2, 3]),
        ("backgammon(match_length=1,score=(0,0))", []),
        ("backgammon(match_length=3,score=(2,2))", []),
        ("backgammon(match_length=5,score=(3,3))", [1, 2]),
        ("backgammon(cube=True,jacoby=True)", []),
    ],
)
def test_nobody_resigns_for_more_than_there_is_to_lose(client: TestClient, spec: str, points: list[int]) -> None:
    text = client.get(begun(client, game=spec)).text
    assert [int(each) for each in re.findall(r'name="points" value="(\d)"', text)] == points


def test_a_backgammon_cannot_be_lost_once_all_have_left_the_home_of_the_other() -> None:
    game = make_game("backgammon")
    state = game.initial.state.copy()
    state[1:25] = 0
    state[[6, 19]] = 15, -15
    state[STAGE] = ROLLING
    session = PlaySession(game, (None, None), [1], start=game.position(state))
    assert [session.resignations(seat) for seat in (0, 1)] == [(1, 2), (1, 2)]


@pytest.mark.parametrize("game", ["backgammon", "tic_tac_toe", "hex"])
def test_the_caption_says_who_has_won_once_somebody_has_resigned(client: TestClient, game: str) -> None:
    there = begun(client, game=game)
    first = re.findall(r'class="words">([^<]*)<', client.get(there).text)
    text = post(client, there, "resign", **({"points": 2} if game == "backgammon" else {})).text
    captions = re.findall(r'class="words">([^<]*)<', text)
    (won,) = set(captions) - set(first)
    assert won.endswith("has won 2 points" if game == "backgammon" else "has won")
    assert not any("to move" in each or "to roll" in each or "to play" in each for each in captions)


@pytest.mark.parametrize("query", ["games=-3", "games=x", "games=", "games=1.5", "games=%2B1"])
def test_an_odd_number_is_one_sentence(client: TestClient, query: str) -> None:
    text = client.get(f"/matchboxes/tic_tac_toe?{query}").text
    assert "Games is not a whole number from 0 on" in text
    assert "too large a number" in client.get("/matchboxes/tic_tac_toe?games=99999999999").text
    assert 'hx-replace-url="true"' in client.get("/matchboxes/tic_tac_toe?games=5").text


def test_files_have_names_by_which_they_are_told_apart(client: TestClient) -> None:
    papers = [
        client.get(f"/matchboxes/hexapawn/{paper}.pdf").headers["content-disposition"] for paper in ("a4", "letter")
    ]
    assert len(set(papers)) == 2
    there = begun(client)
    names = [re.findall(r'download="([^"]*)"', client.get(there).text)]
    post(client, there, "act", action=4)
    names.append(re.findall(r'download="([^"]*)"', client.get(there).text))
    assert names[0] != names[1]
    assert names[0][0].startswith("tic_tac_toe-")


def test_hints_name_no_number_without_a_meaning(client: TestClient) -> None:
    there = begun(client, game="gomoku")
    text = post(client, there, "hint").text
    hints = re.findall(r"<li[^>]*><strong>[^<]*</strong> ([^<]*)</li>", text.partition('class="hints"')[2])
    assert hints
    assert all(re.fullmatch("looks (good|even|bad)|(wins|loses) in .*", each) for each in hints), hints


def test_nobody_reads_what_is_compiled(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from boardgames_cli.web.pages.shared import _environment

    monkeypatch.setitem(_environment().globals, "being_compiled", lambda: ["kernels of encoding"])
    text = _environment().get_template("compiling.html").render()
    assert "gets ready" in text
    assert "kernel" not in text


def cube_contest(client: TestClient, me: int, texts: list[str]) -> str:
    """Begin a contest with the cube in which these actions come next wherever no man moves; return its address."""
    game = make_game("backgammon(cube=True)")
    session, left = PlaySession(game, (None, None), [4]), [*texts]
    while left:
        legal = [game.action_text(action) for action in session.position.legal_actions]
        text = left.pop(0) if left[0] in legal else legal[0]
        assert text not in ("roll", "no move") or texts.count(text), "the seed is one without such turns"
        session.play([session.position.legal_actions[legal.index(text)]])
    players = ("human", "random") if me == 0 else ("random", "human")
    sitting = new_sitting(game, players, seed=4).updated(session)
    return f"/contests/{client.app.state.parts.store.add(sitting).id}"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("texts", "is_mine", "status"),
    [
        (["double"], False, "{} doubles to 2: take or drop?"),
        (["double", "take"], True, "{} takes. Your move"),
    ],
)
def test_what_the_computer_did_with_the_cube_is_said_where_one_looks(
    client: TestClient, texts: list[str], is_mine: bool, status: str
) -> None:
    first = PlaySession(make_game("backgammon(cube=True)"), (None, None), [4]).seat
    doubler = 1 - first
    there = cube_contest(client, doubler if is_mine else first, texts)
    other = ("White", "Black")[first if is_mine else doubler]
    text = client.get(there).text
    expected = status.format(other)
    assert f'<p class="status">{expected}' in text
    assert text.count(f'data-said="{expected}') == 1


def test_a_roll_is_not_taken_back_alone_and_the_page_says_how_to_move(client: TestClient) -> None:
    first = PlaySession(make_game("backgammon(cube=True)"), (None, None), [4]).seat
    there = cube_contest(client, 1 - first, ["roll"])
    text = client.get(there).text
    assert "Click a man to play the die on the left" in text
    assert "never a roll or the cube" in text
    assert f'{there}/undo"' not in text
    assert post(client, there, "undo").status_code == 400


def test_a_man_goes_by_both_dice_in_one_movement(client: TestClient) -> None:
    there = begun(client, game="backgammon")
    session = session_of(stored(client, there))
    listed = re.findall(r'name="steps" value="([\d-]+)" data-path="(\d+) (\d+)">([^<]*)<', client.get(there).text)
    assert listed
    for actions, source, target, text in listed:
        numbers = [int(number) for number in actions.split("-")]
        after = session.position.after(*numbers)
        assert "/" in text
        assert abs(int(target) - int(source)) == sum(STEPS[number][1] for number in numbers)
        assert after.state[1 + int(source)] != session.position.state[1 + int(source)]
    actions = listed[0][0]
    post(client, there, "act", steps=actions)
    assert stored(client, there).actions == tuple(map(int, actions.split("-")))


def test_a_man_that_hits_on_one_of_two_ways_goes_by_the_way_that_is_chosen() -> None:
    game = make_game("backgammon")
    rolled = next(each.position for each in game.initial.events() if each.position.seat == 0)
    state = rolled.state.copy()
    state[DICE : DICE + 7] = 0
    state[DICE + 2] = state[DICE + 1] = 1
    state[23], state[19] = -1, -4  # (a black blot on white's point 23)
    position = game.position(state)
    found = [each for each in journeys(position) if each.path == "23 20"]
    assert {each.text for each in found} == {"24/23*/21", "24/21"}


@pytest.mark.parametrize("game", ["hypergammon(cube=True)", "backgammon(cube=True, match_length=3, score=(1, 0))"])
def test_games_of_backgammon_are_saved_as_a_match_file(client: TestClient, game: str) -> None:
    there, played = begun(client, game=game), list[Any]()
    for _ in range(2):
        for _ in range(7):
            post(client, there, "act", action=legal(client, there)[0])
        while session_of(stored(client, there)).is_within_turn:
            post(client, there, "act", action=legal(client, there)[0])
        assert "match.mat" not in client.get(there).text
        post(client, there, "resign", points=1)
        played.append(session_of(stored(client, there)).record())
        assert f'href="{there}/match.mat"' in client.get(there).text
        read = parse_match(client.get(f"{there}/match.mat").text)
        expected = played if read.length else played[-1:]
        for contest, start, record in zip(read.contests, read.starts, expected, strict=False):
            assert (tuple(contest.events), contest.outcome) == (record.events, record.outcome)
            written = turns(start, contest.actions, contest.events)
            assert [each.text for each in written if each.event is None] == [
                each.text for each in record.turns(make_game(record.game))
            ]
        assert len(read.contests) == len(expected)
        if read.length:
            assert (read.length, read.scores) == (3, (1, 0))
        there = post(client, there, "again").headers["hx-redirect"]


def test_mistakes_are_printed_with_their_answers_at_the_end(client: TestClient) -> None:
    pupil = "on-paper"
    there = client.post(f"/taught/{pupil}/next", data={"game": "tic_tac_toe", "trainer": "self"}).headers["location"]
    for action in (0, 1, 3, 2, 6):
        text = post(client, there, "act", action=action).text
    assert "status over" in text
    client.get(f"{there}/review")
    assert f'href="/taught/{pupil}/mistakes/paper"' in client.get(f"/taught/{pupil}/mistakes").text
    positions, answers = client.get(f"/taught/{pupil}/mistakes/paper").text.split(">Answers</h2>")
    assert positions.count("What is best?") == positions.count('<li class="card">') == answers.count("<li>Better: ") > 0
    assert "Better: " not in positions


def test_a_first_lesson_says_the_goal_and_how_long_it_is(client: TestClient) -> None:
    begin = {"game": "achi", "trainer": "key_nodes(lessons=1, practice=0)"}
    text = client.get(client.post("/taught/goal/next", data=begin).headers["location"]).text
    assert "three in a row wins. Each lesson is one contest; stop after any of them, or go on." in text
    assert "a trainer that leads you to places where mistakes are easy" in text
