"""Batches of contests as Stable-Baselines3's `VecEnv`, which resets in the step that ends a contest."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from boardgames_env.envs.vector import BoardGameVectorEnv
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Bools, Float32s, Int8s, Int64s

Chooser = Callable[[Float32s, Int8s], Int64s]
"""A function from observations ``(K, num_features)`` and masks ``(K, num_actions)`` to actions ``(K,)``."""


class BatchVecEnv(VecEnv):
    """Copies of a game against the random player, stepped by one kernel.

    In ``infos``, a copy whose contest has just ended has what Stable-Baselines3 asks for, ``terminal_observation`` and
    ``TimeLimit.truncated``, and ``seat``, the seat that the learner had.

    Raises:
        BadInputError: As `BoardGameVectorEnv` does.
    """

    def __init__(self, game: Game, copies: int, opponent: str | None = "random") -> None:
        self.batch = BoardGameVectorEnv(game, copies, opponent)
        super().__init__(copies, self.batch.single_observation_space, self.batch.single_action_space)
        self._actions = np.zeros(copies, dtype=np.int64)
        self._masks = np.ones((copies, game.num_actions), dtype=np.int8)
        self._seats = np.zeros(copies, dtype=np.int64)

    def reset(self) -> Float32s:
        """Begin a contest in every copy, with the seeds that `seed` was given."""
        observations, infos = self.batch.reset(seed=self._seeds)
        self._masks[:], self._seats[:] = infos["action_mask"], infos["seat"]
        self._reset_seeds()
        return observations

    def step_async(self, actions: Int64s) -> None:
        """Store the actions, shape ``(num_envs,)``."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions, and begin the next contest where one has ended."""
        observations, rewards, over, cut = self._play(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(over)
        for copy in ended:
            infos[copy] = {
                "terminal_observation": observations[copy].copy(),
                "TimeLimit.truncated": bool(cut[copy]),
                "seat": int(self._seats[copy]),
            }
        if len(ended):
            self._begin(ended, observations)
        return observations, rewards, over, infos

    def _play(self, actions: Int64s) -> tuple[Float32s, Float32s, Bools, Bools]:
        """Return observations, rewards, which contests are over, and which of them were cut short."""
        observations, rewards, ended, cut, infos = self.batch.step(actions)
        self._masks[:] = infos["action_mask"]
        return observations, rewards.astype(np.float32), ended | cut, cut

    def _begin(self, which: Int64s, observations: Float32s) -> None:
        """Begin a contest in some copies, and write their observations."""
        begun, _, _, _, infos = self.batch.step_some(which, np.zeros(len(which), dtype=np.int64))
        observations[which], self._masks[which], self._seats[which] = begun, infos["action_mask"], infos["seat"]

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of the batch once for each copy; `has_attr` finds ``action_masks`` this way."""
        value = self.action_masks if attr_name == "action_masks" else getattr(self.batch, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raise `AttributeError`: copies have no attributes of their own."""
        raise AttributeError(f"the copies share one batch; {attr_name} cannot be set for some of them")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return ``action_masks`` of the copies, for `MaskablePPO`; raise `AttributeError` for other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"the copies share one batch, and have no method {method_name} of their own")
        return list(self.action_masks()[list(self._get_indices(indices))])

    def action_masks(self) -> Bools:
        """Return the masks of legal actions, shape ``(num_envs, num_actions)``."""
        return self._masks.astype(np.bool_)

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None) -> Any:
        """Return that no copy is wrapped."""
        return [False for _ in self._get_indices(indices)]


class PoolVecEnv(BatchVecEnv):
    """Copies of a game against a pool of opponents, each of which chooses for all its copies at once.

    A contest that a limit cuts short counts as drawn. A copy may get another opponent in the middle of a contest.

    Attributes:
        playing: Which opponent plays in each copy; the caller may change it between steps.
    """

    def __init__(self, game: Game, copies: int, opponents: Sequence[Chooser]) -> None:
        super().__init__(game, copies, opponent=None)
        self.opponents = opponents
        self.playing = np.zeros(copies, dtype=np.int64)
        self._movers = np.zeros(copies, dtype=np.int64)

    def reset(self) -> Float32s:
        """Begin a contest in every copy; the learner has seat 0 first and alternates in each copy."""
        observations = super().reset()
        self._movers[:] = self._seats
        self._seats[:] = 0
        self._open(np.arange(self.num_envs), observations)
        return observations

    def _begin(self, which: Int64s, observations: Float32s) -> None:
        mine = 1 - self._seats[which]
        super()._begin(which, observations)
        self._movers[which] = self._seats[which]
        self._seats[which] = mine
        self._open(which, observations)

    def _open(self, which: Int64s, observations: Float32s) -> None:
        """Let opponents begin where they have seat 0; where that ends a contest, begin the next one."""
        over = np.zeros(self.num_envs, dtype=np.bool_)
        nothing = np.zeros(self.num_envs, dtype=np.float32)
        self._let_answer(which, observations, nothing, over, over.copy())
        if over.any():
            self._begin(np.flatnonzero(over), observations)

    def _play(self, actions: Int64s) -> tuple[Float32s, Float32s, Bools, Bools]:
        observations, points, ended, cut, infos = self.batch.step(actions)
        rewards = points.astype(np.float32)
        self._masks[:], self._movers[:] = infos["action_mask"], infos["seat"]
        over = ended | cut
        self._let_answer(np.arange(self.num_envs), observations, rewards, over, cut)
        return observations, rewards, over, np.zeros_like(cut)

    def _let_answer(self, which: Int64s, observations: Float32s, rewards: Float32s, over: Bools, cut: Bools) -> None:
        """Let opponents play until it is the learner's turn everywhere; write the results into the arguments."""
        while True:
            which = which[~over[which] & (self._movers[which] != self._seats[which])]
            if not len(which):
                return
            answers = np.zeros(len(which), dtype=np.int64)
            for number in np.unique(self.playing[which]):
                own = self.playing[which] == number
                answers[own] = self.opponents[number](observations[which[own]], self._masks[which[own]])
            seen, points, ended, cut_short, infos = self.batch.step_some(which, answers)
            observations[which], self._masks[which], self._movers[which] = seen, infos["action_mask"], infos["seat"]
            rewards[which] = -points
            over[which], cut[which] = ended | cut_short, cut_short
