"""The page for everyone: nothing that axe-core finds, one screen on phones and tablets, and the focus where it was."""

import base64
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.league_tables import write_league
from boardgames_agents.league.round_robin import League
from boardgames_agents.league.round_robin import play as play_league
from boardgames_agents.training.run import RunConfig, train
from boardgames_env import registered_games
from tests.boardgames_cli.web.browser import act, begin, demand_fits, open_panel, opened, play_out

pytestmark = pytest.mark.slow

PHONE, TABLET, LAPTOP = {"width": 390, "height": 844}, {"width": 820, "height": 1180}, {"width": 1366, "height": 768}

_TOO_SMALL = """() => [...document.querySelectorAll("button, .button, select, summary, input, nav a, .links a")]
    .filter(each => each.checkVisibility({ opacityProperty: false }) && !each.closest("label"))
    .filter(each => { const { width, height } = each.getBoundingClientRect(); return height < 43.5 || width < 24; })
    .map(each => `${each.tagName} ${each.textContent.trim().slice(0, 30)} ${each.getBoundingClientRect().height}`)"""

_CUT = """isPhone => [...document.querySelectorAll(isPhone ? ".thought .wide" : ".wide, .table-box, .rules table")]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => `${each.ariaLabel} (${each.scrollWidth} of ${each.clientWidth})`)"""

_UNFOLD = """() => [...document.querySelectorAll("details")]
    .filter(each => each.firstElementChild.textContent === "For researchers")
    .forEach(each => { each.open = true; })"""

_BRIGHTNESS = """async shot => {
    const bytes = Uint8Array.from(atob(shot), each => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    return data.reduce((sum, each, at) => (at % 4 === 3 ? sum : sum + each), 0) / (0.75 * data.length);
}"""


@pytest.fixture(scope="module")
def trained(runs: Path) -> str:
    """The name of a run, beside a league."""
    train(runs / "for-everyone", RunConfig("tic_tac_toe", "menace(beads=5)", "random", 300, test_every=100))
    league = League(("tic_tac_toe",), (Entrant("random"), Entrant("perfect")), 4)
    write_league(league, play_league(league, runs / "league"), runs / "league")
    return "for-everyone"


def pages(page: Any, address: str, trained: str) -> Iterator[str]:
    """Open each page in turn, and name it."""
    page.route("**/nowhere", lambda route: route.fulfill(response=route.fetch(), status=200))  # (404 is an error)
    for path in (
        *("/", "/contests", "/games/backgammon", "/games/five_mens_morris", "/new?game=backgammon", "/new?game=gomoku"),
        *("/runs", f"/runs/{trained}", f"/knowledge/{trained}", "/leagues", "/leagues/league", "/which-trainer"),
        *(
            "/analyse",
            "/editor?game=backgammon",
            "/editor?game=nine_mens_morris",
            "/exact-test",
            "/taught",
            "/taught?game=tic_tac_toe",
            "/mistakes",
            "/matchboxes/tic_tac_toe?games=5",
            "/nowhere",
        ),
    ):
        page.goto(f"{address}{path}")
        page.wait_for_load_state("networkidle")
        yield path
    begin(page, address, "backgammon", "human", "human")
    open_panel(page, "graph")
    open_panel(page, "thoughts")
    page.locator("#explanations table").first.wait_for(state="attached")
    page.locator("#graph svg").wait_for()
    yield "a contest, with what agents think"
    begin(page, address, "tic_tac_toe", "human", "perfect")
    page.get_by_role("button", name="Hint").click()
    page.locator(".hints").wait_for()
    yield "a hint"
    play_out(page, lambda actions: actions[0])
    yield "the end of a contest"
    page.goto(f"{address}/taught?game=tic_tac_toe&others=1")
    page.fill("[name=name]", "Eve")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("form.trainers", state="attached")
    page.get_by_text("For researchers").click()
    page.wait_for_selector("form.trainers")
    yield "the trainers"
    page.get_by_role("button", name="Teach me").click()
    page.wait_for_selector(".lesson")
    yield "a lesson"
    play_out(page, lambda actions: actions[0])
    page.wait_for_selector(".review h2")
    yield "what went wrong"
    page.goto(f"{address}/taught/Eve/mistakes")
    yield "a mistake that comes back"
    page.locator("#choices details").evaluate("each => each.open = true")
    page.locator("#choices details button").first.click()
    page.wait_for_selector(".status.over")
    yield "an answer"
    page.goto(f"{address}/taught/Eve/mistakes/paper")
    yield "mistakes on paper"
    page.goto(f"{address}/taught/Eve/study?game=tic_tac_toe")
    page.wait_for_selector(".study")
    yield "the progress of a pupil"


