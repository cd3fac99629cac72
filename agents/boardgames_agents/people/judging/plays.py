"""Plays of a roll, positions before a roll, and decisions about the cube, as a look-ahead or rollouts evaluate them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski, Prospects
from boardgames_agents.lookahead.evaluator import OTHER_SEAT, equities
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.replies import finished
from boardgames_agents.lookahead.rollout import Rollout, RolloutOptions, rollouts
from boardgames_env.games.backgammon.notation import play_text
from boardgames_env.games.backgammon.notation.words import has_dice, roll_text
from boardgames_env.position import Position


@dataclass(frozen=True)
class Play:
    """A play in the usual notation, as the look-ahead evaluates it."""

    text: str
    candidate: Candidate


@dataclass(frozen=True)
class Roll:
    """One of the possible rolls.

    Attributes:
        text: The dice, the larger first.
        probability: Its probability.
        best: Its best play.
        probabilities: The probabilities after that play of the seat that is to roll.
    """

    text: str
    probability: float
    best: Play
    probabilities: tuple[float, ...]


def plays_of(search: Expectimax, position: Position) -> list[Play]:
    """Return all plays of a roll, those examined most deeply first, the best first among them.

    Raises:
        BadInputError: If no seat has dice to play.
    """
    return [Play(play_text(position, each.actions), each) for each in search.candidates(position)]


def evaluated_deeply(search: Expectimax, position: Position, actions: Sequence[int]) -> Candidate:
    """Return one move, examined as deeply as the best ones."""
    reached = after(position.part, actions)
    state, seat = search.replier.settled(reached).state, position.seat
    points = reached.outcome
    if points is not None:
        stake = search.replier.stake(state)
        row = finished(np.array([points], dtype=np.int32), np.array([seat], dtype=np.int8), stake)[0]
    else:
        row = search.look_ahead(state[np.newaxis], search.plies - 1)[0]
        row = row if state[0] == seat else row[OTHER_SEAT]
    equity = float(equities(row, search.utility.of(position.state)[seat]))
    return Candidate(tuple(actions), search.plies, tuple(row.tolist()), equity)


def reached_by(search: Expectimax, position: Position, actions: Sequence[int], plays: Sequence[Play]) -> Play:
    """Return the play that leads where some actions lead, examined as deeply as the best one.

    Args:
        search: The look-ahead.
        position: The position.
        actions: The actions of a play, in any order.
        plays: All plays, the best first, as `plays_of` returns them.
    """
    reached = after(position, actions).key
    found = next(play for play in plays if after(position, play.candidate.actions).key == reached)
    if found.candidate.plies < plays[0].candidate.plies:
        found = Play(found.text, evaluated_deeply(search, position, found.candidate.actions))
    return found


def before_the_roll(position: Position) -> Position:
    """Return the position that awaits the next roll if nobody raises the stakes further."""
    position = position.part
    doubler = Doubler(position.game, Janowski())  # (it knows the cube; its formula is not used)
    if not doubler.is_asked(position):
        return position
    return Position.unchecked(position.game, doubler.state_to_judge(position).copy())


def prospects_of(search: Expectimax, doubler: Doubler, position: Position) -> Prospects:
    """Return the prospects of the seat that rolls next, where a cube decision is required."""
    return Prospects.of(search.to_double.outcome_probabilities(doubler.state_to_judge(position)[None])[0].tolist())


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
        play = Play(play_text(rolled, best.actions), best)
        found.append(Roll(roll_text(rolled.state), event.probability, play, row))
    return found


def after(position: Position, actions: Sequence[int]) -> Position:
    """Return the position after actions that are known to be legal."""
    for action in actions:
        position = position.after(action)
    return position


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
    if not has_dice(position):
        return [CandidateRollout("", rollouts([before_the_roll(position)], search.evaluator, options, on_trials)[0])]
    plays = plays_of(search, position)[: search.most_candidates]
    reached = [after(position, play.candidate.actions) for play in plays]
    found = iter(rollouts([each for each in reached if not each.is_over], search.evaluator, options, on_trials))
    done = [
        CandidateRollout(play.text, _certain(play.candidate) if each.is_over else next(found).turned)
        for play, each in zip(plays, reached, strict=True)
    ]
    return sorted(done, key=lambda each: -each.rollout.equity)


def _certain(ending: Candidate) -> Rollout:
    """Return the rollout of a play that ends the contest."""
    return Rollout(0, ending.probabilities, (0.0,) * len(ending.probabilities), ending.equity, 0.0)
