"""Minimax with alpha-beta over the best children only: how the programs of Hasson, Markovitch and Sella choose.

Sections 2 and 2.2 of the paper, read as rules:

1. *The evaluation* of a board: +999999 if seat 0 has a five, otherwise -999999 if seat 1 has one, otherwise the sum of
   the coefficients times the contents. (Nothing keeps that sum below 999999 if coefficients are very large.)
2. *The interest zone*: the smallest rectangle with all marks in it, larger by one row and one column on every side, but
   not beyond the board. Only its empty cells are looked at. If there are no marks, it is the whole board; the paper
   begins with ten marks.
3. *The best children*: of these cells only the ``width`` whose boards are evaluated highest, from the view of who marks
   them, are looked at further: at the root, too.
4. *The level*: so many plies are looked ahead. A board with a five, or without an empty cell, is looked at no further.
5. *Ties*: children that are evaluated alike come in the order of their ranks, lowest first, which are the numbers of
   the cells unless others are given. Of children that minimax values alike, the one evaluated highest is played. So
   whoever can make five now does: minimax does not tell a five now from one later.

A search sees only the board: nothing of a limit that may end the contest sooner.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.features import CONTENTS, after_mark
from boardgames_agents.fives.grid_lines import LINES, Lines, lines_of
from boardgames_agents.fives.runs import NO_FIVE
from boardgames_agents.fives.workspace import Box, SearchWorkspace, grown, make_workspace, mark, set_up, unmark
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.kernels import INDICES, READ_ONLY_STATE, Actions, State, helper, kernel

FIVE_WORTH = 999999.0

MOST_LEVEL = 20

_FEATURES = len(CONTENTS)

_FLOATS = types.Array(types.float64, 1, "C")


class ProblemSolver(NamedTuple):
    """A problem solver, as the paper calls its student, teacher and tester.

    Attributes:
        coefficients: The coefficients of all seven features.
        level: How many plies it looks ahead.
        width: How many children of a board it looks at.
    """

    coefficients: NDArray[np.float64]
    level: int
    width: int


SOLVER = types.NamedTuple((_FLOATS, types.int64, types.int64), ProblemSolver)


@helper
def evaluation(coefficients: NDArray[np.float64], both: tuple[int, int]) -> float:
    """What a board is worth to seat 0, by both seats' packed features."""
    first, second = both
    if first >= NO_FIVE:
        return FIVE_WORTH
    if second >= NO_FIVE:
        return -FIVE_WORTH
    total = 0.0
    for which in range(_FEATURES):
        difference = ((first >> 8 * which) & 0xFF) - ((second >> 8 * which) & 0xFF)
        total += coefficients[which] * difference
    return total


@helper
def list_children(
    lines: Lines, coefficients: NDArray[np.float64], ranks: Actions, workspace: SearchWorkspace, level: int,
    width: int, seat: int, both: tuple[int, int], box: Box,
) -> int:  # fmt: skip
    """Write the best children of the board on the workspace into a level's row, the best first; how many they are."""
    here = evaluation(coefficients, both)
    cells, worths, features = workspace.cells[level], workspace.worths[level], workspace.features[level]
    top, left, bottom, right = box
    if bottom < top:
        top, left, bottom, right = 0, 0, lines.rows - 1, lines.columns - 1
    count = 0
    for row in range(top, bottom + 1):
        for cell in range(row * lines.columns + left, row * lines.columns + right + 1):
            if not workspace.is_empty[cell]:
                continue
            reached = after_mark(lines, workspace.codes, cell, seat, both)
            same = reached[0] == both[0] and reached[1] == both[1]
            worth = here if same else evaluation(coefficients, reached)
            worth = -worth if seat == 1 else worth
            place = count
            while place > 0 and (
                worth > worths[place - 1] or (worth == worths[place - 1] and ranks[cell] < ranks[cells[place - 1]])
            ):
                place -= 1
            if place == width:
                continue
            count = min(count + 1, width)
            for later in range(count - 1, place, -1):
                cells[later], worths[later] = cells[later - 1], worths[later - 1]
                features[later, 0], features[later, 1] = features[later - 1, 0], features[later - 1, 1]
            cells[place], worths[place] = cell, worth
            features[place, 0], features[place, 1] = reached
    return count


