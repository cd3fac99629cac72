"""Hex: stones on hexagons; the first to join the two sides of one's own colour wins.

## Rules

The board is a rhombus of hexagons. Red (seat 0) has the sides at the top and at the bottom, blue (seat 1) those on the
left and on the right; red begins. A turn places one of one's own stones in any empty cell, where it stays. The first to
join the own two sides by a chain of neighbouring stones wins. Exactly one seat can: no contest is drawn.

To begin is so great an advantage that the second seat may *swap*, in place of its first turn: the first stone becomes
blue and is reflected in the long diagonal of the board, so that it stands for blue as it did for red. Then red moves.
`swap=False` leaves that out. `size`, 11, is how many cells a side has.

## Board

Cells are named by their column and, from the top, their row: `a1` is at the top left, in a sharp corner, and belongs to
sides of both seats. A cell has six neighbours, at the sides four, in the corners two or three. The half turn is the
only symmetry; the board reflected in a diagonal, with the seats exchanged, is the same game.

## Actions

122: action *i* places a stone in cell *i*, counted row by row from the top left, and action 121 is `swap`. On the page
in a browser, a click on the stone swaps. Without `swap` there are 121.

## Observation

244 features, 0 or 1: own stones by cell (0–120), the other seat's stones by cell (121–241), whether the observer is to
move (242), and whether the observer is seat 0 (243).

## End of the contest

A seat has joined its sides.

## Known value

Without `swap` the first player wins on every board (Nash): a second player who could win would be imitated, as a stone
more never harms. With `swap` the second player wins, by swapping whenever the first stone would win. The boards of 3
and, without `swap`, of 4 cells a side are solved here. After a swap come the same positions with the seats exchanged:

| cells a side | positions without `swap` | with `swap` |
|---|---|---|
| 3 | 5,514 | 11,027 |
| 4 | 9,386,235 | 18,772,469 |

## Sources

Piet Hein, who published it as *Polygon* in Politiken, Copenhagen, on 26 December 1942; found again by John Nash in
1948; M. Gardner, *Concerning the game of Hex, which may be played on the tiles of the bathroom floor*, Scientific
American 197 (July 1957), for the rules and Nash's proof. D. Gale, *The Game of Hex and the Brouwer Fixed-Point
Theorem*, American Mathematical Monthly 86 (1979), for the walk that finds who has joined what. Agrees with OpenSpiel's
`hex` and pgx's `hex`, both with `swap`, action for action.
"""

from functools import partial
from math import sqrt
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from boardgames_env.actions import Action, at_each
from boardgames_env.board import BLUE, RED, Board, squares
from boardgames_env.ending import always
from boardgames_env.errors import require_whole
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games import game
from boardgames_env.games.hex.connection import IN_PARTS, around, joins_sides, nearness_on, winner_fits, winner_of
from boardgames_env.games.shared.in_a_row import most_positions
from boardgames_env.games.shared.single_men import Check, all_of, count_men, men_features, single_men, write_where
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    State,
    initial,
    markable,
    outcome,
    play,
    write_action,
)
from boardgames_env.spec import Label

_SWAP = (
    "Or swap, which is possible only now: click the stone of the other side. It becomes yours, reflected in the long "
    "diagonal of the board, and the other side moves."
)
_POSITIONS = {(3, False): 5_514, (3, True): 11_027, (4, False): 9_386_235, (4, True): 18_772_469}
"""By size and swap, how many positions can be reached."""


