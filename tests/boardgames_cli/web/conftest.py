"""The application, asked without a browser, and in the system's Chromium."""

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.boardgames_cli.web.chromium import FLAGS, found_chromium

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of contests and the folder of runs."""
    made = tmp_path_factory.mktemp("web")
    (made / "runs").mkdir()
    return made


@pytest.fixture(scope="module")
def place(folder: Path) -> Path:
    """The folder of runs; modules whose tests need some in it have a fixture of this name."""
    return folder / "runs"


@pytest.fixture(scope="module")
def client(folder: Path, place: Path) -> "Iterator[TestClient]":
    """A browser on the server's own machine, as far as requests show it."""
    with client_of(HERE, store=folder / "contests.sqlite", runs=place) as made:
        yield made


def client_of(address: str, **settings: Any) -> "TestClient":
    """A browser that shows a page of the application; the test is skipped without the libraries."""
    pytest.importorskip("starlette", reason="the extra web is not installed")
    pytest.importorskip("httpx", reason="the extra dev is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # (newer versions prefer another library to httpx)
        from starlette.testclient import TestClient

    from boardgames_cli.web.application import Settings, make_application

    headers = {"Origin": address, "Sec-Fetch-Site": "same-origin"}
    return TestClient(make_application(Settings(**settings)), address, headers=headers, follow_redirects=False)


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of runs of the running server."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def address(runs: Path) -> Iterator[str]:
    """The address of a running server."""
    uvicorn = pytest.importorskip("uvicorn", reason="the extra web is not installed")
    from boardgames_cli.web import listen
    from boardgames_cli.web.application import Settings, make_application

    application = make_application(Settings(runs / "contests.sqlite", runs))
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra web-test is not installed")
    executable = found_chromium()
    if executable is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that fails the test if a script fails, or breaks the content security policy."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(60_000)  # (the rules of a game are compiled when it is first played)
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    yield opened
    context.close()
    assert not troubles
