"""Stable-Baselines3 on our environments: steps, and training beside PettingZoo's tutorial."""

from functools import partial
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of
from boardgames_env import make_game
from boardgames_env.envs.single import BoardGameEnv

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

_GAME = "tic_tac_toe"
_COPIES = 256
_ACTIONS = 2048
"""Actions that MaskablePPO learns from at once, its own default."""


def _batched(copies: int) -> "VecEnv":
    from boardgames_baselines.rl.vec_env import BatchVecEnv

    return BatchVecEnv(make_game(_GAME), copies)


def _one_by_one(copies: int) -> "VecEnv":
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([partial(BoardGameEnv, _GAME)] * copies)


def _steps(make: Any, actions: int) -> float:
    """Return random legal actions per second, with the masks that MaskablePPO needs."""
    from sb3_contrib.common.maskable.utils import get_action_masks

    env = make(_COPIES)
    env.seed(0)
    env.reset()
    rng = np.random.default_rng(0)
    rounds = actions // _COPIES
    start = perf_counter()
    for _ in range(rounds):
        masks = get_action_masks(env)
        env.step((rng.random(masks.shape) * masks).argmax(axis=1))
    return rounds * _COPIES / (perf_counter() - start)


def _training(env: Any, copies: int) -> float:
    """Return actions per second of MaskablePPO with its defaults, learning included."""
    from sb3_contrib import MaskablePPO

    from boardgames_baselines.rl.random_state import seeded

    with seeded((0,)):
        model = MaskablePPO("MlpPolicy", env, n_steps=_ACTIONS // copies, seed=0, device="cpu")
        return 2 * _ACTIONS / seconds_of(lambda: model.learn(2 * _ACTIONS))


def _tutorial_env() -> Any:
    """Return PettingZoo's game for Stable-Baselines3, as in its tutorial on action masks.

    Both seats are one decision process there.
    """
    from pettingzoo.classic import tictactoe_v3
    from pettingzoo.utils import BaseWrapper
    from sb3_contrib.common.wrappers import ActionMasker

    bases: Any = (BaseWrapper, gymnasium.Env)

    class Wrapper(*bases):  # type: ignore[misc]
        """An environment whose agent is the seat to move."""

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
            super().reset(seed, options)
            first = self.possible_agents[0]
            self.observation_space = super().observation_space(first)["observation"]
            self.action_space = super().action_space(first)
            return self.observe(self.agent_selection), {}

        def step(self, action: int) -> Any:
            super().step(action)
            return super().last()

        def observe(self, agent: str) -> Any:
            return super().observe(agent)["observation"]

        def action_mask(self) -> Any:
            return super().observe(self.agent_selection)["action_mask"]

    env: Any = Wrapper(tictactoe_v3.env())
    env.reset(seed=0)
    return ActionMasker(env, lambda wrapped: env.action_mask())


BENCHMARKS = (
    (
        Benchmark(
            f"Stable-Baselines3 fed by a batch, {_COPIES} copies",
            "actions/s",
            partial(_steps, _batched, 256 * _COPIES),
            "≥ 5 ×",
            Peer("its DummyVecEnv of the same environment", partial(_steps, _one_by_one, 16 * _COPIES)),
        ),
        Benchmark(
            "MaskablePPO, learning included",
            "actions/s",
            lambda: _training(_batched(64), 64),
            "≥ 2 ×",
            Peer("PettingZoo's tutorial on classic/tictactoe", lambda: _training(_tutorial_env(), 1), "pygame"),
        ),
    )
    if find_spec("sb3_contrib")
    else ()
)
