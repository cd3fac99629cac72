"""Networks and examples of self-play for tests."""

from functools import cache

import numpy as np

from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork
from boardgames_agents.alpha_zero.self_play import PolicyExamples, examples_of, self_play
from boardgames_env import Game, make_game

SMALL = PolicyDesign(layers=2, width=16)


def random_network(game: Game, design: PolicyDesign = SMALL, seed: int = 0) -> PolicyNetwork:
    """Return a network whose weights, those of the heads and biases too, are drawn at random."""
    network, rng = PolicyNetwork(game, design, seed), np.random.default_rng(seed)
    network.load({name: layer + rng.normal(0, 0.2, layer.shape) for name, layer in network.arrays().items()})
    return network


@cache
def played(name: str = "tic_tac_toe", contests: int = 20, seed: int = 1) -> PolicyExamples:
    """Return the examples of a block of self-play by a random network."""
    return examples_of(self_play(random_network(make_game(name)), 8, (seed,), range(contests)))