@game(version=0)
def hex(
    size: Annotated[int, Label("Cells on a side")] = 11,
    swap: Annotated[bool, Label("The second player may take the first stone")] = True,
) -> Game:
    """Stones on hexagons; the first to join the two sides of one's own colour wins.

    Args:
        size: How many cells a side of the board has, 3 to 19.
        swap: Whether the second seat may take over the first stone in place of its first turn.
    """
    require_whole(3, 19, size=size)
    neighbours, own_sides = around(size)
    board, reflected = _board(size, neighbours), 1 + np.arange(size**2).reshape(size, size).T.ravel()
    most, may_swap, won = size**2, 1 + size**2, 2 + size**2

    @initial
    def empty(state: State) -> None:
        state[:] = 0
        state[may_swap] = 2 * swap

    @markable
    def empty_cells(state: State, actions: Actions) -> int:
        count = write_where(state, most, 0, actions)
        return write_action(actions, count, most, state[may_swap] == 1) if swap else count

    @play
    def place(state: State, action: int) -> None:
        own, ring = 1 - 2 * state[0], 0
        if action == most:
            action = 0
            while state[1 + action] == 0:
                action += 1
            state[1 + action] = 0
            state[reflected[action]] = own
        else:
            state[1 + action] = own
            # (off the board, slot 0: the seat to move, 0 or 1, is no stone of its own, +1 or -1)
            for way in range(6):
                ring |= int(state[neighbours[action, way]] == own) << way
            ring |= own_sides[state[0], action]
            if IN_PARTS[ring] and joins_sides(state, size, state[0]):
                state[won] = own
        state[may_swap] -= state[may_swap] > 0
        state[0] = 1 - state[0]

    @outcome
    def joined(state: State) -> int:
        return state[won] if state[won] != 0 else ONGOING

    return Game(
        title="Hex",
        board=board,
        rules=Rules(empty, empty_cells, place, joined, men_features(most, sides=True)),
        state_size=3 + most,
        num_features=2 * most + 2,
        actions=at_each(board) + ((Action("swap", words=_SWAP),) if swap else ()),
        men=(RED, BLUE),
        note=lambda state: "joins left and right" if state[0] else "joins top and bottom",
        note_in_pictures=lambda state: f"joins the {(BLUE if state[0] else RED).name} sides",  # (they may be turned)
        complete=partial(_complete, board, swap),
        check=all_of(single_men(board), _turns_fit(board, swap), winner_fits(board)),
        value=-1 if swap else 1,
        positions=_POSITIONS.get((size, swap), (1 + swap) * most_positions(board)),
        heuristics=Heuristics(nearness_on(size)),
        board_end=always("joined"),
        can_draw=False,
    )


def _board(size: int, neighbours: NDArray[np.uint16]) -> Board:
    """Return the board of a size, by the slots next to each cell."""
    cells = np.arange(size**2).reshape(size, size)
    return Board(
        points=tuple((column + row / 2, row * sqrt(0.75)) for row in range(size) for column in range(size)),
        lines=tuple((cell, int(near) - 1) for cell in range(size**2) for near in neighbours[cell] if near > cell),
        cells=True,
        cell_sides=6,
        labels=squares(size, size, from_top=True),
        homes=tuple(tuple(sides.ravel().tolist()) for sides in (cells[[0, -1]], cells[:, [0, -1]].T)),
    )


def _turns_fit(board: Board, swap: bool) -> Check:
    """Return the check that the seats have placed stones in turn, and that the second may swap if it may."""

    def why_not(state: State) -> str | None:
        seat, (first, second) = int(state[0]), count_men(state, board)
        in_turn = first - second == seat
        if not in_turn and not (swap and second > 0 and first - second == seat - 1):
            return f"seat {seat} is to move, but the seats have {first, second} stones on the board"
        slot, left = 1 + board.size, _plies_to_swap(board, swap, state)
        return (
            None
            if state[slot] == left
            else f"slot {slot}, the plies until a swap is past, is {state[slot]}, not {left}"
        )

    return why_not


def _plies_to_swap(board: Board, swap: bool, state: State) -> int:
    """Return the plies until a swap is past, by the stones on the board."""
    first, second = count_men(state, board)
    return 2 - first - second if swap and first - second == state[0] and first + second < 2 else 0


def _complete(board: Board, swap: bool, state: State) -> None:
    """Write what follows from the stones: until when a swap is possible, and who has won."""
    state[1 + board.size], state[2 + board.size] = _plies_to_swap(board, swap, state), winner_of(board, state)
