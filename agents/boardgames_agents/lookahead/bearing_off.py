"""An evaluator that knows the end of a race by heart: the bear-off tables, before any other's judgement."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities
from boardgames_env.game import Game
from boardgames_env.games.backgammon.backgammon_board import BackgammonRules
from boardgames_env.kernels import State, kernel
from boardgames_env.solve.bearoff import bearoff
from boardgames_env.solve.bearoff_kernels import MEN, home_number, race_chances

_STATES = types.Array(types.int8, 2, "C", readonly=True)
_FLAGS = types.Array(types.boolean, 1, "C")
_TABLE = types.Array(types.float32, 2, "C", readonly=True)
_CHANCES = types.Array(types.float32, 2, "C")


class BearingOff:
    """Asks the tables of positions in which both seats bear off, and another evaluator of all others.

    The tables are made when they are first needed; see `boardgames_env.solve.bearoff`.

    Args:
        evaluator: The other evaluator.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def chances(self, states: NDArray[np.int8]) -> Probabilities:
        """How likely each outcome is for the seat to move; see `Evaluator`."""
        states = np.ascontiguousarray(states)
        known = np.zeros(len(states), dtype=np.bool_)
        if not _find_known.run(states, known):
            return self.evaluator.chances(states)
        found = np.empty((len(states), 6), dtype=np.float32)
        if not known.all():
            found[~known] = self.evaluator.chances(states[~known])
        tables = bearoff()
        _tell.run(states, known, tables.rolls, tables.firsts, tables.wins, found)
        return found


def with_tables(evaluator: Evaluator, game: Game) -> Evaluator:
    """The evaluator with the bear-off tables before it, if these are of the game: backgammon, up to 15 men a seat."""
    return BearingOff(evaluator) if isinstance(game.family, BackgammonRules) and game.family.men <= MEN else evaluator


@kernel(types.boolean(_STATES, _FLAGS))
def _find_known(states: NDArray[np.int8], known: NDArray[np.bool_]) -> bool:
    """Write which positions the tables hold; whether they hold any."""
    some = False
    for row in range(len(states)):
        known[row] = home_number(states[row], 0, MEN) >= 0 and home_number(states[row], 1, MEN) >= 0
        some |= known[row]
    return some


@kernel(types.void(_STATES, _FLAGS, _TABLE, _TABLE, _TABLE, _CHANCES))
def _tell(
    states: State,
    known: NDArray[np.bool_],
    rolls: Probabilities,
    firsts: Probabilities,
    wins: Probabilities,
    found: Probabilities,
) -> None:
    """Write what the tables say of the positions they hold. Nobody is backgammoned there."""
    said = np.zeros(3, dtype=np.float64)
    for row in range(len(states)):
        if known[row]:
            race_chances(states[row], rolls, firsts, wins, said)
            found[row, 0], found[row, 1], found[row, 2] = said[0] - said[1], said[1], 0
            found[row, 3], found[row, 4], found[row, 5] = 1 - said[0] - said[2], said[2], 0
