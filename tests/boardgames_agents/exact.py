"""Exact values of small positions, by going through everything that may follow action by action; and evaluators."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import OTHER_SEAT, Evaluator, Probabilities, equities
from boardgames_env import Game, Position
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, POINTS
from tests.boardgames_env.games.backgammon_contests import position_of

Row = NDArray[np.float64]


class Pips:
    """Goes by the pip counts, and by how many men are still on the way: a real evaluator, and not a good one.

    A man's way counts as a number of pips and a root, so that no two moves come to the same.
    """

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        points = np.arange(1, POINTS + 1)
        way = points + 2 * np.sqrt(points)
        men = states[:, 1 : POINTS + 1].astype(np.int64)
        first = np.maximum(men, 0) @ way + 35 * states[:, BARS].astype(np.int64)
        second = np.maximum(-men, 0) @ way[::-1] - 35 * states[:, BARS + 1].astype(np.int64)
        ahead = np.where(states[:, 0] == 0, second - first, first - second)
        win = 1 / (1 + np.exp(-(ahead + 4) / 8))
        rows = np.outer(win, [0.75, 0.2, 0.05, 0, 0, 0]) + np.outer(1 - win, [0, 0, 0, 0.75, 0.2, 0.05])
        return rows.astype(np.float32)


class Says:
    """Says how likely seat 0 wins and how often that is a gammon, whatever the position; it loses single games."""

    def __init__(self, win: float = 0.5, gammons: float = 0.0) -> None:
        self.row = np.array([win * (1 - gammons), win * gammons, 0, 1 - win, 0, 0])

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        rows = np.where((states[:, 0] == 0)[:, None], self.row, self.row[OTHER_SEAT])
        return rows.astype(np.float32)


class Exact:
    """Knows the exact values if nobody doubles and both seats play what is best, or what an evaluator thinks best."""

    def __init__(self, game: Game, evaluator: Evaluator | None = None) -> None:
        self.game, self.evaluator = game, evaluator or self
        self.known: dict[bytes, Row] = {}

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        rows = [self.value(Position.unchecked(self.game, state.copy())) for state in states]
        return np.array(rows, dtype=np.float32).reshape(-1, 6)

    def value(self, position: Position) -> Row:
        """As the seat to move sees it, of a position that awaits chance, or is over."""
        if position.key not in self.known:
            self.known[position.key] = outcome_row(position) if position.is_over else self._mean(position)
        return self.known[position.key]

    def _mean(self, position: Position) -> Row:
        total = np.zeros(6)
        for event in position.events():
            after = best_reply(event.position, self.evaluator)
            total += event.probability * seen_by(position.seat, after, self.value(after))
        return total


def best_reply(position: Position, evaluator: Evaluator) -> Position:
    """The afterstate an evaluator thinks best."""
    return max(afterstates(position), key=lambda after: float(equities(judged(position.seat, after, evaluator))))


def judged(seat: int, position: Position, evaluator: Evaluator) -> Row:
    """What an evaluator, or the outcome, says of a position, as a seat sees it."""
    row = outcome_row(position) if position.is_over else evaluator.outcome_probabilities(position.state[np.newaxis])[0]
    return seen_by(seat, position, row.astype(np.float64))


def afterstates(position: Position) -> list[Position]:
    return [move.afterstate for move in position.moves()]


def outcome_row(position: Position) -> Row:
    """The outcome as the seat to move sees it."""
    points = position.points_for(position.seat)
    assert points
    row = np.zeros(6)
    row[abs(points) - 1 + (3 if points < 0 else 0)] = 1
    return row


def seen_by(seat: int, position: Position, row: Row) -> Row:
    """A row that belongs to a position's seat to move, as a seat sees it."""
    return row if position.seat == seat else row[OTHER_SEAT]


def race(
    game: Game | str, mine: list[int], yours: list[int], seat: int = 0, roll: tuple[int, int] | None = None
) -> Position:
    """A position of three men a seat, seat 0's first: their own points, 0 for a man that is off, 25 for the bar."""
    own, other = (mine, yours) if seat == 0 else (yours, mine)
    return position_of(game, Counter(own), Counter(other), roll or (), seat)
