"""Imports go one way, and heavy ones wait until they are needed."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from boardgames_env import make_game, registered_games
from tests.processes import printed

ROOT = Path(__file__).parent.parent
PACKAGES = ("boardgames_env", "boardgames_agents", "boardgames_baselines", "boardgames_cli")
"""The packages; each imports those before it only."""

ROOMS = (
    *(f"boardgames_env.{room}" for room in (
        "errors", "decoding", "files", "json_file", "array_file", "processes", "spec", "match_score", "board",
        "actions", "kernels",
        "ending", "encoding", "history", "chance", "position", "render", "moves", "guarded_trial", "game", "contest",
        "plain_data", "games", "solve", "envs",
    )),
    *(f"boardgames_agents.{room}" for room in (
        "record", "policy", "registry", "search", "lookahead", "experts", "tabular", "td", "backgammon", "hoyle",
        "experiments", "arena", "improve", "alpha_zero", "training", "fives", "league", "people",
    )),
    *(f"boardgames_baselines.{room}" for room in (
        "rl", "open_spiel", "spiel_mcts", "papers", "benchmarks",
    )),
)  # fmt: skip
"""The rooms of the packages, files and folders; each imports those before it only."""

BACK = {
    ("boardgames_env.position", "boardgames_env.render"): "positions draw themselves, when they are asked to",
    ("boardgames_env.position", "boardgames_env.plain_data"): "positions write themselves as data, likewise",
    ("boardgames_env.game", "boardgames_env.plain_data"): "so do games",
    ("boardgames_env.game", "boardgames_env.games"): "games are pickled as their specs, and have pages",
}
"""The imports within functions that go back, and why."""


def modules() -> dict[str, Path]:
    """Return the modules of all packages."""
    found = {}
    for package in PACKAGES:
        root = Path(import_module(package).__file__ or "").parent
        for file in root.rglob("*.py"):
            parts = (package, *file.relative_to(root).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = modules()


@cache
def parsed(file: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Iterate over statements and those within them, but for what only type checkers read."""
    for node in body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(node, block, []))


@cache
def names_imported(file: Path) -> set[str]:
    """Return the dotted names that a file imports, wherever it does, but for type checkers only."""
    names = set()
    for node in statements(parsed(file).body):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in MODULES else node.module for name in named}
    return names


def imports_of(module: str) -> set[str]:
    """Return the modules of ours that a module imports."""
    return {name for name in names_imported(MODULES[module]) if name in MODULES} - {module}


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_every_module_is_in_a_room() -> None:
    own = {room_of(module) for module in MODULES if "." in module and not module.startswith("boardgames_cli.")}
    assert own - {f"{package}.__main__" for package in PACKAGES} == set(ROOMS)


def test_few_rooms_lie_directly_in_the_agents() -> None:
    entries = {path.name for path in (ROOT / "agents" / "boardgames_agents").iterdir()}
    rooms = entries - {"__init__.py", "__pycache__", "py.typed"}
    assert len(rooms) <= 18, sorted(rooms)


def test_a_class_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = {}
    for module, file in MODULES.items():
        for node in parsed(file).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(module)
    assert not {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_imports_go_one_way() -> None:
    for module, name in ((one, other) for one in MODULES for other in imports_of(one)):
        here, there = module.partition(".")[0], name.partition(".")[0]
        assert PACKAGES.index(there) <= PACKAGES.index(here), f"{module} imports {name}"
        rooms = room_of(module), room_of(name)
        if here == there and set(rooms) <= set(ROOMS) and rooms not in BACK:
            assert ROOMS.index(rooms[1]) <= ROOMS.index(rooms[0]), f"{module} imports {name}"


def test_no_circle_is_larger_than_a_file_and_its_package() -> None:
    """Modules are left out one after the other once all that they import are; a circle remains."""
    left = {
        module: {
            name
            for name in imports_of(module)
            if not {(module, name), (room_of(module), room_of(name))} & set(BACK) and not module.startswith(f"{name}.")
        }
        for module in MODULES
    }
    while done := {module for module, names in left.items() if not names & set(left)}:
        left = {module: names for module, names in left.items() if module not in done}
    assert not left, f"imports among these modules go in a circle: {sorted(left)}"


HEAVY = {
    "import boardgames_cli.main": {
        *("torch", "numba", "numpy", "gymnasium", "boardgames_env", "boardgames_agents"),
        *("starlette", "uvicorn", "boardgames_cli.web.application"),
    },
    "import boardgames_agents": {"torch", "numba", "numpy", "tensorboard", "boardgames_env"},
    "import boardgames_env": {"torch", "scipy.stats", "tensorboard", "pygame", "PIL", "boardgames_agents.registry"},
    "from boardgames_agents.registry import registered_agents; registered_agents()": {"torch", "tensorboard", "pygame"},
}
"""Statements, run one after the other, and what none of them up to then has imported."""


def test_heavy_imports_wait() -> None:
    code = "import sys\n" + "".join(f"{statement}\nprint(*sys.modules)\n" for statement in HEAVY)
    for (statement, heavy), imported in zip(HEAVY.items(), printed(code).splitlines(), strict=True):
        assert not heavy & set(imported.split()), statement


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
    # (the package's own: other tests may have registered more)
    games = [name for name, each in registered_games().items() if each.factory.__module__.startswith("boardgames_env.")]
    assert len(games) >= 24
    names = {*games, *(name.replace("_", "-") for name in games)}
    for file in (ROOT / "agents").rglob("*.py"):
        tree = parsed(file)
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
        *("as in Tic-tac-toe", "lose_tic_tac_toe", "at five men's\nmorris", "Pong hau k\u2019i"),
        *("three-mens-morris", '"fives"', "fives(size=3)", "nine\n# holes"),
    ],
)
def test_names_of_games_are_noticed_however_they_are_written(text: str) -> None:
    assert names_of_games().search(spoken(text))


@pytest.mark.parametrize("text", ["in rows of fives", "the achievement", "holes in nine boards", "a game with lines"])
def test_other_words_are_not_taken_for_games(text: str) -> None:
    assert not names_of_games().search(spoken(text))
