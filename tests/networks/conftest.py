from collections.abc import Callable
from runpy import run_path

import pytest


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a command of ``python -m networks`` in this process."""

    def run(*words: object) -> None:
        monkeypatch.setattr("sys.argv", ["networks", *map(str, words)])
        run_path("networks", run_name="__main__")

    return run
