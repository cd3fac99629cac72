"""Run the commands of commands.toml and compare their results with those in results.json.

``python -m tests.same_results.compare`` compares all cases, ``... NAME`` some of them, and ``--write`` records new
results. What is compared: every number that is printed, but for durations; the arrays of every
``.safetensors`` file; the curves of every event file; the numbers of every JSON, CSV and Markdown file; the contests of
every store; and the bytes of solved tables. Names, wording and the arrangement of folders may change.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
COMMANDS = HERE / "commands.toml"
RESULTS = HERE / "results.json"

Facts = dict[str, list[str]]

_DURATION = re.compile(
    r"[\d.,]+ ?(?:to [\d.,]+ ?)?(?:s|seconds?|ms|milliseconds?|µs|us|min|minutes?|MB|kB|GB)\b(?:/\w+)?"
)
_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d{1,3})?(?![\w])|\b[0-9a-f]{64}\b")
_TIMED = re.compile(
    r"second|time|wall|_ms|duration|version|boardgames-env|memory|bytes|speed"
    # (version 0.3 added moving averages of points, which follow from the points, and what they go on from)
    r"|mean_points_of|recent_points"
)


def cases() -> dict[str, dict[str, Any]]:
    """Return the cases of commands.toml by name."""
    return tomllib.loads(COMMANDS.read_text())


def facts_of(case: dict[str, Any]) -> Facts:
    """Run a case in an empty folder and return its results by kind.

    Raises:
        RuntimeError: If one of its commands fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        printed: list[str] = []
        for line in case["run"]:
            words = shlex.split(line.replace("{here}", str(HERE)))
            program = {"boardgames": [_command_line()], "python": [sys.executable]}[words[0]]
            done = subprocess.run(
                [*program, *words[1:]],
                cwd=folder,
                env={**os.environ, "COLUMNS": "200"},
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise RuntimeError(f"{line} failed:\n{done.stdout}{done.stderr}")
            printed.append(_digest_of_text(done.stdout))
        facts: Facts = {"printed": printed if case.get("printed", True) else []}
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                kind, found = _facts_of_file(path)
                facts.setdefault(kind, []).extend(found)
        return {kind: found if kind == "printed" else sorted(found) for kind, found in facts.items() if found}


def _command_line() -> str:
    return os.environ.get("BOARDGAMES_COMMAND") or str(Path(sys.executable).with_name("boardgames"))


def _facts_of_file(path: Path) -> tuple[str, list[str]]:
    """Return the kind of a file and what must stay the same in it; the numbers of test.json are printed, too."""
    if path.name in ("config.json", "lock", "test.json") or path.suffix in (".png", ".svg", ".html"):
        return "ignored", []
    kind = "curves" if path.name.startswith("events.out.tfevents") else path.suffix[1:]
    return kind, _READERS.get(kind, _bytes)(path)


def _bytes(path: Path) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest()[:16]]


def _json(path: Path) -> list[str]:
    return [_digest(_numbers_of_json(json.loads(path.read_text())))]


def _json_lines(path: Path) -> list[str]:
    """Return a digest of the result in every line; descriptions and checksums may change."""
    return [_digest(_numbers_of_json(json.loads(line)["result"])) for line in path.read_text().splitlines()]


def _csv(path: Path) -> list[str]:
    return [_digest(_numbers_of_csv(path.read_text()))]


def _text(path: Path) -> list[str]:
    return [_digest_of_text(path.read_text())]


def _arrays(path: Path) -> list[str]:
    from safetensors.numpy import load_file

    return [_digest([array.dtype, array.shape, array.tobytes().hex()]) for array in load_file(path).values()]


def _curves(path: Path) -> list[str]:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(path), size_guidance={"scalars": 0})
    events.Reload()
    return [
        _digest((each.step, each.value) for each in events.Scalars(tag))
        for tag in events.Tags()["scalars"]
        if not _TIMED.search(tag)
    ]


def _contests(path: Path) -> list[str]:
    """Return a digest of each contest of a store: its seats, actions, chance events and result."""
    names = "number, seat_of_a, actions, outcome, cut, plies, decisions_0, decisions_1, events"
    with sqlite3.connect(path) as store:
        return [_digest(row) for row in store.execute(f"SELECT {names} FROM contest")]


_READERS: dict[str, Callable[[Path], list[str]]] = {
    "safetensors": _arrays,
    "curves": _curves,
    "json": _json,
    "jsonl": _json_lines,
    "csv": _csv,
    "sqlite": _contests,
    **dict.fromkeys(("md", "mat", "toml", "txt"), _text),
}


def _numbers_of_json(value: Any, name: str = "") -> Iterator[float]:
    if _TIMED.search(name):
        return
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _numbers_of_json(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers_of_json(each, name)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _numbers_of_csv(text: str) -> Iterator[str]:
    lines = [line.split(",") for line in text.splitlines()]
    timed = [bool(_TIMED.search(heading)) for heading in lines[0]]
    for line in lines[1:]:
        for place, cell in enumerate(line):
            if not (place < len(timed) and timed[place]):
                yield from _NUMBER.findall(cell)


def _digest_of_text(text: str) -> str:
    if text.lstrip().startswith("{"):
        return _digest(_numbers_of_json(json.loads(text)))
    text = text.replace("(95 %)", "")  # (the heading of a league's table, which version 0.1 worded differently)
    return _digest(_NUMBER.findall(_DURATION.sub("", "\n".join(_without_decision_times(text.splitlines())))))


def _without_decision_times(lines: Sequence[str]) -> Iterator[str]:
    """Leave out the last column of tables in which it holds the microseconds of a decision."""
    timed = False
    for line in lines:
        timed = bool(line.strip()) and (timed or line.rstrip(" |").endswith("decision"))
        yield re.sub(r"[\d.,]+[ |]*$", "", line) if timed else line


def _digest(parts: Any) -> str:
    return hashlib.sha256(" ".join(str(part) for part in parts).encode()).hexdigest()[:16]


def differences(expected: Facts, found: Facts) -> list[str]:
    """Return one line for every kind of result that differs."""
    return [
        f"{kind}: {len(set(found.get(kind, [])) - set(expected.get(kind, [])))} of {len(found.get(kind, []))} differ"
        for kind in sorted({*expected, *found})
        if expected.get(kind) != found.get(kind)
    ]


def main() -> int:
    """Compare or record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="cases; by default all")
    parser.add_argument("--write", action="store_true", help="record the results instead of comparing them")
    arguments = parser.parse_args()
    recorded: dict[str, Facts] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    failed = 0
    for name, case in cases().items():
        if arguments.names and name not in arguments.names:
            continue
        try:
            facts = facts_of(case)
        except RuntimeError as error:
            print(f"{name}: {error}")
            failed += 1
            continue
        if arguments.write:
            recorded[name] = facts
            RESULTS.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")
            print(f"{name}: recorded {sum(map(len, facts.values()))} results")
            continue
        different = differences(recorded.get(name, {}), facts)
        failed += bool(different)
        print(f"{name}: {'; '.join(different) or 'the same'}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
