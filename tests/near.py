"""The tests that a change since the last commit can reach: ``pytest --near``."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.test_imports import MODULES, ROOT, names_imported

TESTS = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in ROOT.glob("tests/**/*.py")
}


@dataclass(frozen=True)
class Near:
    """What a change can reach.

    Attributes:
        files: The files of tests that import what has changed, themselves or by way of others.
        words: The names of changed files that no module imports, such as those of games and agents. Tests with such a
            word in their names are reached, and those in files that mention it.
    """

    files: frozenset[Path]
    words: frozenset[str]

    @classmethod
    def of(cls, changed: set[Path]) -> "Near":
        """Return what is reached from files that have changed."""
        homes = {**MODULES, **TESTS}
        importers: dict[Path, set[Path]] = {}
        for file in homes.values():
            for name in names_imported(file):
                if name in homes:
                    importers.setdefault(homes[name], set()).add(file)
        reached, new = set[Path](), set(changed)
        while new:
            reached |= new
            new = {each for file in new for each in importers.get(file, ())} - reached
        tests = set(TESTS.values())
        unnamed = {file.stem if file.suffix == ".py" else file.name for file in changed - tests - importers.keys()}
        return cls(frozenset(reached & tests), frozenset(unnamed))

    def has(self, item: pytest.Item) -> bool:
        """Return whether a test is reached."""
        if item.path in self.files:
            return True
        text = item.path.read_text(encoding="utf-8")
        return any(word in item.nodeid or re.search(rf"\b{re.escape(word)}\b", text) for word in self.words)


def changed_files() -> set[Path]:
    """Return the files that differ from the last commit, and new ones that Git does not ignore."""
    listed = subprocess.run(
        ["git", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    return {ROOT / line[3:] for line in listed.split("\0") if line}
