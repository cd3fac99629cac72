"""Exams: how well a student plays, by contests against a tester (Hasson, Markovitch and Sella, section 3).

An exam is a set of starting positions and their duals, in which x's and o's are exchanged: so the student plays each
position from both sides, and moves first from one of them. A contest won on the nth paired move, the marks of the
starting position among them, scores 50 + 2.5 (26 - n), one lost 50 - 2.5 (26 - n), and one that is not decided within
25 paired moves 50. The score of the exam is the mean: 0 to 100 if the starting positions have five marks of each seat,
as in the paper (from fewer, a contest can be won sooner), and exactly 50 for the tester itself, as long as ties are
broken the same way for both.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.contests import contest
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.fives.positions import Starts
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game

MOST_MOVES = 25
"""A contest is drawn after so many paired moves, those of the starting position included."""

EVEN = 50.0
"""The score of a draw, and of the tester itself."""

_PER_MOVE = 2.5


def score_of(points: int, plies: int) -> float:
    """The student's score for a contest: from 0 to 100 if it was won with a sixth mark or a later one.

    Args:
        points: The student's: +1, 0 or -1.
        plies: How many marks are on the board at its end, so that half of them, rounded up, are the paired moves: if
            who moved first wins with its 7th mark, these are 7, though only 6.5 were played.
    """
    moves = (plies + 1) // 2
    return EVEN + _PER_MOVE * points * (MOST_MOVES + 1 - moves)


@dataclass(frozen=True)
class Sitting:
    """A contest of an exam.

    Attributes:
        seat: The student's seat: 0 in a starting position, 1 in its dual.
        points: The student's points: +1, 0 or -1.
        actions: The actions played after the starting position.
        score: The student's score.
    """

    seat: int
    points: int
    actions: tuple[int, ...]
    score: float


class Exam:
    """Some starting positions and a tester.

    Args:
        game: The game.
        starts: The starting positions; each is played from both sides.
        tester: The tester's coefficients, which stay as they are.
        level: How many plies the tester looks ahead.
        width: How many children of a board it looks at.

    Raises:
        BadInputError: If there are no starting positions, or one of them leaves nothing to play or is not allowed.
    """

    def __init__(
        self, game: Game, starts: Starts, tester: Coefficients = INITIAL, level: int = 3, width: int = 3
    ) -> None:
        if not starts:
            raise BadInputError("an exam without starting positions is not allowed; give at least one")
        if long := [start for start in starts if len(start.x) >= MOST_MOVES]:
            raise BadInputError(
                f"a starting position of {len(long[0].x)} paired moves is not allowed in an exam: contests end "
                f"after {MOST_MOVES}"
            )
        self._states = [start.position(game).state for start in starts]
        self._tester = FivesSearch(game, tester, level, width)

    def sit(self, student: FivesSearch) -> list[Sitting]:
        """Play every contest: each position, followed by its dual.

        Raises:
            BadInputError: If the student is of another board.
        """
        if (student.lines.columns, student.lines.rows) != (self._tester.lines.columns, self._tester.lines.rows):
            raise BadInputError(
                f"a student of {student.lines.columns} × {student.lines.rows} cells is not allowed in an exam of "
                f"{self._tester.lines.columns} × {self._tester.lines.rows}"
            )
        return [self._play(student, state, seat) for state in self._states for seat in (0, 1)]

    def score(self, student: FivesSearch) -> float:
        """The mean of the scores."""
        return float(np.mean([sitting.score for sitting in self.sit(student)]))

    def _play(self, student: FivesSearch, state: NDArray[np.int8], seat: int) -> Sitting:
        """A contest with the student in a seat."""
        given = int(np.count_nonzero(state[1 : 1 + len(student.by_number)]))
        played = np.zeros(2 * MOST_MOVES - given, dtype=np.int32)
        solvers = (student.solver, self._tester.solver)
        outcome, plies = contest.run(student.lines, solvers[seat], solvers[1 - seat], student.by_number, state, played)
        points = outcome if seat == 0 else -outcome
        return Sitting(seat, points, tuple(played[:plies].tolist()), score_of(points, given + plies))
