"""Whole contests in a real browser, by clicks and by keys. `make test-web` installs what they need."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_env import registered_games
from tests.boardgames_cli.web.browser import act, at_random, begin, demand_fits, open_panel, opened, play_out
from tests.boardgames_cli.web.every_game import By, play

pytestmark = pytest.mark.slow

GAMES = ["tic_tac_toe", "achi", "five_mens_morris", "qubic", "hypergammon", "hypergammon(cube=True)"]
"""Placing, sliding, capturing, a board of three dimensions, dice, and the cube."""


@pytest.mark.parametrize("by", ["clicks", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_contests(page: Any, address: str, game: str, by: By) -> None:
    actions = 0
    while actions < 5:  # (a contest may end with the first double)
        actions += play(page, address, game, by, seed=[actions])


@pytest.mark.parametrize("game", ["tic_tac_toe", "five_mens_morris"])
def test_a_person_plays_against_the_computer(page: Any, address: str, game: str) -> None:
    begin(page, address, game, "human", "easy")
    play_out(page, at_random(np.random.default_rng(2)))
    assert page.locator(".status").inner_text() in {"You win", "You lose", "A draw", "Cut short"}
    assert page.locator("#announcement").inner_text()


def test_how_a_turn_goes_on_is_lit(page: Any, address: str) -> None:
    begin(page, address, "five_mens_morris", "human", "human")
    for location in (0, 3, 1, 4, 2):  # (the last one closes a mill)
        page.locator(f".spot.next[data-location='{location}']").click()
    page.wait_for_selector(".spot[aria-label='2, black']")
    assert page.locator("#contest.picking").count() == 1
    page.locator(".spot.next[data-location='3']").click()
    page.wait_for_selector("#contest:not(.picking) .spot[aria-label='3, empty']")


def test_undo_hint_resign_swap_and_new(page: Any, address: str) -> None:
    begin(page, address, "tic_tac_toe", "human", "perfect")
    page.locator(".spot[data-location='4']").click()
    page.wait_for_selector("nav.moves li:nth-child(2)")
    page.get_by_role("button", name="Hint").click()
    assert "draws" in page.locator(".hints").inner_text()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("nav.moves", state="detached")
    page.get_by_role("button", name="Swap").click()
    page.wait_for_selector("nav.moves li")
    assert "O" in page.locator(".status").inner_text()
    page.get_by_role("button", name="Resign").click()
    page.wait_for_selector(".status.over")
    assert page.locator(".status").inner_text() == "You lose"
    there = page.url
    page.get_by_role("button", name="New contest").click()
    page.wait_for_function("there => location.href !== there", arg=there)


def test_a_contest_is_saved_loaded_and_restored_from_a_link(page: Any, address: str, tmp_path: Path) -> None:
    begin(page, address, "backgammon", "human", "human")
    for seed in range(4):
        act(page, at_random(np.random.default_rng(seed)))
    board = page.locator(".board svg").first.inner_html()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Save as a file").click()
    downloading.value.save_as(tmp_path / "contest.json")
    page.get_by_role("link", name="Link to this position").click()
    page.wait_for_selector(".setup .board")
    assert page.locator(".board svg").first.inner_html() == board
    page.goto(address)
    page.locator("input[type=file]").set_input_files(tmp_path / "contest.json")
    page.get_by_role("button", name="Load").click()
    page.wait_for_selector("#contest")
    assert page.locator(".board svg").first.inner_html() == board


def test_arrow_keys_reach_the_next_location(page: Any, address: str) -> None:
    begin(page, address, "tic_tac_toe", "human", "human")
    page.locator(".spot[data-location='4']").focus()
    for key, location in (("ArrowLeft", "3"), ("ArrowUp", "0"), ("ArrowRight", "1"), ("ArrowDown", "4")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.location") == location


def stops(page: Any, of: str) -> list[str]:
    """Return the locations of a board at which the Tab key stops."""
    return page.locator(f"{of}[tabindex='0']").evaluate_all("all => all.map(each => each.ariaLabel)")


def test_the_tab_key_stops_once_on_a_board(page: Any, address: str) -> None:
    for game in ("tic_tac_toe", "nine_mens_morris", "qubic", "backgammon", "hex"):
        begun_at(page, address, game)
        while not lit(page):  # (a roll is a button)
            act(page, lambda actions: actions[0])
        assert len(stops(page, ".spot")) == 1, game
    begin(page, address, "tic_tac_toe", "human", "human")
    page.locator(".spot[tabindex='0']").focus()
    walked = []
    for key in ("End", "Home", "PageDown", "ArrowDown", "PageUp"):
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.dataset.location"))
        assert len(stops(page, ".spot")) == 1
    assert walked == ["8", "0", "1", "4", "3"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.spots')") is None, "Tab leaves the board"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.location") == "3", "and comes back to where it was"


@pytest.mark.parametrize("game", registered_games())
def test_every_location_that_can_be_clicked_is_reached_by_keys(page: Any, address: str, game: str) -> None:
    begun_at(page, address, game)
    while not lit(page):
        act(page, lambda actions: actions[0])
    page.locator(".spot[tabindex='0']").focus()
    page.keyboard.press("Home")
    reached = []
    for _ in lit(page):
        reached.append(page.evaluate("document.activeElement.dataset.location"))
        page.keyboard.press("PageDown")
    assert reached == lit(page)
    assert page.evaluate("document.activeElement.dataset.location") == reached[0], "it goes round"


def test_the_tab_key_stops_once_on_the_board_of_the_editor(page: Any, address: str) -> None:
    page.goto(f"{address}/editor?game=tic_tac_toe")
    page.wait_for_selector(".place[tabindex='0']")
    assert len(stops(page, ".place")) == 1
    page.locator(".place[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == "at-3"
    page.keyboard.press("Enter")
    page.wait_for_selector("#at-3[aria-label='3, X']")
    assert page.evaluate("document.activeElement.id") == "at-3"
    assert len(stops(page, ".place")) == 1


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_the_screen(browser: Any, address: str, width: int, scheme: str) -> None:
    with opened(browser, width, color_scheme=scheme) as page:
        for path in ("/", "/games/five_mens_morris", "/games/backgammon", "/new?game=achi"):
            page.goto(f"{address}{path}")
            demand_fits(page)
        begin(page, address, "backgammon", "human", "human")
        demand_fits(page)
        open_panel(page, "graph")
        open_panel(page, "thoughts")
        open_panel(page, "research")
        page.locator("#explanations table").first.wait_for()
        page.locator("#graph svg").wait_for()
        demand_fits(page)


def test_a_man_is_dragged_with_the_mouse_and_goes_back_if_it_is_dropped_elsewhere(page: Any, address: str) -> None:
    begin(page, address, "hexapawn", "human", "human")

    def centre(location: int) -> tuple[float, float]:
        box = page.locator(f".spot[data-location='{location}']").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(one: int, other: int) -> None:
        page.mouse.move(*centre(one))
        page.mouse.down()
        page.mouse.move(*centre(other), steps=4)
        assert page.locator(".lifted circle").count() == 2  # (the man and its shadow)
        assert page.locator(".away").count() == 2
        assert page.locator(".spot.picked").get_attribute("data-location") == str(one)
        page.mouse.up()

    drag(7, 1)  # two squares forward
    assert page.locator(".lifted, .away, .spot.picked").count() == 0
    assert page.locator(".status").inner_text() == "White to move"
    drag(7, 4)
    page.locator(".status", has_text="Black to move").wait_for()
    assert page.locator(".spot[data-location='4']").get_attribute("aria-label") == "b2, white"


def test_the_last_move_glides_where_motion_is_wanted(browser: Any, address: str) -> None:
    with opened(browser, reduced_motion="no-preference") as page:
        begin(page, address, "hexapawn", "human", "human")
        for location in (7, 4):
            page.locator(f".spot.next[data-location='{location}']").click()
        page.wait_for_selector(".lifted", state="attached")
        page.wait_for_selector(".lifted", state="detached")
        assert page.locator(".away").count() == 0


def begun_at(page: Any, address: str, game: str) -> None:
    """Begin a contest of two people without the form."""
    form = {"game": game, "player0": "human", "player1": "human"}
    page.goto(page.request.post(f"{address}/contests", form=form, headers={"Origin": address}).url)


def lit(page: Any) -> list[str]:
    return page.locator(".spot.next").evaluate_all("all => all.map(each => each.dataset.location)")


def played(page: Any) -> str:
    """Return the turns so far, as they are listed."""
    return " ".join(page.locator("nav.moves li").all_inner_texts())


def wait_for_actions(page: Any, number: int) -> None:
    page.wait_for_selector(f"#contest[data-after='{number}']")


def until(page: Any, is_there: Callable[[], bool]) -> None:
    """Play the first actions until something is there; the contest may end, and another begin."""
    while not is_there():
        if page.locator(".status.over").count():
            page.locator("#again").click()
            page.wait_for_selector("#contest:not(:has(.status.over))")
        else:
            act(page, lambda actions: actions[0])


def test_a_click_on_a_man_plays_the_first_die_and_a_click_on_the_dice_swaps_them(page: Any, address: str) -> None:
    begun_at(page, address, "backgammon")
    order = page.locator("#contest").get_attribute("data-quick").split()
    listed = page.locator("#choices [data-path]")
    texts, paths = (
        dict(listed.evaluate_all(f"all => all.map(each => [each.value, each.{part}])"))
        for part in ("textContent", "dataset.path")
    )
    man = paths[order[0]].split()[0]
    larger, smaller = (texts[each] for each in order if paths[each].split()[0] == man)

    page.locator(f".spot[data-location='{man}']").click()
    wait_for_actions(page, 1)
    assert larger in played(page)
    page.get_by_role("button", name="Undo").click()
    wait_for_actions(page, 0)
    page.locator(".swaps").click()
    page.locator(f".spot[data-location='{man}']").click()
    wait_for_actions(page, 1)
    assert smaller in played(page)
    page.get_by_role("button", name="Undo").click()
    wait_for_actions(page, 0)
    page.locator(".swaps").click()
    page.locator(".swaps").click()
    page.locator(f".spot[data-location='{man}']").click()
    wait_for_actions(page, 1)
    assert larger in played(page)


def test_a_forced_turn_is_one_click(page: Any, address: str) -> None:
    begun_at(page, address, "hypergammon")
    forced = page.locator("#contest:not([data-within]) #choices [name=actions]")
    until(page, lambda: forced.count() > 0)
    number = int(page.locator("#contest").get_attribute("data-after"))
    actions = forced.get_attribute("value").split("-")
    page.locator(f".spot[data-location='{lit(page)[0]}']").click()
    wait_for_actions(page, number + len(actions))
    page.get_by_role("button", name="Undo").click()
    wait_for_actions(page, number)


def test_a_man_is_dragged_into_the_tray(page: Any, address: str) -> None:
    begun_at(page, address, "hypergammon")
    off = page.locator("#choices [name=action]:is([data-path$=' 26'], [data-path$=' 27'])")
    until(page, lambda: off.count() > 0)
    number = int(page.locator("#contest").get_attribute("data-after"))
    dragged(page, off.first.get_attribute("data-path"))
    assert page.locator(".picking .spot.next").count() > 1, "the tray is lit"
    page.mouse.up()
    wait_for_actions(page, number + 1)
    assert "off" in played(page).split()[-1]


def dragged(page: Any, path: str) -> None:
    """Drag a man to where a path ends, and hold it there."""
    places = [page.locator(f".spot[data-location='{location}']").bounding_box() for location in path.split()]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y, steps=4)


def test_a_man_is_dragged_by_both_dice(page: Any, address: str) -> None:
    begun_at(page, address, "backgammon")
    way = page.locator("#choices [name=steps]").first
    text, actions = way.text_content(), way.get_attribute("value").split("-")
    dragged(page, way.get_attribute("data-path"))
    assert text in page.locator("#prompt").inner_text()
    page.mouse.up()
    wait_for_actions(page, len(actions))
    assert text in played(page)


def test_on_a_touch_screen_one_taps(browser: Any, address: str) -> None:
    with opened(browser, 390, 844, has_touch=True, is_mobile=True) as page:
        begun_at(page, address, "backgammon")
        shown = page.locator("#prompt", has_text="Tap a man").inner_text()
        assert "A tap on the dice" in shown
        assert "lick" not in shown


@pytest.mark.parametrize("place", ["button", ".tap"])
def test_the_dice_are_pressed_to_roll_and_the_cube_to_double(page: Any, address: str, place: str) -> None:
    begun_at(page, address, "backgammon(cube=True,match_length=5,score=(0,0))")
    until(page, lambda: page.locator(".tap").count() > 0)
    assert page.locator("foreignObject.answers button").all_inner_texts() == ["Roll", "Double"]
    number = int(page.locator("#contest").get_attribute("data-after"))
    page.get_by_role("button", name="Double").click() if place == "button" else page.locator(".tap").click()
    wait_for_actions(page, number + 1)
    assert page.locator("foreignObject.answers button").all_inner_texts() == ["Take", "Drop"]
    page.get_by_role("button", name="Take").click()
    wait_for_actions(page, number + 2)


def test_a_refusal_leaves_the_board_as_it_is(browser: Any, address: str) -> None:
    page = browser.new_page()  # (an answer of 4xx is an error to the console)
    begun_at(page, address, "tic_tac_toe")
    version = page.locator("#choices [name=version]").get_attribute("value")
    page.request.post(f"{page.url}/act", form={"version": version, "action": "4"}, headers={"Origin": address})
    shapes = page.locator(".board > svg:first-child > *").count()
    page.locator(".spot[data-location='0']").click()
    page.locator("#trouble", has_text="has gone on").wait_for()
    assert page.locator(".board > svg:first-child > *").count() == shapes > 5
    page.close()
