"""RLlib's PPO on a game, with the opponent inside the environment and illegal actions masked.

python rllib_ppo.py --game boardgames/TicTacToe-v0 --opponent random --iterations 20
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.tune.registry import register_env
from torch import nn

Observation = dict[str, np.ndarray]


class MaskInObservation(gymnasium.Wrapper[Observation, int, np.ndarray, int]):
    """A wrapper that adds the mask to the observation, because an RLModule gets nothing else."""

    def __init__(self, env: gymnasium.Env[np.ndarray, int]) -> None:
        super().__init__(env)
        mask = Box(0, 1, (env.action_space.n,), np.int8)
        self.observation_space = Dict({"observation": env.observation_space, "action_mask": mask})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a contest."""
        return self._shown(*self.env.reset(seed=seed, options=options))

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        observation, info = self._shown(seen, info)
        return observation, float(reward), terminated, truncated, info

    def _shown(self, seen: np.ndarray, info: dict[str, Any]) -> tuple[Observation, dict[str, Any]]:
        return {"observation": seen, "action_mask": info["action_mask"]}, info


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A policy network and a value network of two layers each; illegal actions have probability 0."""

    def setup(self) -> None:
        """Make the two networks."""
        features, actions = self.observation_space["observation"].shape[0], self.action_space.n
        hidden = self.model_config.get("hidden", 64)
        self.policy, self.value = (
            nn.Sequential(nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), last)
            for last in (nn.Linear(hidden, actions), nn.Linear(hidden, 1))
        )

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        """Return the logits of the actions, shape ``(…, actions)``, in exploring, playing and learning alike."""
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"].float())
        # (not −∞: the entropy must stay a number)
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the expected points, shape ``(…,)``."""
        return self.value(batch[Columns.OBS]["observation"].float()).squeeze(-1)


def make_env(config: dict[str, Any]) -> gymnasium.Env[Observation, int]:
    """Return the environment of a worker."""
    import boardgames_env  # noqa: F401  (registers the games in the worker's process)

    return MaskInObservation(gymnasium.make(config["game"], opponent=config["opponent"], disable_env_checker=True))


def configuration(game: str, opponent: str) -> PPOConfig:
    """Return PPO that runs in this process alone; ``env_runners(num_env_runners=...)`` starts more."""
    register_env("boardgames", make_env)
    return (
        PPOConfig()
        .environment("boardgames", env_config={"game": game, "opponent": opponent})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .training(train_batch_size_per_learner=1024, minibatch_size=128, num_epochs=4, lr=1e-3, gamma=1.0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config={"hidden": 64}))
        .debugging(seed=0)
    )


def main() -> None:
    """Train, and print the results of the contests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="boardgames/TicTacToe-v0")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--address", default="local", help="address of a Ray cluster; by default one is started")
    given = parser.parse_args()
    # (without an address Ray would join any cluster that it finds on this machine)
    ray.init(address=given.address)
    algorithm = configuration(given.game, given.opponent).build_algo()
    for iteration in range(given.iterations):
        told = algorithm.train()["env_runners"]
        print(f"{iteration + 1}: {told['num_episodes']} contests, {told['episode_return_mean']:.3f} points each")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
