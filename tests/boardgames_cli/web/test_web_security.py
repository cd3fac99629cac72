"""Who is answered, and what malformed requests get."""

import random
import string
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from boardgames_agents.training.run import RunConfig, train
from boardgames_env import BadInputError
from tests.boardgames_cli.web.conftest import HERE, TestClient, client_of
from tests.boardgames_cli.web.test_web_pages import begun

THERE = {"game": "tic_tac_toe", "player0": "human", "player1": "human"}


OTHERS = ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "10.0.0.1", "", "[::1", "a:b")
OURS = ("127.0.0.1:8000", "localhost:9000", "LOCALHOST", "[::1]:8000")


@pytest.mark.parametrize(("host", "status"), [*((host, 421) for host in OTHERS), *((host, 200) for host in OURS)])
def test_other_names_of_this_machine_are_refused(client: TestClient, host: str, status: int) -> None:
    assert client.get("/static/icon.svg", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:8001"},
        {"Origin": "null", "Sec-Fetch-Site": ""},
        {"Origin": "", "Sec-Fetch-Site": ""},
    ],
)
def test_another_page_cannot_post(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post("/contests", data=THERE, headers=headers)
    assert answer.status_code == 403
    assert "does not come from a page of this server" in answer.text


def test_a_post_that_no_browser_has_marked_is_refused(client: TestClient) -> None:
    request = client.build_request("POST", "/contests", data=THERE)
    for name in ("origin", "sec-fetch-site"):
        del request.headers[name]
    assert client.send(request).status_code == 403


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/", "/static/board.js", "/nowhere", "/new?game=achi"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_no_page_has_inline_script_or_style(client: TestClient, folder: Path) -> None:
    train(folder / "runs" / "first", RunConfig("tic_tac_toe", "menace", "random", 3))
    lists = ("/", "/runs", "/leagues", "/taught", "/which-trainer", "/exact-test")
    for path in (*lists, "/games/achi", "/new?game=backgammon", "/runs/first", "/knowledge/first", begun(client)):
        text = client.get(path).text
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick" not in text
        assert text.count("<script") == text.count('<script src="/static/')
        assert "//" not in text.replace(HERE, "").replace("http://www.w3.org/2000/svg", "").partition("<main>")[0]


def test_elsewhere_the_token_is_needed(folder: Path) -> None:
    client = client_of("http://192.168.0.7:8000", store=folder / "open.sqlite", host="0.0.0.0", token="secret")
    for path in ("/", "/?token=other", "/?token=", "/static/board.js"):
        assert client.get(path).status_code == 403
    assert client.get("/", headers={"Cookie": "boardgames-token=other"}).status_code == 403
    assert client.get("/?token=secret", headers={"Host": "evil.example"}).status_code == 421
    astray = client_of("http://192.168.0.7:8000", store=folder / "open.sqlite", host="0.0.0.0", token="secret")
    assert astray.get("http://192.168.0.7:8000//evil.example?token=secret").headers["location"] == "/evil.example"
    welcome = client.get("/new?game=achi&token=secret")
    assert (welcome.status_code, welcome.headers["location"]) == (303, "/new?game=achi")
    assert "httponly" in welcome.headers["set-cookie"].lower()
    assert client.get("/").status_code == 200


FILES = [
    "td_net(file='/etc/passwd')", "td_net(file='../secret.npz')", "td_net(file='runs/../../x')", "td_net(file='x.npz')",
    "alpha_beta(tables='/etc')", "trained(run='/tmp')", "trained", "fives_teacher(coefficients='/etc/passwd')",
    "self_tested(learner='alpha_beta(tables=\"/etc\")')", "td_net(file='http://evil.example/x')",
    "sb3(file='/etc/passwd')", "torch(file='../net.pt2')", "alpha_zero(network='/etc/passwd')",
    "td_net(file='\\x00')", "td_gammon(doubling='/etc/passwd')", "td_net(file='pyproject.toml')",
]  # fmt: skip


@pytest.fixture
def checker(client: TestClient) -> Any:
    """What reads specs from pages."""
    return client.app.state.parts.checker  # type: ignore[attr-defined]


@pytest.mark.parametrize("spec", FILES)
def test_a_page_cannot_name_files_elsewhere(spec: str, checker: Any) -> None:
    with pytest.raises(BadInputError, match="may name only files in runs"):
        checker.agent(spec)


def test_a_page_can_name_files_of_runs(folder: Path, checker: Any) -> None:
    for path in (folder / "runs" / "a", folder / "runs" / "b" / "c.safetensors"):
        checker.agent(f"trained(run={str(path)!r})")
    (folder / "runs" / "out").symlink_to(folder)
    with pytest.raises(BadInputError, match="may name only files in runs"):
        checker.agent(f"trained(run={str(folder / 'runs' / 'out' / 'x')!r})")


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mcts(playouts=10000000)", "at most 100,000 is allowed"),
        ("td_gammon(plies=4)", "at most 3 is allowed"),
        ("fives_student(level=7)", "at most 6 is allowed"),
        ("self_tested(learner='fives(level=20)')", "at most 6 is allowed"),
        ("gnubg_engine", "connects to another program"),
        ("gnubg_engine(host='intranet', port=80)", "connects to another program"),
    ],
)
def test_a_page_names_nothing_that_thinks_for_long_or_is_elsewhere(spec: str, reason: str, checker: Any) -> None:
    with pytest.raises(BadInputError, match=reason):
        checker.agent(spec)
    assert "gnubg_engine" not in checker.offered()
    assert {"td_gammon", "random"} < set(checker.offered())


