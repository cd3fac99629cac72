"""Python processes of their own, which find the packages and the tests."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

_UTF_8 = {"PYTHONIOENCODING": "utf-8"}
"""Processes print what tests read, whatever the encoding of this machine's terminals is."""


def python(*words: object, code: str = "", cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -c code words``, or without code ``python words``, to its end, however it ends."""
    command, environment = _command(words, code), {**os.environ, **_UTF_8, **environment}
    return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, encoding="utf-8", check=False)


def printed(code: str, *words: object, cwd: Path = ROOT, **environment: str) -> str:
    """Return what code prints that must succeed."""
    done = python(*words, code=code, cwd=cwd, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def started(code: str, *words: object, **environment: str) -> subprocess.Popen[str]:
    """Start code whose output is read as it comes."""
    every = {**os.environ, **_UTF_8, **environment}
    return subprocess.Popen(_command(words, code), env=every, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")


def _command(words: tuple[object, ...], code: str) -> list[str]:
    return [sys.executable, *(["-c", code] if code else []), *map(str, words)]
