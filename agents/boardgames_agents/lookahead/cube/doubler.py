"""`Doubler`: cube decisions."""

from dataclasses import dataclass

from boardgames_agents.lookahead.cube.formulas import Formula, Prospects
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
    """Makes cube decisions.

    It knows the cube from the rules: by the texts of the actions and by the value of a point. It ignores that a cube
    cannot be turned beyond its largest number.
    """

    def __init__(self, game: Game, formula: Formula) -> None:
        self.formula = formula
        self._jacoby, self._beavers = (bool(game.options.get(name, False)) for name in ("jacoby", "beavers"))
        self._numbers = {
            text: number
            for number in range(game.num_actions)
            if (text := game.action_text(number)) in (ROLL, DOUBLE, TAKE, DROP, BEAVER)
        }

    def is_asked(self, position: Position) -> bool:
        """Return whether a position requires a cube decision."""
        return any(action in self._numbers.values() for action in position.legal_actions[:1])

    def state_to_judge(self, position: Position) -> State:
        """Return the state to evaluate: the next roll, if nobody raises the stakes further."""
        legal = position.legal_actions
        on = self._numbers[ROLL] if self._numbers[ROLL] in legal else self._numbers[TAKE]
        return position.after(on).state

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
        return self._numbers[TAKE if 2 * value >= -1 else DROP]

    def _value_of_taking(self, position: Position, prospects: Prospects) -> float:
        """Return the value of taking for the seat to move, in units of the stake after that."""
        doubler_asked = int(self.state_to_judge(position)[0]) == position.seat  # its double was beavered
        value = self.formula.unavailable(prospects)
        return value if doubler_asked else -value

    def values(self, position: Position, prospects: Prospects) -> dict[int, float]:
        """Return each legal action's value in units of the stake before it; a beaver's if taken."""
        legal, numbers = position.legal_actions, self._numbers
        if numbers[DOUBLE] in legal:
            found = self.verdict(position, prospects)
            return {numbers[ROLL]: found.no_double, numbers[DOUBLE]: min(found.taken, 1.0)}
        value = self._value_of_taking(position, prospects)
        values = {numbers[TAKE]: 2 * value, numbers[DROP]: -1.0}
        if numbers[BEAVER] in legal:
            values[numbers[BEAVER]] = 4 * value
        return values

    def verdict(self, position: Position, prospects: Prospects) -> DoubleVerdict:
        """Return the verdict on a double in a position in which the seat to move may double.

        (By the lines of the formulas a seat is too good to double as soon as it passes its effective point, whatever
        its gammons. Here it also plays on only if it expects more than the stake without ever doubling.)
        """
        game, formula = position.game, self.formula
        owned = game.stake is not None and game.stake(position.state) > 1
        no_double = formula.owned(prospects) if owned else formula.centred(prospects, self._jacoby)
        turned = formula.unavailable(prospects)
        favourite = self._beavers and turned < 0  # at a stake raised twice a seat that is better off only gains
        taken = (4 if favourite else 2) * turned
        takes = taken <= 1
        doubles = min(taken, 1.0) >= no_double or (not takes and prospects.equity <= 1)
        return DoubleVerdict(no_double, taken, doubles, takes, favourite)
