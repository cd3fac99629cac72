"""The tests that a change can reach."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.near import Near
from tests.test_imports import ROOT


def item(file: str, name: str = "test") -> Any:
    return SimpleNamespace(path=ROOT / "tests" / file, nodeid=f"{file}::{name}")


@pytest.mark.parametrize(
    ("changed", "reached", "others"),
    [
        (
            "boardgames_env/kernels/compiling.py",
            [item("boardgames_env/kernels/test_two_tiers.py"), item("boardgames_agents/hoyle/test_zones.py")],
            [item("test_language.py")],
        ),
        (
            "agents/boardgames_agents/hoyle/men_lookahead.py",
            [item("boardgames_agents/hoyle/test_men_lookahead.py"), item("boardgames_agents/hoyle/test_zones.py")],
            [item("boardgames_env/envs/test_vector.py"), item("boardgames_agents/td/test_kernel.py")],
        ),
        (
            "boardgames_env/games/mu_torere.py",
            [item("test_every_game.py", "test[mu_torere]")],
            [item("test_every_game.py", "test[achi]")],
        ),
        ("tests/processes.py", [item("test_imports.py")], [item("boardgames_env/solve/test_bearoff.py")]),
        (
            "README.md",
            [item("docs/test_documentation.py"), item("test_language.py")],
            [item("boardgames_env/solve/test_bearoff.py")],
        ),
    ],
)
def test_imports_and_names_tell_what_is_reached(changed: str, reached: list[Any], others: list[Any]) -> None:
    near = Near.of({ROOT / Path(changed)})
    assert [each.nodeid for each in reached if not near.has(each)] == []
    assert [each.nodeid for each in others if near.has(each)] == []
