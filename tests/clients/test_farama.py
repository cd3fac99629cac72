"""Farama's own wrappers: SuperSuit's around our environments, and OpenSpiel's game through Shimmy beside ours."""

from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.wrappers import RecordVideo

import boardgames_env  # noqa: F401  (registers the games)
from tests.clients import client


@client("`frame_stack_v1`", "supersuit", None)
def test_supersuit_shows_the_last_positions_besides() -> None:
    supersuit = pytest.importorskip("supersuit", reason="the extra clients is not installed")
    plain, stacked = (gymnasium.make("boardgames/Achi-v0") for _ in range(2))
    stacked = supersuit.frame_stack_v1(stacked, 3)
    seen, info = plain.reset(seed=1)
    shown, _ = stacked.reset(seed=1)
    before = [np.zeros_like(seen), np.zeros_like(seen)]
    rng, over = np.random.default_rng(1), False
    while not over:
        assert shown.tolist() == np.concatenate([*before, seen]).tolist()
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        before = [before[1], seen]
        seen, reward, terminated, truncated, info = plain.step(action)
        shown, *rest, told = stacked.step(action)
        assert rest == [reward, terminated, truncated]
        assert told["action_mask"].tolist() == info["action_mask"].tolist()
        over = terminated or truncated


@client("`RecordVideo`", "gymnasium", None)
def test_contests_are_recorded_as_videos(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="the extra clients is not installed")
    made = gymnasium.make("boardgames/Achi-v0", render_mode="rgb_array", render_size=96)
    env = RecordVideo(made, str(tmp_path / "videos"), episode_trigger=lambda contest: True, fps=2)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        over = terminated or truncated
    env.close()
    assert (tmp_path / "videos" / "rl-video-episode-0.mp4").stat().st_size > 1000


@client("one program plays our game and OpenSpiel's", "shimmy", None)
def test_the_same_program_plays_ours_and_the_one_of_open_spiel_through_shimmy() -> None:
    shimmy = pytest.importorskip("shimmy", reason="the extra clients is not installed")
    pytest.importorskip("pyspiel", reason="the extra clients is not installed")
    rng = np.random.default_rng(1)
    for _ in range(20):
        ours = pettingzoo.make("aec", "boardgames/tic_tac_toe-v0")
        theirs = shimmy.OpenSpielCompatibilityV0(game_name="tic_tac_toe")
        ours.reset()
        theirs.reset()
        for agent in ours.agent_iter():
            *_, terminated, truncated, info = ours.last()
            if terminated or truncated:
                break
            assert theirs.agent_selection == agent
            assert theirs.infos[agent]["action_mask"].tolist() == info["action_mask"].tolist()
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            ours.step(action)
            theirs.step(action)
        assert all(theirs.terminations.values())
        assert theirs.rewards == ours.rewards
