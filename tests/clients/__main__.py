"""Run all clients and write their table: `python -m tests.clients [PAGE]`."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.clients import ROOT, SOURCES

PAGE = ROOT / "docs" / "clients.md"
HEAD = """# Programs of other libraries that were run

Their own tests and examples, on our games. The table is written by `python -m tests.clients`
(`make clients-table`), which runs every program in it; [how to use each of these
libraries](plug-into-your-rl-code.md) is another page. *Lines changed* are those of the other
library's program; a dash stands for a program of ours that uses the library as its documentation
says. AgileRL and RLlib (`ray`) have environments of their own. Programs of CleanRL and Tianshou, and
tests of PettingZoo that its package does not bring, are those of checkouts.

"""
Row = tuple[str, str, int | None, str]


class Table:
    """A plugin of pytest that collects what comes of the tests marked as those of a client."""

    def __init__(self) -> None:
        self.results: dict[Row, list[str]] = defaultdict(list)
        self.reasons: dict[Row, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> object:
        """Note the outcome of a test."""
        report: pytest.TestReport = yield  # type: ignore[misc]
        if report.when == "call" or report.outcome != "passed":
            row: Row = item.get_closest_marker("client").args  # type: ignore[union-attr]
            self.results[row].append(report.outcome)
            if report.skipped:
                self.reasons[row] = str(report.longrepr[-1]).removeprefix("Skipped: ")  # type: ignore[index]
        return report

    def text(self) -> str:
        """The page."""
        rows = ["| library | version | what ran | lines changed | result |", "|---|---|---|---|---|"]
        for row, outcomes in sorted(self.results.items(), key=lambda each: each[0][1]):
            program, package, changes, python = row
            passed, failed = outcomes.count("passed"), outcomes.count("failed")
            result = f"{failed} failed, " * (failed > 0) + f"{passed} passed"
            result = result if passed or failed else f"not run: {self.reasons[row]}"
            lines = "–" if changes is None else changes
            rows.append(f"| {package} | {version(package, python)} | {program} | {lines} | {result} |")
        return HEAD + "\n".join([*rows, "", f"With Python {sys.version.split()[0]}.", ""])


def version(package: str, python: str) -> str:
    """The version of a package, installed for a Python or in a checkout."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    told = subprocess.run([python, "-c", code], capture_output=True, encoding="utf-8", check=False).stdout.strip()
    project = SOURCES / package.lower() / "pyproject.toml"
    found = re.search(
        r'^version = "(.+)"', project.read_text(encoding="utf-8") if project.exists() else "", re.MULTILINE
    )
    return told or (found[1] if found else "not installed")


if __name__ == "__main__":
    table = Table()
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-m", "client", str(ROOT / "tests")], plugins=[table])
    Path(*sys.argv[1:2] or [PAGE]).write_text(table.text(), encoding="utf-8")
    sys.exit(code)
