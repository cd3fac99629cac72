"""What must work with every version of Python and of other packages that pyproject.toml allows: a test for each room.

`make test-lowest` and `make test-newest` run these, which are no part of the other runs.
"""

import json
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from boardgames_agents import tournament
from boardgames_env import make_game
from boardgames_env.render.pixels import draw_pixels
from tests.conftest import Run

ENVIRONMENT = "boardgames/TicTacToe-v0"


@pytest.mark.filterwarnings("ignore")  # (the checks' own)
def test_environments_pass_the_checks_of_their_libraries() -> None:
    from pettingzoo.test import api_test, seed_test

    check_env(gymnasium.make(ENVIRONMENT, opponent="fallible(e=0.5)", render_mode="rgb_array").unwrapped)
    api_test(pettingzoo.make("aec", "boardgames/tic_tac_toe-v0"), num_cycles=50)
    seed_test(lambda: pettingzoo.make("aec", "boardgames/tic_tac_toe-v0"), num_cycles=20)


@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_batches_step(opponent: str) -> None:
    envs = gymnasium.make_vec(ENVIRONMENT, 4, opponent=opponent)
    _, infos = envs.reset(seed=1)
    rewards = np.zeros(4)
    for _ in range(20):
        actions = infos["action_mask"].argmax(axis=1)
        _, reward, *_, infos = envs.step(actions)
        rewards += reward
    assert np.isfinite(rewards).all()


def test_pictures_are_painted(tmp_path: Path) -> None:
    position = make_game("achi").initial
    Image.fromarray(draw_pixels(position, 100)).save(tmp_path / "achi.png")
    with Image.open(tmp_path / "achi.png") as picture:
        assert picture.size == (100, 100)


@pytest.mark.parametrize("agent", ["perfect", "mcts(playouts=20)", "alpha_beta(nodes=100)"])
def test_agents_play_the_contests_of_their_seed(agent: str) -> None:
    first, second = (tournament(make_game("tic_tac_toe"), agent, "random", 10, seed=1).score for _ in range(2))
    assert first.as_dict()["wins"] == second.as_dict()["wins"]


def test_matches_of_several_processes_are_stored_and_rated(boardgames: Run, tmp_path: Path) -> None:
    words = ("match", "tic_tac_toe", "perfect", "random", "--contests", 20, "--json")
    assert json.loads(boardgames(*words, "--jobs", 2, "--store", tmp_path / "s.sqlite"))["losses"] == 0
    assert "perfect" in boardgames("ratings", tmp_path / "s.sqlite", "tic_tac_toe")


def test_tables_are_kept(boardgames: Run, tmp_path: Path) -> None:
    for _ in range(2):
        assert "5,478" in boardgames("solve", "tic_tac_toe", "--dir", tmp_path)
    assert list(tmp_path.rglob("*.safetensors"))


@pytest.mark.parametrize("learner", ["td", "hoyle", "menace"])
def test_learners_are_trained_tested_and_resumed(learner: str, boardgames: Run, tmp_path: Path) -> None:
    words = ("train", "tic_tac_toe", learner, "--contests", 20, "--test-every", 10, "--test-contests", 5)
    for _ in range(2):
        boardgames(*words, "--run", tmp_path)
    assert "power" in boardgames("test", tmp_path, "--contests", 5)
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert events.Tags()["scalars"]


def test_leagues_are_played_in_two_processes(boardgames: Run, tmp_path: Path) -> None:
    boardgames(
        "league", "tic_tac_toe", "--agents", "random,perfect", "--contests", 10, "--jobs", 2, "--folder", tmp_path
    )
    assert (tmp_path / "tables.md").exists()


def test_the_command_line_helps_and_refuses(boardgames: Run, refused: Run) -> None:
    for words in ((), ("train",), ("match",), ("paper",)):
        assert "--help" in boardgames(*words, "--help")
    assert "chess" in refused("show", "chess")
