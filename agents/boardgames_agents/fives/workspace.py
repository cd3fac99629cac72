"""The workspace of a search: the current board, updated mark by mark, and buffers for lists of children."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.fives.features import put, read
from boardgames_agents.fives.grid_lines import Lines
from boardgames_env.kernels import State, helper

Box = tuple[int, int, int, int]
"""The interest zone: its first row and column, and its last. Without any mark it ends before it begins."""


class SearchWorkspace(NamedTuple):
    """What a search writes on. Rows are levels: how many plies are still to be looked ahead.

    Attributes:
        codes: The codes of the lines.
        is_empty: Whether a cell is empty.
        cells: The best children, the best first,
        worths: what they are evaluated at, from the view of who marks them,
        features: and both seats' packed features.
        chosen: Which of them was found to be worth most, shape ``(levels,)``.
    """

    codes: NDArray[np.int32]
    is_empty: NDArray[np.bool_]
    cells: NDArray[np.int32]
    worths: NDArray[np.float64]
    features: NDArray[np.int64]
    chosen: NDArray[np.int32]


@helper
def make_workspace(lines: Lines, level: int, width: int) -> SearchWorkspace:
    """Room for searches of up to a level and a width."""
    return SearchWorkspace(
        np.zeros(len(lines.empty), dtype=np.int32),
        np.zeros(len(lines.through), dtype=np.bool_),
        np.zeros((level + 1, width), dtype=np.int32),
        np.zeros((level + 1, width), dtype=np.float64),
        np.zeros((level + 1, width, 2), dtype=np.int64),
        np.zeros(level + 1, dtype=np.int32),
    )


@helper
def set_up(lines: Lines, workspace: SearchWorkspace, state: State) -> tuple[tuple[int, int], Box]:
    """Put a state's marks on the workspace; both seats' packed features, and the interest zone."""
    both = read(lines, state, workspace.codes)
    box = (lines.rows, lines.columns, -1, -1)
    for cell in range(len(lines.through)):
        workspace.is_empty[cell] = state[1 + cell] == 0
        if state[1 + cell] != 0:
            box = grown(lines, box, cell)
    return both, box


@helper
def grown(lines: Lines, box: Box, cell: int) -> Box:
    """The interest zone with one more mark."""
    top, left, bottom, right = box
    row, column = cell // lines.columns, cell % lines.columns
    return (
        min(top, max(row - 1, 0)),
        min(left, max(column - 1, 0)),
        max(bottom, min(row + 1, lines.rows - 1)),
        max(right, min(column + 1, lines.columns - 1)),
    )


@helper
def mark(lines: Lines, workspace: SearchWorkspace, cell: int, seat: int) -> None:
    """Mark an empty cell."""
    put(lines, workspace.codes, cell, 1 + seat)
    workspace.is_empty[cell] = False


@helper
def unmark(lines: Lines, workspace: SearchWorkspace, cell: int, seat: int) -> None:
    """Take a mark back."""
    put(lines, workspace.codes, cell, -1 - seat)
    workspace.is_empty[cell] = True
