"""Analysis of a contest, decision by decision: the best action, the action played, and luck.

Every play and every cube decision is evaluated by the same look-ahead. The luck of a roll is the difference of the
equity of its best play from the mean over the best plays of all rolls, both one ply deep. The opening roll counts for
the seat that begins: winning it is luck, too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from boardgames_agents.lookahead.cube.doubler import ROLL, Doubler
from boardgames_agents.lookahead.cube.formulas import Formula
from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.rollout import luck_of_events
from boardgames_agents.people.judging.cost import mark
from boardgames_agents.people.judging.position_analysis import reached_by
from boardgames_env.contest import Turn, is_same_turn, turn_text, turns
from boardgames_env.games.backgammon.notation.matches import Played
from boardgames_env.position import Position

CLOSE = 0.16
"""Rolling counts as a cube decision if another action would have cost less than this, as GNU Backgammon counts.

(A dead cube is no decision.)
"""


@dataclass(frozen=True)
class AnalysedDecision:
    """A decision of a seat and the best one.

    Attributes:
        position: The position; ``position.seat`` decided.
        roll: The dice, the larger first; empty for a cube decision.
        played: The play or action, in the usual notation.
        best: The best one.
        equity: The value of the best one to the seat, in points at a stake of 1 before the decision.
        error: The difference of the value of the one played from it, at least 0.
        counts: Whether there was a choice: more than one play, or a cube action that was used or nearly so.
        luck: The luck of the roll, in the same points; 0 for a cube decision.
        unit: The probability of winning the match that a point stands for; 0 without a match.
    """

    position: Position
    roll: str
    played: str
    best: str
    equity: float
    error: float
    counts: bool
    luck: float = 0.0
    unit: float = 0.0


class Analyst:
    """Analyses contests by a look-ahead, and cube decisions by a doubling formula."""

    def __init__(self, search: Expectimax, formula: Formula) -> None:
        self._search = search
        self._doubler = Doubler(search.game, formula)

    def decisions(self, contest: Played, start: Position | None = None) -> Iterator[AnalysedDecision]:
        """Yield the decisions of a contest, without a roll left unplayed before a resignation.

        The contest began at ``start``, by default at the initial position of the game.

        Raises:
            BadInputError: If the contest is not one of the game.
        """
        luck = 0.0
        for turn in turns(start or self._search.game.initial, contest.actions, contest.events):
            if turn.event is not None:
                luck = self._luck(turn.before, turn.event, turn.after.seat)
            elif self._doubler.is_asked(turn.before):
                yield self._about_the_cube(turn.before, turn.actions[0])
            elif not is_same_turn(turn.seat, turn.after):
                yield self._play(turn, luck)

    def _luck(self, position: Position, event: int, seat: int) -> float:
        """Return the luck of the seat that is to play a roll."""
        found = luck_of_events(self._search, position.state[np.newaxis], np.array([event], dtype=np.int32))[0]
        luck = float(equities(found, self._search.utility.of(position.state)[position.seat]))
        return luck if seat == position.seat else -luck

    def _play(self, turn: Turn, luck: float) -> AnalysedDecision:
        position, plays = turn.before, self._search.candidates(turn.before)
        best, played = plays[0], reached_by(self._search, position, turn.actions, plays)
        if played.equity > best.equity:  # (it looked worse before it was examined as deeply)
            best = played
        return AnalysedDecision(
            position,
            roll=turn.chance,
            played=turn_text(position, played.actions),
            best=turn_text(position, best.actions),
            equity=best.equity,
            error=best.equity - played.equity,
            counts=len(plays) > 1,
            luck=luck,
            unit=self._doubler.cube(position, position.seat).unit,
        )

    def _about_the_cube(self, position: Position, action: int) -> AnalysedDecision:
        prospects = self._doubler.prospects(self._search.to_double, position)
        values = self._doubler.values(position, prospects)
        best = self._doubler.action(position, prospects)
        # a seat too good to double by the formula's lines may be advised to double all the same; see `Doubler.verdict`
        loss = {each: max(0.0, values[best] - value) for each, value in values.items()}
        text = position.game.action_text
        used = text(action) != ROLL
        nearly_used = any(lost < CLOSE for each, lost in loss.items() if text(each) != ROLL)
        cube = self._doubler.cube(position, position.seat)
        counts = used or (nearly_used and not cube.is_dead)
        decided = (text(action), text(best), values[best], loss[action], counts)
        return AnalysedDecision(position, "", *decided, unit=cube.unit)


@dataclass(frozen=True)
class Totals:
    """The totals of some decisions; errors and luck are points at a stake of 1.

    Attributes:
        plays: The number of plays with a choice.
        play_errors: The sum of their errors.
        cube_decisions: The number of cube decisions.
        cube_errors: The sum of their errors.
        doubtful: The number of doubtful errors of both kinds.
        bad: The number of bad ones.
        blunders: The number of very bad ones.
        luck: The sum of luck.
        match_errors: The probability of winning the match that the errors cost; 0 without a match.
        match_luck: The probability that luck was worth.
    """

    plays: int
    play_errors: float
    cube_decisions: int
    cube_errors: float
    doubtful: int
    bad: int
    blunders: int
    luck: float
    match_errors: float = 0.0
    match_luck: float = 0.0

    @classmethod
    def of(cls, decisions: Iterable[AnalysedDecision]) -> "Totals":
        """Add up the decisions of one player."""
        every = list(decisions)
        plays, cube = ([each for each in every if bool(each.roll) == rolled] for rolled in (True, False))
        marks = [mark(each.error) for each in every]
        return cls(
            sum(each.counts for each in plays),
            sum(each.error for each in plays),
            sum(each.counts for each in cube),
            sum(each.error for each in cube),
            marks.count("?!"),
            marks.count("?"),
            marks.count("??"),
            sum(each.luck for each in every),
            sum(each.error * each.unit for each in every),
            sum(each.luck * each.unit for each in every),
        )

    @property
    def rate(self) -> float:
        """The mean error in thousandths of a point per decision that was not forced."""
        decisions = self.plays + self.cube_decisions
        return 1000 * (self.play_errors + self.cube_errors) / decisions if decisions else 0.0

    @property
    def performance_rating(self) -> float:
        """The PR of backgammon players, 500 times the mean error in points per decision, as eXtreme Gammon has it.

        Which decisions count is not the same there: those about the cube that are near here count (`CLOSE`). The
        formula is at https://backgammondb.com/manual/match-statistics/performance-rating/.
        """
        return self.rate / 2
