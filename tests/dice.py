"""Chance in tests: dice that a seed settles."""

import numpy as np

from boardgames_env import Game, Position
from boardgames_env.chance import ChanceStream


class Dice:
    """What chance decides in one contest after another.

    Args:
        game: The game, which need not leave anything to chance.
        seed: Settles the dice.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self._chances = ChanceStream(game, np.random.default_rng([seed, 7]))

    def settled(self, position: Position) -> Position:
        """The position after chance has decided all it must before a seat can move."""
        state = position.state.copy()
        return Position(position.game, state) if self._chances.settle(state) else position
