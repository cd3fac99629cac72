"""The application, asked without a browser."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from starlette.testclient import TestClient

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of contests and the folder of runs."""
    made = tmp_path_factory.mktemp("web")
    (made / "runs").mkdir()
    return made


@pytest.fixture(scope="session")
def client(folder: Path) -> "Iterator[TestClient]":
    """A browser on the server's own machine, as far as requests show it."""
    with client_of(HERE, store=folder / "contests.sqlite", runs=folder / "runs") as made:
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
