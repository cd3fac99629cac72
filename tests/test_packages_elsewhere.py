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
    return python("-m", "boardgames_cli.main", *arguments, path=path)


def python(*arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(path)},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_games_and_agents_of_an_installed_package_are_known_by_their_names(installed: Path, jobs: str) -> None:
    told = run("match", "four_corners", "opportunist", "random", "--contests", "4", "--jobs", jobs, path=installed)
    assert told.returncode == 0, told.stderr
    assert "four_corners: opportunist v. random, 4 contests" in told.stdout


def test_the_games_that_can_be_asked_for_are_told(installed: Path) -> None:
    told = run("show", "five_corners", path=installed)
    assert told.returncode == 2
    assert "there is no game 'five_corners'; the games are: achi," in told.stderr
    assert " four_corners," in told.stderr


@pytest.mark.slow
def test_a_league_in_several_processes_knows_what_its_own_process_has_imported(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
import four_corners, opportunist
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.experiments.program import program
from boardgames_agents.experiments.runner import Workers
league = League(("four_corners", "tic_tac_toe"), (Entrant("opportunist"), Entrant("random")), 60)
played = play(league, Path(sys.argv[1]), Workers(jobs=2))
print([each.pairings[0].score.contests for each in played], {"four_corners", "opportunist"} <= set(program().sources))
"""
    told = python("-c", code, str(tmp_path), path=EXAMPLES)
    assert told.stdout == "[60, 60] True\n", told.stderr


@pytest.mark.slow
def test_leagues_want_agents_that_have_a_file(tmp_path: Path) -> None:
    code = """
from boardgames_agents.experiments.program import program
from boardgames_agents.registry import agent
from boardgames_agents.experts.uniform import RandomPlayer
@agent("mine")
def mine(game):
    return RandomPlayer(game)
program()
"""
    told = python("-c", code, path=tmp_path)
    assert "__main__ has registered a game or an agent" in told.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_package_that_cannot_be_imported_keeps_nothing_else_from_working(installed: Path) -> None:
    (installed / "opportunist.py").write_text("import nowhere")
    told = run("match", "tic_tac_toe", "random", "perfect", "--contests", "2", path=installed)
    assert told.returncode == 0, told.stderr
    assert "the agents of opportunist cannot be imported: ModuleNotFoundError" in told.stderr
    (installed / "four_corners.py").write_text("import nowhere")
    told = run("show", "four_corners", path=installed)
    assert told.returncode == 2
    assert "the game 'four_corners' of four_corners cannot be imported: ModuleNotFoundError" in told.stderr
    (installed / "four_corners.py").write_text("")
    assert "registers no game 'four_corners'" in run("show", "four_corners", path=installed).stderr
