"""Convolutional networks of other libraries learn from planes."""

import gymnasium
import pytest

import boardgames_env  # noqa: F401  (registers the games)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("game", "dtype"), [("NineMensMorris", "float32"), ("TicTacToe", "uint8")])
@pytest.mark.parametrize("name", ["DQN", "PPO", "MaskablePPO"])
def test_stable_baselines_learns_with_its_cnn_policy(game: str, name: str, dtype: str) -> None:
    pytest.importorskip("sb3_contrib", reason="the extra rl is not installed")
    import sb3_contrib
    import stable_baselines3
    import torch
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

    class Convolutions(BaseFeaturesExtractor):
        def __init__(self, space: gymnasium.spaces.Box) -> None:
            super().__init__(space, 32)
            channels, height, width = space.shape
            self.layers = torch.nn.Sequential(
                torch.nn.Conv2d(channels, 8, 3, padding=1),
                torch.nn.ReLU(),
                torch.nn.Flatten(),
                torch.nn.Linear(8 * height * width, 32),
            )

        def forward(self, planes: torch.Tensor) -> torch.Tensor:
            assert planes.dtype == torch.float32
            assert 0 <= planes.min() < planes.max() <= 1
            features: torch.Tensor = self.layers(planes)
            return features

    algorithm = getattr(sb3_contrib, name, None) or getattr(stable_baselines3, name)
    env = gymnasium.make(f"boardgames/{game}-v0", observation="planes", dtype=dtype)
    network = {"features_extractor_class": Convolutions, "normalize_images": dtype == "uint8"}
    steps = {"learning_starts": 32, "buffer_size": 200} if name == "DQN" else {"n_steps": 64, "batch_size": 64}
    model = algorithm("CnnPolicy", env, policy_kwargs=network, device="cpu", seed=1, **steps)
    layer = next(module for module in model.policy.modules() if isinstance(module, torch.nn.Conv2d))
    before = layer.weight.detach().clone()
    model.learn(128)
    assert (layer.weight != before).any()
    assert torch.isfinite(layer.weight).all()


@pytest.mark.parametrize("game", ["TicTacToe", "PongHauKi", "NineMensMorris"])
def test_torchrl_values_legal_actions_by_convolutions_and_learns(game: str) -> None:
    pytest.importorskip("torchrl", reason="the extra clients is not installed")
    import torch
    from torchrl.envs import DTypeCastTransform, GymEnv
    from torchrl.envs.utils import check_env_specs
    from torchrl.modules import MLP, ConvNet, QValueActor
    from torchrl.objectives import DQNLoss

    from tests.clients.test_torchrl import with_mask

    made = GymEnv(f"boardgames/{game}-v0", observation="planes")
    actions = made.action_spec.shape[-1]
    env = with_mask(made, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    check_env_specs(env, seed=1)
    channels, height, width = env.observation_spec["observation"].shape
    layers = (
        ConvNet(in_features=channels, num_cells=[8], kernel_sizes=2),
        MLP(in_features=8 * (height - 1) * (width - 1), out_features=actions, num_cells=[16]),
    )
    network = torch.nn.Sequential(*layers)
    actor = QValueActor(network, in_keys=["observation"], spec=env.action_spec, action_mask_key="action_mask")
    env.set_seed(1)
    torch.manual_seed(1)
    played = env.rollout(60, actor, break_when_any_done=False)
    assert (played["action"] & played["action_mask"]).any(-1).all()
    assert not played["action_mask"].all()
    loss = DQNLoss(actor, action_space=env.action_spec, delay_value=False)(played)["loss"]
    loss.backward()
    assert torch.isfinite(loss)
    assert any(each.grad is not None and each.grad.any() for each in layers[0].parameters())
