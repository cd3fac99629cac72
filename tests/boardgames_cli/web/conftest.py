"""The application, asked without a browser, and in the system's Chromium."""

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.boardgames_cli.web.browser import chromium, opened

if TYPE_CHECKING:
    from starlette.testclient import TestClient
else:
    TestClient = object  # (the extra web may be missing)

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
def client(folder: Path, place: Path) -> Iterator[TestClient]:
    """A browser on the server's own machine, as far as requests show it."""
    with client_of(HERE, store=folder / "contests.sqlite", runs=place) as made:
        yield made


def client_of(address: str, **settings: Any) -> TestClient:
    """A browser that shows a page of the application; the test is skipped without the libraries."""
    pytest.importorskip("starlette", reason="the extra web is not installed")
    pytest.importorskip("httpx", reason="the extra dev is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # (newer versions prefer another library to httpx)
        from starlette import testclient

    from boardgames_cli.web.application import Settings, make_application

    headers = {"Origin": address, "Sec-Fetch-Site": "same-origin"}
    return testclient.TestClient(
        make_application(Settings(**settings)), address, headers=headers, follow_redirects=False
    )


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of runs of the running server."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def address(runs: Path) -> Iterator[str]:
    """The address of a running server."""
    pytest.importorskip("uvicorn", reason="the extra web is not installed")
    from boardgames_cli.web.application import Settings, make_application
    from boardgames_cli.web.server import listen, make_server

    listening = listen("127.0.0.1", 0)
    server = make_server(make_application(Settings(runs / "contests.sqlite", runs)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with opened(browser) as made:
        yield made
