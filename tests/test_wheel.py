"""The built distribution beside projects and distributions that use the names of our folders."""

import hashlib
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from boardgames_agents.experiments.program import program
from boardgames_env import __version__

pytest.importorskip("hatchling", reason="the extra dev is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
OURS = {"boardgames_env", "boardgames_agents", "boardgames_baselines", "boardgames_cli"}
FOLDERS = ("agents", "baselines", "scripts")

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")

PLAY = """
import gymnasium, boardgames_env
env = gymnasium.make("boardgames/TicTacToe-v0", opponent="perfect")
env.reset(seed=0)
env.step(4)
print(boardgames_env.__file__)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A fresh environment that finds the libraries of this one, and none of its own packages but what tests install."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    here = next(Path(each) for each in sys.path if (Path(each) / "numba").is_dir())
    packages(tmp_path / "venv").joinpath("libraries.pth").write_text(f"{here}\n", encoding="utf-8")
    return tmp_path / "venv" / "bin" / "python"


def packages(environment: Path) -> Path:
    return next(environment.glob("lib/python*/site-packages"))


def run(*words: object, cwd: Path) -> str:
    """Run a program that finds nothing of this checkout, and return its output."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, words)), cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(python: Path, *words: object) -> str:
    return run(*PIP, "--python", python, *words, cwd=python.parent)


def install(python: Path, wheel: Path) -> None:
    pip(python, "install", "--no-index", "--no-deps", "--force-reinstall", wheel)


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every file under a folder but compiled ones."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_the_wheel_holds_four_packages_and_neither_top_level_agents_nor_the_workshop(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == OURS
    assert not tops & {"agents", "networks"}


def test_the_wheel_has_the_version_of_the_source(wheel: Path) -> None:
    (metadata,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA"))
    assert f"\nVersion: {__version__}\n" in zipfile.ZipFile(wheel).read(metadata).decode()
    assert wheel.name.startswith(f"boardgames_env-{__version__}-")


def test_the_source_distribution_holds_what_a_wheel_is_built_from(built: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path)
    (source,) = tmp_path.iterdir()
    assert not [folder for folder in FOLDERS if (source / folder / "__init__.py").exists()]
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again", cwd=source)
    again = next((tmp_path / "again").glob("*.whl"))
    assert set(zipfile.ZipFile(again).namelist()) == set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_is_the_program_of_the_checkout(python: Path, wheel: Path, tmp_path: Path) -> None:
    """So what one of them has stored is found by the other, and a cluster may have both."""
    install(python, wheel)
    ours = "boardgames_agents", "boardgames_baselines", "boardgames_env"
    code = f"from boardgames_agents.experiments.program import program; print(program().part(*{ours}).sources)"
    assert run(python, "-c", code, cwd=tmp_path) == f"{program().part(*ours).sources}\n"


@pytest.mark.parametrize("with_init", [False, True])
def test_works_beside_folders_of_the_same_names(with_init: bool, python: Path, wheel: Path, tmp_path: Path) -> None:
    install(python, wheel)
    project = tmp_path / "project"
    for folder in FOLDERS:
        (project / folder).mkdir(parents=True)
        (project / folder / "policy.py").write_text(f"WHERE = {folder!r}\n", encoding="utf-8")
        if with_init:
            (project / folder / "__init__.py").touch()
    own = "".join(f"from {folder}.policy import WHERE; assert WHERE == {folder!r}\n" for folder in FOLDERS)
    for code in (own + PLAY, PLAY + own):
        assert str(packages(python.parents[1])) in run(python, "-c", code, cwd=project)
    commands = (python, "-m", "boardgames_env"), (python, "-m", "boardgames_cli"), (python.with_name("boardgames"),)
    listed = [run(*words, "games", cwd=project) for words in commands]
    assert "tic_tac_toe" in listed[0]
    assert listed[0] == listed[1] == listed[2]


def made_up_wheel(folder: Path) -> Path:
    """Write a distribution that has a top-level package ``agents``."""
    path = folder / "secret_service-1.0-py3-none-any.whl"
    files = {
        "agents/__init__.py": "from agents.policy import NUMBER\n",
        "agents/policy.py": "NUMBER = 7\n",
        "secret_service-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: secret-service\nVersion: 1.0\n",
        "secret_service-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "secret_service-1.0.dist-info/RECORD"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, record: "".join(f"{name},,\n" for name in (*files, record))}.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_works_beside_another_package_of_agents(first: str, python: Path, wheel: Path, tmp_path: Path) -> None:
    theirs = made_up_wheel(tmp_path)
    for each in (wheel, theirs) if first == "ours" else (theirs, wheel):
        install(python, each)
    site = packages(python.parents[1])
    before = digests(site / "agents")
    assert str(site) in run(python, "-c", f"import agents; assert agents.NUMBER == 7\n{PLAY}", cwd=tmp_path)
    pip(python, "uninstall", "--yes", "boardgames-env")
    assert not [name for name in OURS if (site / name).exists()]
    assert digests(site / "agents") == before
    run(python, "-c", "import agents; assert agents.NUMBER == 7", cwd=tmp_path)
