"""Searches that look ahead from a position, alpha-beta and Monte Carlo, and their base."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.policy import Policy, Rng
from boardgames_env.game import Game
from boardgames_env.position import Position


class LookAhead(Policy):
    """A policy that remembers the positions of its contest.

    It can explain a position before any contest has begun: what is random then is drawn with the seed 0.

    Attributes:
        game: The game it plays.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rng = np.random.default_rng(0)
        self._seen: list[Position] = []

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Begin a contest, with nothing seen."""
        super().begin(game, seats, rng)
        self._seen = []

    def saw(self, position: Position, action: int) -> None:
        """Keep the position before the action."""
        self._seen.append(position)

    given = saw

    def seen(self) -> NDArray[np.int8]:
        """Return the states of the contest's earlier positions in order, shape ``(n, state_size)``."""
        states = [position.state for position in self._seen]
        return np.array(states, dtype=np.int8).reshape(len(states), self.game.state_size)

    def plies_before(self, position: Position) -> int:
        """Return the number of plies before a position that has just been reached."""
        return sum(one.seat != other.seat for one, other in pairwise([*self._seen, position]))
