"""Play every game on the page in a real browser, and compare each position with the rules.

`python -m tests.boardgames_cli.web.every_game --contests 50` plays 50 contests of each game by random legal clicks and
50 by keys, and prints a table. A call with `--results FILE` goes on where the one before was stopped.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.boardgames_cli.web.chromium import Tab, browser, found_chromium

BY = ("clicks", "keys")

SIZE = (390, 500)
"""Width and height of the page: painting a large one takes longer than everything else."""


def main(words: Sequence[str] | None = None) -> None:
    """Play the contests that are missing, and print the table of all."""
    asked = _arguments().parse_args(words)
    chromium = found_chromium()
    assert chromium, "there is no Chromium on this machine"
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # (before the package is imported: the rules are walked in plain Python)
    from boardgames_env import registered_games

    games = asked.games or list(registered_games())
    results = Path(asked.results) if asked.results else None
    rows = _read(results)
    with server() as address, browser(chromium) as tab:
        tab.resize(*SIZE)
        for number in range(asked.contests):
            for game in games:
                for by in asked.by:
                    if (game, by, number) not in rows:
                        row = _played(tab, address, game, by, number)
                        rows[game, by, number] = row
                        _append(results, row)
    print(table([row for row in rows.values() if row["game"] in games and row["by"] in asked.by]))


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
        environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        process = subprocess.Popen(
            [*command, "--store", f"{folder}/contests.sqlite"], stdout=subprocess.PIPE, text=True, env=environment
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert "http://" in line, "the server has not started"
            yield next(word for word in line.split() if word.startswith("http://")).rstrip("/")
        finally:
            process.send_signal(signal.SIGKILL if killed else signal.SIGTERM)
            process.communicate(timeout=20)


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return what has been played, as a table in Markdown."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["game"], row["by"]].append(row)
    lines = [
        "| game | by | contests | ended on the board | by a limit | actions compared | wrong | ms an action |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (game, by), found in [*sorted(groups.items()), (("all", ""), rows)]:
        ends = [sum(row.get("end") == end for row in found) for end in ("board", "limit")]
        actions, wrong = sum(row.get("actions", 0) for row in found), sum("wrong" in row for row in found)
        milliseconds = 1000 * sum(row["seconds"] for row in found) / max(actions, 1)
        cells = (game, by, len(found), *ends, f"{actions:,}", wrong, f"{milliseconds:.0f}")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contests", type=int, default=1, help="contests of each game by clicks, and by keys")
    parser.add_argument("--games", nargs="*", help="specs of games; by default all of the registry")
    parser.add_argument("--by", nargs="*", choices=BY, default=BY, help="how the contests are played; by default both")
    parser.add_argument("--results", help="a file that keeps the results, a line a contest")
    return parser


def _played(tab: Tab, address: str, game: str, by: Any, number: int) -> dict[str, Any]:
    from tests.boardgames_cli.web.page_player import play

    row: dict[str, Any] = {"game": game, "by": by, "contest": number}
    began = time.monotonic()
    try:
        row |= vars(play(tab, address, game, by, [BY.index(by), number]))
    except Exception as error:  # (of any kind: the others are played on)
        row["wrong"] = f"{type(error).__name__}: {error}"[:500]
        print(f"{game} by {by}, contest {number}: {row['wrong']}", file=sys.stderr)
    return row | {"seconds": round(time.monotonic() - began, 3)}


def _read(results: Path | None) -> dict[tuple[str, str, int], dict[str, Any]]:
    if results is None or not results.exists():
        return {}
    rows = map(json.loads, results.read_text().splitlines())
    return {(row["game"], row["by"], row["contest"]): row for row in rows if "wrong" not in row}


def _append(results: Path | None, row: dict[str, Any]) -> None:
    if results is not None:
        with results.open("a") as file:
            file.write(f"{json.dumps(row)}\n")


if __name__ == "__main__":
    main()
