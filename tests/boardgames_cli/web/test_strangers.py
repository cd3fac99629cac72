"""What strangers can do to a server: half-sent and slow requests, many connections, many contests, full logs."""

import asyncio
import http.client
import logging
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.web import server, thinking
from boardgames_cli.web.application import Settings, make_application
from boardgames_cli.web.security import VISITOR
from boardgames_cli.web.thinking import BusyError, FairPool
from tests.boardgames_cli.web.conftest import HERE, TestClient, client_of
from tests.boardgames_cli.web.load import Person
from tests.boardgames_cli.web.load import server as server_process
from tests.boardgames_cli.web.test_web_pages import begun, post, stored

GET = "GET {path} HTTP/1.1\r\nHost: {there}\r\n"
POST = (
    "POST /contests HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{there}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n{length}\r\n\r\n"
)


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small limits, so that a test is quick, and a log that has not been written to."""
    sparing = server._SparingLog()
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 20)
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.3)
    monkeypatch.setattr(server, "_SPARING", sparing)
    yield
    for logs in (logging.getLogger("uvicorn.error"), logging.lastResort):
        assert logs is not None
        logs.removeFilter(sparing)


@contextmanager
def served(application: Any) -> Iterator[str]:
    """Serve an application in a thread; yield its host and port."""
    listening = server.listen("127.0.0.1", 0)
    running = server.make_server(application)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"127.0.0.1:{listening.getsockname()[1]}"
    running.should_exit = True
    thread.join(20)
    assert not thread.is_alive(), "the server does not stop"


@pytest.fixture
def there(tmp_path: Path) -> Iterator[str]:
    with served(make_application(Settings(tmp_path / "contests.sqlite", tmp_path))) as place:
        yield place


def sent(there: str, text: str, **fields: str) -> socket.socket:
    """Send the beginning of a request, or several."""
    host, _, port = there.partition(":")
    made = socket.create_connection((host, int(port)), timeout=20)
    made.sendall(text.format(**{"there": there, "host": there, **fields}).encode())
    return made


def status(there: str, path: str = "/static/icon.svg", **headers: str) -> int:
    with closing(http.client.HTTPConnection(there, timeout=20)) as connection:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status


HALVES = [
    ("", ""), ("G", ""), (GET + "X-", ""),
    (POST + "game=", "Content-Length: 50"), (POST + "5\r\ngame=\r\n", "Transfer-Encoding: chunked"),
]  # fmt: skip
"""Beginnings of requests, and what says how long they are."""


@pytest.mark.parametrize(("half", "length"), HALVES)
def test_a_request_must_arrive_in_time(there: str, half: str, length: str) -> None:
    with sent(there, half, path="/", length=length) as waiting:
        assert waiting.recv(1000).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert waiting.recv(1000) == b""
    assert status(there) == 200


@pytest.mark.parametrize("half", [GET + "X-", POST])
def test_to_send_slowly_is_no_way_to_stay(there: str, half: str) -> None:
    begun_at = time.monotonic()
    with sent(there, half, path="/", length="Content-Length: 999999") as waiting, suppress(OSError):
        while time.monotonic() < begun_at + 10:
            waiting.sendall(b"x")
            time.sleep(0.02)
    assert 0.2 < time.monotonic() - begun_at < 5


def test_the_body_of_a_refused_request_must_arrive_in_time(there: str) -> None:
    with sent(there, POST, host="evil.example", length="Content-Length: 50") as waiting:
        assert waiting.recv(1000).startswith(b"HTTP/1.1 421")
        while waiting.recv(1000):
            pass
    assert status(there) == 200


@pytest.mark.parametrize(("half", "length"), HALVES)
def test_many_half_sent_requests_give_way(there: str, half: str, length: str) -> None:
    with ExitStack() as stack:
        for _ in range(90):
            stack.enter_context(sent(there, half, path="/", length=length))
        assert [status(there) for _ in range(3)] == [200, 200, 200]


def test_many_that_do_not_read_their_answers_give_way(there: str) -> None:
    with ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(sent(there, 300 * (GET + "\r\n"), path="/static/htmx.min.js"))
        time.sleep(0.5)
        assert [status(there) for _ in range(3)] == [200, 200, 200]


def test_many_that_stay_connected_give_way(there: str) -> None:
    with ExitStack() as stack:
        for _ in range(60):
            connection = stack.enter_context(closing(http.client.HTTPConnection(there, timeout=20)))
            connection.request("GET", "/static/icon.svg")
            answer = connection.getresponse()
            assert (answer.status, bool(answer.read())) == (200, True)


def test_whoever_is_being_answered_does_not_give_way() -> None:
    goes_on, begun_answers = threading.Event(), threading.Semaphore(0)

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        begun_answers.release()
        while not goes_on.is_set():
            await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    with served(slow) as there, ThreadPoolExecutor(20) as visitors:
        found = [visitors.submit(status, there) for _ in range(20)]
        for _ in found:
            assert begun_answers.acquire(timeout=10)
        time.sleep(0.5)  # (an answer may take longer than a request)
        assert status(there) == 503
        goes_on.set()
        assert [each.result() for each in found] == 20 * [204]


class Log(logging.Handler):
    """What is logged, by anybody."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def test_a_message_is_logged_once_a_minute(there: str) -> None:
    log, logger = Log(), logging.getLogger("uvicorn.error")
    logger.addHandler(log)
    for _ in range(30):
        with sent(there, "GARBAGE\r\n\r\n") as refused:
            assert refused.recv(1000).startswith(b"HTTP/1.1 400")
        assert status(there, Connection="Upgrade", Upgrade="websocket") == 200
    with ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(sent(there, POST + "game=", length="Content-Length: 50"))
    assert status(there) == 200
    logger.removeHandler(log)
    messages = [record.getMessage() for record in log.records]
    assert len(messages) == len(set(messages)) <= 5
    assert "too many connections: the oldest are closed, such as one of 127.0.0.1" in messages
    assert not any(record.exc_info for record in log.records)


