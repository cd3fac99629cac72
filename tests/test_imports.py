"""Imports go one way, and heavy ones wait until they are needed."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "boardgames_env": {"boardgames_env"},
    "boardgames_agents": {"boardgames_env", "boardgames_agents"},
    "boardgames_baselines": {"boardgames_env", "boardgames_agents", "boardgames_baselines"},
    "boardgames_cli": {"boardgames_env", "boardgames_agents", "boardgames_baselines", "boardgames_cli"},
}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_go_one_way(package: str) -> None:
    files = list(Path(import_module(package).__file__ or "").parent.rglob("*.py"))
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
        ("import boardgames_env", {"torch", "scipy.stats", "tensorboard", "pygame", "PIL", "boardgames_agents"}),
        (
            "from boardgames_agents.registry import registered_agents; registered_agents()",
            {"torch", "tensorboard", "pygame"},
        ),
        ("import boardgames_cli.main", {"torch", "numba", "numpy", "gymnasium", "boardgames_env", "boardgames_agents"}),
    ],
)
def test_heavy_imports_wait(code: str, heavy: set[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert heavy & set(told.stdout.split()) == set()


def names_of_agents(tree: ast.Module) -> list[ast.expr]:
    """What agents are registered under in a module: the arguments of ``@agent("...")``."""
    return [
        call.args[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        for call in node.decorator_list
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "agent"
    ]


def test_no_game_is_named_in_an_agent() -> None:
    from boardgames_env import registered_games

    # (the package's own: other tests may have registered OpenSpiel's, which has the name of the library)
    games = [name for name, each in registered_games().items() if each.factory.__module__.startswith("boardgames_env.")]
    assert len(games) >= 24
    names = {*games, *(name.replace("_", "-") for name in games)}
    for file in (ROOT / "agents").rglob("*.py"):
        tree = ast.parse(file.read_text())
        own = {id(name) for name in names_of_agents(tree)}  # (an agent may be called what the game it was made for is)
        for node in ast.walk(tree):
            if id(node) in own:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                assert node.value not in names, f"{file}:{node.lineno} names a game: {node.value}"


ORDINARY = {"fives"}
"""Names that are ordinary words, too: they name a game only in quotes, or where options follow."""


def spoken(text: str) -> str:
    """A text in small letters, the words of a name parted by single spaces however they are written."""
    return re.sub(r"[\s_#-]+", " ", re.sub("['’]", "", text.lower()))


def names_of_games() -> re.Pattern[str]:
    """Matches any name, title or alias of any game."""
    from boardgames_env import make_game, registered_games

    names = {
        spoken(name)
        for entry in registered_games().values()
        for name in (entry.name, make_game(entry.name).title, *entry.also_called)
    }
    assert names >= ORDINARY
    plain = "|".join(sorted(names - ORDINARY, key=len, reverse=True))
    ordinary = "|".join(sorted(ORDINARY))
    return re.compile(rf"\b(?:{plain})\b|[\"`](?:{ordinary})[\"`]|\b(?:{ordinary})\(")


def test_hoyle_knows_no_game_by_name() -> None:
    """Not in its code, nor its docstrings and comments, nor in what is written about it beside the code."""
    pattern = names_of_games()
    files = [
        file for file in (ROOT / "agents" / "boardgames_agents" / "hoyle").rglob("*") if file.suffix in {".py", ".md"}
    ]
    assert files
    for file in files:
        found = pattern.search(spoken(file.read_text(encoding="utf-8")))
        assert found is None, f"{file} names a game: {found[0]}"


@pytest.mark.parametrize(
    "text",
    [
        "as in Tic-tac-toe",
        "lose_tic_tac_toe",
        "at five men's\nmorris",
        "Pong hau k\u2019i",
        "three-mens-morris",
        '"fives"',
        "fives(size=3)",
        "nine\n# holes",
    ],
)
def test_names_of_games_are_noticed_however_they_are_written(text: str) -> None:
    assert names_of_games().search(spoken(text))


@pytest.mark.parametrize("text", ["in rows of fives", "the achievement", "holes in nine boards", "a game with lines"])
def test_other_words_are_not_taken_for_games(text: str) -> None:
    assert not names_of_games().search(spoken(text))
