"""AgileRL's PPO on a batch of a game that is stepped by one kernel: it takes the mask from `info` by itself."""

import argparse

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.training.train_on_policy import train_on_policy

import boardgames_env  # noqa: F401  (registers the games)

COPIES = 8


def main() -> None:
    """Train, and print the points of a contest after each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="boardgames/TicTacToe-v0")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    np.random.seed(0)
    torch.manual_seed(0)
    envs = gymnasium.make_vec(given.game, num_envs=COPIES, opponent=given.opponent, autoreset_mode="SameStep")
    agent = PPO(
        envs.single_observation_space,
        envs.single_action_space,
        num_envs=COPIES,
        learn_step=128,
        batch_size=128,
        lr=1e-3,
        gamma=1.0,
    )
    (agent,), _ = train_on_policy(
        envs, given.game, "PPO", [agent], max_steps=2048 * given.rounds, evo_steps=2048, eval_loop=10, verbose=False
    )
    print("points a contest:", *agent.fitness)


if __name__ == "__main__":
    main()
