"""The page on which positions are set up."""

import re
from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pytest

from boardgames_cli.web.positions import code_of, position_of, state_of
from boardgames_env import BadInputError, Game, Position, make_game, registered_games
from boardgames_env.games.backgammon.notation.position_id import parse_position
from tests.boardgames_cli.web.browser import demand_fits, opened
from tests.boardgames_cli.web.conftest import TestClient
from tests.boardgames_cli.web.test_web_pages import begun, legal, post, stored
from tests.made_up_states import reachable_states

MATCH = "backgammon(cube=True, match_length=5, score=(0, 0))"


def shown(client: TestClient, game: Game | str, **fields: Any) -> dict[str, str]:
    """Show the page and return what the next click sends, with the page itself as ``text``."""
    spec = game if isinstance(game, str) else game.spec
    answer = client.get("/editor", params={"game": spec, **fields})
    assert answer.status_code == 200, answer.text
    form = answer.text.partition('<form class="setup')[2].partition("</form>")[0]
    sends = {name: unescape(value) for name, value in re.findall(r'name="(position|game)" value="([^"]*)"', form)}
    sends |= dict(re.findall(r'name="(man|seat)" value="([^"]*)" checked', answer.text))
    for number, options in enumerate(re.findall(r'<select id="setting-\d+".*?</select>', answer.text)):
        chosen = re.findall(r"<option[^>]* selected>([^<]*)</option>", options)
        sends[f"setting{number}"] = unescape(chosen[0]) if chosen and chosen[0] != "as it is" else ""
    return {**sends, "text": answer.text}


def after(client: TestClient, page: dict[str, str], **fields: Any) -> dict[str, str]:
    """Return the page after a click, or after another choice."""
    sends = {name: value for name, value in page.items() if name != "text"} | fields
    return shown(client, sends.pop("game"), **sends)


def set_up(client: TestClient, game: str, men: dict[str, list[int]], **fields: Any) -> dict[str, str]:
    """Return the page after all men are put on an empty board by clicks."""
    page = shown(client, game, begin="empty")
    for man, locations in men.items():
        for location in locations:
            page = after(client, page, man=man, at=location)
    return after(client, page, **fields)


def reached(page: dict[str, str]) -> Position:
    """Return the position that a page holds, which must be one of the game."""
    assert "no position of the game yet" not in page["text"], page["text"]
    return position_of(make_game(page["game"]), page["position"])


@pytest.mark.parametrize("name", registered_games())
def test_what_follows_from_the_men_is_written_as_play_writes_it(name: str) -> None:
    game = make_game(name)
    for state in reachable_states(game, np.random.default_rng(5), 2)[::3]:
        written = state.copy()
        if game.complete and not game.position(state).is_over:
            game.complete(written)
        # (a position is set up at the beginning of a turn, and after the opening roll)
        if game.kinds or game.rules.has_chance:
            assert (written[: 1 + game.board.size] == state[: 1 + game.board.size]).all()
        else:
            assert (written == state).all()


@pytest.mark.parametrize("name", registered_games())
def test_any_clicks_lead_to_a_position_or_to_a_sentence(client: TestClient, name: str) -> None:
    rng = np.random.default_rng(1)
    page = shown(client, name)
    assert reached(page) == make_game(name).initial
    for _ in range(6):
        men = re.findall(r'name="man" value="([^"]*)"', page["text"])
        locations = re.findall(r'name="at" value="(\d+)"', page["text"])
        assert len(locations) == make_game(name).board.size
        chosen = {"man": str(rng.choice(men)), "at": str(rng.choice(locations)), "seat": str(rng.integers(2))}
        for number, options in enumerate(re.findall(r'<select id="setting-\d+".*?</select>', page["text"])):
            chosen[f"setting{number}"] = unescape(str(rng.choice(re.findall(r">([^<]+)</option>", options))))
        page = after(client, page, **chosen)
        (why_not,) = re.findall(r"This is no position of the game yet: ([^<]*)\.</p>", page["text"]) or [""]
        if why_not:
            assert not re.search(r"\bslot|\bstate|\bseat", why_not), why_not
            assert "/new?" not in page["text"]
            assert page["text"].count("disabled>Play on from here") == 1
        else:
            reached(page)
            assert page["position"] in page["text"].partition("Link to this position")[0]


