"""`ExactPoints`: what moves are worth in backgammon with few men, solved with a doubling cube or without."""

from collections.abc import Sequence
from functools import lru_cache
from threading import get_ident

import numpy as np

from boardgames_agents.lookahead.cube.doubler import BEAVER, DOUBLE, DROP, ROLL, TAKE
from boardgames_agents.lookahead.replies import Replier
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING
from boardgames_env.moves import actions_of
from boardgames_env.position import Position
from boardgames_env.solve.few_men_tables import Table, known_few_men

NOTHING = 1e-6
"""Points that are less than a move can be said to lose: the tables have as many places."""


class ExactPoints:
    """The points that moves are worth under best play, in units of the stake before them.

    Args:
        game: The game.
        table: Its solution.
    """

    def __init__(self, game: Game, table: Table) -> None:
        self._table, self._replier = table, Replier(game)
        texts = (ROLL, DOUBLE, TAKE, DROP, BEAVER)
        self._of_cube = {action for action in range(game.num_actions) if game.action_text(action) in texts}

    def is_of_cube(self, position: Position) -> bool:
        """Return whether a position requires a decision about the cube."""
        return position.legal_actions[0] in self._of_cube

    def values(self, position: Position) -> dict[tuple[int, ...], float]:
        """Return the points that the seat to move expects after each move, or decision about the cube."""
        if self.is_of_cube(position):
            return {(action,): self.value_after(position, (action,)) for action in position.legal_actions}
        states, outcomes, moves, _ = self._replier.of_move(position.state)
        going = outcomes == ONGOING
        values = np.where(position.seat == 0, outcomes, -outcomes) / self._replier.stake(position.state)
        values[going] = -self._table.equities(states[going])
        return {actions_of(move): float(value) for move, value in zip(moves, values, strict=True)}

    def value_after(self, position: Position, actions: Sequence[int]) -> float:
        """Return the points that the seat to move expects after actions, which may be a part of a move."""
        reached, seat, stake = position.after(*actions), position.seat, self._replier.stake(position.state)
        if reached.is_over:
            return (reached.points_for(seat) or 0) / stake
        if reached.awaits_chance:
            value = float(self._table.equities(reached.state[np.newaxis], may_double=False)[0])
        else:
            value = max(self.values(reached).values())
        return value * self._replier.stake(reached.state) / stake * (1 if reached.seat == seat else -1)


def exact_points(game: Game) -> ExactPoints:
    """Return what moves are worth in a game whose solution is in the user's cache folder; see `known_few_men`."""
    return _exact_points(get_ident(), game, known_few_men(game))


@lru_cache(maxsize=8)
def _exact_points(thread: int, game: Game, table: Table) -> ExactPoints:
    """Return it, one for each thread, since it overwrites its arrays."""
    return ExactPoints(game, table)
