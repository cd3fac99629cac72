"""OpenSpiel's own examples run on our games, unchanged."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.clients import client, run

pytest.importorskip("pyspiel", reason="the extra clients is not installed")


def example(name: str, *arguments: str, folder: Path) -> str:
    """What an example of OpenSpiel prints that finds our games."""
    code = (
        "import boardgames_baselines.open_spiel, runpy\n"
        f"runpy.run_module('open_spiel.python.examples.{name}', run_name='__main__', alter_sys=True)"
    )
    return run("-c", code, *arguments, folder=folder)


@client("`mcts.py`", "open-spiel")
@pytest.mark.parametrize("game", ["boardgames_tic_tac_toe", "boardgames_achi(adjacent=True)"])
def test_mcts(game: str, tmp_path: Path) -> None:
    told = example("mcts", "--game", game, "--max_simulations", "30", "--num_games", "3", "--quiet", folder=tmp_path)
    assert "Number of games played: 3" in told


@client("`alpha_zero.py`, a step", "open-spiel")
@pytest.mark.slow
@pytest.mark.skipif(find_spec("flax") is None, reason="the extra clients is not installed")
def test_alpha_zero(tmp_path: Path) -> None:
    """It starts processes, to which the game is pickled."""
    sizes = {
        "max_steps": 1, "actors": 1, "evaluators": 1, "eval_levels": 2, "max_simulations": 4,
        "nn_model": "mlp", "nn_width": 16, "nn_depth": 1, "replay_buffer_size": 64, "train_batch_size": 16,
    }  # fmt: skip
    options = [f"--{name}={value}" for name, value in sizes.items()]
    options += ["--game=boardgames_tic_tac_toe", f"--path={tmp_path / 'az'}"]
    told = example("alpha_zero", *options, folder=tmp_path)
    assert "Losses(total" in told
    assert "Exception" not in told
    assert (tmp_path / "az" / "checkpoint--1").exists()
