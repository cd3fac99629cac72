"""Runs and leagues in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.training.run import RunConfig, train
from tests.boardgames_cli.web.browser import demand_fits, opened

pytestmark = pytest.mark.slow

RUN = "tic_tac_toe-menace-1"


@pytest.fixture(scope="module")
def run(runs: Path) -> str:
    """The address of the page of a run."""
    config = RunConfig(
        "tic_tac_toe", "menace(beads=5)", "random", 2000, test_every=200, test_contests=5, checkpoint_every=200
    )
    train(runs / RUN, config)
    return f"/runs/{RUN}"


def test_a_training_is_watched(page: Any, address: str, run: str, runs: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (runs / RUN / "lock").open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        page.goto(f"{address}{run}")
        page.wait_for_selector("text=It plays itself, after 2,000 contests")
        board = page.locator("#live .board svg").inner_html()
        page.wait_for_function("board => document.querySelector('#live .board svg')?.innerHTML !== board", arg=board)
        assert page.locator(".chart polyline.line").count() == 8
    page.wait_for_selector("text=Finished after 2,000 contests")
    page.wait_for_selector("#live:not([hx-get])")


def test_curves_are_chosen_and_the_learner_is_played(page: Any, address: str, run: str) -> None:
    page.goto(f"{address}{run}")
    page.get_by_text("Which curves are shown").click()
    for name in ("Power in tests, %", "Reliability in tests, %"):
        page.get_by_role("checkbox", name=name).uncheck()
    page.get_by_role("checkbox", name="Plies").check()
    page.get_by_role("button", name="Show").click()
    page.wait_for_selector("figcaption:text-is('Plies')")
    assert page.locator(".chart polyline.line").count() == 1

    page.get_by_role("link", name="What it knows").click()
    page.wait_for_selector("text=the beads of a matchbox")
    page.go_back()
    page.get_by_role("link", name="Play against it").click()
    page.get_by_role("button", name="Begin").click()
    page.locator(".spot[data-location='4']").click()
    page.wait_for_selector("nav.moves li:nth-child(2)")
    assert f"menace(beads=5), trained in {RUN}" in page.locator(".players").inner_text()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1200, "light")])
def test_no_page_is_wider_than_the_screen(browser: Any, address: str, run: str, width: int, scheme: str) -> None:
    with opened(browser, width, color_scheme=scheme) as page:
        for path in ("/runs", "/leagues", "/which-trainer", run, f"/knowledge/{RUN}"):
            assert page.goto(f"{address}{path}").ok
            demand_fits(page)
