"""The workspace of a search: the current board, updated mark by mark, and buffers for lists of children."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.fives.features import put, read
from boardgames_agents.fives.grid_lines import Lines
from boardgames_env.kernels import State, helper

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
