"""TorchRL takes our environments, and its policies see which actions are legal."""

import re
from collections.abc import Callable
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

import boardgames_env  # noqa: F401  (registers the games)
from tests.clients import EXAMPLES, client, run

pytest.importorskip("torchrl", reason="the extra clients is not installed")

import torch
from gymnasium.vector import AutoresetMode
from torchrl.data import Binary, Composite
from torchrl.envs import ActionMask, Compose, EnvBase, GymEnv, GymWrapper, PettingZooWrapper, Transform, TransformedEnv
from torchrl.envs.libs.gym import default_info_dict_reader
from torchrl.envs.utils import check_env_specs

# it has been tested with PettingZoo 1.24.3 by its makers, and says so
pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using:UserWarning")
SEATS = {"seats": ["player_0", "player_1"]}


@pytest.fixture(params=["tic_tac_toe", "achi", "hypergammon"])
def contest(request: pytest.FixtureRequest) -> PettingZooWrapper:
    return PettingZooWrapper(pettingzoo.make("aec", f"boardgames/{request.param}-v0"), use_mask=True, group_map=SEATS)


@client("`check_env_specs`, one seat, both seats and batches", "torchrl", None)
def test_it_finds_nothing_wrong_with_the_two_seats(contest: PettingZooWrapper) -> None:
    check_env_specs(contest, seed=1)


def test_a_rollout_of_both_seats_plays_a_contest_by_the_rules(contest: PettingZooWrapper) -> None:
    contest.set_seed(1)
    torch.manual_seed(1)
    played = contest.rollout(100_000)
    seats = played["seats"]
    assert (seats["mask"].sum(-1) == 1).all()  # one seat moves at a time
    chosen = seats["action_mask"].gather(-1, seats["action"].unsqueeze(-1)).squeeze(-1)
    assert chosen[seats["mask"]].all()
    assert not seats["action_mask"][seats["mask"]].all()
    points = played["next", "seats", "reward"].squeeze(-1)
    assert (points[:-1] == 0).all()
    assert points[-1].sum() == 0  # an illegal action would cost the offender alone
    assert played["next", "done"][-1]


def with_mask(env: GymWrapper, *before: Transform) -> EnvBase:
    mask = Binary(env.unwrapped.action_space.n, dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], Composite(action_mask=mask)))
    return TransformedEnv(env, Compose(*before, ActionMask()))


@client("`check_env_specs`, one seat, both seats and batches", "torchrl", None)
@pytest.mark.parametrize("name", ["TicTacToe", "Achi", "Hypergammon"])
@pytest.mark.parametrize(
    "made",
    [lambda id_: GymEnv(id_, opponent="random"), lambda id_: GymWrapper(gymnasium.make(id_, opponent="random"))],
    ids=["GymEnv", "GymWrapper"],
)
def test_one_seat_plays_by_the_rules(made: Callable[[str], GymWrapper], name: str) -> None:
    env = with_mask(made(f"boardgames/{name}-v0"))
    check_env_specs(env, seed=1)
    env.set_seed(1)
    torch.manual_seed(1)
    played = env.rollout(300, break_when_any_done=False)
    assert (played["action"] & played["action_mask"].bool()).any(-1).all()
    assert not played["action_mask"].bool().all()
    rewards = played["next", "reward"].squeeze(-1)
    assert rewards[played["next", "terminated"].squeeze(-1)].abs().sum() > 0
    assert (rewards[~played["next", "done"].squeeze(-1)] == 0).all()


@client("`check_env_specs`, one seat, both seats and batches", "torchrl", None)
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
@pytest.mark.parametrize("name", ["TicTacToe", "Achi", "Hypergammon"])
def test_a_batch_plays_by_the_rules(name: str, mode: AutoresetMode) -> None:
    batch = gymnasium.make_vec(f"boardgames/{name}-v0", num_envs=4, autoreset_mode=mode)
    env = GymWrapper(batch)
    mask = Binary(shape=(4, batch.single_action_space.n), dtype=torch.int8)  # type: ignore[attr-defined]
    reader = default_info_dict_reader(["action_mask"], Composite(action_mask=mask, shape=(4,)))
    inner = env.base_env if isinstance(env, TransformedEnv) else env
    inner.set_info_dict_reader(reader)
    env = TransformedEnv(env, ActionMask(), auto_unwrap=True)
    check_env_specs(env, seed=1)
    env.set_seed(1)
    torch.manual_seed(1)
    played = env.rollout(100, break_when_any_done=False)
    over = played["next", "done"].squeeze(-1)
    rewards = played["next", "reward"].squeeze(-1)
    assert over.any()
    assert (rewards[~over] == 0).all()
    assert rewards[over].abs().sum() > 0
    assert (played["action"] & played["action_mask"].bool()).any(-1).all()


@pytest.mark.slow
@client("masked PPO on a compiled batch", "torchrl", None)
def test_its_ppo_learns(tmp_path: Path) -> None:
    told = run("-W", "error", EXAMPLES / "torchrl_ppo.py", "--iterations", "10", folder=tmp_path)
    points = [float(each) for each in re.findall(r"contests, (\S+) points each$", told, re.MULTILINE)]
    assert len(points) == 10
    assert points[0] < 0.3
    assert min(points[-3:]) > 0.4
