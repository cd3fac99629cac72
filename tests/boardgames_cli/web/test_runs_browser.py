"""Trainings, runs and leagues in a real browser."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

PATIENCE = 90_000
"""Milliseconds for whatever is waited for; most is the start of a process."""


def test_a_training_is_started_watched_tested_and_played(page: Any, address: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/train?game=tic_tac_toe")
    page.select_option("[name=learner]", "menace")
    page.locator("#learner-options summary").click()
    page.fill("[name='learner.beads']", "5")
    page.select_option("[name=trainer]", "random")
    page.fill("[name=contests]", "20000")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("text=/In training: [0-9,]+000 of 20,000/")
    page.wait_for_selector("text=It plays itself, after")
    board = page.locator("#live .board svg").inner_html()
    page.wait_for_function("board => document.querySelector('#live .board svg')?.innerHTML !== board", arg=board)
    assert page.locator(".chart polyline.line").count() == 8
    page.get_by_role("button", name="Stop the training").click()
    page.wait_for_selector("text=/Stopped after [0-9,]+00 of 20,000 contests/")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("text=Finished after 20,000 contests")
    page.wait_for_selector("#live:not([hx-get])")

    page.get_by_text("Which curves are shown").click()
    for name in ("Power in tests, %", "Reliability in tests, %"):
        page.get_by_role("checkbox", name=name).uncheck()
    page.get_by_role("checkbox", name="Plies").check()
    page.get_by_role("button", name="Show").click()
    page.wait_for_selector("figcaption:text-is('Plies')")
    assert page.locator(".chart polyline.line").count() == 1

    page.get_by_label("Test it in").fill("20")
    page.get_by_role("button", name="Test", exact=True).click()
    page.wait_for_selector("text=in 20 contests against each challenger")

    page.get_by_role("link", name="What it knows").click()
    page.wait_for_selector("text=the beads of a matchbox")
    page.go_back()
    page.get_by_role("link", name="Play against it").click()
    page.get_by_role("button", name="Begin").click()
    page.locator(".spot[data-location='4']").click()
    page.wait_for_selector("nav.moves li:nth-child(2)")
    assert "menace(beads=5), trained in tic_tac_toe-menace-1" in page.locator(".players").inner_text()


def test_a_training_that_cannot_begin_is_explained(page: Any, address: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/train?game=backgammon")
    page.select_option("[name=learner]", "td")
    page.select_option("[name=trainer]", "perfect")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("text=The training could not begin")
    assert "perfect" in page.locator(".trouble").inner_text()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1200, "light")])
def test_no_page_of_runs_and_leagues_is_wider_than_the_screen(
    browser: Any, address: str, width: int, scheme: str, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    opened = context.new_page()
    for path in ("/runs", "/leagues", "/train", "/runs/tic_tac_toe-menace-1", "/knowledge/tic_tac_toe-menace-1"):
        assert opened.goto(f"{address}{path}").ok
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, path
    context.close()
