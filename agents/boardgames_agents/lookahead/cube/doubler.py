"""`Doubler`: cube decisions."""

from dataclasses import dataclass

import numpy as np

from boardgames_agents.lookahead.cube.formulas import Formula, Prospects
from boardgames_agents.lookahead.cube.match_equity import win_after
from boardgames_agents.lookahead.cube.models import Cube, MatchCube, MoneyCube
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.position import Position

ROLL, DOUBLE, TAKE, DROP, BEAVER = "roll", "double", "take", "drop", "beaver"
"""The texts of the actions with the cube."""


@dataclass(frozen=True)
class DoubleVerdict:
    """A formula's verdict on a double, in units of the stake before it; a drop wins 1.

    Attributes:
        no_double: The value of rolling to the seat that may double.
        taken: The value of doubling if the other seat takes or beavers, whichever is better for it.
        doubles: Whether to double.
        takes: Whether the other seat takes.
        beavers: Whether the other seat beavers, if it may.
    """

    no_double: float
    taken: float
    doubles: bool
    takes: bool
    beavers: bool


class Doubler:
    """Makes cube decisions: for points, or at the score of a match.

    It knows the cube from the rules: by the texts of the actions, the value of a point and the score. It ignores that a
    cube cannot be turned beyond its largest number.
    """

    def __init__(self, game: Game, formula: Formula) -> None:
        self.formula = formula
        self._jacoby, self._beavers = (bool(game.options.get(name, False)) for name in ("jacoby", "beavers"))
        self._is_to_one = game.score is not None and game.score(game.initial.state).length == 1
        self._numbers = {
            text: number
            for number in range(game.num_actions)
            if (text := game.action_text(number)) in (ROLL, DOUBLE, TAKE, DROP, BEAVER)
        }

    @property
    def has_cube(self) -> bool:
        """Whether there is a cube in the game; in a match to 1 point nobody ever turns one."""
        return DOUBLE in self._numbers and not self._is_to_one

    def is_asked(self, position: Position) -> bool:
        """Return whether a position requires a cube decision."""
        return any(action in self._numbers.values() for action in position.legal_actions[:1])

    def state_to_judge(self, position: Position) -> State:
        """Return the state to evaluate: the next roll, if nobody raises the stakes further."""
        legal = position.legal_actions
        on = self._numbers[ROLL] if self._numbers[ROLL] in legal else self._numbers[TAKE]
        return position.after(on).state

    def prospects(self, evaluator: Evaluator, position: Position) -> Prospects:
        """Return the prospects of the seat to move in `state_to_judge`, by an evaluator's predictions."""
        (row,) = evaluator.outcome_probabilities(self.state_to_judge(position)[np.newaxis]).tolist()
        return Prospects.of(row)

    def cube(self, position: Position, seat: int) -> Cube:
        """Return the cube to a seat, at the stake and score of a position."""
        game, state = position.part.game, position.state
        if game.score is None:
            return MoneyCube(self.formula, self._jacoby)
        score, stake = game.score(state), game.stake
        return MatchCube(self.formula, stake(state) if stake else 1, win_after(score, seat, stake is not None))

    def action(self, position: Position, prospects: Prospects) -> int:
        """Return the action to play in a position that requires a cube decision.

        The prospects are those of the seat to move in `state_to_judge`.
        """
        legal = position.legal_actions
        if self._numbers[DOUBLE] in legal:
            return self._numbers[DOUBLE if self.verdict(position, prospects).doubles else ROLL]
        value = self._value_of_taking(position, prospects)
        if value > 0 and self._numbers[BEAVER] in legal:
            return self._numbers[BEAVER]
        return self._numbers[TAKE if value >= -1 else DROP]

    def _value_of_taking(self, position: Position, prospects: Prospects) -> float:
        """Return the value of taking for the seat to move, in units of the stake before that."""
        doubler = int(self.state_to_judge(position)[0])  # which is asked itself if its double was beavered
        value = self.cube(position, doubler).taken(prospects)
        return value if doubler == position.seat else -value

    def values(self, position: Position, prospects: Prospects) -> dict[int, float]:
        """Return each legal action's value in units of the stake before it; a beaver's if taken."""
        legal, numbers = position.legal_actions, self._numbers
        if numbers[DOUBLE] in legal:
            found = self.verdict(position, prospects)
            return {numbers[ROLL]: found.no_double, numbers[DOUBLE]: min(found.taken, 1.0)}
        value = self._value_of_taking(position, prospects)
        values = {numbers[TAKE]: value, numbers[DROP]: -1.0}
        if numbers[BEAVER] in legal:
            values[numbers[BEAVER]] = 2 * value
        return values

    def verdict(self, position: Position, prospects: Prospects) -> DoubleVerdict:
        """Return the verdict on a double in a position in which the seat to move may double."""
        cube = self.cube(position, position.seat)
        no_double = cube.owned(prospects) if _is_turned(position) else cube.centred(prospects)
        taken = cube.taken(prospects)
        favourite = self._beavers and taken < 0  # at a stake raised twice a seat that is better off only gains
        if favourite:
            taken *= 2
        doubles = min(taken, 1.0) >= no_double and not cube.is_dead
        return DoubleVerdict(no_double, taken, doubles, taken <= 1, favourite)

    def cubeful(self, position: Position, prospects: Prospects) -> float:
        """Return the value with the cube to the seat that rolls next, in units of the stake.

        The position is one before a roll, in which that seat may double or not.
        """
        cube, is_turned = self.cube(position, position.seat), _is_turned(position)
        if self._numbers.get(DOUBLE) in position.legal_actions:
            return cube.owned(prospects) if is_turned else cube.centred(prospects)
        return cube.unavailable(prospects) if is_turned else cube.cubeless(prospects)


def _is_turned(position: Position) -> bool:
    """Return whether the cube has been turned."""
    game = position.part.game
    return game.stake is not None and game.stake(position.state) > 1
