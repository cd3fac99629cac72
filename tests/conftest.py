"""A run of all tests begins with compiling the games: every worker needs them all to collect the tests.

Each would wait for the other to compile one game after the other; so one begins at the other end.
"""

import os

import pytest

from boardgames_env import make_game, registered_games


def pytest_configure(config: pytest.Config) -> None:
    """Compile the games, in a worker of a run that names no tests."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and config.args_source is not pytest.Config.ArgsSource.ARGS:
        names = list(registered_games())
        for name in names if worker == "gw0" else reversed(names):
            _ = make_game(name).initial
