"""Rollouts of a position, or of its best plays."""

from collections.abc import Callable
from dataclasses import dataclass

from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.rollout import Rollout, RolloutOptions, rollouts
from boardgames_agents.people.judging.plays import after, before_the_roll, plays_of
from boardgames_env.games.backgammon.notation.words import has_dice
from boardgames_env.position import Position


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
