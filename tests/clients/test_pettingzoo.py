"""PettingZoo's own tests that its package does not bring, unchanged, on all our games instead of its own."""

from pathlib import Path

import pytest

from boardgames_env import registered_games
from tests.clients import SOURCES, client, needs_source, run

PLUGIN = """
import sys, types
import boardgames_env
games = types.ModuleType("pettingzoo.utils.all_modules")
games.all_environments = boardgames_env.envs.registration.pettingzoo_modules()
sys.modules[games.__name__] = games
"""


@pytest.mark.slow
@needs_source("PettingZoo")
@client("its pickle and unwrapped tests, all games", "pettingzoo")
@pytest.mark.parametrize("name", ["pickle_test", "unwrapped_test"])
def test_its_own(name: str, tmp_path: Path) -> None:
    (tmp_path / "games_of_ours.py").write_text(PLUGIN, encoding="utf-8")
    copy = tmp_path / f"test_{name}.py"
    copy.write_text((SOURCES / "PettingZoo" / "test" / f"{name}.py").read_text(encoding="utf-8"), encoding="utf-8")
    options = ["-q", "-p", "games_of_ours", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(copy)]
    told = run("-m", "pytest", *options, folder=tmp_path)
    assert f"{len(registered_games())} passed" in told
