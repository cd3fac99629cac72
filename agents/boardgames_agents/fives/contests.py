"""A whole contest between two problem solvers, inside one kernel: an exam takes no more than its searches do."""

import numpy as np
from numba import types

from boardgames_agents.fives.grid_lines import LINES, Lines
from boardgames_agents.fives.minimax import SOLVER, ProblemSolver, search
from boardgames_agents.fives.runs import NO_FIVE
from boardgames_agents.fives.workspace import grown, make_workspace, mark, set_up
from boardgames_env.kernels import INDICES, READ_ONLY_STATE, Actions, State, helper, kernel


@helper
def play_out(
    lines: Lines, first: ProblemSolver, second: ProblemSolver, ranks: Actions, state: State, played: Actions
) -> tuple[int, int]:
    """Play a contest from a state on, until a seat has a five, no cell is empty or ``played`` is full.

    Args:
        lines: The lines.
        first: Who plays seat 0.
        second: Who plays seat 1.
        ranks: The order of cells that are evaluated alike.
        state: Where it begins.
        played: The actions are written here: as many plies are played at most.

    Returns:
        The points of seat 0 (0 also if the plies were used up), and how many plies were played.
    """
    workspace = make_workspace(lines, max(first.level, second.level), max(first.width, second.width))
    both, box = set_up(lines, workspace, state)
    seat, plies = int(np.int64(state[0])), 0  # (an int64: see `boardgames_agents.fives.minimax.look_ahead`)
    while max(both[0], both[1]) < NO_FIVE and plies < len(played) and workspace.is_empty.any():
        solver = first if seat == 0 else second
        search(lines, solver, ranks, workspace, solver.level, seat, both, box, -np.inf, np.inf)
        chosen = workspace.chosen[solver.level]
        cell = workspace.cells[solver.level, chosen]
        both = workspace.features[solver.level, chosen, 0], workspace.features[solver.level, chosen, 1]
        box = grown(lines, box, cell)
        mark(lines, workspace, cell, seat)
        played[plies] = cell
        plies += 1
        seat = 1 - seat
    return int(both[0] >= NO_FIVE) - int(both[1] >= NO_FIVE), plies


@kernel(types.UniTuple(types.int64, 2)(LINES, SOLVER, SOLVER, INDICES, READ_ONLY_STATE, INDICES))
def contest(
    lines: Lines, first: ProblemSolver, second: ProblemSolver, ranks: Actions, state: State, played: Actions
) -> tuple[int, int]:
    """`play_out`, called from Python."""
    return play_out(lines, first, second, ranks, state, played)
