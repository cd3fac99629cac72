"""Stable-Baselines3 steps copies of our environments in processes, however they are started."""

import numpy as np
import pytest

from tests.boardgames_baselines import needs_rl
from tests.clients import client

pytestmark = [pytest.mark.slow, needs_rl]


@client("`MaskablePPO` with `SubprocVecEnv`, started by fork, spawn and forkserver", "stable-baselines3", None)
@pytest.mark.parametrize("start_method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # (is multi-threaded, and forks)
def test_processes(start_method: str) -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import SubprocVecEnv

    envs = make_vec_env(
        "boardgames_env:boardgames/TicTacToe-v0",
        n_envs=2, seed=1, vec_env_cls=SubprocVecEnv, vec_env_kwargs={"start_method": start_method},
    )  # fmt: skip
    try:
        model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=1, device="cpu")
        model.learn(64)
        buffer = model.rollout_buffer
        assert buffer.action_masks.reshape(64, -1)[np.arange(64), buffer.actions.reshape(64).astype(int)].all()
        assert set(np.unique(buffer.rewards)) <= {-1, 0, 1}
    finally:
        envs.close()