def _axe() -> str:
    """Return the script of axe-core. (The package that holds it reads it in the system's encoding, if imported.)"""
    package = find_spec("axe_playwright_python")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the extra web-test is not installed")
    return Path(package.submodule_search_locations[0], "axe.min.js").read_text(encoding="utf-8")


def test_axe_finds_nothing_on_any_page(browser: Any, address: str, trained: str) -> None:
    axe, found = _axe(), []
    with opened(browser) as page:
        for name in pages(page, address, trained):
            page.evaluate(_UNFOLD)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                for size in (PHONE, TABLET, LAPTOP):
                    page.set_viewport_size(size)
                    demand_fits(page)
                    found += [f"{name}, {size['width']}: {cut} is cut" for cut in page.evaluate(_CUT, size == PHONE)]
                    page.evaluate(axe)
                    for each in page.evaluate("axe.run().then(results => results.violations)"):
                        where = [node["html"][:200] for node in each["nodes"]][:3]
                        found.append(f"{name}, {scheme}, {size['width']}: {each['id']}, {where}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_board_the_turn_and_the_buttons_fit_one_screen_and_are_large_enough(
    browser: Any, address: str, size: dict[str, int]
) -> None:
    with opened(browser, **size, has_touch=True) as page:
        for game in [*registered_games(), "backgammon(cube=True,match_length=5,score=(0,0))"]:
            begin_at(page, address, game)
            for part in (
                ".board",
                ".status",
                ".players",
                ".tools",
                *(["foreignObject.answers"] if "(" in game else []),
            ):
                if page.locator(part).count():
                    box = page.locator(part).first.bounding_box()
                    assert box["y"] + box["height"] <= size["height"], f"{game}: {part}"
            demand_fits(page)
            assert page.evaluate(_TOO_SMALL) == [], game
            if "cube" in game:
                play_to_the_cube(page)
                for button in page.locator("foreignObject.answers button").all():
                    assert button.bounding_box()["height"] >= 43.5
                    assert button.bounding_box()["width"] >= 43.5
        for path in ("/", "/new?game=backgammon", "/taught?game=tic_tac_toe", "/runs"):
            page.goto(f"{address}{path}")
            demand_fits(page)
            assert page.evaluate(_TOO_SMALL) == [], path


def test_hex_stands_upright_on_a_phone_and_is_played_by_taps(browser: Any, address: str) -> None:
    with opened(browser, **PHONE, has_touch=True) as page:
        begin_at(page, address, "hex")
        cells = [page.locator(f".spot[data-location='{location}']") for location in (0, 60, 120)]
        first, middle, last = (cell.bounding_box() for cell in cells)
        assert last["y"] - first["y"] > 380, "its long diagonal is upright"
        assert abs(last["x"] - first["x"]) < 2
        assert middle["width"] > 19
        cells[1].tap()
        page.locator("nav.moves li", has_text="f6").wait_for()


@pytest.mark.parametrize("size", [PHONE, TABLET, LAPTOP], ids=["phone", "tablet", "laptop"])
def test_games_and_the_button_to_begin_are_found_at_once(browser: Any, address: str, size: dict[str, int]) -> None:
    width, height = size["width"], size["height"]
    with opened(browser, width, height, has_touch=width < 1000, is_mobile=width < 1000) as page:
        page.goto(f"{address}/")
        tops = "() => [...document.querySelectorAll('.jumps a')].map(each => each.getBoundingClientRect().top)"
        assert len(set(page.evaluate(tops))) == 1, "the links are one line"
        page.locator(".jumps a", has_text="Backgammon").click()
        assert page.get_by_role("heading", name="Backgammon").first.bounding_box()["y"] < height
        if width == 390:
            last = page.locator(".card").last.bounding_box()
            assert last["y"] + last["height"] + page.evaluate("scrollY") < 4.2 * height
        for game in ("backgammon", "tic_tac_toe", "connect_four"):
            page.goto(f"{address}/new?game={game}")
            button = page.get_by_role("button", name="Begin").bounding_box()
            assert button["y"] + button["height"] <= height
        page.goto(f"{address}/new?game=backgammon")
        assert not page.get_by_label("Score to begin with").is_visible()
        page.check("[name=way][value^=Match]")
        assert page.get_by_label("Score to begin with").is_visible()
        assert not page.get_by_label("Jacoby").is_visible()


