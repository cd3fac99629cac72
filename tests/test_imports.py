"""Imports go one way, and heavy ones wait until they are needed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "boardgames_env": {"boardgames_env"},
    "agents": {"boardgames_env", "agents"},
    "baselines": {"boardgames_env", "agents", "baselines"},
    "scripts": {"boardgames_env", "agents", "baselines", "scripts"},
}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_go_one_way(package: str) -> None:
    files = list((ROOT / package).rglob("*.py"))
    assert files
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            for name in names:
                top = name.partition(".")[0]
                assert top not in MAY_IMPORT or top in MAY_IMPORT[package], f"{file} imports {name}"


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import boardgames_env", {"torch", "scipy.stats", "tensorboard", "pygame", "PIL", "agents"}),
        ("from agents.policy import registered_agents; registered_agents()", {"torch", "tensorboard", "pygame"}),
        ("import scripts.main", {"torch", "numba", "numpy", "gymnasium", "boardgames_env", "agents"}),
    ],
)
def test_heavy_imports_wait(code: str, heavy: set[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert heavy & set(told.stdout.split()) == set()


def test_no_game_is_named_in_an_agent() -> None:
    from boardgames_env import registered_games

    names = {*registered_games(), *(name.replace("_", "-") for name in registered_games())}
    for file in (ROOT / "agents").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                assert node.value not in names, f"{file}:{node.lineno} names a game: {node.value}"
