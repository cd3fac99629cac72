"""Analysis of a position by a look-ahead: each roll, advice about the cube, and rollouts of the best plays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from boardgames_agents.lookahead.cube.doubler import DOUBLE, Doubler
from boardgames_agents.lookahead.cube.formulas import FORMULAS, Janowski, Prospects, make_formula
from boardgames_agents.lookahead.evaluator import OTHER_SEAT
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.rollout import Rollout, RolloutOptions, rollouts
from boardgames_env.contest import Turn, turn_text
from boardgames_env.position import Position


@dataclass(frozen=True)
class Roll:
    """One of the possible rolls.

    Attributes:
        text: What is rolled, in the game's notation.
        probability: Its probability.
        play: The text of its best play.
        best: Its best play.
        probabilities: The probabilities after that play of the seat that is to roll.
    """

    text: str
    probability: float
    play: str
    best: Candidate
    probabilities: tuple[float, ...]


def reached_by(search: Expectimax, position: Position, actions: Sequence[int], plays: Sequence[Candidate]) -> Candidate:
    """Return the play that leads where some actions lead, examined as deeply as the best one.

    Args:
        search: The look-ahead.
        position: The position.
        actions: The actions of a play, in any order.
        plays: All plays, the best first.
    """
    reached = position.after(*actions).key
    found = next(play for play in plays if position.after(*play.actions).key == reached)
    return search.candidate(position, found.actions) if found.plies < plays[0].plies else found


def before_the_roll(position: Position) -> Position:
    """Return the position that awaits the next roll if nobody raises the stakes further."""
    position = position.part
    doubler = Doubler(position.game, Janowski())  # (it knows the cube; its formula is not used)
    if not doubler.is_asked(position):
        return position
    return Position.unchecked(position.game, doubler.state_to_judge(position).copy())


def rolls_of(search: Expectimax, awaiting: Position) -> list[Roll]:
    """Return the best play of each roll, in the order of the dice, one ply less deeply."""
    plies = max(search.plies - 1, 1)
    shallower = Expectimax(
        *(search.game, search.evaluator, plies, search.most_candidates, search.margin, search.most_replies),
        search.utility,
    )
    found = []
    for event in awaiting.events():
        rolled = event.position
        best = shallower.candidates(rolled)[0]
        row = best.probabilities
        if rolled.seat != awaiting.seat:  # the opening roll
            row = tuple(row[k] for k in OTHER_SEAT)
        turn = Turn(rolled, best.actions, rolled.after(*best.actions), 0)
        found.append(Roll(turn.chance, event.probability, turn.text, best, row))
    return found


@dataclass(frozen=True)
class CandidateRollout:
    """The rollout of a play, or of a position, for the seat that plays or rolls.

    Attributes:
        play: The play in the usual notation; empty if the position itself was rolled out.
        rollout: The result; without trials if the play ends the contest.
    """

    play: str
    rollout: Rollout


def roll_out(
    search: Expectimax,
    position: Position,
    options: RolloutOptions,
    on_trials: Callable[[int, int], object] | None = None,
) -> list[CandidateRollout]:
    """Roll out a position, or where a seat has dice to play its best plays, with the same dice.

    Args:
        search: The look-ahead, by which plays are chosen; as many are rolled out as it has candidates.
        position: The position.
        options: How it is rolled out.
        on_trials: Called with the number of trials played and the number of all trials.

    Returns:
        The plays, the best first; or the position alone.

    Raises:
        BadInputError: If the contest is over.
    """
    if position.awaits_chance or Doubler(position.game, Janowski()).is_asked(position):
        return [CandidateRollout("", rollouts([before_the_roll(position)], search.evaluator, options, on_trials)[0])]
    plays = search.candidates(position)[: search.most_candidates]
    reached = [position.after(*play.actions) for play in plays]
    found = iter(rollouts([each for each in reached if not each.is_over], search.evaluator, options, on_trials))
    done = [
        CandidateRollout(turn_text(position, play.actions), _certain(play) if each.is_over else next(found).turned)
        for play, each in zip(plays, reached, strict=True)
    ]
    return sorted(done, key=lambda each: -each.rollout.equity)


def _certain(ending: Candidate) -> Rollout:
    """Return the rollout of a play that ends the contest."""
    return Rollout(0, ending.probabilities, (0.0,) * len(ending.probabilities), ending.equity, 0.0)


@dataclass(frozen=True)
class CubeAdvice:
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


def advise(search: Expectimax, position: Position) -> list[CubeAdvice]:
    """Return the advice of every formula with its default option; none without a cube decision."""
    doublers = {name: Doubler(position.game, make_formula(name)) for name in FORMULAS}
    return [
        _advice(name, doubler, position, doubler.prospects(search.to_double, position))
        for name, doubler in doublers.items()
        if doubler.is_asked(position)
    ]


def _advice(name: str, doubler: Doubler, position: Position, prospects: Prospects) -> CubeAdvice:
    text, doubler_seat = position.game.action_text, int(doubler.state_to_judge(position)[0])
    values = {text(action): value for action, value in doubler.values(position, prospects).items()}
    take_point = doubler.cube(position, doubler_seat).take_point(prospects)
    if DOUBLE in values:
        found = doubler.verdict(position, prospects)
        ways = {"no double": found.no_double, "double, take": found.taken, "double, drop": 1.0}
        double = "double" if found.doubles else "no double" if found.takes else "too good to double"
        answer = "beaver" if found.beavers else "take" if found.takes else "drop"
        return CubeAdvice(name, f"{double}, {answer}", ways, take_point)
    beavered = doubler_seat == position.seat
    return CubeAdvice(name, text(doubler.action(position, prospects)), values, None if beavered else take_point)
