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
        return Position.unchecked(position.game, state) if self._chances.settle(state) else position


def random_positions(game: Game, count: int, seed: int) -> list[Position]:
    """Return positions of random contests with a seat to move, from all their stages."""
    rng = np.random.default_rng(seed)
    dice = Dice(game, seed)
    found: list[Position] = []
    while len(found) < count:
        position = dice.settled(game.initial)
        while not position.is_over and rng.random() > 0.02:
            found.append(position)
            position = dice.settled(position.after(int(rng.choice(position.legal_actions))))
    return [found[i] for i in rng.permutation(len(found))[:count]]
