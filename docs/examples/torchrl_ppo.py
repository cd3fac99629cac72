"""TorchRL's PPO with a masked policy, on a batch of a game that is stepped by one kernel."""

import argparse

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.data import Binary, Composite
from torchrl.envs import DTypeCastTransform, EnvBase, GymWrapper, TransformedEnv
from torchrl.envs.libs.gym import default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import boardgames_env  # noqa: F401  (registers the games)


def make_env(game: str, opponent: str, copies: int) -> EnvBase:
    """Return the copies as one environment. TorchRL resets them itself, and takes a mask of booleans."""
    envs = gymnasium.make_vec(game, num_envs=copies, opponent=opponent, autoreset_mode="Disabled")
    env = GymWrapper(envs, categorical_action_encoding=True)
    mask = Binary(shape=(copies, envs.single_action_space.n), dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], Composite(action_mask=mask, shape=(copies,))))
    return TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def network(inputs: int, outputs: int) -> nn.Module:
    """Return a network of two hidden layers."""
    return nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))


def main() -> None:
    """Train, and print the results of the contests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="boardgames/TicTacToe-v0")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--iterations", type=int, default=20)
    given = parser.parse_args()
    torch.manual_seed(0)
    env = make_env(given.game, given.opponent, copies=32)
    env.set_seed(0)
    features, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    actor = ProbabilisticActor(
        TensorDictModule(network(features, actions), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        spec=env.action_spec,
    )
    critic = ValueOperator(network(features, 1), in_keys=["observation"])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for iteration in range(given.iterations):
        with torch.no_grad():
            played = env.rollout(32, actor, break_when_any_done=False)
            advantage(played)
        over = played["next", "done"]
        print(f"{iteration + 1}: {over.sum()} contests, {played['next', 'reward'][over].mean():.3f} points each")
        decisions = played.reshape(-1)
        for _ in range(4):
            for rows in torch.randperm(len(decisions)).split(256):
                losses = loss(decisions[rows])
                optimizer.zero_grad()
                sum(losses[name] for name in ("loss_objective", "loss_critic", "loss_entropy")).backward()
                optimizer.step()


if __name__ == "__main__":
    main()
