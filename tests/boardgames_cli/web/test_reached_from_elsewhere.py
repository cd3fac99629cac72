"""Names, proxies and paths by which others reach the server, without a browser."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.web import _print_links
from boardgames_cli.web.application import Settings, make_application, too_large
from boardgames_cli.web.security import VISITOR, Guard, name_of, network_of, root_path_of
from boardgames_cli.web.server import addresses_of, listen, qr_code
from boardgames_env import BadInputError
from tests.boardgames_cli.web.conftest import TestClient, client_of
from tests.conftest import Command

PROXIES = (network_of("10.0.0.1"), network_of("fd00::/16"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("vm.lan", "vm.lan"), ("VM.Lan.", "vm.lan"), (" vm ", "vm"), ("büro.lan", "xn--bro-hoa.lan"), ("a_b", "a_b"),
        ("192.168.0.7", "192.168.0.7"), ("[FD00::1]", "fd00::1"), ("fd00:0::1", "fd00::1"),
        ("ann-8000.app.github.dev", "ann-8000.app.github.dev"),
    ],
)  # fmt: skip
def test_a_name_is_what_browsers_send(text: str, name: str) -> None:
    assert name_of(text) == name


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ""), ("/", ""), ("/x", "/x"), ("x/", "/x"), ("/user/x/proxy/8000/", "/user/x/proxy/8000"),
        ("/user/ann%40lab.org/proxy/8000", "/user/ann@lab.org/proxy/8000"), ("/jürgen/", "/jürgen"),
    ],
)  # fmt: skip
def test_a_root_path_is_kept_without_its_last_slash(text: str, path: str) -> None:
    assert root_path_of(text) == path


WRONG = {
    "--name": ["", "http://vm.lan", "vm.lan:8000", "vm.lan/x", "*", "*.lan", "a b", "-", "vm..lan", "<b>", "x" * 300],
    "--root-path": [
        "http://vm.lan/x",
        "//x",
        "/x//y",
        "/x?y",
        "/x#y",
        "/../x",
        "/x/%2e%2e",
        "/a b",
        '/"',
        "/%00",
        "/<b>",
    ],
    "--proxy": ["", "localhost", "*", "10.0.0.0/99", "10.0.0.1:80", "http://10.0.0.1"],
}


@pytest.mark.parametrize(("option", "text"), [(option, text) for option, texts in WRONG.items() for text in texts])
def test_what_is_no_name_path_or_proxy_is_refused(command: Command, option: str, text: str) -> None:
    code, out, err = command("web", option, text)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"Error: {option} is an? .*, not {re.escape(repr(text))}\n", err)


@pytest.mark.parametrize("path", ["/games", "/contests/x", "/static/", "/new"])
def test_a_root_path_that_begins_like_a_page_is_refused(folder: Path, path: str) -> None:
    with pytest.raises(BadInputError, match=r"may not begin with /[a-z]+, which is a page of the server"):
        make_application(Settings(folder / "contests.sqlite", root_path=root_path_of(path)))


@pytest.mark.parametrize("host", ["no.such.name.invalid", "a..b", "x" * 80, "203.0.113.77", "1::2::3"])
def test_an_address_that_is_not_this_machines_is_refused(host: str) -> None:
    with pytest.raises(BadInputError, match="is no address of this machine; choose another --host"):
        listen(host, 0)


def test_a_port_that_is_taken_is_refused() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            BadInputError, match=rf"^127.0.0.1:{port} cannot be listened on \([^(]*\); choose another --port"
        ):
            listen("127.0.0.1", port)


def test_the_addresses_shown_can_be_reached() -> None:
    assert addresses_of("127.0.0.1") == ["127.0.0.1"]
    for everywhere in ("0.0.0.0", "::"):
        found = addresses_of(everywhere)
        assert found
        assert not {"0.0.0.0", "::", "127.0.0.1", "::1"} & set(found)


LINKS: list[tuple[dict[str, Any], list[str]]] = [
    ({"host": "127.0.0.1"}, ["http://127.0.0.1:80/"]),
    ({"host": "::1"}, ["http://[::1]:80/"]),
    ({"host": "192.0.2.7", "token": "t"}, ["http://192.0.2.7:80/?token=t"]),
    ({"host": "192.0.2.7", "names": ("vm.lan", "fd00::1"), "token": "t"},
     ["http://vm.lan:80/?token=t", "http://[fd00::1]:80/?token=t", "http://192.0.2.7:80/?token=t"]),
    ({"host": "127.0.0.1", "root_path": "/a b", "names": ("vm.lan",), "token": "t"},
     ["http://127.0.0.1:80/a%20b/?token=t", "followed by /a%20b/?token=t"]),
    ({"host": "127.0.0.1", "proxies": PROXIES, "token": "t"},
     ["http://127.0.0.1:80/?token=t", "followed by /?token=t"]),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "expected"), LINKS)
def test_links_are_printed(settings: dict[str, Any], expected: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    link = _print_links(Settings(Path("kept.sqlite"), **settings), 80)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"The games are at {expected[0]}  (")
    assert [line for line, end in zip(lines[1:], expected[1:], strict=True) if not line.endswith(end)] == []
    assert link == [each for each in expected if each.startswith("http")][-1]


def test_a_qr_code_is_read_as_the_link() -> None:
    link = "http://192.168.100.117:8000/?token=" + 32 * "x"
    lines = qr_code(link).split("\n")
    assert max(map(len, lines)) <= 40  # (so wide is the narrowest terminal)
    segno = pytest.importorskip("segno", reason="the extra web is not installed")
    light = [[module == 0 for module in row] for row in segno.make(link, error="l", boost_error=False).matrix]
    halves = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}
    drawn = [[halves[sign][half] for sign in line] for line in lines for half in (0, 1)]
    assert [row[2:-2] for row in drawn[2 : 2 + len(light)]] == light


def passed(peer: str, headers: dict[str, str], path: str = "/", method: str = "GET", **settings: Any) -> dict[str, Any]:
    """Send a request through the guard; return the scope that it passes on, or the status and the text of a refusal."""
    found: dict[str, Any] = {"text": ""}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        found.update(scope, visitor=VISITOR.get(), host=dict(scope["headers"])[b"host"].decode())

    async def send(message: Any) -> None:
        found["status"] = message.get("status", found.get("status"))
        found["text"] += message.get("body", b"").decode()

    raw = [(name.lower().encode(), value.encode()) for name, value in {"Host": "vm.lan", **headers}.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": raw, "client": (peer, 1), "scheme": "http",
             "query_string": b"", "root_path": ""}  # fmt: skip
    guard = Guard(application, Settings(Path("unused"), names=("vm.lan",), proxies=PROXIES, **settings), too_large)
    asyncio.run(guard(scope, asyncio.Queue[Any]().get, send))
    return found


FORWARDED = {
    "X-Forwarded-For": "203.0.113.5, 10.0.0.9",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "vm.lan:8443",
    "X-Forwarded-Prefix": "/x",
}


@pytest.mark.parametrize("peer", ["10.0.0.2", "127.0.0.1", "::1", "fe80::1", ""])
def test_nobody_but_a_proxy_says_who_a_visitor_is(peer: str) -> None:
    found = passed(peer, {"Host": "vm.lan:80", **FORWARDED})
    assert (found["client"][0], found["scheme"], found["host"], found["path"]) == (peer, "http", "vm.lan:80", "/")
    assert passed(peer, {"Host": "evil.example", **FORWARDED})["status"] == 421
    assert (
        passed(peer, {"Host": "10.9.9.9", "Origin": "http://vm.lan:8443", **FORWARDED}, method="POST")["status"] == 403
    )


@pytest.mark.parametrize("peer", ["10.0.0.1", "fd00::7"])
def test_a_proxy_says_who_a_visitor_is(peer: str) -> None:
    found = passed(peer, {"Host": "127.0.0.1:8000", **FORWARDED})
    assert (found["visitor"], found["scheme"], found["host"]) == ("10.0.0.9", "https", "vm.lan:8443")
    assert (found["path"], found["root_path"], found["state"]["root"]) == ("/x/", "/x", "/x")
    assert passed(peer, {**FORWARDED, "X-Forwarded-Host": "evil.example"})["status"] == 421


@pytest.mark.parametrize(
    ("listed", "visitor"),
    [
        ("203.0.113.5", "203.0.113.5"), ("203.0.113.5:4711", "203.0.113.5"), ("[2001:db8::5]:80", "2001:db8::/64"),
        ("2001:db8::5", "2001:db8::/64"), ("6.6.6.6, 203.0.113.5, 10.0.0.1", "203.0.113.5"),
        ("6.6.6.6, nobody", "10.0.0.1"), ("6.6.6.6, nobody, 203.0.113.5", "203.0.113.5"), ("", "10.0.0.1"),
        (",,", "10.0.0.1"), ("<script>", "10.0.0.1"), ("unknown, 10.0.0.1", "10.0.0.1"), ("x" * 5000, "10.0.0.1"),
    ],
)  # fmt: skip
def test_a_visitor_is_the_last_address_that_is_no_proxy(listed: str, visitor: str) -> None:
    assert passed("10.0.0.1", {"X-Forwarded-For": listed})["visitor"] == visitor


@pytest.mark.parametrize(
    "prefix", ["//evil.example", "/x y", '/"><script>', "http://x", "/%2e%2e", "/..", "x?y", "", "/"]
)
def test_a_prefix_that_is_no_path_is_no_prefix(prefix: str) -> None:
    assert passed("10.0.0.1", {"X-Forwarded-Prefix": prefix}, "/new")["path"] == "/new"


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("http://vm.lan", "vm.lan", None), ("https://vm.lan", "vm.lan", None), ("https://vm.lan", "vm.lan:443", None),
        ("http://vm.lan", "vm.lan:80", None), ("http://vm.lan:8080", "vm.lan:8080", None),
        ("HTTP://VM.LAN", "vm.lan", None),
        ("http://vm.lan", "vm.lan:8080", 403), ("https://vm.lan", "vm.lan:80", 403), ("http://evil.lan", "vm.lan", 403),
        ("ftp://vm.lan", "vm.lan", 403), ("http://vm.lan@evil", "vm.lan", 403), ("http://vm.lan/x", "vm.lan", 403),
        ("vm.lan", "vm.lan", 403), ("http://vm.lan:99999", "vm.lan", 403), ("null", "vm.lan", 403),
        ("http://vm.lan:8080", "vm.lan", 403),
    ],
)  # fmt: skip
def test_an_origin_is_compared_with_its_port(origin: str, host: str, status: int | None) -> None:
    assert passed("10.9.9.9", {"Origin": origin, "Host": host}, method="POST").get("status") == status
    # (a proxy may have passed the name on without the port)
    believed = None if origin == "http://vm.lan:8080" else status
    assert passed("10.0.0.1", {"Origin": origin, "Host": host}, method="POST").get("status") == believed
    elsewhere = {"Sec-Fetch-Site": "same-site", "Origin": origin, "Host": host}
    assert passed("10.0.0.1", elsewhere, method="POST")["status"] == 403


def test_a_refusal_says_what_to_do(folder: Path) -> None:
    refused = passed("10.9.9.9", {"Host": "Other.LAN:8000"})
    assert (refused["status"], refused["text"].split("start it with ")[1]) == (421, "--name other.lan\n")
    assert "--name" not in passed("10.9.9.9", {"Host": "<b>.lan"})["text"]
    crossed = passed("10.9.9.9", {"Origin": "http://vm.lan:8080"}, method="POST")
    assert "named by --proxy" in crossed["text"]


def test_whoever_others_reach_asks_for_a_token() -> None:
    path = Path("unused")
    assert not Settings(path).is_open
    assert not Settings(path, host="::1").is_open
    ways: list[dict[str, Any]] = [{"host": "0.0.0.0"}, {"names": ("a",)}, {"root_path": "/x"}, {"proxies": PROXIES}]
    assert all(Settings(path, **way).is_open for way in ways)


ROOT = "/user/ann@lab/proxy/8000"
WRITTEN = "/user/ann%40lab/proxy/8000"


@pytest.fixture(scope="module")
def below(folder: Path) -> TestClient:
    """A browser behind a proxy that has the page below a path."""
    return client_of("http://127.0.0.1:8000", store=folder / "below.sqlite", runs=folder / "runs", root_path=ROOT)


@pytest.mark.parametrize("before", ["", ROOT, WRITTEN], ids=["removed", "kept", "kept as written"])
def test_every_address_is_below_the_root_path(below: TestClient, before: str) -> None:
    asked = {"game": "tic_tac_toe", "player0": "human", "player1": "human"}
    there = below.post(f"{before}/contests", data=asked).headers["location"]
    assert there.startswith(f"{WRITTEN}/contests/")
    contest = there.removeprefix(WRITTEN)
    part = {"HX-Request": "true"}
    again = below.post(f"{before}{contest}/again", data={"version": 1}, headers=part)
    assert again.headers["hx-redirect"].startswith(f"{WRITTEN}/contests/")
    paths = (
        "/",
        "/runs",
        "/taught",
        "/leagues",
        "/which-trainer",
        "/new?game=achi",
        "/games/achi",
        contest,
        "/contests",
    )
    for path in (*paths, "/nowhere", "/static/nowhere"):
        text = below.get(before + path).text
        found = re.findall(r'\b(?:href|src|action|hx-get|hx-post)="(/[^"]*)"', text)
        assert len(found) > 5, path
        assert all(address.startswith(f"{WRITTEN}/") for address in found), path
        assert all(address.count(WRITTEN) == 1 for address in found), path
    for path in ("/static/style.css", "/pictures/achi.svg"):
        assert below.get(before + path).status_code == 200
    assert below.get(f"{before}/new/?game=achi").headers["location"].endswith("/proxy/8000/new?game=achi")
    assert "static" not in below.get(f"{before}/static/style.css").headers.get("cache-control", "")


def test_the_root_path_itself_is_the_front_page(below: TestClient) -> None:
    assert "Five men" in below.get(ROOT).text
    assert below.get(f"{ROOT}x/new?game=achi").status_code == 404


def test_the_token_is_kept_for_the_root_path_alone(folder: Path) -> None:
    settings = {"store": folder / "below.sqlite", "root_path": ROOT, "token": "secret", "names": ("vm.lan",)}
    client = client_of("https://vm.lan", **settings)
    for path in ("/new?game=achi&token=secret", f"{ROOT}/new?game=achi&token=secret"):
        welcome = client.get(path)
        assert welcome.headers["location"] == f"{WRITTEN}/new?game=achi"
        assert f"path={WRITTEN}/;" in welcome.headers["set-cookie"].lower() + ";"
        assert "secure" in welcome.headers["set-cookie"].lower()
    assert client.get(f"{WRITTEN}/new?game=achi").status_code == 200
    assert client.get("/new?game=achi").status_code == 403
    assert client.get("https://vm.lan//evil.example?token=secret").headers["location"] == f"{WRITTEN}/evil.example"
