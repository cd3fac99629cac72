"""`Doubler`: what to do with the cube in a position that asks for it."""

from dataclasses import dataclass
from enum import Enum

from boardgames_agents.lookahead.cube.formulas import Formula, Prospects
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.position import Position

ROLL, DOUBLE, TAKE, DROP, BEAVER = "roll", "double", "take", "drop", "beaver"
"""How a game with a cube writes what may be done with it."""


class Owner(Enum):
    """Whose the cube is, as the seat sees it that may double."""

    NOBODY = "nobody"
    SEAT = "seat"


@dataclass(frozen=True)
class Verdict:
    """What the formula says of a double, in units of the stake before it, as the seat sees it that may double.

    Attributes:
        no_double: What the position is worth if it rolls.
        taken: What it is worth if it doubles, and the other takes or beavers, whichever is better.
        dropped: What it is worth if it doubles, and the other drops.
        doubles: Whether to double.
        takes: Whether the other takes.
        beavers: Whether the other beavers, if it may.
    """

    no_double: float
    taken: float
    dropped: float
    doubles: bool
    takes: bool
    beavers: bool


def verdict(
    formula: Formula, prospects: Prospects, owner: Owner, jacoby: bool = False, beavers: bool = False
) -> Verdict:
    """Weigh a double in money play.

    The lines of the formulas make a seat too good to double as soon as it passes its effective point, whatever its
    gammons. Here it also plays on only if it may expect more than the stake without ever doubling; that is ours.

    Args:
        formula: The doubling formula.
        prospects: Those of the seat that may double, before it rolls.
        owner: Whose the cube is.
        jacoby: Whether gammons count only once the cube has been turned.
        beavers: Whether the other may beaver.
    """
    no_double = formula.owned(prospects) if owner is Owner.SEAT else formula.centred(prospects, jacoby)
    turned = formula.unavailable(prospects)
    favourite = beavers and turned < 0  # at a stake raised twice a seat that is better off only gains
    taken = (4 if favourite else 2) * turned
    takes = taken <= 1
    doubles = min(taken, 1.0) >= no_double or (not takes and prospects.equity <= 1)
    return Verdict(no_double, taken, 1.0, doubles, takes, favourite)


class Doubler:
    """Decides about the cube.

    It knows the cube from the rules: by the names of the actions, and by what a point is multiplied by. That a cube
    cannot be turned beyond its largest number is left out of account.

    Args:
        game: The game.
        formula: The doubling formula.
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
        """Whether a position asks for a decision about the cube."""
        return any(action in self._numbers.values() for action in position.legal_actions[:1])

    def state_to_judge(self, position: Position) -> State:
        """The state that awaits the next roll if nobody raises the stakes further: ask an evaluator about it."""
        legal = position.legal_actions
        on = self._numbers[ROLL] if self._numbers[ROLL] in legal else self._numbers[TAKE]
        return position.after(on).state

    def action(self, position: Position, prospects: Prospects) -> int:
        """What to do.

        Args:
            position: A position that asks for a decision about the cube.
            prospects: Those of the seat that is to roll next; see `state_to_judge`.
        """
        legal = position.legal_actions
        if self._numbers[DOUBLE] in legal:
            said = self.weigh(position, prospects)
            return self._numbers[DOUBLE if said.doubles else ROLL]
        worth = self._worth_of_taking(position, prospects)
        if worth > 0 and self._numbers[BEAVER] in legal:
            return self._numbers[BEAVER]
        return self._numbers[TAKE if 2 * worth >= -1 else DROP]

    def _worth_of_taking(self, position: Position, prospects: Prospects) -> float:
        """What the position is worth to the seat that is asked, if it takes, in units of the stake after that."""
        doubler_asked = int(self.state_to_judge(position)[0]) == position.seat  # its double was beavered
        worth = self.formula.unavailable(prospects)
        return worth if doubler_asked else -worth

    def worths(self, position: Position, prospects: Prospects) -> dict[int, float]:
        """What each legal action is worth to the seat to move, in units of the stake before it; a beaver if taken.

        Args:
            position: A position that asks for a decision about the cube.
            prospects: As for `action`.
        """
        legal, numbers = position.legal_actions, self._numbers
        if numbers[DOUBLE] in legal:
            said = self.weigh(position, prospects)
            return {numbers[ROLL]: said.no_double, numbers[DOUBLE]: min(said.taken, said.dropped)}
        worth = self._worth_of_taking(position, prospects)
        worths = {numbers[TAKE]: 2 * worth, numbers[DROP]: -1.0}
        if numbers[BEAVER] in legal:
            worths[numbers[BEAVER]] = 4 * worth
        return worths

    def weigh(self, position: Position, prospects: Prospects) -> Verdict:
        """The verdict on a double, in a position in which the seat to move may double."""
        game = position.game
        turned = game.stake is not None and game.stake(position.state) > 1
        owner = Owner.SEAT if turned else Owner.NOBODY
        return verdict(self.formula, prospects, owner, self._jacoby and not turned, self._beavers)
