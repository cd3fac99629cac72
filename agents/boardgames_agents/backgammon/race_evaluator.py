"""An evaluator that knows races from tables and from a network of their own, and asks another evaluator elsewhere."""

import numpy as np
from numba import types

from boardgames_agents.backgammon.race_network import (
    RACE_WEIGHTS,
    RaceWeights,
    is_race,
    make_distributions,
    make_scratch,
    no_weights,
    write_distributions,
)
from boardgames_agents.lookahead.evaluator import BestReplies, Evaluator, Preferences, Probabilities, ReplyEvaluator
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, BARS, POINTS, TRAYS, BackgammonRules
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import State, helper, kernel
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
from boardgames_env.solve.bearoff import MEN, bearoff, chance_before, home_number, race_chances

_MOST_PIPS, _MOST_STEPS = 24, 4
"""Upper bounds for one roll, reached by double six."""


class RaceEvaluator:
    """Uses tables where both seats bear off, a network for other races, and another evaluator elsewhere.

    The tables are computed when they are first needed; see `boardgames_env.solve.bearoff`.

    Args:
        evaluator: The other evaluator.
        game: Backgammon with up to 15 men a seat.
        weights: The network for races, in games with 15 men; without one, the other evaluator is asked.

    Raises:
        BadInputError: If there is a network and a seat has not 15 men.
    """

    def __init__(self, evaluator: Evaluator, game: Game, weights: RaceWeights | None = None) -> None:
        if weights and not (isinstance(game.family, BackgammonRules) and game.family.men == MEN):
            raise BadInputError(f"the network for races knows {MEN} men a seat only, not {game.spec}")
        self.evaluator, self._game = evaluator, game
        self._has_network, self._weights = weights is not None, weights or no_weights()

    def knows(self, states: Int8s) -> Bools:
        """Return whether each state is in the tables or a race of the network."""
        demand_states(states, self._game)
        known = np.empty(len(states), dtype=np.bool_)
        _find_known.run(np.ascontiguousarray(states), self._has_network, known)
        return known

    def outcome_probabilities(self, states: Int8s) -> Probabilities:
        """Return the probability of each outcome for the seat to move; see `Evaluator`."""
        known = self.knows(states)
        if not known.any():
            return self.evaluator.outcome_probabilities(states)
        states = np.ascontiguousarray(states)
        found = np.empty((len(states), 6), dtype=np.float32)
        if not known.all():
            found[~known] = self.evaluator.outcome_probabilities(states[~known])
        tables = bearoff()
        _write_known.run(states, known, tables.rolls, tables.firsts, tables.wins, self._weights, found)
        return found

    def finds_replies(self, states: Int8s) -> Bools:
        """Return the states to which the other evaluator finds the best replies, none of which is known here."""
        if not isinstance(self.evaluator, ReplyEvaluator):
            return np.zeros(len(states), dtype=np.bool_)
        demand_states(states, self._game)
        unknown = np.empty(len(states), dtype=np.bool_)
        _find_unknown_replies.run(np.ascontiguousarray(states), self._has_network, unknown)
        return unknown & self.evaluator.finds_replies(states)

    def best_replies(self, states: Int8s, preferences: Preferences, draws: Float64s, number: int) -> BestReplies:
        """Return what the other evaluator finds; see `ReplyEvaluator`."""
        if not isinstance(self.evaluator, ReplyEvaluator):
            raise BadInputError("this evaluator does not find replies; ask finds_replies first")
        return self.evaluator.best_replies(states, preferences, draws, number)


def with_tables(evaluator: Evaluator, game: Game, weights: RaceWeights | None = None) -> Evaluator:
    """Return the evaluator, with bear-off tables if the game is backgammon with up to 15 men.

    Raises:
        BadInputError: If there is a network for races and a seat has not 15 men.
    """
    fits = isinstance(game.family, BackgammonRules) and game.family.men <= MEN
    return RaceEvaluator(evaluator, game, weights) if fits or weights else evaluator


@helper
def _keeps_contact(state: State) -> bool:
    """Return whether the men are in contact, however the seat to move plays its next roll."""
    seat = state[0]
    if state[BARS + 1 - seat] != 0:
        return True
    nearest = POINTS + 1
    for point in range(POINTS, 0, -1):
        if count(state, seat, point) < 0:
            nearest = point
    men = pips = 0
    for point in range(nearest + 1, BAR + 1):
        n = max(count(state, seat, point), 0)
        men += n
        pips += n * (point - nearest + 1)
    return men > _MOST_STEPS or pips > _MOST_PIPS


@kernel(types.void(INT8_2D_READONLY, types.boolean, BOOL_1D))
def _find_unknown_replies(states: Int8s, has_network: bool, unknown: Bools) -> None:
    """Flag the positions after whose next roll no play leads to a known one.

    Without a network these are those in which the seat that is not to move has a man that is not home.
    """
    for row in range(len(states)):
        if has_network:
            unknown[row] = _keeps_contact(states[row])
        else:
            unknown[row] = home_number(states[row], 1 - states[row, 0], MEN) < 0


@helper
def _are_home(state: State) -> bool:
    return home_number(state, 0, MEN) >= 0 and home_number(state, 1, MEN) >= 0


@kernel(types.void(INT8_2D_READONLY, types.boolean, BOOL_1D))
def _find_known(states: Int8s, has_network: bool, known: Bools) -> None:
    """Flag the positions that the tables hold, or a network knows."""
    for row in range(len(states)):
        known[row] = _are_home(states[row]) or (has_network and is_race(states[row]))


@kernel(
    types.void(
        *(INT8_2D_READONLY, BOOL_1D, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY, FLOAT32_2D_READONLY),
        *(RACE_WEIGHTS, FLOAT32_2D),
    )
)
def _write_known(
    states: Int8s,
    known: Bools,
    rolls: Float32s,
    firsts: Float32s,
    wins: Float32s,
    weights: RaceWeights,
    found: Probabilities,
) -> None:
    """Write the probabilities of the flagged positions."""
    race = np.zeros(3, dtype=np.float64)
    scratch, own, other = make_scratch(weights), make_distributions(), make_distributions()
    for row in range(len(states)):
        if not known[row]:
            continue
        state, seat = states[row], states[row, 0]
        backgammon = lost_backgammon = 0.0
        if not race_chances(state, rolls, firsts, wins, race):
            write_distributions(state, seat, weights, rolls, firsts, scratch, own)
            write_distributions(state, 1 - seat, weights, rolls, firsts, scratch, other)
            race[0] = min(chance_before(own.all, other.all, False), 1.0)
            race[1] = race[2] = 0.0
            if state[TRAYS + 1 - seat] == 0:
                race[1] = min(chance_before(own.all, other.first, False), race[0])
                backgammon = min(chance_before(own.all, other.escape, False), race[1])
            if state[TRAYS + seat] == 0:
                race[2] = min(chance_before(other.all, own.first, True), 1 - race[0])
                lost_backgammon = min(chance_before(other.all, own.escape, True), race[2])
        # (a sure result of the tables leaves a rounding error, less than 0)
        found[row, 0], found[row, 1], found[row, 2] = max(race[0] - race[1], 0.0), race[1] - backgammon, backgammon
        found[row, 3] = max(1 - race[0] - race[2], 0.0)
        found[row, 4], found[row, 5] = race[2] - lost_backgammon, lost_backgammon
