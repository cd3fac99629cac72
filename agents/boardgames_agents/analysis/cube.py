"""What the doubling formulas say of a position that asks for a decision about the cube."""

from collections.abc import Mapping
from dataclasses import dataclass

from boardgames_agents.lookahead.cube.doubler import DOUBLE, Doubler, Verdict
from boardgames_agents.lookahead.cube.formulas import FORMULAS, Prospects, make_formula
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_env.position import Position


@dataclass(frozen=True)
class Advice:
    """What a formula advises.

    Attributes:
        formula: The name of the formula.
        advice: What both seats do, or the one that is asked: ``"double, take"``, ``"drop"``.
        worths: What each way to go on is worth to the seat to move, in units of the stake before it.
        take_point: The least probability of winning with which a double is taken, with as many gammons as here; nothing
            where a beaver is to be answered.
    """

    formula: str
    advice: str
    worths: Mapping[str, float]
    take_point: float | None


def advise(search: Expectimax, position: Position) -> list[Advice]:
    """What every formula advises, with their usual parameters; nothing where there is no decision about the cube.

    Args:
        search: Looks ahead.
        position: The position.
    """
    doublers = {name: Doubler(position.game, make_formula(name)) for name in FORMULAS}
    if not any(doubler.is_asked(position) for doubler in doublers.values()):
        return []
    return [
        _advice(name, doubler, position, prospects_of(search, doubler, position)) for name, doubler in doublers.items()
    ]


def prospects_of(search: Expectimax, doubler: Doubler, position: Position) -> Prospects:
    """The prospects of the seat that rolls next, in a position that asks for a decision about the cube."""
    return Prospects.of(search.chances(doubler.state_to_judge(position)[None])[0].tolist())


def _advice(name: str, doubler: Doubler, position: Position, prospects: Prospects) -> Advice:
    text = position.game.action_text
    worths = {text(action): worth for action, worth in doubler.worths(position, prospects).items()}
    taker = prospects.turned
    take_point = doubler.formula.take_point(taker.wins, taker.losses)
    if DOUBLE in worths:
        said = doubler.weigh(position, prospects)
        shown = {"no double": said.no_double, "double, take": said.taken, "double, drop": said.dropped}
        return Advice(name, _advised(said), shown, take_point)
    beavered = int(doubler.state_to_judge(position)[0]) == position.seat
    return Advice(name, text(doubler.action(position, prospects)), worths, None if beavered else take_point)


def _advised(said: Verdict) -> str:
    double = "double" if said.doubles else "no double" if said.takes else "too good to double"
    return f"{double}, {'beaver' if said.beavers else 'take' if said.takes else 'drop'}"
