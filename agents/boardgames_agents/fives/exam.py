"""Exams: a student's strength, measured by contests against a tester (Hasson, Markovitch and Sella, section 3).

An exam is a set of starting positions and their duals, in which x's and o's are exchanged: the student plays each
position from both sides and moves first from one of them. A contest won on the nth paired move, the marks of the
starting position included, scores 50 + 2.5 (26 - n), a contest lost 50 - 2.5 (26 - n), and a contest not decided within
25 paired moves 50. The score of the exam is the mean. It is between 0 and 100 if the starting positions have five marks
of each seat, as in the paper (from fewer, a contest can be won sooner), and exactly 50 for the tester itself, as long
as both break ties in the same way.
"""

from dataclasses import dataclass

import numpy as np
from numba import types

from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.grid_lines import LINES, NO_FIVE, Lines
from boardgames_agents.fives.minimax import (
    SOLVER,
    WHOLE,
    FivesSearch,
    ProblemSolver,
    make_workspace,
    mark,
    search,
    set_up,
)
from boardgames_agents.training.starting_positions import Starts
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import READ_ONLY_STATE, Actions, State, kernel
from boardgames_env.kernels.signatures import INT32_1D, Int8s

MOST_MOVES = 25
"""The number of paired moves after which a contest is drawn, those of the starting position included."""

EVEN = 50.0
"""The score of a draw, and of the tester itself."""

_PER_MOVE = 2.5


def score_of(points: int, plies: int) -> float:
    """Return the student's score for a contest with these points (+1, 0 or -1) and marks on the board at the end."""
    moves = (plies + 1) // 2  # if the first to move wins with its 7th mark, these are 7, although only 6.5 were played
    return EVEN + _PER_MOVE * points * (MOST_MOVES + 1 - moves)


@kernel(types.UniTuple(types.int64, 2)(LINES, SOLVER, SOLVER, INT32_1D, READ_ONLY_STATE, INT32_1D), compiled_first=True)
def contest(
    lines: Lines, first: ProblemSolver, second: ProblemSolver, ranks: Actions, state: State, played: Actions
) -> tuple[int, int]:
    """Play a contest from a state until a seat has a five, no cell is empty or ``played`` is full.

    ``first`` plays seat 0, and the actions are written to ``played``. Return the points of seat 0 (0 also if ``played``
    is full) and the number of plies.
    """
    workspace = make_workspace(lines, max(first.level, second.level), max(first.width, second.width))
    node = set_up(lines, workspace, state)
    plies = 0
    while max(node.features[0], node.features[1]) < NO_FIVE and plies < len(played) and workspace.is_empty.any():
        solver = first if node.seat == 0 else second
        search(lines, solver, ranks, workspace, node, solver.level, WHOLE)
        chosen = workspace.chosen[solver.level]
        played[plies] = workspace.cells[solver.level, chosen]
        node = mark(lines, workspace, node, solver.level, chosen)
        plies += 1
    return int(node.features[0] >= NO_FIVE) - int(node.features[1] >= NO_FIVE), plies


@dataclass(frozen=True)
class ExamContest:
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
    """An exam: starting positions and a tester, given by its coefficients, level and width.

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

    def sit(self, student: FivesSearch) -> list[ExamContest]:
        """Play every contest: each position, followed by its dual.

        Raises:
            BadInputError: If the student plays on another board.
        """
        if (student.lines.columns, student.lines.rows) != (self._tester.lines.columns, self._tester.lines.rows):
            raise BadInputError(
                f"a student of {student.lines.columns} × {student.lines.rows} cells is not allowed in an exam of "
                f"{self._tester.lines.columns} × {self._tester.lines.rows}"
            )
        return [self._play(student, state, seat) for state in self._states for seat in (0, 1)]

    def score(self, student: FivesSearch) -> float:
        """Return the mean score of the contests."""
        return float(np.mean([sitting.score for sitting in self.sit(student)]))

    def _play(self, student: FivesSearch, state: Int8s, seat: int) -> ExamContest:
        given = int(np.count_nonzero(state[1 : 1 + len(student.by_number)]))
        played = np.zeros(2 * MOST_MOVES - given, dtype=np.int32)
        solvers = (student.solver, self._tester.solver)
        outcome, plies = contest.run(student.lines, solvers[seat], solvers[1 - seat], student.by_number, state, played)
        points = outcome if seat == 0 else -outcome
        return ExamContest(seat, points, tuple(played[:plies].tolist()), score_of(points, given + plies))
