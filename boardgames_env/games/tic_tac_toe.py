"""Tic-tac-toe: three of one's own in a row wins.

## Rules

Two seats place one of their marks in turn, X first, in any empty cell of a 3×3 grid. The first to hold three
cells in a row, across, down or along a diagonal, wins. A full grid without such a row is a draw. The game is also
called noughts and crosses.

## Board

The numbers, row by row, are the actions. There are eight lines.

## Actions

9: action *i* places a mark in cell *i*.

## Observation

19 features, 0 or 1: own marks by cell (0–8), the other seat's marks by cell (9–17), and whether the observer is
to move (18).

## End of the contest

A line, or nine marks.

## Known value

A draw, from every opening. 5,478 positions can be reached (765 up to symmetry), and 255,168 different contests
can be played: 131,184 won by X, 77,904 won by O and 46,080 drawn.

## Sources

S. L. Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994), section 2.4; its note 1 opens half the time
in the centre and half the time in a random corner. The counts are computed, and agree with OpenSpiel's.
"""

import numpy as np

from boardgames_env.board import CROSS, NOUGHT, Board, aligned, grid
from boardgames_env.game import Game, Rules
from boardgames_env.games import game
from boardgames_env.games.shared import in_a_row
from boardgames_env.games.shared.single_men import count_men, is_full, men_features, placed_in_turn, write_where
from boardgames_env.kernels import ONGOING, Actions, State, initial, inlined, markable, outcome, play

BOARD = Board(points=grid(3, 3), winning_lines=aligned(3, 3, 3), cells=True)

# Each line has four bits of one number, which count the marks on it, seat 1's as 0, empty cells as 1 and seat 0's as 2.
_LANES = np.array([sum(1 << 4 * k for k, line in enumerate(BOARD.winning_lines) if cell in line) for cell in range(9)])
_HIGHEST, _TWO = 0x88888888, 0x22222222


@initial
def empty(state: State) -> None:
    """Begin with an empty grid, X to move."""
    state[:] = 0


@markable
def empty_cells(state: State, actions: Actions) -> int:
    """Write the empty cells."""
    return write_where(state, 9, 0, actions)


@play
def mark(state: State, action: int) -> None:
    """Mark a cell; the turn passes."""
    state[1 + action] = 1 - 2 * state[0]
    state[0] = 1 - state[0]


@inlined
def line_owner(state: State) -> int:
    """Return the sign of the seat that holds a line, or 0: all lines at once, 1.7 times as fast as one by one."""
    sums = 0
    for cell in range(9):
        sums += (state[1 + cell] + 1) * _LANES[cell]
    return int((sums + _TWO) & _HIGHEST != 0) - int((_HIGHEST - sums) & _HIGHEST != 0)


@outcome
def line_wins(state: State) -> int:
    """Return a win for the owner of a line; a full grid is a draw."""
    owner = line_owner(state)
    return owner if (owner != 0) | is_full(state, 9) else ONGOING


@game(version=0, also_called=("noughts_and_crosses",), is_well_known=True)
def tic_tac_toe() -> Game:
    """Three of one's own in a row wins."""
    return Game(
        title="Tic-tac-toe",
        board=BOARD,
        rules=Rules(empty, empty_cells, mark, line_wins, men_features(9)),
        state_size=10,
        num_features=19,
        men=(CROSS, NOUGHT),
        check=placed_in_turn(BOARD, lambda state: sum(count_men(state, BOARD)), BOARD.size),
        openings={4: 4, 0: 1, 2: 1, 6: 1, 8: 1},
        value=0,
        positions=5478,
        heuristics=in_a_row.heuristics(BOARD, values=(0, 1, 3, 100)),
    )
