"""An evaluator that uses the bear-off tables where it can, and another evaluator elsewhere."""

import numpy as np
from numba import types

from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, ReplyEvaluator
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.backgammon_board import BackgammonRules
from boardgames_env.kernels import kernel
from boardgames_env.kernels.signatures import (
    BOOL_1D,
    FLOAT32_2D,
    FLOAT32_2D_READONLY,
    INT8_2D_READONLY,
    Bools,
    Float32s,
    Float64s,
    Int8s,
)
from boardgames_env.position import demand_states
from boardgames_env.solve.bearoff import bearoff
from boardgames_env.solve.bearoff_kernels import MEN, home_number, race_chances


class BearoffEvaluator:
    """Uses tables where both seats bear off, and another evaluator elsewhere.

    The tables are computed when they are first needed; see `boardgames_env.solve.bearoff`.
    """

    def __init__(self, evaluator: Evaluator, game: Game) -> None:
        self.evaluator, self._game = evaluator, game

    def outcome_probabilities(self, states: Int8s) -> Probabilities:
        """Return the probability of each outcome for the seat to move; see `Evaluator`."""
        demand_states(states, self._game)
        states = np.ascontiguousarray(states)
        known = np.zeros(len(states), dtype=np.bool_)
        if not _find_known.run(states, known):
            return self.evaluator.outcome_probabilities(states)
        found = np.empty((len(states), 6), dtype=np.float32)
        if not known.all():
            found[~known] = self.evaluator.outcome_probabilities(states[~known])
        tables = bearoff()
        _write_known.run(states, known, tables.rolls, tables.firsts, tables.wins, found)
        return found

    def finds_replies(self, states: Int8s) -> Bools:
        """Return the states to which the other evaluator finds the best replies, none of which is in the tables.

        A reply does not bring the other seat's men home.
        """
        if not isinstance(self.evaluator, ReplyEvaluator):
            return np.zeros(len(states), dtype=np.bool_)
        demand_states(states, self._game)
        away = np.empty(len(states), dtype=np.bool_)
        _find_away.run(np.ascontiguousarray(states), away)
        return away & self.evaluator.finds_replies(states)

    def after_best_replies(self, states: Int8s, utility: Float64s, decline: int, stake: int) -> Probabilities:
        """Return what the other evaluator finds; see `ReplyEvaluator`."""
        if not isinstance(self.evaluator, ReplyEvaluator):
            raise BadInputError("this evaluator does not find replies; ask finds_replies first")
        return self.evaluator.after_best_replies(states, utility, decline, stake)


def with_tables(evaluator: Evaluator, game: Game) -> Evaluator:
    """Return the evaluator, with bear-off tables if the game is backgammon with up to 15 men."""
    fits = isinstance(game.family, BackgammonRules) and game.family.men <= MEN
    return BearoffEvaluator(evaluator, game) if fits else evaluator


@kernel(types.void(INT8_2D_READONLY, BOOL_1D))
def _find_away(states: Int8s, away: Bools) -> None:
    """Flag the positions in which the seat that is not to move has a man that is not home."""
    for row in range(len(states)):
        away[row] = home_number(states[row], 1 - states[row, 0], MEN) < 0


@kernel(types.boolean(INT8_2D_READONLY, BOOL_1D))
def _find_known(states: Int8s, known: Bools) -> bool:
    """Flag the positions that the tables hold. Return whether there are any."""
    some = False
    for row in range(len(states)):
        known[row] = home_number(states[row], 0, MEN) >= 0 and home_number(states[row], 1, MEN) >= 0
        some |= known[row]
    return some


@kernel(
    types.void(INT8_2D_READONLY, BOOL_1D, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY, FLOAT32_2D)
)
def _write_known(
    states: Int8s, known: Bools, rolls: Float32s, firsts: Float32s, wins: Float32s, found: Probabilities
) -> None:
    """Write the probabilities of the flagged positions. Nobody is backgammoned there."""
    race = np.zeros(3, dtype=np.float64)
    for row in range(len(states)):
        if known[row]:
            race_chances(states[row], rolls, firsts, wins, race)
            found[row, 0], found[row, 1], found[row, 2] = race[0] - race[1], race[1], 0
            # (a sure win leaves a rounding error, less than 0)
            found[row, 3], found[row, 4], found[row, 5] = max(1 - race[0] - race[2], 0.0), race[2], 0