@helper
def search(
    lines: Lines, solver: ProblemSolver, ranks: Actions, workspace: SearchWorkspace, level: int, seat: int,
    both: tuple[int, int], box: Box, alpha: float, beta: float,
) -> float:  # fmt: skip
    """What the board on the workspace is worth to the seat to move; the best child is noted on the workspace.

    Args:
        lines: The lines.
        solver: Who looks ahead.
        ranks: The order of children that are evaluated alike.
        workspace: The board.
        level: How many plies to look ahead.
        seat: The seat to move.
        both: Both seats' packed features.
        box: The interest zone.
        alpha: What the seat is sure of already: of less, an upper bound is answered.
        beta: What the other seat can hold it to: of more, a lower bound is answered.
    """
    count = 0
    if level > 0 and max(both[0], both[1]) < NO_FIVE:
        # (of the last children only the best matters: what it is evaluated at is the value)
        width = solver.width if level > 1 else 1
        count = list_children(lines, solver.coefficients, ranks, workspace, level, width, seat, both, box)
    if count == 0:
        worth = evaluation(solver.coefficients, both)
        return -worth if seat == 1 else worth
    workspace.chosen[level] = 0
    if level == 1:
        return float(workspace.worths[1, 0])
    best = -np.inf
    for which in range(count):
        cell = workspace.cells[level, which]
        reached = workspace.features[level, which, 0], workspace.features[level, which, 1]
        zone = grown(lines, box, cell)
        mark(lines, workspace, cell, seat)
        worth = -search(
            lines, solver, ranks, workspace, level - 1, 1 - seat, reached, zone, -beta, -max(alpha, best)
        )  # fmt: skip
        unmark(lines, workspace, cell, seat)
        if worth > best:
            best = worth
            workspace.chosen[level] = which
            if best >= beta:
                break
    return best


@kernel(types.float64(LINES, SOLVER, INDICES, READ_ONLY_STATE, INDICES))
def look_ahead(lines: Lines, solver: ProblemSolver, ranks: Actions, state: State, chosen: Actions) -> float:
    """What a state is worth to the seat to move; the best action is written to ``chosen``."""
    workspace = make_workspace(lines, solver.level, solver.width)
    both, box = set_up(lines, workspace, state)
    # (an int64: what is kept of a recursion that begins with other types than it goes on with crashes when used again)
    seat = int(np.int64(state[0]))
    worth = search(lines, solver, ranks, workspace, solver.level, seat, both, box, -np.inf, np.inf)
    chosen[0] = workspace.cells[solver.level, workspace.chosen[solver.level]]
    return worth


@kernel(types.int64(LINES, SOLVER, INDICES, READ_ONLY_STATE, INDICES, _FLOATS))
def best_children(
    lines: Lines, solver: ProblemSolver, ranks: Actions, state: State, cells: Actions, worths: NDArray[np.float64]
) -> int:
    """Write a state's best children, and what the seat to move evaluates them at; how many they are."""
    workspace = make_workspace(lines, solver.level, solver.width)
    both, box = set_up(lines, workspace, state)
    count = list_children(
        *(lines, solver.coefficients, ranks, workspace, solver.level, solver.width, int(state[0]), both, box)
    )
    cells[:count] = workspace.cells[solver.level, :count]
    worths[:count] = workspace.worths[solver.level, :count]
    return count


class FivesSearch:
    """Minimax with a level and a width, by some coefficients.

    Args:
        game: The game.
        coefficients: Those of the evaluation.
        level: How many plies it looks ahead, from 1.
        width: How many children of a board it looks at, from 1.

    Attributes:
        lines: The lines of the game's board.
        solver: All else that kernels need to know.

    Raises:
        BadInputError: If the game is of another kind, or level or width is out of range.
    """

    def __init__(self, game: Game, coefficients: Coefficients = INITIAL, level: int = 3, width: int = 3) -> None:
        self.lines = lines_of(game)
        require(1, MOST_LEVEL, level=level)
        require(1, game.board.size, width=width)
        self.solver = ProblemSolver(coefficients.as_array(), level, width)
        self.by_number = np.arange(game.board.size, dtype=np.int32)

    def choose(self, state: State, ranks: Actions | None = None) -> int:
        """The action it thinks best.

        Args:
            state: The state of a position that is not over.
            ranks: In which order cells are taken that are evaluated alike, lowest first; by default by their numbers.
        """
        chosen = np.zeros(1, dtype=np.int32)
        look_ahead.run(self.lines, self.solver, self.by_number if ranks is None else ranks, state, chosen)
        return int(chosen[0])

    def score(self, state: State, level: int | None = None) -> float:
        """What a state is worth to the seat to move, looking ahead to another level if one is given, from 0."""
        solver = self.solver if level is None else self.solver._replace(level=level)
        worth: float = look_ahead.run(self.lines, solver, self.by_number, state, np.zeros(1, dtype=np.int32))
        return worth

    def children(self, state: State) -> dict[int, float]:
        """The best children: actions, the best first, and what the seat to move evaluates their boards at."""
        cells, worths = np.zeros(self.solver.width, dtype=np.int32), np.zeros(self.solver.width)
        count = best_children.run(self.lines, self.solver, self.by_number, state, cells, worths)
        return dict(zip(cells[:count].tolist(), worths[:count].tolist(), strict=True))
