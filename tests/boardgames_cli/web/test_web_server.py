"""The server as a process: how long replies take can be measured, and killing it loses nothing."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.boardgames_cli.web.load import Person, measure, server, table

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _needs_the_extra() -> None:
    pytest.importorskip("uvicorn", reason="the extra web is not installed")


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    with server(tmp_path, killed=True) as address, closing(Person(address)) as person:
        there = person.begin("tic_tac_toe", "human")
        for version, action in enumerate("408", start=1):
            text = person.act(there, action, str(version))
    with server(tmp_path) as address, closing(Person(address)) as person:
        again = person.ask("contest", "GET", there)
        assert text.count("<li>") == again.count("<li>")
        assert 'name="version" value="4"' in again
        assert "X wins" not in person.act(there, "2", "4")


def test_replies_are_timed() -> None:
    """The load test runs; how long the replies take on this machine is not tested."""
    with server() as address:
        timed = measure(address, people=2, seconds=1, pause=0.05, processes=1)
    assert "| all |" in table(timed)
    assert {"begin", "contest", "front page"} <= {what for what, _ in timed}


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C cannot be sent to one process alone")
def test_ctrl_c_stops_it_quietly(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "boardgames_cli", "web", "--port", "0"]
    places = ["--runs", str(tmp_path), "--store", str(tmp_path / "contests.sqlite")]
    with subprocess.Popen(
        [*program, *places], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as started:
        assert started.stdout
        address = started.stdout.readline().split()[4]
        with urlopen(address) as answer:  # (it is listened on already; who answers also heeds Ctrl-C)
            assert answer.status == 200
        started.send_signal(signal.SIGINT)
        assert (started.stdout.read(), started.wait(30)) == ("", 0)
