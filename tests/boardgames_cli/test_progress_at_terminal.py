"""The commands of the pages on training, at a terminal of 80 columns and 24 lines: what it shows while they work."""

import os
import re
import select
import shlex
import struct
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from boardgames_cli.main import COMMANDS
from tests.processes import ROOT

PAGES = ("td", "rl", "training", "hoyle")
COLUMNS, LINES = 80, 24

WITHIN = 2.0
"""Seconds within which a command shows something, on a machine with nothing else to do."""

FOR = 4.0
"""Seconds for which a command is watched, from what it shows first, if it does not end before."""

_LONGEST = 60.0

BAR = re.compile(r"^.+ [━╸╺]{12} [\d,]+(/[\d,]+)?( [\d,.]+( \w+)?/(s|min))?( +(\d+ days?, )?[\d:-]+)?$")


@dataclass
class Shown:
    """What a command has shown: the screen at each change, and when that was."""

    screens: list[tuple[float, list[str]]] = field(default_factory=list)
    code: int | None = None

    @property
    def bars(self) -> list[str]:
        """The lines with a bar."""
        return [line for _, lines in self.screens for line in lines if "━━━" in line]


def watched(words: list[str], folder: Path, seconds: float = FOR) -> Shown:
    """Run a command at a terminal; kill it when it has shown things for some seconds."""
    pty, termios, fcntl, pyte = map(pytest.importorskip, ("pty", "termios", "fcntl", "pyte"))
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    paths = os.pathsep.join(filter(None, sys.path))
    every = {**environment, "TERM": "xterm-256color", "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "boardgames_cli", *words]
    shown, began = Shown(), time.monotonic()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=every) as process:
        os.close(theirs)
        while True:
            left = shown.screens[0][0] + seconds if shown.screens else _LONGEST
            if (left := began + left - time.monotonic()) <= 0:
                process.kill()
                break
            if not select.select([ours], [], [], left)[0]:
                continue
            try:
                written = os.read(ours, 65536)
            except OSError:  # (as Linux ends a terminal)
                break
            if not written:
                break
            stream.feed(written)
            lines = [line.rstrip() for line in screen.display]
            if any(lines):
                shown.screens.append((time.monotonic() - began, lines))
        shown.code = process.wait()
    os.close(ours)
    return shown


def commands_of(page: str) -> list[list[str]]:
    """Return the words of the program's commands on a page, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [words[1:] for line in lines if (words := shlex.split(line, comments=True))[:1] == ["boardgames"]]


def seconds_to_start() -> float:
    """The time that this machine takes now to import what a training needs."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import boardgames_agents.training.run"], cwd=ROOT, check=True)
    return time.monotonic() - began


def demand_whole_lines(shown: Shown) -> None:
    for bar in shown.bars:
        assert len(bar) <= COLUMNS
        assert BAR.fullmatch(bar), bar
    for _, lines in shown.screens:
        assert sum("━━━" in line for line in lines) <= 1, lines


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_show_what_they_do(page: str, tmp_path: Path) -> None:
    commands = commands_of(page)
    assert {words[0] for words in commands} <= {each.__name__ for each in COMMANDS}
    failed = []
    for words in commands:
        before = seconds_to_start()
        shown = watched(words, tmp_path)
        assert shown.screens, words
        first = shown.screens[0][0]
        # (other processes may slow this one down, those that begin while it works, too)
        if first > WITHIN and first > 3 * max(before, seconds_to_start()):
            failed.append((first, words))
        demand_whole_lines(shown)
        if shown.code == 2:  # (it lacks the results of a command that was killed)
            assert not shown.bars, words
    assert not failed


REFUSED = {
    "train tic_tac_toe td --contests 100 --trainer 2:7": "'2:7' is not a spec",
    "train tic_tac_toe td --contests 100 --trainer 2:7 --seeds 0-3": "'2:7' is not a spec",
    "train tic_tac_toe td(hidden=0) --contests 100": "hidden=0 is not allowed",
    "train tic_tac_toe td --contests 100 --standard 3 --trainer watch": "standard=3 is not for",
    "train tic_tac_toe td --contests 100 --test-contests 0": "test_contests=0 is not allowed",
    "solve backgammon": "backgammon cannot be solved",
    "solve achi --jobs 2": "is not a morris game",
    "match tic_tac_toe perfect nobody": "there is no agent 'nobody'",
    "league tic_tac_toe --agents random,nobody --contests 2": "there is no agent 'nobody'",
    "error-rate tic_tac_toe random": "tic_tac_toe",
    "improve tic_tac_toe random --run x": "tic_tac_toe has no dice",
}


@pytest.mark.slow
@pytest.mark.parametrize("words", REFUSED)
def test_what_is_refused_shows_no_bar(words: str, tmp_path: Path) -> None:
    shown = watched(words.split(), tmp_path, seconds=60)
    assert shown.code == 2
    assert not shown.bars
    assert REFUSED[words] in " ".join(shown.screens[-1][1])


LEARNERS = (
    "td",
    "td(recipe='td_gammon_raw', hidden=12, alpha=0.25)",
    "td(inputs='raw',hidden=40,outputs=4,units='sigmoid',error='squared',epsilon=0,alpha=0.1,lam=0.7,average=0)",
)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_count_of_a_training_rises(learner: str, tmp_path: Path) -> None:
    words = ["train", "backgammon", learner, "--contests", "9000000", "--test-every", "0", "--run", "run"]
    shown = watched(words, tmp_path, seconds=60)
    demand_whole_lines(shown)
    assert re.search(r" [1-9][\d,]*/9,000,000 [\d,]+ contests/s +(\d+ days?, )?[\d:]+$", shown.bars[-1])
