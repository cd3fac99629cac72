"""A contest, decision by decision: what was best, what was done instead, and what the dice did.

Every play and every decision about the cube is weighed by the same look ahead. How lucky a roll was is how much better
its best play is than the mean over the best plays of all rolls, both looked at one ply deep. The opening roll counts
for the seat that begins: winning it is luck, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from boardgames_agents.analysis.cube import prospects_of
from boardgames_agents.analysis.plays import Play, PlayAnalyst, after, has_dice
from boardgames_agents.lookahead.cube.doubler import ROLL, Doubler
from boardgames_agents.lookahead.cube.formulas import Formula
from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.rollout import luck_of
from boardgames_env.games.backgammon.match_file import Played
from boardgames_env.games.backgammon.words import dice_to_play
from boardgames_env.position import Position

CLOSE = 0.16
"""A seat that rolls has decided not to double if that would have cost it less than this; else it had nothing to decide.
So GNU Backgammon counts."""


@dataclass(frozen=True)
class Decision:
    """What a seat did, and what it should have done.

    Attributes:
        position: Where it had to decide; ``position.seat`` decided.
        roll: The dice, the larger first; nothing if it was about the cube.
        played: What it did, as people write it.
        best: What the look ahead thinks best.
        equity: What that is worth to the seat, in points at a stake of 1 before the decision.
        error: How much less what it did is worth; 0 if it did what is best, or as good.
        counts: Whether there was anything to decide: more than one play, or a cube that was used or nearly so.
        luck: How much better the roll was than the mean, likewise; 0 if it was about the cube.
    """

    position: Position
    roll: str
    played: str
    best: str
    equity: float
    error: float
    counts: bool
    luck: float = 0.0


class Analyst:
    """Analyses contests.

    Args:
        search: Looks ahead.
        formula: The doubling formula that decisions about the cube are weighed by.
    """

    def __init__(self, search: Expectimax, formula: Formula) -> None:
        self._search, self._plays = search, PlayAnalyst(search)
        self._doubler = Doubler(search.game, formula)

    def decisions(self, contest: Played) -> Iterator[Decision]:
        """All decisions of a contest, in order. A roll that was not played, before a resignation, is left out.

        Raises:
            BadInputError: If the contest is not one of the game.
        """
        position, events, actions = self._search.game.initial, iter(contest.events), iter(contest.actions)
        luck = 0.0
        while not position.is_over:
            if position.awaits_chance:
                event = next(events, None)
                if event is None:
                    return
                position, luck = self._rolled(position, event)
                continue
            reached, played = _turn(position, actions)
            if not played:
                return
            if has_dice(position):
                yield self._play(position, played, luck)
            else:
                yield self._about_the_cube(position, played[0])
            position = reached

    def _rolled(self, position: Position, event: int) -> tuple[Position, float]:
        """The position after a roll, and how lucky it was for the seat that is to play it."""
        reached = position.happen(event)
        luck = float(equities(luck_of(self._search, position.state[np.newaxis], np.array([event], dtype=np.int32)))[0])
        return reached, luck if reached.seat == position.seat else -luck

    def _play(self, position: Position, actions: tuple[int, ...], luck: float) -> Decision:
        plays = self._plays.plays(position)
        best, played = plays[0], self._as_deep(position, actions, plays)
        if played.candidate.equity > best.candidate.equity:  # (it looked worse before it was looked at as deeply)
            best = played
        roll = "".join(str(die) for die in dice_to_play(position.state)[:2])
        equity = best.candidate.equity
        error = equity - played.candidate.equity
        return Decision(position, roll, played.text, best.text, equity, error, len(plays) > 1, luck)

    def _as_deep(self, position: Position, actions: tuple[int, ...], plays: list[Play]) -> Play:
        """What was played, looked at as deeply as the best play."""
        reached = after(position, actions).key
        found = next(play for play in plays if after(position, play.candidate.actions).key == reached)
        if found.candidate.plies < plays[0].candidate.plies:
            found = Play(found.text, self._plays.deeply(position, found.candidate.actions))
        return found

    def _about_the_cube(self, position: Position, action: int) -> Decision:
        prospects = prospects_of(self._search, self._doubler, position)
        worths = self._doubler.worths(position, prospects)
        best = self._doubler.action(position, prospects)
        # a seat too good to double by the formula's lines may be advised to double all the same; see `verdict`
        loss = {each: max(0.0, worths[best] - worth) for each, worth in worths.items()}
        text = position.game.action_text
        used = text(action) != ROLL
        nearly_used = any(lost < CLOSE for each, lost in loss.items() if text(each) != ROLL)
        return Decision(position, "", text(action), text(best), worths[best], loss[action], used or nearly_used)


def _turn(position: Position, actions: Iterator[int]) -> tuple[Position, tuple[int, ...]]:
    """The position after a whole play, or an action with the cube; and its actions, none if there are no more."""
    reached, played = position, list[int]()
    while not played or (has_dice(position) and has_dice(reached)):
        action = next(actions, None)
        if action is None:
            return position, ()
        reached = reached.play(action)
        played.append(action)
    return reached, tuple(played)
