"""The system's Chromium, driven by Playwright: pages whose scripts must not fail, and what people do on them."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP vm.lan 127.0.0.1",
)  # fmt: skip

PATIENCE = 120_000
"""Milliseconds that a page may take: rules of games and the code of agents are compiled when they are first used."""

_IS_LATER = """version => document.querySelector('.status.over')
    || (document.querySelector('#choices [name=version]')?.value ?? version) !== version"""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser; the test is skipped without it, or without Playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra web-test is not installed")
    names = ("chromium", "chromium-browser", "google-chrome")
    executable = next((path for path in map(shutil.which, names) if path), None)
    if executable is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield launched
        launched.close()


@contextmanager
def opened(browser: Any, width: int = 1200, height: int = 900, **options: Any) -> Iterator[Any]:
    """Open a page that fails the test if a script fails, or breaks the content security policy."""
    quiet = {"reduced_motion": "reduce"}  # (so that pictures do not change while they are compared)
    context = browser.new_context(viewport={"width": width, "height": height}, **{**quiet, **options})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not troubles, troubles


def demand_fits(page: Any) -> None:
    """Fail if the page is wider than the screen, once it has its style sheet."""
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], page.url


def begin(page: Any, address: str, game: str, *players: str) -> None:
    """Begin a contest by the form: of people, and the computer at levels."""
    page.goto(f"{address}/new?game={game}")
    for seat, player in enumerate(players):
        page.check(f"[name=player{seat}][value={'human' if player == 'human' else 'computer'}]")
        if player != "human":
            page.check(f"[name=level][value={player}]")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#contest")
    page.wait_for_load_state("load")  # (a form is sent by a script, for which Playwright does not wait)


def open_panel(page: Any, name: str) -> None:
    """Open a panel of a contest."""
    page.locator(f"#{name}-panel > summary").click()


def at_random(rng: np.random.Generator) -> Callable[[list[str]], str]:
    """Return a function that chooses an action at random."""
    return lambda actions: str(rng.choice(actions))


def act(page: Any, choose: Callable[[list[str]], str]) -> None:
    """Play one of the actions that the page allows by clicks, and wait until the page shows it."""
    buttons = page.locator("#choices button[name=action]")
    paths = dict(buttons.evaluate_all("all => all.map(each => [each.value, each.dataset.path || ''])"))
    action = choose(list(paths))
    version = page.locator("#choices [name=version]").get_attribute("value")
    preferred = (page.locator("#contest").get_attribute("data-quick") or "").split()
    path = paths[action].split()
    if preferred and path:  # (a click on a man plays the first of its actions)
        alike = [each for each in preferred if paths[each].split()[0] == path[0]]
        if alike[0] != action:
            page.locator(".swaps").click()
        path = path[:1]
    for location in path:
        page.locator(f".spot.next[data-location='{location}']").click()
    # (of actions with the same locations, or one that has none, there is a button)
    offered = page.locator(f"{'#ambiguous' if paths[action] else '.answers'} button[name=action][value='{action}']")
    if offered.count():
        offered.click()
    page.wait_for_function(_IS_LATER, arg=version)


def play_out(page: Any, choose: Callable[[list[str]], str]) -> None:
    """Play a contest to its end by clicks."""
    while not page.locator(".status.over").count():
        act(page, choose)
