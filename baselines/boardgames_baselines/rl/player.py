"""What a trained network plays."""

from typing import Any

import numpy as np
import torch

from boardgames_agents.policy import Distribution, MarkovPolicy, uniform
from boardgames_baselines.rl.chances import one_thread
from boardgames_env.envs.view import Observer
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float32s
from boardgames_env.position import Position


def preferences(policy: Any, observations: Float32s) -> Float32s:
    """How much a network wants each action, legal or not: the larger, the more.

    Args:
        policy: A policy of Stable-Baselines3.
        observations: Shape ``(K, num_features)``.

    Returns:
        Logits of probabilities; the value of each action, where the network says that. Shape ``(K, num_actions)``.
    """
    with torch.no_grad(), one_thread():
        seen = torch.from_numpy(observations)
        if hasattr(policy, "q_net"):
            found = policy.q_net(seen)
        elif hasattr(policy, "quantile_net"):
            found = policy.quantile_net(seen).mean(dim=1)
        else:
            found = policy.action_net(policy.mlp_extractor.forward_actor(policy.extract_features(seen)))
    wanted: Float32s = found.numpy()
    return wanted


class NetworkPlayer(MarkovPolicy):
    """Plays the legal action that a network wants most.

    Args:
        game: The game.
        policy: A policy of Stable-Baselines3, which nobody else changes.
    """

    def __init__(self, game: Game, policy: Any) -> None:
        super().__init__()
        self._policy, self._view = policy, Observer(game)

    def distribution(self, position: Position) -> Distribution:
        """The wanted action; equally likely all that are wanted as much."""
        legal = np.array(position.legal_actions)
        wanted = preferences(self._policy, self._view.features(position.state, position.seat)[None])[0][legal]
        return uniform(tuple(int(action) for action in legal[wanted == wanted.max()]))
