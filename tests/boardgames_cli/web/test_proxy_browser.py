"""The page behind a real nginx, in Chromium and without it. `make test-web` installs what they need."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest

from tests.boardgames_cli.web.browser import at_random, begin, open_panel, play_out
from tests.boardgames_cli.web.load import server

pytestmark = pytest.mark.slow

CONFIGURATION = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location {location} {{ proxy_pass http://127.0.0.1:{served}{passed}; {headers} }}
    }}
}}
"""

HOST = "proxy_set_header Host $http_host;"
NAME = "proxy_set_header Host $host;"
FORWARDED = """
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $http_host;
"""
PREFIX = "proxy_set_header X-Forwarded-Prefix /some/path;"
PROXY = ["--proxy", "127.0.0.1"]
ROOT = ["--root-path", "/some/path/"]

Way = tuple[str, str, str, list[str]]
"""Where nginx has the page, what follows the server's address, the headers that it sends, and the server's options."""

WAYS: dict[str, Way] = {
    "the host passed on": ("/", "", HOST, ["--name", "vm.lan"]),
    "its own host, forwarded headers": ("/", "", FORWARDED, [*PROXY, "--name", "vm.lan"]),
    "the name passed on without the port": ("/", "", NAME, [*PROXY, "--name", "vm.lan"]),
    "a path that is removed": ("/some/path/", "/", HOST, [*ROOT, "--name", "vm.lan"]),
    "a path that is kept": ("/some/path/", "", HOST, [*ROOT, "--name", "vm.lan"]),
    "a path and forwarded headers": ("/some/path/", "/", FORWARDED, [*ROOT, *PROXY, "--name", "vm.lan"]),
    "a path that a header names": ("/some/path/", "/", FORWARDED + PREFIX, [*PROXY, "--name", "vm.lan"]),
}

Behind = Callable[[Way], str]


def is_listened_on(port: int) -> bool:
    with closing(socket.socket()) as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Behind]:
    """Start a server and an nginx before it; return the link that a visitor opens."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    with ExitStack() as stack:

        def start(way: Way) -> str:
            location, passed, headers, options = way
            link = urlsplit(stack.enter_context(server(tmp_path / "served", options=options)))
            with closing(socket.create_server(("127.0.0.1", 0))) as free:
                port = free.getsockname()[1]
            fields = {"folder": tmp_path, "port": port, "location": location, "served": link.port, "passed": passed}
            (tmp_path / "nginx.conf").write_text(CONFIGURATION.format(**fields, headers=headers), encoding="utf-8")
            files = ["-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "error.log")]
            running = subprocess.Popen([program, "-p", str(tmp_path), *files])
            stack.callback(running.wait, 20)
            stack.callback(running.terminate)
            while not is_listened_on(port):
                assert running.poll() is None, (tmp_path / "error.log").read_text(encoding="utf-8")
                time.sleep(0.05)
            return f"http://vm.lan:{port}{location}?{link.query}"

        (tmp_path / "served").mkdir()
        yield start


@pytest.mark.parametrize("way", WAYS)
def test_a_contest_is_played_behind_a_proxy(behind: Behind, page: Any, way: str) -> None:
    link = behind(WAYS[way])
    root = link.partition("?")[0].rstrip("/")
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.on("request", lambda request: failed.append(request.url) if not request.url.startswith(root) else None)
    page.goto(link)
    assert page.url == f"{root}/"
    page.get_by_role("link", name="Rules of Tic-tac-toe").click()
    page.wait_for_url(f"{root}/games/tic_tac_toe")
    begin(page, root, "tic_tac_toe", "human", "easy")
    assert page.url.startswith(f"{root}/contests/")
    play_out(page, at_random(np.random.default_rng(3)))
    open_panel(page, "graph")
    page.wait_for_selector("#graph svg")
    begun_at = page.url
    page.get_by_role("button", name="New contest").click()
    page.wait_for_url(lambda url: url.startswith(f"{root}/contests/") and url != begun_at)
    assert not failed
