"""The two kinds of algorithms: those that learn from what they have just played, and those with a replay buffer.

Of the first, PPO has a mask of legal actions or none, and A2C has none; of the others, DQN and QR-DQN, none has one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm

from boardgames_agents.policy import Snapshot
from boardgames_agents.td.torch_network import one_thread
from boardgames_baselines.rl.config import OffPolicyConfig, OnPolicyConfig
from boardgames_baselines.rl.learner import MEMORY, PlayedAction, RLLearner
from boardgames_baselines.rl.networks import load_rows, rows_of
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game

_ROLLOUT_ROWS = ("observations", "actions", "rewards", "episode_starts", "values", "log_probs")
_REPLAY_ROWS = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")
_ROUND = 64
"""Actions in a round of the loop with a replay buffer, rounded up to a multiple of `train_freq`."""


class OnPolicyLearner(RLLearner[OnPolicyAlgorithm, OnPolicyConfig]):
    """A learner that learns each time its rollout buffer is full."""

    def __init__(self, game: Game, config: OnPolicyConfig, algorithm: type[OnPolicyAlgorithm]) -> None:
        super().__init__(game, config, algorithm)
        # (a buffer of the same size, for one contest after the other)
        self._rows: Any = type(self.model.rollout_buffer)(
            config.rows,
            self.model.observation_space,
            self.model.action_space,
            device="cpu",
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            n_envs=1,
        )
        self._is_masked = hasattr(self._rows, "action_masks")
        self._remembered = (*_ROLLOUT_ROWS, "action_masks") if self._is_masked else _ROLLOUT_ROWS

    @property
    def steps_at_once(self) -> int:
        """The number of actions in a rollout."""
        return self.config.rows

    @property
    def updates_at_once(self) -> int:
        """The number of epochs, which is what the model counts."""
        return int(getattr(self.model, "n_epochs", 1))

    def explore(
        self, wanted: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Draw legal actions with the probabilities that the network gives them."""
        noise = rng.gumbel(size=wanted.shape)  # the largest of logits and such noise is a draw from their softmax
        chosen: NDArray[np.int64] = np.where(masks != 0, wanted + noise, -np.inf).argmax(axis=1)
        return chosen

    def learn_from(self, decisions: Sequence[PlayedAction], points: float) -> None:
        """Add the decisions to the buffer; learn when it is full."""
        seen = np.stack([each.observation for each in decisions])
        masks = np.stack([each.mask for each in decisions])
        actions = torch.tensor([each.action for each in decisions])
        with torch.no_grad(), one_thread():
            options = {"action_masks": masks} if self._is_masked else {}
            values, log_probs, _ = self.model.policy.evaluate_actions(torch.from_numpy(seen), actions, **options)
        for k, decision in enumerate(decisions):
            if self._rows.full:
                self._learn(values[k], is_over=k == 0)
            last = k == len(decisions) - 1
            more = {"action_masks": decision.mask[None]} if self._is_masked else {}
            self._rows.add(
                *(decision.observation[None], np.array([[decision.action]]), np.array([points if last else 0.0])),
                *(np.array([k == 0]), values[k], log_probs[k : k + 1]),
                **more,
            )
            self.model.num_timesteps += 1

    def _learn(self, value: torch.Tensor, is_over: bool) -> None:
        """Learn from the rows of the buffer, given the value of the next observation.

        ``is_over`` says whether that observation belongs to the next contest.
        """
        loops: RolloutBuffer = self.model.rollout_buffer
        self._rows.compute_returns_and_advantage(value, np.array([is_over]))
        with self.learning():
            self.model.rollout_buffer = self._rows
            try:
                self.model.train()
            finally:
                self.model.rollout_buffer = loops
        self._rows.reset()

    @property
    def memory(self) -> dict[str, NDArray[Any]]:
        """The rows that it has not learned from yet."""
        return rows_of(self._rows, self._remembered, self._rows.pos)

    def remember(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Restore the rows."""
        self._rows.reset()
        count = load_rows(self._rows, self._remembered, memory)
        self._rows.pos, self._rows.full = count, count == self._rows.buffer_size


class OffPolicyLearner(RLLearner[OffPolicyAlgorithm, OffPolicyConfig]):
    """A learner with a replay buffer.

    Exploration depends on the number of actions played so far, not on the length of the training, which can therefore
    be prolonged.
    """

    def __init__(self, game: Game, config: OffPolicyConfig, algorithm: type[OffPolicyAlgorithm]) -> None:
        super().__init__(game, config, algorithm)
        self._network.exploration_schedule = lambda _: self._epsilon()
        self._network.exploration_rate = self._epsilon()

    def _epsilon(self) -> float:
        final, steps = self.config.exploration_final_eps, self.config.exploration_steps
        return max(final, 1 - (1 - final) * self.model.num_timesteps / steps)

    @property
    def steps_at_once(self) -> int:
        """The number of actions in a round, a multiple of `train_freq`."""
        return -(-_ROUND // self.config.train_freq) * self.config.train_freq

    def explore(
        self, wanted: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return the legal actions of the highest value, sometimes random ones."""
        strays = rng.random((len(wanted), 1)) < self._epsilon()
        values = np.where(strays, rng.random(wanted.shape), wanted)
        chosen: NDArray[np.int64] = np.where(masks != 0, values, -np.inf).argmax(axis=1)
        return chosen

    def learn_from(self, decisions: Sequence[PlayedAction], points: float) -> None:
        """Add the decisions to the buffer, and learn when it is time."""
        model, config = self.model, self.config
        for k, decision in enumerate(decisions):
            last = k == len(decisions) - 1
            after = decision if last else decisions[k + 1]
            self._buffer.add(
                *(decision.observation[None], after.observation[None], np.array([[decision.action]])),
                *(np.array([points if last else 0.0]), np.array([last]), [{}]),
            )
            model.num_timesteps += 1
            model._on_step()
            if model.num_timesteps > config.learning_starts and model.num_timesteps % config.train_freq == 0:
                with self.learning():
                    model.train(config.gradient_steps, config.batch_size)

    @property
    def memory(self) -> dict[str, NDArray[Any]]:
        """The rows of the buffer, and the place of the next one."""
        rows = rows_of(self._buffer, _REPLAY_ROWS, self._buffer.size())
        return {**rows, "place": np.array([self._buffer.pos, self._network._n_calls])}

    def skill(self) -> Snapshot:
        """Return a snapshot without the rows of the buffer."""
        whole = self.snapshot()
        rows = {MEMORY + name: array for name, array in rows_of(self._buffer, _REPLAY_ROWS, 0).items()}
        place = np.array([0, self._network._n_calls])
        return Snapshot({**whole.arrays, **rows, MEMORY + "place": place}, whole.data)

    @property
    def _network(self) -> Any:
        """The model as `Any`: Stable-Baselines3 has no type for what DQN and QR-DQN share."""
        return self.model

    @property
    def _buffer(self) -> Any:
        return self.model.replay_buffer

    def remember(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Restore the rows of the buffer."""
        rows = dict(memory)
        place = rows.pop("place", np.array(()))
        if place.shape != (2,):
            raise BadInputError("this is not a whole snapshot: it lacks the place in the buffer")
        count = load_rows(self._buffer, _REPLAY_ROWS, rows)
        self._buffer.pos, self._network._n_calls = map(int, place)
        self._buffer.full = count == self._buffer.buffer_size
        self._network.exploration_rate = self._epsilon()
