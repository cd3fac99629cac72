"""Minimax with alpha-beta over the best children only: the search of Hasson, Markovitch and Sella.

Sections 2 and 2.2 of the paper, read as rules:

1. *The evaluation* of a board: +999999 if seat 0 has a five, otherwise -999999 if seat 1 has one, otherwise the sum of
   the coefficients times the contents. (Very large coefficients can take that sum beyond 999999.)
2. *The interest zone*: the smallest rectangle that contains all marks, enlarged by one row and one column on every side
   within the board. Only its empty cells are considered. Without marks it is the whole board; the paper begins with ten
   marks.
3. *The best children*: only the ``width`` cells whose boards have the highest evaluation for the seat that marks them
   are searched, at the root too.
4. *The level*: the number of plies searched. A board with a five or without an empty cell is not searched further.
5. *Ties*: children with equal evaluations are ordered by rank, lowest first; by default ranks are cell numbers. Of
   children with equal minimax values, the one with the highest evaluation is played. So a five that can be made now is
   made now, although minimax does not distinguish it from a later one.

A search sees only the board: it ignores limits that may end the contest sooner.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.features import CONTENTS, after_mark, put, read
from boardgames_agents.fives.grid_lines import LINES, NO_FIVE, Lines, lines_of
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import READ_ONLY_STATE, Actions, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT64_1D, INT32_1D, Float64s
from boardgames_env.position import demand_states

FIVE_VALUE = 999999.0

MOST_LEVEL = 20

WHOLE = (-np.inf, np.inf)
"""The window of a search for the true value."""

_FEATURES = len(CONTENTS)


class ProblemSolver(NamedTuple):
    """A problem solver, the paper's word for its student, teacher and tester; it has seven coefficients."""

    coefficients: Float64s
    level: int
    width: int


SOLVER = named_tuple_type(ProblemSolver, FLOAT64_1D, types.int64, types.int64)


Zone = tuple[int, int, int, int]
"""The interest zone: its first row and column, and its last. On a board without marks it ends before it begins."""


class SearchWorkspace(NamedTuple):
    """The buffers of a search. Rows are levels, numbers of plies still to be searched.

    Attributes:
        codes: The codes of the lines.
        is_empty: Whether a cell is empty.
        cells: The best children, best first, shape ``(levels, width)``.
        values: Their evaluations for the seat that marks them, the same shape.
        features: Both seats' packed features after them, shape ``(levels, width, 2)``.
        chosen: The index of the child with the best minimax value, shape ``(levels,)``.
    """

    codes: NDArray[np.int32]
    is_empty: NDArray[np.bool_]
    cells: NDArray[np.int32]
    values: NDArray[np.float64]
    features: NDArray[np.int64]
    chosen: NDArray[np.int32]


class Node(NamedTuple):
    """The board in the workspace, summarized: the seat to move, both seats' packed features, the interest zone."""

    seat: int
    features: tuple[int, int]
    zone: Zone


@helper
def make_workspace(lines: Lines, level: int, width: int) -> SearchWorkspace:
    """Return a workspace for searches of up to the given level and width."""
    return SearchWorkspace(
        np.zeros(len(lines.empty), dtype=np.int32),
        np.zeros(len(lines.through), dtype=np.bool_),
        np.zeros((level + 1, width), dtype=np.int32),
        np.zeros((level + 1, width), dtype=np.float64),
        np.zeros((level + 1, width, 2), dtype=np.int64),
        np.zeros(level + 1, dtype=np.int32),
    )


@helper
def set_up(lines: Lines, workspace: SearchWorkspace, state: State) -> Node:
    """Write a state's marks into the workspace and return its node."""
    features = read(lines, state, workspace.codes)
    zone = (lines.rows, lines.columns, -1, -1)
    for cell in range(len(lines.through)):
        workspace.is_empty[cell] = state[1 + cell] == 0
        if state[1 + cell] != 0:
            zone = _grown(lines, zone, cell)
    # An int64: compiled code of a recursion whose first call has other types than the next ones crashes when reloaded.
    return Node(int(np.int64(state[0])), features, zone)


