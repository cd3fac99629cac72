"""The advice of the doubling formulas in a position that requires a cube decision."""

from collections.abc import Mapping
from dataclasses import dataclass

from boardgames_agents.lookahead.cube.doubler import DOUBLE, Doubler, DoubleVerdict
from boardgames_agents.lookahead.cube.formulas import FORMULAS, Prospects, make_formula
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_env.position import Position


@dataclass(frozen=True)
class Advice:
    """A formula's advice.

    Attributes:
        formula: The name of the formula.
        advice: What both seats do, or the seat to move: ``"double, take"``, ``"drop"``.
        values: The value of each way to go on to the seat to move, in units of the stake before it.
        take_point: The lowest probability of winning with which a double is taken, with the gammons of this position;
            ``None`` after a beaver.
    """

    formula: str
    advice: str
    values: Mapping[str, float]
    take_point: float | None


def advise(search: Expectimax, position: Position) -> list[Advice]:
    """Return the advice of every formula with its default option; none without a cube decision."""
    doublers = {name: Doubler(position.game, make_formula(name)) for name in FORMULAS}
    return [
        _advice(name, doubler, position, prospects_of(search, doubler, position))
        for name, doubler in doublers.items()
        if doubler.is_asked(position)
    ]


def prospects_of(search: Expectimax, doubler: Doubler, position: Position) -> Prospects:
    """Return the prospects of the seat that rolls next, where a cube decision is required."""
    return Prospects.of(search.to_double.outcome_probabilities(doubler.state_to_judge(position)[None])[0].tolist())


def _advice(name: str, doubler: Doubler, position: Position, prospects: Prospects) -> Advice:
    text, doubler_seat = position.game.action_text, int(doubler.state_to_judge(position)[0])
    values = {text(action): value for action, value in doubler.values(position, prospects).items()}
    take_point = doubler.cube(position, doubler_seat).take_point(prospects)
    if DOUBLE in values:
        found = doubler.verdict(position, prospects)
        ways = {"no double": found.no_double, "double, take": found.taken, "double, drop": 1.0}
        return Advice(name, _advised(found), ways, take_point)
    beavered = doubler_seat == position.seat
    return Advice(name, text(doubler.action(position, prospects)), values, None if beavered else take_point)


def _advised(found: DoubleVerdict) -> str:
    double = "double" if found.doubles else "no double" if found.takes else "too good to double"
    return f"{double}, {'beaver' if found.beavers else 'take' if found.takes else 'drop'}"
