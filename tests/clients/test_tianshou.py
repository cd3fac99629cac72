"""Tianshou takes our PettingZoo environments, and its masked DQN learns there."""

from pathlib import Path

import numpy as np
import pettingzoo
import pytest

import boardgames_env  # noqa: F401  (registers the games)
from tests.clients import SOURCES, changed, client, needs_source, run

pytest.importorskip("tianshou", reason="the extra clients is not installed")

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net


def make(game: str = "tic_tac_toe") -> PettingZooEnv:
    return PettingZooEnv(pettingzoo.make("aec", f"boardgames/{game}-v0"))


def dqn(env: PettingZooEnv) -> DQN:
    features = env.observation_space["observation"].shape
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=features, action_shape=env.action_space.n, hidden_sizes=[32]),
        action_space=env.action_space,
        eps_training=0.3,
    )
    # after two steps it is the same seat's turn again
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-2), n_step_return_horizon=2, target_update_freq=50)


@pytest.mark.parametrize("game", ["tic_tac_toe", "achi", "hypergammon"])
def test_it_is_shown_the_seat_to_move_and_its_legal_actions(game: str) -> None:
    env = make(game)
    seen, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    done, rewards = False, []
    while not done:
        assert seen["agent_id"] == env.env.agent_selection
        assert np.flatnonzero(seen["mask"]).tolist() == list(env.env.game.position(env.env.state()).legal_actions)
        seen, rewards, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(seen["mask"]))))
        done = terminated or truncated
    assert sum(rewards) == 0


@client("masked DQN in both seats", "tianshou", None)
def test_its_masked_dqn_learns_in_both_seats() -> None:
    torch.manual_seed(1)
    np.random.seed(1)  # its exploration draws from there
    env = make()
    seats = [dqn(env), dqn(env)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=seats, env=env)
    before = [parameter.clone() for seat in seats for parameter in seat.policy.parameters()]
    buffer = VectorReplayBuffer(2000, 4)
    told = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=Collector(algorithm, DummyVectorEnv([make] * 4), buffer, exploration_noise=True),
            max_epochs=1,
            epoch_num_steps=400,
            collection_step_num_env_steps=40,
            update_step_num_gradient_steps_per_sample=0.05,
            batch_size=64,
            multi_agent_return_reduction=lambda rewards: rewards[:, 0],
            verbose=False,
            show_progress=False,
        )
    )
    assert told.train_step == 400
    assert told.update_step >= 10
    played = buffer[buffer.sample_indices(0)]
    assert len(played) == 400
    assert played.obs.mask[np.arange(len(played)), played.act].all()
    assert not played.obs.mask.all()
    assert (played.rew.sum(axis=1) == 0).all()  # an illegal action would cost the offender alone
    after = [parameter for seat in seats for parameter in seat.policy.parameters()]
    assert all(torch.isfinite(parameter).all() for parameter in after)
    assert all((one != other).any() for one, other in zip(before, after, strict=True))


EXAMPLE = "from pettingzoo.classic import tictactoe_v3"


@pytest.mark.slow
@needs_source("tianshou")
@client("its own `tic_tac_toe.py`, two epochs", "tianshou", 1)
def test_its_own_example(tmp_path: Path) -> None:
    source = SOURCES / "tianshou" / "test" / "pettingzoo" / "tic_tac_toe.py"
    changed(source, {EXAMPLE: "from boardgames_env import tic_tac_toe_v0 as tictactoe_v3"}, tmp_path)
    code = "from tic_tac_toe import train_agent; print('reward', train_agent()[0].best_reward)"
    told = run("-c", code, "--epoch", "2", "--epoch_num_steps", "500", "--win_rate", "2", folder=tmp_path)
    assert -1 <= float(told.split("reward")[-1]) <= 1
