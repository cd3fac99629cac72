"""Games that other packages bring: the command line, and every process it starts, knows those that are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "four_corners.py"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed package that brings a game, as pip would leave it."""
    shutil.copy(EXAMPLE, tmp_path)
    about = tmp_path / "four_corners-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: four-corners\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[boardgames_env.games]\nfour_corners = four_corners\n")
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


def test_a_game_of_an_installed_package_is_known_by_its_name(installed: Path) -> None:
    told = run("match", "four_corners", "random", "random", "--contests", "4", "--jobs", "2", path=installed)
    assert told.returncode == 0, told.stderr
    assert "four_corners: random v. random, 4 contests" in told.stdout


def test_the_games_that_can_be_asked_for_are_told(installed: Path) -> None:
    told = run("show", "five_corners", path=installed)
    assert told.returncode == 2
    assert "there is no game 'five_corners'; the games are: achi," in told.stderr
    assert " four_corners," in told.stderr
