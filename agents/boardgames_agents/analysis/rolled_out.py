"""Rollouts of a position, or of the plays that look best in it."""

from collections.abc import Callable
from dataclasses import dataclass

from boardgames_agents.analysis.plays import PlayAnalyst, after, has_dice
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.rollout import Rollout, rollouts
from boardgames_env.position import Position


@dataclass(frozen=True)
class RolledOut:
    """What a rollout found, as the seat that plays or rolls sees it.

    Attributes:
        play: The play, as people write it; nothing if the position itself was rolled out.
        rollout: What was found; no trials of a play that ends the contest.
    """

    play: str
    rollout: Rollout


def roll_out(
    search: Expectimax,
    position: Position,
    trials: int = 1296,
    truncate: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    on_trials: Callable[[int, int], object] | None = None,
) -> list[RolledOut]:
    """Roll out a position, or where a seat has dice to play the plays that look best to it.

    Args:
        search: Looks ahead, in the trials, too; as many plays are rolled out as it has candidates. Plays have the same
            dice.
        position: The position.
        trials: How many for each play; this and the others are those of `boardgames_agents.lookahead.rollout.rollouts`.
        truncate: After how many moves a trial is cut short.
        seed: Settles all chances.
        jobs: How many processes share the work.
        on_trials: Called now and then with how many trials have been played, and of how many.

    Returns:
        The plays, the best first; or the position alone.

    Raises:
        BadInputError: If the contest is over, or an option is out of range.
    """

    def played_out(positions: list[Position]) -> list[Rollout]:
        options = (trials, truncate, search.plies, seed, jobs)
        return rollouts(positions, search.evaluator, *options, on_trials=on_trials)

    analyst = PlayAnalyst(search)
    if not has_dice(position):
        return [RolledOut("", played_out([analyst.before_the_roll(position)])[0])]
    plays = analyst.plays(position)[: search.most_candidates]
    reached = [after(position, play.candidate.actions) for play in plays]
    found = iter(played_out([each for each in reached if not each.is_over]))
    done = [
        RolledOut(play.text, _certain(play.candidate) if each.is_over else next(found).turned)
        for play, each in zip(plays, reached, strict=True)
    ]
    return sorted(done, key=lambda each: -each.rollout.equity)


def _certain(ending: Candidate) -> Rollout:
    """The rollout of a play that ends the contest."""
    return Rollout(0, ending.probabilities, (0.0,) * len(ending.probabilities), ending.equity, 0.0)
