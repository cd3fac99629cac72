"""Networks for tests of the search: random ones, and one that knows nothing."""

import numpy as np

from boardgames_agents.alpha_zero.search import Evaluate
from boardgames_env import Game
from boardgames_env.kernels.signatures import Float32s, Int8s


def random_evaluation(game: Game, seed: int) -> Evaluate:
    """Return a network that gives every state logits and a value of its own, the same on every machine.

    They are made of whole numbers, so that no order of summation changes them.
    """
    weights = np.random.default_rng(seed).integers(1 << 40, size=(game.state_size + 1, game.num_actions + 1))

    def evaluate(states: Int8s) -> tuple[Float32s, Float32s]:
        mixed = (states.astype(np.int64) @ weights[1:] + weights[0]) % 2147483647 / 2147483647
        logits, values = 4 * mixed[:, 1:], game.most_points * (2 * mixed[:, 0] - 1)
        return logits.astype(np.float32), values.astype(np.float32)

    return evaluate


def uniform_evaluation(game: Game) -> Evaluate:
    """Return a network to which all actions are alike and all contests drawn."""

    def evaluate(states: Int8s) -> tuple[Float32s, Float32s]:
        return np.zeros((len(states), game.num_actions), dtype=np.float32), np.zeros(len(states), dtype=np.float32)

    return evaluate
