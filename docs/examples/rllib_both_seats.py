"""RLlib's PPO in both seats of a game: a network for each, through RLlib's own wrapper of PettingZoo's environments.

python rllib_both_seats.py --game boardgames/tic_tac_toe-v0 --iterations 20
"""

import argparse
from typing import Any

import pettingzoo
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from rllib_ppo import MaskedModule

SEATS = ("player_0", "player_1")


def make_env(config: dict[str, Any]) -> PettingZooEnv:
    """Return the environment of a worker; its observations hold the mask."""
    import boardgames_env  # noqa: F401  (registers the games in the worker's process)

    return PettingZooEnv(pettingzoo.make("aec", config["game"]))


def configuration(game: str) -> PPOConfig:
    """Return PPO with a network for each seat, which see and learn from their own decisions alone."""
    register_env("both seats", make_env)
    return (
        PPOConfig()
        .environment("both seats", env_config={"game": game})
        .env_runners(num_env_runners=0)
        .multi_agent(policies=set(SEATS), policy_mapping_fn=lambda agent, episode, **_: agent)
        .training(train_batch_size_per_learner=1024, minibatch_size=128, num_epochs=4, lr=1e-3, gamma=1.0)
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={seat: RLModuleSpec(MaskedModule, model_config={"hidden": 64}) for seat in SEATS}
            )
        )
        .debugging(seed=0)
    )


def main() -> None:
    """Train, and print the results of the contests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="boardgames/tic_tac_toe-v0")
    parser.add_argument("--iterations", type=int, default=20)
    given = parser.parse_args()
    ray.init(address="local")
    algorithm = configuration(given.game).build_algo()
    for iteration in range(given.iterations):
        told = algorithm.train()["env_runners"]
        points = told["agent_episode_returns_mean"]
        print(f"{iteration + 1}: {told['num_episodes']} contests,", *(f"{points[seat]:.3f}" for seat in SEATS))
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
