"""The Jacoby rule for an evaluator: gammons count only once the cube has been turned."""

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities
from boardgames_env.game import Game


class Jacoby:
    """Counts every win and every loss as one point while the cube is in the middle.

    Who chooses moves goes by this; who doubles must know of the gammons, which will count if the double is taken.

    Args:
        evaluator: Judges positions.
        game: A game with a doubling cube.
    """

    def __init__(self, evaluator: Evaluator, game: Game) -> None:
        self._evaluator, self._stake = evaluator, game.stake

    def chances(self, states: NDArray[np.int8]) -> Probabilities:
        """How likely each outcome is for the seat to move, in positions that are all at the same stakes."""
        found = self._evaluator.chances(states)
        if len(states) == 0 or self._stake is None or self._stake(states[0]) > 1:
            return found
        folded = np.zeros_like(found)
        folded[:, 0], folded[:, 3] = found[:, :3].sum(axis=1), found[:, 3:].sum(axis=1)
        return folded


def under_jacoby(evaluator: Evaluator, game: Game) -> Evaluator:
    """The evaluator for choosing moves in a game, which may be played by the Jacoby rule."""
    return Jacoby(evaluator, game) if game.options.get("jacoby") and game.stake is not None else evaluator
