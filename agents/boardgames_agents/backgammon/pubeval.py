"""Pubeval, Gerald Tesauro's public benchmark evaluator for backgammon."""

from functools import cache
from pathlib import Path

import numpy as np
from numba import types

from boardgames_agents.backgammon.race_network import is_race
from boardgames_agents.backgammon.whole_moves import WholeMovePlayer
from boardgames_agents.policy.explanation import ConsideredMove, Explanation, explanation_of_moves, shares_of, signed
from boardgames_agents.registry import agent
from boardgames_env.contest import turn_text
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, MOVING, POINTS, STAGE, TRAYS
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import READ_ONLY_STATE, Kernel, State, helper, kernel
from boardgames_env.kernels.signatures import FLOAT64_1D, INT8_2D, Float64s, Int8s
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve.bearoff import MEN

INPUTS = 122
ALL_OFF = 99999999.0
"""The score of a position in which all men of the mover are borne off."""

_PER_POINT = 5
_SCORE = types.float64(READ_ONLY_STATE, types.int64, types.boolean)
_PICK = types.int64(READ_ONLY_STATE, INT8_2D, types.int64)
_WRITE = types.void(READ_ONLY_STATE, INT8_2D, types.int64, FLOAT64_1D)
_WEIGHTS = Path(__file__).parent / "data" / "pubeval"


@cache
def weights() -> Float64s:
    """Return the published weights, shape ``(2, 122)``: for contact and for a race."""
    return np.array([np.loadtxt(_WEIGHTS / name) for name in ("WT.cntc", "WT.race")])


find_race = kernel(types.boolean(READ_ONLY_STATE))(is_race)
"""`is_race` for calls from Python, for which a helper would be compiled in each process."""


@cache
def score_kernel() -> Kernel:
    """Return the kernel ``(state, seat, race) -> score`` of the score of a position after a seat's move."""
    table = weights()

    @kernel(_SCORE)
    def score(state: State, seat: int, race: bool) -> float:
        if abs(state[TRAYS + seat]) == MEN:
            return ALL_OFF
        given = table[1 if race else 0]
        total = 0.0
        for point in range(1, POINTS + 1):
            men = count(state, seat, point)
            first = _PER_POINT * (POINTS - point)
            if men == -1:
                total += given[first]
            elif men == 1:
                total += given[first + 1]
            elif men >= 2:
                total += given[first + 2]
                if men == 3:
                    total += given[first + 3]
                elif men > 3:
                    total += given[first + 4] * (men - 3) / 2
        bar, tray = abs(state[BARS + 1 - seat]), abs(state[TRAYS + seat])
        return float(total + given[INPUTS - 2] * bar / 2 + given[INPUTS - 1] * tray / MEN)

    return score


@cache
def pick_kernel() -> Kernel:
    """Return the kernel ``(state, afterstates, found) -> row`` that picks the first of the best afterstates."""
    score = helper(score_kernel().function)

    @kernel(_PICK)
    def pick(state: State, afterstates: Int8s, found: int) -> int:
        seat, race = state[0], is_race(state)
        best, highest = 0, -np.inf
        for row in range(found):
            reached = score(afterstates[row], seat, race)
            if reached > highest:
                best, highest = row, reached
        return best

    return pick


@cache
def scores_kernel() -> Kernel:
    """Return the kernel ``(state, afterstates, found, scores)`` that writes the score of every afterstate."""
    score = helper(score_kernel().function)

    @kernel(_WRITE)
    def write(state: State, afterstates: Int8s, found: int, scores: Float64s) -> None:
        seat, race = state[0], is_race(state)
        for row in range(found):
            scores[row] = score(afterstates[row], seat, race)

    return write


@agent(
    "pubeval",
    for_people="Formula of 1993: a simple sum over the board, which many programs were measured by",
    yardstick=True,
)
class Pubeval(WholeMovePlayer):
    """A player of the moves that Tesauro's public benchmark evaluator (1993), a linear function, scores highest.

    It is the usual yardstick for programs that learn backgammon. It has one set of weights for contact and one for
    races, chosen by the position before the move. Of equal moves it plays the first in the order of the game's
    ``moves`` kernel. It has no cube strategy: it never doubles, and takes every double.

    Raises:
        BadInputError: If the game is not backgammon with 15 men a seat.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._pick = pick_kernel().run

    def pick(self, state: State, afterstates: Int8s, found: int) -> int:
        """Return the row with the highest score."""
        row: int = self._pick(state, afterstates, found)
        return row

    def answer(self, position: Position) -> int:
        """Return the first of the cube's actions, to roll or to take."""
        return position.legal_actions[0]

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves with their scores, the highest first.

        An arrow marks the one it would play, or the best with the action that was played.
        """
        demand_turn(position, self.game)
        if position.state[STAGE] != MOVING:
            return self._of_the_cube(position, played)
        moves, afterstates = self.moves(position.state)
        scores = np.empty(len(moves))
        scores_kernel().run(position.state, afterstates, len(moves), scores)
        order = np.argsort(-scores, kind="stable").tolist()
        shown = [row for row, number in enumerate(order) if played is None or played in moves[number]]
        weights = shares_of(scores[order].tolist())
        kind = "a race" if find_race.run(position.state) else "contact"
        considered = [
            ConsideredMove(
                turn_text(position, moves[number]),
                (signed(scores[number], 3),),
                mark=signed(scores[number], 1),
                weight=weight,
                is_chosen=number == order[0],
                alike=(moves[number],),
            )
            for number, weight in zip(order, weights, strict=True)
        ]
        return explanation_of_moves(
            f"decided by a linear function, with the weights for {kind}",
            considered,
            numbers=("score",),
            shown=shown[:1],
            glossary=("score: a number without a unit, which is larger for better positions",),
        )

    def _of_the_cube(self, position: Position, played: int | None) -> Explanation:
        usual = self.answer(position)
        moves = [
            ConsideredMove(
                position.game.action_text(action),
                (),
                mark="✓" if action == usual else "–",
                weight=float(action == usual),
                is_chosen=action == usual,
                alike=((action,),),
            )
            for action in position.legal_actions
        ]
        title = "decided by a rule: it never doubles, and takes every double"
        return explanation_of_moves(title, moves, played=played)
