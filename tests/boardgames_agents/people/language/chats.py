"""A server of chat completions for tests, which answers as an agent of ours or as no server should.

``python -m tests.boardgames_agents.people.language.chats`` serves a model that takes the first legal move, to be
measured against, and prints its address.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import numpy as np

from boardgames_agents.experts.human import read_move
from boardgames_agents.registry import make_agent
from boardgames_env import Game, Position, make_game

Reply = Callable[[dict[str, Any], int], str]
"""What a model answers to a request, and to which it is of all; an answer ``!429`` is a status, ``!cut`` a fault."""


@cache
def tic_tac_toe() -> Game:
    """Return the game that most of these tests play; none is made while tests are collected."""
    return make_game("tic_tac_toe")


class Chats(ThreadingHTTPServer):
    """The server; ``requests`` are those it got, ``keys`` their headers of authorization."""

    daemon_threads = True
    request_queue_size = 400

    def __init__(self, reply: Reply, remembers: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply, self.requests, self.keys = reply, list[dict[str, Any]](), list[str]()
        self.remembers = remembers
        self.lock = Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: some of the clients hang up."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def serving(reply: Reply) -> Iterator[Chats]:
    server = Chats(reply)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Chats

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            if self.server.remembers:
                self.server.requests.append(request)
                self.server.keys.append(self.headers.get("Authorization", ""))
            number = len(self.server.requests)
        answer = self.server.reply(request, number)
        assert self.path == "/v1/chat/completions"
        usage = {"prompt_tokens": 10, "completion_tokens": 2}
        kind, status = "application/json", 200
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": answer}}], "usage": usage})
        if answer.startswith("!slow"):
            time.sleep(0.3)
        elif answer.startswith("!raw"):
            body = answer[4:]
        elif answer.startswith("!stream"):
            kind = "text/event-stream"
            parts = [{"choices": [{"delta": {"content": letter}}]} for letter in answer[7:]]
            body = "".join(f"data: {json.dumps(each)}\n\n" for each in [*parts, {"choices": [], "usage": usage}])
            body += "data: [DONE]\n\n"
        elif answer.startswith("!") and answer[1:4].isdigit():
            status, body = int(answer[1:4]), answer[4:]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode()) + 50 * answer.startswith("!cut")))
        if status == 429:
            self.send_header("Retry-After", "0.01")
        self.end_headers()
        self.wfile.write(body.encode())
        if answer.startswith("!cut"):
            self.close_connection = True


def position_of(game: Game, request: dict[str, Any]) -> Position:
    """Return the position that a prompt asks about, from the moves that it lists."""
    found = re.search(r"Moves so far: (.*)\.\n", request["messages"][0]["content"])
    position = game.initial
    for text in found[1].split("; ") if found else ():
        for action in read_move(position, text.removeprefix(f"{game.men[position.seat].name} ")):
            position = position.play(action)
    return position


def playing(game: Game, spec: str) -> Reply:
    """Return a model that plays as an agent does."""
    agent = make_agent(spec, game)
    agent.begin(game, (0, 1), np.random.default_rng(0))
    lock = Lock()

    def reply(request: dict[str, Any], number: int) -> str:
        with lock:
            position = position_of(game, request)
            return f"I have thought about it.\n\n**{game.action_text(agent.choose(position))}**"

    return reply


def first_listed(request: dict[str, Any], number: int) -> str:
    """A model that takes the first legal move of the list."""
    return str(re.findall(r"The legal moves: (\w+)", request["messages"][0]["content"])[0])


if __name__ == "__main__":
    served = Chats(first_listed, remembers=False)
    print(served.url, flush=True)
    served.serve_forever()
