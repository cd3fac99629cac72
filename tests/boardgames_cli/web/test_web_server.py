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


OWN = '''
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import agent
from boardgames_env.games import game


@agent("plain", "has no idea")
class Plain(MarkovPolicy):
    def __init__(self, game):
        super().__init__()

    def distribution(self, position):
        raise KeyError("no idea")


@agent("unmade", "is never made")
def unmade(game):
    return {}["no"]


@game(version=0)
def broken():
    """Broken."""
    return {}["broken"]
'''

ASKED = """
from pathlib import Path
from starlette.testclient import TestClient
from boardgames_agents.experiments.program import import_own
from boardgames_cli.web.application import Settings, make_application

import_own("mine.py")
here = "http://127.0.0.1:8000"
application = make_application(Settings(store=Path("contests.sqlite").resolve(), runs=Path("runs").resolve()))
with TestClient(application, here, headers={"Origin": here, "Sec-Fetch-Site": "same-origin"}) as client:
    for game, agent in (("tic_tac_toe", "plain"), ("tic_tac_toe", "unmade"), ("broken", "random")):
        answer = client.post("/contests", data={"game": game, "player0": agent, "player1": "human"})
        assert "Content-Security-Policy" in answer.headers
        print(answer.status_code, next(line for line in answer.text.splitlines() if " raised " in line))
"""


def test_code_of_ones_own_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-c", ASKED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    for line, whose in zip(done.stdout.splitlines(), ("agent", "agent", "game"), strict=True):
        assert line.startswith(f"500 <p>The {whose} &#39;")
        assert "raised KeyError: &#39;" in line
        assert "mine.py, line " in line
    assert 'raise KeyError("no idea")' in done.stderr
    assert "application.py" not in done.stderr
