"""Sources and documentation without the phrases of `banned_phrases.txt`."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("boardgames_env", "agents", "baselines", "scripts", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PHRASES = [
    line.partition("  #")[0]
    for line in (Path(__file__).parent / "banned_phrases.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@cache
def texts() -> dict[Path, str]:
    """Return all sources and pages in small letters, lines joined, but tables and what `make docs` writes."""
    found = {}
    for place in PLACES:
        top = ROOT / place
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            written = {"_build", "games"} & set(path.parts) if place == "docs" else set()
            if path.suffix in (".py", ".md") and not written and "tables" not in path.parts:
                found[path] = re.sub(r"\n\s*(#:? )?", " ", path.read_text(encoding="utf-8")).lower()
    return found


def test_there_are_texts() -> None:
    assert len(texts()) > 200


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_is_not_used(phrase: str) -> None:
    assert phrase == phrase.lower()  # (so are the texts: ignoring case takes five times as long)
    pattern = re.compile(phrase)
    found = []
    for path, text in texts().items():
        for match in pattern.finditer(text):
            found.append(f"{path.relative_to(ROOT)}: …{text[max(0, match.start() - 40) : match.end() + 40]}…")
    assert not found, "\n".join(found)