@pytest.mark.parametrize(
    "spec", ["mcts(playouts=10000000)", "human", "nobody", "mcts(", "x" * 5000, "td_gammon(nothing=1)"]
)
def test_other_specs_that_a_page_may_not_name(client: TestClient, spec: str) -> None:
    answer = client.post("/contests", data={**THERE, "player1": spec, "player0": spec})
    assert answer.status_code == 400 or spec == "human"


def test_everything_is_escaped(client: TestClient) -> None:
    evil = "<script>alert(1)</script>"
    for answer in (
        client.get("/new", params={"game": evil}),
        client.get(f"/contests/{evil}"),
        client.post("/contests", data={**THERE, "player1": evil}),
        client.post("/contests", data={**THERE, "player1": "mcts", "player1.playouts": evil}),
    ):
        assert 400 <= answer.status_code < 500
        assert evil not in answer.text


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    def endless():
        for _ in range(300):
            yield b"a" * 10_000

    large = client.post("/load", content=b"a" * 2_000_000, headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert large.status_code == 413
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/contests", content=endless(), headers=form).status_code == 413


Made = tuple[str, str, dict[str, str], bytes]
"""A request: its method, address, headers and body."""

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def junk(rng: random.Random) -> str:
    return "".join(rng.choices(string.printable + "é\x00\ud7ff€", k=rng.randint(1, 40)))


def strange(rng: random.Random) -> str:
    """A text that is no number, or a number that is out of range."""
    return rng.choice([junk(rng), "-1", "9" * 30, "999999", "1e5", "٣", "0x1", "1_0"])


def fields(rng: random.Random, names: str, least: int = 0) -> bytes:
    """A form with some of these fields, all of them strange."""
    chosen = rng.choices(names.split(), k=rng.randint(least, 4))
    return "&".join(f"{name}={quoted(strange(rng))}" for name in chosen).encode()


PART = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n%s\r\n--b--\r\n'
RECORDS = [b"{}", b"[]", b'{"format": "boardgames contests", "version": 1}', b'{"format": "\\ud800"}', b"[" * 5000]


def malformed(rng: random.Random, there: str) -> Made:
    """A request that nobody should make, of one of ten kinds."""
    one = rng.choice
    letters = "".join(rng.choices(string.ascii_letters + ";=/\"' ", k=30))
    multipart = ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=b"]
    file = PART % one([rng.randbytes(50), *RECORDS])
    page = one(["games/", "contests/", "pictures/", "static/", "static/../", f"{there[1:]}/"])
    query = one(["/new?game=", "/new?game=achi&actions=", "/agents/options?seat=", f"{there}?after="])
    run = f"/{one(['runs', 'knowledge', 'leagues'])}/{quoted(one([junk(rng), '../..', '/etc', 'x' * 3000]))}"
    lesson = f"/taught/{one(['me', quoted(junk(rng))])}/{one(['next', 'exams', 'give-up'])}"
    action = f"version={quoted(one([strange(rng), '1']))}&action={quoted(strange(rng))}!".encode()
    return one([
        ("GET", f"/{page}{quoted(junk(rng))}x", {}, b""),
        ("GET", f"{query}{quoted(strange(rng))}!", {}, b""),
        (one(["PUT", "DELETE", "PATCH", "POST", "OPTIONS"]), one(["/", "/new", there]), {}, b""),
        ("POST", "/contests", FORM, fields(rng, "game player0 player1 actions x")),
        ("POST", f"{there}/{one(['act', 'nothing'])}", FORM, action),
        ("POST", one(["/contests", "/load", f"{there}/act"]), {"Content-Type": one([*multipart, letters, ""])},
         rng.randbytes(rng.randint(0, 300))),
        ("POST", "/load", {"Content-Type": multipart[2]}, one([file, file, file[: rng.randint(1, 60)]])),
        ("POST", lesson, FORM, fields(rng, "game trainer other exam contests ladder")),
        ("GET", f"{run}/x", {}, b""),
        ("POST", run, FORM, fields(rng, "do contests game number", least=4)),
    ])  # fmt: skip


def quoted(text: str) -> str:
    return quote(text, safe="")


def test_a_number_that_is_too_large_for_its_type_is_refused(client: TestClient) -> None:
    answer = client.post("/contests", data={**THERE, "player1": "mcts", "player1.c": "1" * 400})
    assert (answer.status_code, "too large" in answer.text) == (400, True)


@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.slow)])
def test_malformed_requests_are_refused_in_one_sentence(client: TestClient, count: int) -> None:
    there = begun(client)
    rng = random.Random(count)
    for number in range(count):
        method, address, headers, body = malformed(rng, there)
        answer = client.request(method, f"{HERE}{address}", headers=headers, content=body)
        request = f"request {number}: {method} {address!r} {headers} {body!r}"
        assert 400 <= answer.status_code < 500, request
        assert answer.text.strip(), request
        assert "Traceback" not in answer.text, request
    assert client.get(there).status_code == 200