@helper
def _grown(lines: Lines, zone: Zone, cell: int) -> Zone:
    """Return the interest zone with one more mark."""
    top, left, bottom, right = zone
    row, column = cell // lines.columns, cell % lines.columns
    return (
        min(top, max(row - 1, 0)),
        min(left, max(column - 1, 0)),
        max(bottom, min(row + 1, lines.rows - 1)),
        max(right, min(column + 1, lines.columns - 1)),
    )


@helper
def mark(lines: Lines, workspace: SearchWorkspace, node: Node, level: int, child: int) -> Node:
    """Mark the cell of a child and return the node after it."""
    cell = workspace.cells[level, child]
    put(lines, workspace.codes, cell, 1 + node.seat)
    workspace.is_empty[cell] = False
    features = workspace.features[level, child, 0], workspace.features[level, child, 1]
    return Node(1 - node.seat, features, _grown(lines, node.zone, cell))


@helper
def unmark(lines: Lines, workspace: SearchWorkspace, node: Node, level: int, child: int) -> None:
    """Undo `mark`."""
    cell = workspace.cells[level, child]
    put(lines, workspace.codes, cell, -1 - node.seat)
    workspace.is_empty[cell] = True


@helper
def evaluation(coefficients: Float64s, features: tuple[int, int]) -> float:
    """Return the evaluation of a board for seat 0, given both seats' packed features."""
    first, second = features
    if first >= NO_FIVE:
        return FIVE_VALUE
    if second >= NO_FIVE:
        return -FIVE_VALUE
    total = 0.0
    for which in range(_FEATURES):
        difference = ((first >> 8 * which) & 0xFF) - ((second >> 8 * which) & 0xFF)
        total += coefficients[which] * difference
    return total


@helper
def list_children(
    lines: Lines, solver: ProblemSolver, ranks: Actions, workspace: SearchWorkspace, node: Node, level: int, width: int
) -> int:
    """Write the best children of a node into a level's row, best first. Return their number."""
    coefficients, before = solver.coefficients, node.features
    here = evaluation(coefficients, before)
    cells, values, features = workspace.cells[level], workspace.values[level], workspace.features[level]
    top, left, bottom, right = node.zone
    if bottom < top:
        top, left, bottom, right = 0, 0, lines.rows - 1, lines.columns - 1
    count = 0
    for row in range(top, bottom + 1):
        for cell in range(row * lines.columns + left, row * lines.columns + right + 1):
            if not workspace.is_empty[cell]:
                continue
            reached = after_mark(lines, workspace.codes, cell, node.seat, before)
            same = reached[0] == before[0] and reached[1] == before[1]
            value = here if same else evaluation(coefficients, reached)
            value = -value if node.seat == 1 else value
            place = count
            while place > 0 and (
                value > values[place - 1] or (value == values[place - 1] and ranks[cell] < ranks[cells[place - 1]])
            ):
                place -= 1
            if place == width:
                continue
            count = min(count + 1, width)
            for later in range(count - 1, place, -1):
                cells[later], values[later] = cells[later - 1], values[later - 1]
                features[later, 0], features[later, 1] = features[later - 1, 0], features[later - 1, 1]
            cells[place], values[place] = cell, value
            features[place, 0], features[place, 1] = reached
    return count


@helper
def search(
    lines: Lines,
    solver: ProblemSolver,
    ranks: Actions,
    workspace: SearchWorkspace,
    node: Node,
    level: int,
    window: tuple[float, float],
) -> float:
    """Return the minimax value of a node for the seat to move; write the best child to the workspace.

    The workspace must contain the node's board. A value below the ``window`` is only an upper bound of the true value,
    and one above it only a lower bound.
    """
    count = 0
    if level > 0 and max(node.features[0], node.features[1]) < NO_FIVE:
        # At level 1 only the best child matters: its evaluation is the value.
        count = list_children(lines, solver, ranks, workspace, node, level, solver.width if level > 1 else 1)
    if count == 0:
        value = evaluation(solver.coefficients, node.features)
        return -value if node.seat == 1 else value
    workspace.chosen[level] = 0
    if level == 1:
        return float(workspace.values[1, 0])
    best, (alpha, beta) = -np.inf, window
    for child in range(count):
        reached = mark(lines, workspace, node, level, child)
        value = -search(lines, solver, ranks, workspace, reached, level - 1, (-beta, -max(alpha, best)))
        unmark(lines, workspace, node, level, child)
        if value > best:
            best = value
            workspace.chosen[level] = child
            if best >= beta:
                break
    return best


