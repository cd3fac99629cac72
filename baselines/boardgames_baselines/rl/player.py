"""The player of a trained network."""

from typing import Any

import numpy as np
import torch

from boardgames_agents.policy import Distribution, MarkovPolicy, uniform
from boardgames_agents.td.torch_network import one_thread
from boardgames_env.envs.view import Observer
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float32s
from boardgames_env.position import Position, demand_turn


def preferences(policy: Any, observations: Float32s) -> Float32s:
    """Return a network's preference of each action, legal or not.

    Args:
        policy: A policy of Stable-Baselines3.
        observations: Shape ``(K, num_features)``.

    Returns:
        Logits of probabilities, or values if the network predicts values; shape ``(K, num_actions)``.
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
    """A player of the legal action that a network prefers most; the network must not change afterwards."""

    def __init__(self, game: Game, policy: Any) -> None:
        super().__init__()
        self._game, self._policy, self._view = game, policy, Observer(game)

    def distribution(self, position: Position) -> Distribution:
        """Return the preferred action; ties are equally likely."""
        demand_turn(position, self._game)
        legal = np.array(position.legal_actions)
        wanted = preferences(self._policy, self._view.observation(position.state, position.seat)[None])[0][legal]
        return uniform(tuple(int(action) for action in legal[wanted == wanted.max()]))
