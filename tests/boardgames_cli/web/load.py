"""Let people play at once against a server on this machine, and print how long its replies take.

`python -m tests.boardgames_cli.web.load` has 20 people play for 20 seconds. The server is a process of its own, and the
people are HTTP clients in other processes; each waits for a reply, thinks for about a second, and plays a random legal
action against an agent that thinks for less than 20 ms a move.
"""

import http.client
import multiprocessing
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
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

PEOPLE, SECONDS, PAUSE, PROCESSES = 20, 20.0, 1.0, 4
"""People who play at once and for how long, the mean pause between a reply and the next request, and processes."""

BAR = 0.1
"""The seconds within which 95 % of the replies must come."""

Timed = tuple[str, float]
"""What was asked for, and the seconds until the reply was complete."""


class Person:
    """Somebody who plays in a browser: one connection, one request at a time."""

    def __init__(self, address: str, number: int = 0, pause: float = 0.0, source: str = "") -> None:
        self._address = address
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60, source_address=(source, 0))
        self._number, self._pause = number, pause
        self._rng = random.Random(number)
        self.timed: list[Timed] = []

    def play(self, seconds: float) -> list[Timed]:
        """Play contests for some seconds, one after the other; return what was asked for."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.ask("front page", "GET", "/")
            game, player = CONTESTS[self._number % len(CONTESTS)]
            self.ask("form of a contest", "GET", f"/new?game={game}")
            there = self.begin(game, player)
            text = self.ask("contest", "GET", there)
            while (actions := re.findall(r'name="action" value="(\d+)"', text)) and time.monotonic() < end:
                time.sleep(self._pause * self._rng.uniform(0.5, 1.5))
                version = re.findall(r'name="version" value="(\d+)"', text)[0]
                text = self.act(there, self._rng.choice(actions), version, f"move at {game}")
                while "hx-trigger=" in text.partition("<div")[0]:  # (the agent still thinks)
                    time.sleep(0.3)
                    text = self.ask(f"move at {game}", "GET", there)
            self._number += 1
        self.close()
        return self.timed

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def begin(self, game: str, player: str) -> str:
        """Begin a contest and return its address."""
        return self.ask("begin", "POST", "/contests", game=game, player0="human", player1=player)

    def act(self, there: str, action: str, version: str, what: str = "move") -> str:
        """Play an action in a contest, and return its page."""
        return self.ask(what, "POST", f"{there}/act", version=version, action=action)

    def ask(self, what: str, method: str, path: str, **fields: str) -> str:
        """Return the reply to a request, or the address that it leads to."""
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
def server(folder: Path | None = None, killed: bool = False, options: Sequence[str] = ()) -> Iterator[str]:
    """Run a server in a process of its own, by default with an empty store; yield its address.

    Args:
        folder: The folder of its store and its runs.
        killed: Whether it is killed in the end, without a chance to tidy up.
        options: More options of the command.
    """
    with ExitStack() as stack:
        folder = folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places = ["--runs", str(folder), "--store", f"{folder}/contests.sqlite"]
        command = [sys.executable, "-m", "boardgames_cli", "web", "--port", "0", *places, *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
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
    shares = [(address, range(number, people, processes), seconds, pause) for number in range(processes)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return [each for timed in pool.starmap(_play, shares) for each in timed]


def _play(address: str, people: range, seconds: float, pause: float) -> list[Timed]:
    with ThreadPoolExecutor(len(people)) as threads:
        played = threads.map(lambda number: Person(address, number, pause).play(seconds), people)
        return [each for timed in played for each in timed]


def table(timed: Sequence[Timed]) -> str:
    """Return percentiles of the replies in milliseconds, as a table in Markdown."""
    lines = ["| reply | number | 50 % | 90 % | 95 % | 99 % | longest |", "|---|---|---|---|---|---|---|"]
    for what in [*sorted({each for each, _ in timed}), "all"]:
        found = sorted(seconds for each, seconds in timed if what in (each, "all"))
        cells = [f"{1000 * found[int(share * (len(found) - 1))]:.0f} ms" for share in (0.5, 0.9, 0.95, 0.99, 1)]
        lines.append(f"| {what} | {len(found):,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the table."""
    with server() as address:
        for number, (game, player) in enumerate(CONTESTS):  # (what is compiled or solved once is not timed)
            Person(address, number).play(0.01)
            with closing(Person(address)) as person:
                person.begin(game, player)
        timed = measure(address, PEOPLE, SECONDS, PAUSE, PROCESSES)
    print(table(timed))
    within = sum(seconds < BAR for _, seconds in timed) / len(timed)
    print(f"\n{PEOPLE} people, {len(timed) / SECONDS:.0f} replies a second; {within:.1%} within {1000 * BAR:.0f} ms")
    if within < 0.95:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