def test_the_address_follows_what_is_set_up_and_stays_short(client: TestClient) -> None:
    sends = {"game": "tic_tac_toe", "position": code_of(make_game("tic_tac_toe").initial), "man": "1", "at": "4"}
    part = client.get("/editor", params=sends, headers={"HX-Request": "true"})
    address = part.headers["HX-Replace-Url"]
    assert len(address) < 80
    assert 'aria-label="4, X"' in client.get(address).text


@pytest.mark.parametrize("name", registered_games())
def test_picture_and_numbers_of_points_are_steady_while_a_position_is_set_up(client: TestClient, name: str) -> None:
    def board_of(page: dict[str, str]) -> tuple[list[str], list[str]]:
        svg = page["text"].partition('<div class="board">')[2].partition("</svg>")[0]
        texts = [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
        return [text for text in texts if text.isdigit()], [text for text in texts if not text.isdigit()]

    game = make_game(name)
    page = shown(client, name, begin="empty", seat="0")
    numbers = {str(point) for point in range(1, 25)} if game.rules.has_chance else set()
    for man, location in (("1", 4), ("-1", 0), ("-1", 1)):
        pictures = [board_of(page), board_of(after(client, page, seat="1"))]
        for found, words in pictures:
            assert not [word for word in words if "won" in word or "next game" in word or "opening" in word], words
            assert numbers <= set(found)
        if numbers:
            assert pictures[0][0] == pictures[1][0], "the points are numbered alike whoever is to move"
            assert pictures[0][0][:24] == [str(point) for point in range(1, 25)]
        page = after(client, page, man=man, at=location)


def test_the_settings_of_a_match_agree_with_each_other(client: TestClient) -> None:
    page = after(client, shown(client, MATCH), setting0="3-1", setting1="2, white has it")
    page = after(client, page, setting2="4")
    page = after(client, page, setting4="yes, there is no cube")
    assert page["setting1"] == "in the middle"
    assert "Crawford" in reached(page).svg
    page = after(client, page, setting2="2")
    assert (page["setting4"], page["setting2"]) == ("no", "2"), "no side needs a single point any more"
    reached(page)
    page = after(client, page, setting0="a double is to be answered", setting2="4", setting4="yes, there is no cube")
    assert page["setting0"] == "to be rolled"
    reached(page)


def test_a_position_with_men_in_hand_is_played_on(client: TestClient) -> None:
    page = set_up(client, "nine_mens_morris", {"1": [0, 1], "-1": [9, 21]}, seat=0)
    assert "in hand: black 7, white 7" in page["text"]
    page = after(client, page, setting0="4", setting1="3")
    assert "place them in turn" in page["text"]
    assert "black has 2 men on the board and 4 in hand" in page["text"] or "in hand" in page["text"]
    page = after(client, page, setting0="7", setting1="7")
    position = reached(page)
    address = re.search(r'<a class="button main" href="(/new[^"]*)">Play on', page["text"])
    assert address
    form = client.get(unescape(address[1])).text
    assert "From the position shown" in form
    there = begun(client, game="nine_mens_morris", position=page["position"])
    assert stored(client, there).start == tuple(position.state.tolist())
    assert len(legal(client, there)) == 20
    post(client, there, "act", action=2)
    assert "to capture" in client.get(there).text or "captures a man" in client.get(there).text
    post(client, there, "undo")
    assert len(legal(client, there)) == 20
    again = post(client, there, "again").headers["hx-redirect"]
    assert stored(client, again).start == stored(client, there).start


def test_a_contest_from_a_position_is_saved_loaded_linked_and_analysed(client: TestClient) -> None:
    game = make_game("tic_tac_toe")
    there = begun(client, position=code_of(game.position([0, 1, 1, 0, -1, -1, 0, 0, 0, 0])))
    post(client, there, "act", action=6)
    text = client.get(there).text
    loaded = client.post("/load", files={"file": ("x.json", client.get(f"{there}/record.json").content)})
    one, other = stored(client, there), stored(client, loaded.headers["location"])
    assert (one.start, one.actions) == (other.start, other.actions)
    link = re.search(r'href="(/new[^"]+)">Link', text)
    assert link
    fields = dict(re.findall(r'name="(position|actions)" value="([^"]*)"', client.get(unescape(link[1])).text))
    again = stored(client, begun(client, **fields))
    assert (again.start, again.actions) == (one.start, one.actions)
    post(client, there, "act", action=5)
    assert "O wins" in client.get(there).text
    assert client.post(f"{there}/analysis").status_code == 303


def test_a_position_of_a_match_has_dice_cube_and_score(client: TestClient) -> None:
    page = shown(client, MATCH)
    labels = [unescape(each) for each in re.findall(r"<label><span>([^<]*)</span>\n<select id=\"setting", page["text"])]
    assert labels == [
        *("Dice", "Cube", "Score of white", "Score of black"),
        "Crawford game, the first in which one point is needed",
    ]
    chosen = {"setting0": "3-1", "setting1": "2, black has it", "setting2": "3", "setting3": "1", "setting4": "no"}
    page = after(client, page, **chosen)
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:3:1:0:5:6"
    assert xgid in page["text"]
    at_score = make_game(MATCH.replace("(0, 0)", "(3, 1)"))
    assert reached(page).key == parse_position(at_score, xgid).key
    there = begun(client, game=MATCH, position=page["position"])
    assert "match to 5: white 3, black 1" in client.get(there).text
    post(client, there, "swap")
    assert "match to 5: white 3, black 1" in client.get(there).text, "the points belong to the position"


def test_men_that_are_not_on_the_board_are_off(client: TestClient) -> None:
    page = set_up(client, "hypergammon", {"1": [0, 0], "-1": [23]}, setting0="2-1")
    position = reached(page)
    assert [int(position.state[slot]) for slot in (1, 24, 27, 28)] == [2, -1, 1, -2]
    page = after(client, page, man="0", at=0)
    assert int(reached(page).state[1]) == 1


def rules_sent(text: str) -> dict[str, str]:
    """Return what *Use these rules* sends of the position that a page, or a part of it, shows."""
    return {name: unescape(value) for name, value in re.findall(r'form="rules" name="(\w+)" value="([^"]*)"', text)}


def test_other_rules_keep_what_was_set_by_clicks_before(client: TestClient) -> None:
    """A script replaces the part of the page alone, so that the part says what the form of the rules sends."""
    part = {"HX-Request": "true"}
    page = shown(client, "backgammon")
    fields = {
        "game": "backgammon",
        "position": page["position"],
        "man": "0",
        "at": "18",
        "seat": "1",
        "setting0": "6-2",
    }
    sent = rules_sent(client.get("/editor", params=fields, headers=part).text)
    other = shown(client, "backgammon", **sent, **{"game.cube": "True"})
    assert other["game"] == "backgammon(cube=True)"
    before, state = position_of(make_game("backgammon"), sent["position"]).state, reached(other).state
    assert (state == before).all()
    assert (state[19], state[0], other["setting0"]) == (-4, 1, "6-2")


def test_a_board_of_another_size_keeps_the_men_at_the_squares_of_the_same_names(client: TestClient) -> None:
    small = make_game("othello(size=4)")
    sent = {"from": small.spec, "position": code_of(small.initial.play(small.initial.legal_actions[0]))}
    men = dict(zip(small.board.labels, state_of(small, sent["position"])[1:].tolist(), strict=True))
    large = make_game("othello(size=6)")
    state = state_of(large, shown(client, "othello", **sent, **{"game.size": "6"})["position"])
    assert state[1:].tolist() == [men.get(label, 0) for label in large.board.labels]
    assert state[0] == 1


def test_an_empty_board_keeps_dice_cube_and_the_side_to_move(client: TestClient) -> None:
    page = after(client, shown(client, MATCH), seat=1, setting0="6-2", setting1="2, white has it", setting2="3")
    empty = after(client, page, begin="empty")
    assert [empty[name] for name in ("seat", "setting0", "setting1", "setting2")] == [
        "1",
        "6-2",
        "2, white has it",
        "3",
    ]
    assert not state_of(make_game(MATCH).part, empty["position"])[1:25].any()
    one = after(client, after(client, empty, man="1", at=5), man="-1", at=18)
    assert "black to play 6-2" in one["text"]
    again = after(client, one, begin="start")
    assert reached(again) == make_game(MATCH).part.initial


def test_other_rules_keep_the_men(client: TestClient) -> None:
    page = set_up(client, "hypergammon", {"1": [0], "-1": [23]}, setting0="2-1")
    fields = {"from": page["game"], "position": page["position"], "game.cube": "True", "game.match_length": "3"}
    other = shown(client, "hypergammon", **fields)
    assert other["game"] == "hypergammon(cube=True, match_length=3, score=(0, 0))"
    assert (reached(other).state[:29] == reached(page).state[:29]).all()


@pytest.mark.parametrize(
    "fields",
    [{"man": "7"}, {"man": "x"}, {"at": "9"}, {"at": "-1"}, {"position": "AA"}, {"game": "chess"}, {"seat": "x"}],
)
def test_what_no_form_sends_is_one_sentence(client: TestClient, fields: dict[str, str]) -> None:
    answer = client.get("/editor", params={"game": "achi", **fields})
    assert answer.status_code == 400
    assert answer.text.count("<p>") == 1


def test_a_contest_that_is_over_is_not_played_on(client: TestClient) -> None:
    code = code_of(make_game("tic_tac_toe").position([1, 1, 1, 1, -1, -1, 0, 0, 0, 0]))
    assert "The contest is over here" in client.get(f"/editor?game=tic_tac_toe&position={code}").text
    answer = client.post(
        "/contests", data={"game": "tic_tac_toe", "player0": "human", "player1": "human", "position": code}
    )
    assert answer.status_code == 400
    assert "over in this position" in answer.text


@pytest.mark.slow
def test_men_are_placed_with_clicks_and_keys(page: Any, address: str) -> None:
    page.goto(f"{address}/editor?game=nine_mens_morris")
    page.locator("#at-0").click()
    page.get_by_label("0, black", exact=True).wait_for()
    assert page.evaluate("document.activeElement.id") == "at-0"
    page.locator("#man--1").check()
    page.wait_for_function("() => document.querySelector('#man--1').defaultChecked")
    page.locator("#at-9").focus()
    page.keyboard.press("Enter")
    page.get_by_label("9, white", exact=True).wait_for()
    assert page.evaluate("document.activeElement.id") == "at-9"
    page.get_by_role("link", name="Play on from here").click()
    page.get_by_text("From the position shown").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1200])
def test_the_pages_of_positions_are_not_wider_than_the_screen(browser: Any, address: str, width: int) -> None:
    code = code_of(parse_position(make_game("backgammon(cube=True)"), "start", (3, 1)))
    with opened(browser, width) as page:
        for path in ("analyse", "editor?game=backgammon(cube=True)", "editor?game=gomoku", "matchboxes/hexapawn"):
            page.goto(f"{address}/{path}")
            demand_fits(page)
        page.goto(f"{address}/analyse?game=backgammon(cube=True)&position={code}")
        page.get_by_role("rowheader", name="8/5 6/5").wait_for()
        demand_fits(page)
        page.get_by_role("button", name="Copy").click()
        page.get_by_role("button", name="Copied").wait_for()


def test_positions_of_a_game_without_a_check_are_not_taken_from_addresses() -> None:
    game = replace(make_game("tic_tac_toe"), check=None)
    with pytest.raises(BadInputError, match="Tic-tac-toe has no check of its positions"):
        position_of(game, code_of(game.initial))
