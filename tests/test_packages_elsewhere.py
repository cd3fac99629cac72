"""What installed packages bring: the command line, and every process it starts, knows their games and agents."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed package that brings a game and an agent, as pip would leave it."""
    for name in ("four_corners", "opportunist"):
        shutil.copy(EXAMPLES / f"{name}.py", tmp_path)
    about = tmp_path / "examples-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: examples\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[boardgames_env.games]\nfour_corners = four_corners\n[boardgames_env.agents]\nopportunist = opportunist\n"
    )
    return tmp_path


def run(*arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scripts.main", *arguments],
        env={**os.environ, "PYTHONPATH": str(path)},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )


def test_games_and_agents_of_an_installed_package_are_known_by_their_names(installed: Path) -> None:
    told = run("match", "four_corners", "opportunist", "random", "--contests", "4", "--jobs", "2", path=installed)
    assert told.returncode == 0, told.stderr
    assert "four_corners: opportunist v. random, 4 contests" in told.stdout


def test_the_games_that_can_be_asked_for_are_told(installed: Path) -> None:
    told = run("show", "five_corners", path=installed)
    assert told.returncode == 2
    assert "there is no game 'five_corners'; the games are: achi," in told.stderr
    assert " four_corners," in told.stderr