def test_messages_of_libraries_are_logged_once_a_minute(there: str, capfd: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("python_multipart.multipart")
    logger.propagate = False  # (pytest's handlers are the root's)
    for number in range(50):
        logger.warning("broken part %d", number)
    logger.propagate = True
    assert capfd.readouterr().err.count("broken part") == 1


def test_different_errors_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("asyncio")
    logger.addFilter(server._SPARING)
    for error in (ValueError("a"), ValueError("b"), OSError("c")):
        logger.error("broken", exc_info=error)
    assert [record.exc_info and record.exc_info[0] for record in caplog.records] == [ValueError, OSError]


class Line:
    """What visitors ask of a pool; each job waits until it is let go."""

    def __init__(self, pool: FairPool) -> None:
        self.pool = pool
        self.begun: list[str] = []
        self.gates: dict[str, threading.Event] = {}

    def ask(self, visitor: str, name: str, is_turn: bool = False) -> Future[str]:
        token, gate = VISITOR.set(visitor), self.gates.setdefault(name, threading.Event())

        def work() -> str:
            self.begun.append(name)
            assert gate.wait(10)
            return name

        try:
            return self.pool.submit(work, is_turn)
        finally:
            VISITOR.reset(token)

    def finish(self, name: str, then: int) -> None:
        """Let a job go, and wait until so many have begun."""
        self.gates[name].set()
        self.wait(then)

    def wait(self, then: int) -> None:
        end = time.monotonic() + 10
        while len(self.begun) < then and time.monotonic() < end:
            time.sleep(0.001)
        assert len(self.begun) == then

    def release(self) -> None:
        for gate in self.gates.values():
            gate.set()


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line(FairPool(3, 2, "test"))
    yield made
    made.release()


def test_a_visitor_leaves_a_thread_to_the_others(line: Line) -> None:
    for number in range(10):
        line.ask("a", f"a{number}")
    line.wait(2)
    line.ask("b", "b0")
    line.wait(3)
    assert line.begun[2] == "b0"


def test_lines_are_served_in_turn(line: Line) -> None:
    for name in ("a0", "a1", "a2", "a3", "b0", "b1", "c0"):
        line.ask(name[0], name)
    line.wait(3)
    assert sorted(line.begun) == ["a0", "a1", "b0"]
    line.finish("a0", 4)  # (c has no thread)
    line.finish("a1", 5)  # (a has none now, b has one)
    line.finish("c0", 6)
    line.finish("b0", 7)
    assert line.begun[3:] == ["c0", "a2", "b1", "a3"] or line.begun[3:] == ["c0", "a2", "a3", "b1"]


def test_what_somebody_waits_for_comes_before_turns(line: Line) -> None:
    for number in range(6):
        line.ask("a", f"turn{number}", is_turn=True)
    line.ask("a", "hint")
    line.wait(2)
    line.finish("turn0", 3)
    assert line.begun[2] == "hint"


def test_a_visitor_may_wait_for_so_much(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(66):  # (two begin)
        line.ask("a", f"a{number}", is_turn=True)
    with pytest.raises(BusyError):
        line.ask("a", "too many", is_turn=True)
    line.ask("a", "hint")
    line.ask("b", "b0", is_turn=True)
    line.wait(3)
    assert "b0" in line.begun
    assert caplog.messages == ["a has 64 requests that wait for agents; others are refused"]


def test_all_visitors_may_wait_for_so_much(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "_MOST_WAITING", 4)
    for number in range(7):
        line.ask(str(number), str(number))
    with pytest.raises(BusyError):
        line.ask("7", "7")


def test_a_job_that_fails_or_is_given_up_leaves_its_thread(line: Line) -> None:
    def fail() -> None:
        raise ValueError("broken")

    for _ in range(5):
        with pytest.raises(ValueError, match="broken"):
            line.pool.submit(fail).result(10)
    line.ask("a", "a0")
    line.ask("a", "a1")
    assert line.ask("a", "a2").cancel()
    last = line.ask("a", "a3")
    line.release()
    assert last.result(10) == "a3"
    assert "a2" not in line.begun


def test_a_contest_waits_for_the_visitors_other_contests(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    contests = [begun(client, player1="random") for _ in range(3)]
    monkeypatch.setattr(thinking, "_MOST_WAITING_OF_ONE", 0)
    for there in contests:
        answer = post(client, there, "act", action=4)
        assert (answer.status_code, "is thinking" in answer.text) == (200, True)
    monkeypatch.undo()
    for there in contests:
        assert "is thinking" not in client.get(there).text
        assert len(stored(client, there).actions) == 2


def test_a_contest_between_agents_asks_for_patience(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    there = begun(client, player0="random", player1="random")
    monkeypatch.setattr(thinking, "_MOST_WAITING_OF_ONE", 0)
    answer = client.post(f"{there}/step", data={"version": 1})
    assert (answer.status_code, "try again" in answer.text) == (503, True)


def test_a_visitor_is_an_address(tmp_path: Path) -> None:
    found: list[str] = []
    client = client_of(HERE, store=tmp_path / "contests.sqlite", runs=tmp_path)
    thinkers = client.app.state.parts.thinkers  # type: ignore[attr-defined]
    submit: Callable[..., Any] = thinkers._pool.submit
    thinkers._pool.submit = lambda *words, **options: (found.append(VISITOR.get()), submit(*words, **options))[1]
    begun(client, player1="random")
    assert set(found) == {"testclient"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such limit of open files")
def test_1200_half_sent_requests_stop_no_answer() -> None:
    with server_process(options=["--host", "0.0.0.0"]) as address, ExitStack() as stack:
        there = re.sub(r"http://.*:(\d+)/.*", r"127.0.0.1:\1", address)
        token = {"Cookie": f"boardgames-token={address.partition('token=')[2]}"}
        with ThreadPoolExecutor(16) as strangers:
            for made in strangers.map(lambda _: sent(there, GET + "X-", path="/"), range(1200)):
                stack.enter_context(made)
        for _ in range(10):
            began = time.perf_counter()
            assert status(there, "/", **token) == 200
            assert time.perf_counter() - began < 1
        assert status(there, "/") == 403


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="this machine has one address of its own")
def test_90_contests_of_a_visitor_keep_no_other_from_beginning() -> None:
    game, agent = "nine_mens_morris", "mcts(playouts=100000)"
    with server_process() as address, ThreadPoolExecutor(30) as threads:

        def begin(number: int) -> None:
            with closing(Person(address)) as person, suppress(AssertionError):  # (some are refused)
                players = {"player0": agent, "player1": "human"}
                person.ask("contest", "GET", person.ask("begin", "POST", "/contests", game=game, **players))

        with closing(Person(address)) as person:
            person.begin(game, agent)  # (compiles)
        flood = [threads.submit(begin, number) for number in range(90)]
        time.sleep(2)
        with closing(Person(address, source="127.0.0.2")) as other:
            began = time.perf_counter()
            there = other.begin(game, "mcts(playouts=1000)")
            text = other.ask("contest", "GET", there)
            action, version = (re.findall(rf'name="{name}" value="(\d+)"', text)[0] for name in ("action", "version"))
            text = other.act(there, action, version)
            while "is thinking" in text:
                time.sleep(0.1)
                text = other.ask("move", "GET", there)
            assert time.perf_counter() - began < 10
        for each in flood:
            each.cancel()
