"""Being taught in a real browser: contests by clicks, what went wrong, key nodes, an examination."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.record import write_records
from boardgames_agents.registry import make_player
from boardgames_env import make_game
from tests.boardgames_cli.web.browser import PATIENCE, demand_fits, opened, play_out

pytestmark = pytest.mark.slow


def first(actions: list[str]) -> str:
    """Choose the first action of the list: so the same errors are made again and again."""
    return actions[0]


def taught(page: Any, address: str, name: str, game: str) -> None:
    page.goto(f"{address}/taught?game={game}&others=1")
    page.fill("[name=name]", name)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("#teach-me button")


def test_ten_contests_of_being_taught(page: Any, address: str) -> None:
    taught(page, address, "Ann", "tic_tac_toe")
    page.get_by_role("button", name="Teach me").click()
    named = []
    for number in range(1, 11):
        page.wait_for_selector(f".lesson:has-text('Contest {number}:')")
        play_out(page, first)
        page.wait_for_selector(".review h2")
        named.append(page.locator(".review .mistakes li").count())
        if named[-1]:
            shown = page.locator(".review .mistakes li").first.inner_text()
            assert "You played" in shown
            assert "Better:" in shown
            assert page.locator(".review .picture > svg").count() == named[-1]
        page.locator(".review").get_by_role("button", name="Next contest").click()
    assert sum(map(bool, named)) >= 8, "the trainer leads to the errors again"
    page.wait_for_selector(".lesson:has-text('Contest 11:')")  # (so that no page comes after the next one)
    page.get_by_role("link", name="Progress of Ann").click()
    page.wait_for_selector(".charts svg")
    wrong = re.findall(r"Wrong (\d+) of (\d+) times", page.locator("main").inner_text())
    assert max(int(times) for times, _ in wrong) >= 3
    page.get_by_text("All contests").click()
    assert page.locator(".study tbody tr").count() == 10


def test_nothing_jumps_once_the_trainers_have_been_asked(page: Any, address: str) -> None:
    held = list[Any]()
    page.route("**/trainers?*", lambda route: held.append(route))  # noqa: PLW0108 (Playwright marks what it is given)
    page.goto(f"{address}/taught/jump/study?game=tic_tac_toe")
    page.wait_for_load_state("load")
    before = page.locator("#exams").bounding_box()
    while not page.get_by_role("button", name="Teach me").count():
        while held:
            held.pop().continue_()
        page.wait_for_timeout(20)
    assert page.locator("#exams").bounding_box() == before


def test_a_mistake_comes_back_and_is_answered_on_the_board(page: Any, address: str) -> None:
    taught(page, address, "Flo", "tic_tac_toe")
    page.get_by_role("button", name="Teach me").click()
    page.wait_for_selector(".lesson")
    play_out(page, first)
    page.get_by_role("link", name="Practise your mistakes").click()
    page.wait_for_selector(".spot.next")
    page.locator(".spot.next").first.click()
    page.wait_for_selector(".status.over")
    verdict = page.locator(".status").inner_text()
    assert verdict in ("Right", "Not right")
    marks = page.locator("#marks text").all_text_contents()
    assert sum(each.startswith("✓") for each in marks) == 1, "the answer to a wrong one may be there, too"
    assert verdict in page.locator("#announcement").inner_text()
    assert page.evaluate("document.activeElement.className") == "button main"
    page.keyboard.press("Enter")
    page.wait_for_function("!document.querySelector('.status.over')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_it_is_wider_than_a_phone(browser: Any, address: str, scheme: str) -> None:
    with opened(browser, 390, color_scheme=scheme) as page:
        taught(page, address, f"Dee {scheme}", "tic_tac_toe")
        page.get_by_text("For researchers").first.click()
        page.get_by_text("Any other trainer").click()
        page.select_option("[name=other]", "variety")
        page.wait_for_selector("[name='trainer.opponents']", state="attached")
        demand_fits(page)
        page.select_option("[name=other]", "")
        page.get_by_role("button", name="Teach me").click()
        page.wait_for_selector(".lesson")
        play_out(page, first)
        page.wait_for_selector(".review h2")
        demand_fits(page)
        page.get_by_role("link", name=f"Progress of Dee {scheme}").click()
        page.wait_for_selector(".study")
        demand_fits(page)


@contextmanager
def refused(browser: Any) -> Iterator[Any]:
    """Open a page whose answers may be refusals, which a browser reports as errors."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.mark.parametrize(
    ("path", "field", "button", "sentence"),
    [
        ("/taught?others=1", "name", "Go on", "A name has up to 40 letters"),
        ("/mistakes", "name", "Go on", "A name has up to 40 letters"),
        ("/", "text", "Load", "a/b"),
        ("/exact-test", "agent", "Test", "a/b"),
    ],
)
def test_a_form_that_is_refused_keeps_what_was_typed(
    browser: Any, address: str, path: str, field: str, button: str, sentence: str
) -> None:
    with refused(browser) as page:
        page.goto(f"{address}{path}")
        page.fill(f"[name={field}]", "a/b")
        page.get_by_role("button", name=button, exact=True).click()
        said = page.locator("#refused")
        said.wait_for()
        assert sentence in said.inner_text()
        assert page.input_value(f"[name={field}]") == "a/b"
        assert page.get_attribute(f"[name={field}]", "aria-describedby") == "refused"
        assert page.url.removeprefix(address) == path


def test_a_form_of_numbers_and_choices_that_is_refused_stays(browser: Any, address: str) -> None:
    with refused(browser) as page:
        page.goto(f"{address}/taught/Ida/study?game=qubic")
        page.get_by_text("For researchers").click()
        page.select_option("[name=ladder]", "1")
        page.fill("[name=contests]", "2")
        page.get_by_role("button", name="Be examined").click()
        page.locator("#refused").wait_for()
        assert (page.input_value("[name=contests]"), page.input_value("[name=ladder]")) == ("2", "1")


def test_the_form_of_a_contest_that_is_refused_keeps_its_choices(browser: Any, address: str) -> None:
    with refused(browser) as page:
        page.goto(f"{address}/new?game=hex")
        page.fill("[name='game.size']", "99")
        page.check("[name=player0][value=computer]")
        page.get_by_role("button", name="Begin").click()
        said = page.locator("#refused", has_text="size=99 is not allowed; it must be a whole number from 3 to 19")
        said.wait_for()
        assert page.input_value("[name='game.size']") == "99"
        assert page.is_checked("[name=player0][value=computer]")
        page.fill("[name='game.size']", "4")
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector("#contest")


def test_long_names_leave_the_tables_of_a_report_readable_on_a_phone(
    browser: Any, address: str, tmp_path: Path
) -> None:
    game, names = make_game("tic_tac_toe"), ("A" * 38, "Bartholomew-Featherstonehaugh of Nine Holes")
    record = play_contest(game, (make_player("random", game), make_player("random", game)), [3])
    write_records(tmp_path / "x.json", [replace(record, players=names)])
    with opened(browser, 390) as page:
        page.goto(f"{address}/analyse")
        page.set_input_files("[name=file]", tmp_path / "x.json")
        page.get_by_role("button", name="Analyse", exact=True).click()
        page.wait_for_selector("h2:has-text('All turns')")
        demand_fits(page)
        box = page.locator(".of-players").first
        assert box.evaluate("each => each.scrollWidth <= each.clientWidth")
        widths = box.locator("thead :is(td, th)").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().width)"
        )
        assert min(widths) > 90, "no column is squeezed"