def test_no_page_is_wider_than_the_screen_though_a_spec_is_long(browser: Any, address: str, runs: Path) -> None:
    learner = f"td(hidden=4, alpha=0.{'1' * 90}, decay=1000, lam=0.7, epsilon=0.05, temperature=0.1, seed=12345)"
    train(runs / "long", RunConfig("tic_tac_toe", learner, "random", 2, test_every=2, test_contests=2))
    for width in (390, 820, 1366):
        with opened(browser, width) as page:
            for path in ("/runs", "/runs/long", "/knowledge/long"):
                page.goto(f"{address}{path}")
                demand_fits(page)
            page.goto(f"{address}/runs/long")
            page.get_by_role("link", name="Play against it").click()
            page.get_by_role("button", name="Begin").click()
            page.wait_for_selector("#contest")
            demand_fits(page)


def test_the_focus_stays_and_each_state_is_said_once(page: Any, address: str) -> None:
    begin(page, address, "tic_tac_toe", "human", "easy")
    watch_announcements(page)
    page.locator(".spot[data-location='4']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('nav.moves li').length === 2")
    assert focused(page) == "4", "it is on the board, and stays there"
    while not page.locator(".status.over").count():
        turns = page.locator("nav.moves li").count()
        page.locator(".spot.next").first.focus()
        there = focused(page)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "turns => document.querySelectorAll('nav.moves li').length > turns + 1 || document.querySelector('.over')",
            arg=turns,
        )
        if not page.locator(".status.over").count():
            assert focused(page) == there
    assert page.evaluate("document.activeElement.textContent").strip() == "New contest"
    said = page.evaluate("said")
    assert len(said) == len(set(said)) > 1


def test_the_focus_stays_while_the_computer_thinks(page: Any, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_cli.web.pages.contest._PATIENCE", 0.01)
    begin_at(page, address, "qubic", player1="alpha_beta(nodes=100000)")
    page.locator(".spot.next[data-location='21']").focus()
    watch_announcements(page)
    page.keyboard.press("Enter")
    page.get_by_text("is thinking").wait_for()
    assert focused(page) == "21"
    page.wait_for_function("() => document.querySelectorAll('nav.moves li').length === 2")
    assert focused(page) == "21"
    said = page.evaluate("said")
    assert len(said) == len(set(said)) <= 2


def test_nothing_to_press_is_printed(page: Any, address: str) -> None:
    begin(page, address, "backgammon", "human", "human")
    page.emulate_media(media="print")
    assert page.locator(".board > svg").first.is_visible()
    for part in ("header", ".tools", "#choices button", ".panels", "#prompt"):
        for each in page.locator(part).all():
            assert not each.is_visible(), part


def test_no_light_plate_lies_round_the_board_in_the_dark(browser: Any, address: str) -> None:
    with opened(browser, color_scheme="dark") as page:
        for path in ("/new?game=achi", "/new?game=backgammon", "/games/achi", "/"):
            page.goto(f"{address}{path}")
            picture = page.locator(".board, .rules img, .card img").first
            picture.wait_for()
            light = brightness(page, picture)
            assert light < 100, f"{path}: a corner of the picture has brightness {light}"


def brightness(page: Any, picture: Any) -> float:
    """Return the mean brightness, 0 to 255, of a corner of a picture on the screen."""
    box = picture.bounding_box()
    place = {"x": box["x"] + 4, "y": box["y"] + box["height"] - 16, "width": 8, "height": 8}
    shot = base64.b64encode(page.screenshot(clip=place)).decode()
    return float(page.evaluate(_BRIGHTNESS, shot))


def begin_at(page: Any, address: str, game: str, **players: str) -> None:
    """Begin a contest without the form; of two people, unless players are given."""
    fields = {"game": game, "player0": "human", "player1": "human", **players}
    answer = page.request.post(
        f"{address}/contests", form=fields, headers={"Origin": address, "Sec-Fetch-Site": "same-origin"}
    )
    page.goto(answer.url)


def play_to_the_cube(page: Any) -> None:
    """Play the first actions until a seat may double."""
    while not page.locator(".tap").count():
        act(page, lambda actions: actions[0])


def focused(page: Any) -> str:
    """Return the location that has the focus, or else the element's name."""
    return str(page.evaluate("document.activeElement.dataset.location ?? document.activeElement.tagName"))


def watch_announcements(page: Any) -> None:
    """Note what the page says to screen readers from now on."""
    page.evaluate(
        """() => {
            window.said = [];
            const place = document.getElementById("announcement");
            new MutationObserver(() => said.push(place.textContent)).observe(place, { childList: true });
        }"""
    )
