"""Algorithms with a replay buffer: DQN and QR-DQN. They use no mask of legal actions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm

from boardgames_agents.policy import Snapshot
from boardgames_baselines.rl.config import OffPolicyConfig
from boardgames_baselines.rl.learner import MEMORY, PlayedAction, RLLearner
from boardgames_baselines.rl.networks import load_rows, rows_of
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game

_REMEMBERED = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")
_ROUND = 64
"""Actions in a round of the loop, rounded up to a multiple of `train_freq`."""


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
        rows = rows_of(self._buffer, _REMEMBERED, self._buffer.size())
        return {**rows, "place": np.array([self._buffer.pos, self._network._n_calls])}

    def skill(self) -> Snapshot:
        """Return a snapshot without the rows of the buffer."""
        whole = self.snapshot()
        rows = {MEMORY + name: array for name, array in rows_of(self._buffer, _REMEMBERED, 0).items()}
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
        count = load_rows(self._buffer, _REMEMBERED, rows)
        self._buffer.pos, self._network._n_calls = map(int, place)
        self._buffer.full = count == self._buffer.buffer_size
        self._network.exploration_rate = self._epsilon()
