"""Let people play at once against a server on this machine, and print how long its replies take.

`python -m tests.boardgames_cli.web.load` has 20 people play for 20 seconds. The server is a process of its own, and the
people are HTTP clients in other processes; each waits for a reply, thinks for about a second, and plays a random legal
action against an agent that thinks for less than 20 ms a move.
"""

import argparse
import http.client
import multiprocessing
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

CONTESTS = (
    ("tic_tac_toe", "perfect"),
    ("five_mens_morris", "normal"),
    ("achi", "easy"),
    ("backgammon", "td_gammon"),
    ("hypergammon", "mcts(playouts=300)"),
    ("qubic", "alpha_beta(nodes=1000)"),
)
"""Games, and agents that think for less than 20 ms a move at them."""

BAR = 0.1
"""The seconds within which 95 % of the replies must come."""

Timed = tuple[str, float]
"""What was asked for, and the seconds until the reply was complete."""


class Asked(NamedTuple):
    """What is asked of one process of clients."""

    address: str
    people: range
    seconds: float
    pause: float


class Person:
    """Somebody who plays in a browser: one connection, one request at a time."""

    def __init__(self, address: str, number: int, pause: float) -> None:
        self._address = address
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        self._number = number
        self._pause = pause
        self._rng = random.Random(number)
        self.timed: list[Timed] = []

    def play(self, seconds: float) -> None:
        """Play contests for some seconds, one after the other."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._rest()
            self._ask("front page", "GET", "/")
            game, player = CONTESTS[self._number % len(CONTESTS)]
            self._ask("form of a contest", "GET", f"/new?game={game}")
            self._rest()
            there = self.begin(game, player)
            text = self.show(there)
            while (actions := re.findall(r'name="action" value="(\d+)"', text)) and time.monotonic() < end:
                self._rest()
                version = re.findall(r'name="version" value="(\d+)"', text)[0]
                fields = {"version": version, "action": self._rng.choice(actions)}
                text = self._ask(f"move at {game}", "POST", f"{there}/act", **fields)
                while "hx-trigger=" in text.partition("<div")[0]:  # (the agent still thinks)
                    time.sleep(0.3)
                    text = self._ask(f"move at {game}", "GET", there)
            self._number += 1
        self.close()

    def act(self, there: str, action: int, version: int) -> str:
        """Play an action in a contest, and return its page."""
        return self._ask("move", "POST", f"{there}/act", version=str(version), action=str(action))

    def show(self, there: str) -> str:
        """Return the page of a contest."""
        return self._ask("contest", "GET", there)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def begin(self, game: str, player: str) -> str:
        """Begin a contest and return its address."""
        return self._ask("begin", "POST", "/contests", game=game, player0="human", player1=player)

    def _rest(self) -> None:
        time.sleep(self._pause * self._rng.uniform(0.5, 1.5))

    def _ask(self, what: str, method: str, path: str, **fields: str) -> str:
        headers = {"Origin": self._address, "Content-Type": "application/x-www-form-urlencoded"}
        headers |= {"HX-Request": "true"} if what.startswith("move") else {}
        began = time.perf_counter()
        self._connection.request(method, path, urlencode(fields) if fields else None, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        self.timed.append((what, time.perf_counter() - began))
        assert answer.status in (200, 303), (method, path, answer.status, text[:200])
        return answer.headers["location"] if answer.status == 303 else text


@contextmanager
def server(folder: Path | None = None, killed: bool = False) -> Iterator[str]:
    """Run a server in a process of its own, by default with an empty store; yield its address.

    Args:
        folder: The folder of its store and its runs.
        killed: Whether it is killed in the end, without a chance to tidy up.
    """
    with ExitStack() as stack:
        folder = folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        command = [sys.executable, "-m", "boardgames_cli", "web", "--port", "0", "--runs", str(folder)]
        process = subprocess.Popen(
            [*command, "--store", f"{folder}/contests.sqlite"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert "http://" in line, "the server has not started"
            yield next(word for word in line.split() if word.startswith("http://")).rstrip("/")
        finally:
            process.send_signal(signal.SIGKILL if killed else signal.SIGTERM)
            process.communicate(timeout=20)


def measure(address: str, people: int, seconds: float, pause: float, processes: int) -> list[Timed]:
    """Let people play in several processes, and return the seconds of every reply."""
    shares = [range(number, people, processes) for number in range(processes)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        found = pool.map(_play, [Asked(address, share, seconds, pause) for share in shares])
    return [each for timed in found for each in timed]


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return the least of the numbers that a share of them does not exceed."""
    return sorted(seconds)[max(0, -int(-len(seconds) * share // 1) - 1)]


def table(timed: Sequence[Timed]) -> str:
    """Return percentiles of the replies in milliseconds, as a table in Markdown."""
    lines = ["| reply | number | 50 % | 90 % | 95 % | 99 % | longest |", "|---|---|---|---|---|---|---|"]
    for what in [*sorted({each for each, _ in timed}), "all"]:
        found = [seconds for each, seconds in timed if what in (each, "all")]
        cells = [f"{1000 * percentile(found, share):.0f} ms" for share in (0.5, 0.9, 0.95, 0.99, 1)]
        lines.append(f"| {what} | {len(found):,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    asked = _arguments().parse_args(words)
    with server() as address:
        warm = Person(address, 0, 0)
        for number, _ in enumerate(CONTESTS):  # (what is compiled or solved once is not timed)
            Person(address, number, 0).play(0.01)
        for game, player in CONTESTS:
            warm.begin(game, player)
        began = time.monotonic()
        timed = measure(address, asked.people, asked.seconds, asked.pause, asked.processes)
        took = time.monotonic() - began
    print(table(timed))
    seconds = [each for _, each in timed]
    within = sum(each < BAR for each in seconds) / len(seconds)
    print(f"\n{asked.people} people, {len(timed) / took:.0f} replies a second; {within:.1%} within {1000 * BAR:.0f} ms")
    if within < 0.95:
        raise SystemExit(1)


def _play(asked: Asked) -> list[Timed]:
    people = [Person(asked.address, number, asked.pause) for number in asked.people]
    threads = [threading.Thread(target=person.play, args=(asked.seconds,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [each for person in people for each in person.timed]


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20, help="people who play at once")
    parser.add_argument("--seconds", type=float, default=20, help="seconds that they play for")
    parser.add_argument("--pause", type=float, default=1.0, help="mean seconds between a reply and the next request")
    parser.add_argument("--processes", type=int, default=4, help="processes of the people")
    return parser


if __name__ == "__main__":
    main()
