"""Evaluation of the plays of a roll, and of a position before the roll, roll by roll."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski
from boardgames_agents.lookahead.evaluator import OTHER_SEAT, equities
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.replies import finished
from boardgames_env.games.backgammon.backgammon_board import MOVING, PHASE
from boardgames_env.games.backgammon.notation import play_text
from boardgames_env.games.backgammon.words import dice_to_play
from boardgames_env.position import Position

Row = tuple[float, ...]


@dataclass(frozen=True)
class Play:
    """A play as the look-ahead evaluates it.

    Attributes:
        text: The play in the usual notation.
        candidate: Its actions and evaluation.
    """

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
    probabilities: Row


@dataclass(frozen=True)
class CumulativeProbabilities:
    """Probabilities as backgammon players read them: each includes the outcomes of more points.

    Attributes:
        win: The seat wins.
        gammon: It wins a gammon or a backgammon.
        backgammon: It wins a backgammon.
        lost_gammon: It loses a gammon or a backgammon.
        lost_backgammon: It loses a backgammon.
    """

    win: float
    gammon: float
    backgammon: float
    lost_gammon: float
    lost_backgammon: float

    @classmethod
    def of(cls, probabilities: Sequence[float]) -> "CumulativeProbabilities":
        """Convert the probabilities that a seat wins 1, 2, 3 points, and that it loses 1, 2, 3."""
        one, two, three, _, less_two, less_three = (float(each) for each in probabilities)
        return cls(one + two + three, two + three, three, less_two + less_three, less_three)


class PlayAnalyst:
    """Evaluates plays.

    Args:
        search: The look-ahead.
    """

    def __init__(self, search: Expectimax) -> None:
        self.search = search
        self._doubler = Doubler(search.game, Janowski())  # (it knows the cube; its formula is not used)

    def plays(self, position: Position) -> list[Play]:
        """Return all plays of a roll, those examined most deeply first, the best first among them.

        Raises:
            BadInputError: If no seat has dice to play.
        """
        return [Play(play_text(position, each.actions), each) for each in self.search.candidates(position)]

    def evaluated_deeply(self, position: Position, actions: Sequence[int]) -> Candidate:
        """Return one move, examined as deeply as the best ones."""
        reached = after(position, actions)
        state, seat = self.search.replier.settled(reached.state), position.seat
        points = reached.outcome
        if points is not None:
            stake = self.search.replier.stake(state)
            row = finished(np.array([points], dtype=np.int32), np.array([seat], dtype=np.int8), stake)[0]
        else:
            row = self.search.look_ahead(state[np.newaxis], self.search.plies - 1)[0]
            row = row if state[0] == seat else row[OTHER_SEAT]
        return Candidate(tuple(actions), self.search.plies, tuple(row.tolist()), float(equities(row)))

    def before_the_roll(self, position: Position) -> Position:
        """Return the position that awaits the next roll if nobody raises the stakes further."""
        if not self._doubler.is_asked(position):
            return position
        return Position(position.game, self._doubler.state_to_judge(position).copy())

    def prospects(self, awaiting: Position) -> tuple[Row, float]:
        """Return the probabilities and the expected points of the seat to move in a position that awaits a roll.

        They are examined one ply less deeply than plays.
        """
        row = self.search.outcome_probabilities(awaiting.state[np.newaxis])[0]
        return tuple(row.tolist()), float(equities(row))

    def rolls(self, awaiting: Position) -> list[Roll]:
        """Return the best play of each roll in such a position, one ply less deeply, in the order of the dice."""
        found = []
        for event in awaiting.events():
            best = self._shallower.candidates(event.position)[0]
            dice = "".join(str(die) for die in dice_to_play(event.position.state)[:2])
            row = best.probabilities
            if event.position.seat != awaiting.seat:  # the opening roll
                row = tuple(row[k] for k in OTHER_SEAT)
            found.append(Roll(dice, event.probability, Play(play_text(event.position, best.actions), best), row))
        return found

    @cached_property
    def _shallower(self) -> Expectimax:
        one = self.search
        plies = max(one.plies - 1, 1)
        return Expectimax(one.game, one.evaluator, plies, one.most_candidates, one.margin, one.most_replies)


def has_dice(position: Position) -> bool:
    """Return whether a seat has dice to play."""
    return bool(position.state[PHASE] == MOVING)


def after(position: Position, actions: Sequence[int]) -> Position:
    """Return the position after actions that are known to be legal."""
    for action in actions:
        position = position.after(action)
    return position