@kernel(types.float64(LINES, SOLVER, INT32_1D, READ_ONLY_STATE, INT32_1D), compiled_first=True)
def look_ahead(lines: Lines, solver: ProblemSolver, ranks: Actions, state: State, chosen: Actions) -> float:
    """Return the value of a state for the seat to move; write the best action to ``chosen``."""
    workspace = make_workspace(lines, solver.level, solver.width)
    node = set_up(lines, workspace, state)
    value = search(lines, solver, ranks, workspace, node, solver.level, WHOLE)
    chosen[0] = workspace.cells[solver.level, workspace.chosen[solver.level]]
    return value


@kernel(types.int64(LINES, SOLVER, INT32_1D, READ_ONLY_STATE, INT32_1D, FLOAT64_1D), compiled_first=True)
def best_children(
    lines: Lines, solver: ProblemSolver, ranks: Actions, state: State, cells: Actions, values: Float64s
) -> int:
    """Write a state's best children and their evaluations for the seat to move. Return their number."""
    workspace = make_workspace(lines, solver.level, solver.width)
    node = set_up(lines, workspace, state)
    count = list_children(lines, solver, ranks, workspace, node, solver.level, solver.width)
    copy_row(workspace.cells[solver.level], cells[:count])
    copy_row(workspace.values[solver.level], values[:count])
    return count


class FivesSearch:
    """Minimax with a level, the number of plies searched, and a width, the number of children searched per board.

    Attributes:
        lines: The lines of the game's board.
        solver: The coefficients, level and width, for kernels.
        by_number: The ranks that order cells by their numbers.

    Raises:
        BadInputError: If the game is of another kind, or level or width is out of range.
    """

    def __init__(self, game: Game, coefficients: Coefficients = INITIAL, level: int = 3, width: int = 3) -> None:
        self._game, self.lines = game, lines_of(game)
        require(1, MOST_LEVEL, level=level)
        require(1, game.board.size, width=width)
        self.solver = ProblemSolver(coefficients.as_array(), level, width)
        self.by_number = np.arange(game.board.size, dtype=np.int32)

    def choose(self, state: State, ranks: Actions | None = None) -> int:
        """Return the best action; cells with equal evaluations are ordered by ranks, by default their numbers."""
        demand_states(state[np.newaxis], self._game)
        ranks, chosen = self.by_number if ranks is None else ranks, np.zeros(1, dtype=np.int32)
        if len(ranks) != len(self.by_number):
            raise BadInputError(f"{len(ranks)} ranks are not allowed; there are {len(self.by_number)} cells")
        look_ahead.run(self.lines, self.solver, ranks, state, chosen)
        return int(chosen[0])

    def score(self, state: State, level: int | None = None) -> float:
        """Return the value of a state for the seat to move, at another level from 0 if one is given."""
        demand_states(state[np.newaxis], self._game)
        require(0, MOST_LEVEL, level=self.solver.level if level is None else level)
        solver = self.solver if level is None else self.solver._replace(level=level)
        value: float = look_ahead.run(self.lines, solver, self.by_number, state, np.zeros(1, dtype=np.int32))
        return value

    def children(self, state: State) -> dict[int, float]:
        """Return the best children: actions, best first, and their evaluations for the seat to move."""
        demand_states(state[np.newaxis], self._game)
        cells, values = np.zeros(self.solver.width, dtype=np.int32), np.zeros(self.solver.width)
        count = best_children.run(self.lines, self.solver, self.by_number, state, cells, values)
        return dict(zip(cells[:count].tolist(), values[:count].tolist(), strict=True))
