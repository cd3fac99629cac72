"""Programs of other libraries, run on our games; `python -m tests.clients` runs them all and writes docs/clients.md.

A test of one is marked with `client`. Libraries that do not go together with the others are found by the Python that
has them, and programs that no package brings in a folder of checkouts:

* ``AGILERL_PYTHON``, ``RLLIB_PYTHON``: interpreters of environments of their own.
* ``CLIENT_SOURCES``: a folder with checkouts, by the names of their repositories.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
SOURCES = Path(os.environ.get("CLIENT_SOURCES", "/nowhere"))


def python_with(module: str, variable: str) -> str | None:
    """The Python that has a module: this one, or the one that an environment variable names."""
    return os.environ.get(variable, sys.executable if find_spec(module) else None)


def needs_source(repository: str) -> pytest.MarkDecorator:
    """Skip a test where there is no checkout of a repository."""
    why = f"CLIENT_SOURCES does not name a folder with a checkout of {repository}"
    return pytest.mark.skipif(not (SOURCES / repository).is_dir(), reason=why)


def run(*command: str | Path, folder: Path, python: str | None = None, **environment: str) -> str:
    """What a program prints that succeeds."""
    threads = {"OMP_NUM_THREADS": "1", "SDL_VIDEODRIVER": "dummy", **environment}
    done = subprocess.run(
        [python or sys.executable, *command],
        check=False, capture_output=True, encoding="utf-8", timeout=500, cwd=folder, env={**os.environ, **threads},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def changed(source: Path, replaced: dict[str, str], folder: Path) -> Path:
    """A copy of a program with some of its lines replaced, each of which occurs once."""
    text = source.read_text(encoding="utf-8")
    for before, after in replaced.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    copy = folder / source.name
    copy.write_text(text, encoding="utf-8")
    return copy


def client(program: str, package: str, changes: int | None = 0, python: str | None = None) -> Any:
    """Mark tests as those of a client: what runs, the package whose version is shown, and the lines that are changed.

    ``changes`` is None for a program of ours.
    """
    return pytest.mark.client(program, package, changes, python or sys.executable)
