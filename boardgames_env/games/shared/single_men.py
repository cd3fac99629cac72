"""Games with at most one man on a location: kernels of lines and observations, checks of states.

Checks compare the men on the board with the stage of the contest and the seat to move, and say why no contest reaches a
state. One that passes them need not be reachable, but every kernel can play on from it.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import Board, Line
from boardgames_env.kernels import Actions, Features, Kernel, State, encode, inlined, write_action

Check = Callable[[State], str | None]
"""A `Game.check`: it returns why a state cannot occur in a contest, or ``None``."""


def all_of(*checks: Check) -> Check:
    """Return a check that returns the first reason of several."""
    return lambda state: next((why for check in checks if (why := check(state))), None)


def count_men(state: State, board: Board) -> tuple[int, int]:
    """Return the numbers of locations with men of seat 0 and of seat 1."""
    men = state[1 : 1 + board.size]
    return int(np.count_nonzero(men > 0)), int(np.count_nonzero(men < 0))


def single_men(board: Board) -> Check:
    """Return a check that no location holds more than one man."""

    def why_not(state: State) -> str | None:
        men = state[1 : 1 + board.size].tolist()
        crowded = next((location for location, number in enumerate(men) if number not in (-1, 0, 1)), None)
        return crowded if crowded is None else f"location {crowded} holds {men[crowded]}; it is 1, -1 or 0"

    return why_not


def men_left(board: Board, men: int) -> Check:
    """Return a check that no seat has more than its ``men`` men, and that the one that has moved last has some."""

    def why_not(state: State) -> str | None:
        seat, found = int(state[0]), count_men(state, board)
        if max(found) > men:
            return f"the seats have {found} men on the board; each begins with {men}"
        return None if found[1 - seat] else f"seat {1 - seat} has moved last, but has no man"

    return why_not


def no_line_before(board: Board, homes: Sequence[Line] = ()) -> Check:
    """Return a check that the seat to move has no winning line: a line ends the contest with the turn that makes it.

    A seat's own home, among ``homes``, is no such line.
    """

    def why_not(state: State) -> str | None:
        seat, *slots = state.tolist()
        own_home, own = homes[seat : seat + 1], {point for point, slot in enumerate(slots) if slot == 1 - 2 * seat}
        whole = next((line for line in board.winning_lines if own.issuperset(line) and line not in own_home), None)
        return f"seat {seat} is to move, but has the line {whole}, which ended the contest" if whole else None

    return why_not


def placed_in_turn(board: Board, placed: Callable[[State], int], most: int) -> Check:
    """Return a check that the seats have placed men in turn, seat 0 first, ``placed(state)`` of ``most`` in all."""

    def why_not(state: State) -> str | None:
        number, seat = placed(state), int(state[0])
        if not 0 <= number <= most:
            return f"{number} men are placed; it is 0 to {most}"
        needed = (number + 1) // 2, number // 2
        if (found := count_men(state, board)) != needed:
            return f"after {number} men are placed, the seats have {needed} on the board, not {found}"
        if number < most and seat != number % 2:
            return f"after {number} men are placed, seat {number % 2} is to move, not seat {seat}"
        return None

    return all_of(single_men(board), why_not, no_line_before(board))


def men_that_stay(board: Board, men: int) -> Check:
    """Return a check that each seat has its ``men`` men on the board."""

    def why_not(state: State) -> str | None:
        found = count_men(state, board)
        return None if found == (men, men) else f"the seats have {found} men on the board, not {(men, men)}"

    return all_of(single_men(board), why_not, no_line_before(board, board.homes))


# (No branch depends on the men's places: a mispredicted branch costs more than it saves.)


@inlined
def line_owner(state: State, lines: NDArray[np.int64]) -> int:
    """Return the sign of the seat that holds a whole line (+1 seat 0, -1 seat 1), or 0 if neither does.

    ``lines`` are `Board.winning_slots`. No position of these games has lines of both seats.
    """
    length = lines.shape[1]
    won = False
    lost = False
    for row in range(lines.shape[0]):
        total = 0
        for place in range(length):
            total += state[lines[row, place]]
        won |= total == length
        lost |= total == -length
    return int(won) - int(lost)


@inlined
def write_where(state: State, size: int, content: int, actions: Actions) -> int:
    """Write the locations that hold ``content`` (0 for empty) in ascending order. Return their number."""
    count = 0
    for location in range(size):
        count = write_action(actions, count, location, state[1 + location] == content)
    return count


@inlined
def is_full(state: State, size: int) -> bool:
    """Return whether no location is empty."""
    empty = 0
    for location in range(size):
        empty += int(state[1 + location] == 0)
    return empty == 0


@inlined
def write_men(state: State, viewer: int, size: int, features: Features) -> None:
    """Write the features of men by location, 0 or 1: the viewer's own, then the other seat's."""
    own = np.float32(1 - 2 * viewer)
    # (as floats, eight men are compared at once: of the step of a batch at tic-tac-toe, 1.9 times as fast)
    for location in range(size):
        features[location] = own * np.float32(state[1 + location]) == np.float32(1)
    for location in range(size):
        features[size + location] = own * np.float32(state[1 + location]) == np.float32(-1)


def men_features(size: int, sides: bool = False) -> Kernel:
    """Return an ``encode`` kernel for a board of ``size`` locations with at most one man on each.

    Features, all 0 or 1: own men by location, the other seat's men, and whether the viewer is to move. Where the seats
    have ``sides`` of the board, one more says whether the viewer is seat 0.
    """

    @encode
    def men(state: State, viewer: int, features: Features) -> None:
        write_men(state, viewer, size, features)
        features[2 * size] = state[0] == viewer
        if sides:
            features[2 * size + 1] = viewer == 0

    return men
