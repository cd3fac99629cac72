"""Games of men that step forward and capture diagonally: breakthrough and hexapawn.

A state is the seat to move and the squares. Seat 0 begins below and moves up.
"""

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np

from boardgames_env.actions import moves
from boardgames_env.board import BLACK, WHITE, Board, grid, squares
from boardgames_env.ending import ENDS, ending
from boardgames_env.errors import require_whole
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games.shared.place_and_move import start
from boardgames_env.games.shared.single_men import Check, all_of, men_features, men_left, single_men
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Kernel,
    State,
    evaluate,
    forcing,
    gain,
    helper,
    markable,
    outcome,
    play,
    write_action,
)
from boardgames_env.kernels.signatures import Int64s

Known = Mapping[tuple[int, int], tuple[int, int]]
"""By columns and rows, the value and how many positions can be reached."""


@helper
def may_step(state: State, steps: Int64s, step: int, slants: bool) -> bool:
    """Return whether a step is one of the seat to move; ``slants`` if men step diagonally to empty squares, too."""
    own = 1 - 2 * state[0]
    if state[steps[step, 0]] != own or steps[step, 2] != own:
        return False
    there = state[steps[step, 1]]
    is_free = (there == 0) & (slants | (steps[step, 3] == 0))
    is_capture = (there == -own) & (steps[step, 3] != 0)
    return bool(is_free | is_capture)


def pawn_game(title: str, columns: int, rows: int, men_rows: int, slants: bool, known: Known) -> Game:
    """Return a game of men that step forward and capture diagonally.

    Args:
        title: The name shown to people.
        columns: How many columns the board has, 2 to 10.
        rows: How many rows the board has, 3 to 10.
        men_rows: How many rows of men each seat begins with.
        slants: Whether men step diagonally to empty squares, too; if not, a seat can be stuck, and loses.
        known: What is known of some sizes.
    """
    require_whole(2, 10, columns=columns)
    require_whole(3, 10, rows=rows)
    size, men = columns * rows, men_rows * columns
    pairs = [(here, there) for here in range(size) for there in range(size) if _is_step(here, there, columns)]
    board = _board(columns, rows, pairs)
    # the slots of origin and target, whose step it is (+1 or -1), and whether it is diagonally
    steps = np.array([(1 + a, 1 + b, 1 if b < a else -1, (a - b) % columns != 0) for a, b in pairs], dtype=np.int64)

    @markable
    def steps_forward(state: State, actions: Actions) -> int:
        count = 0
        for step in range(len(steps)):
            count = write_action(actions, count, step, may_step(state, steps, step, slants))
        return count

    @play
    def go(state: State, action: int) -> None:
        state[steps[action, 1]] = state[steps[action, 0]]
        state[steps[action, 0]] = 0
        state[0] = 1 - state[0]

    @outcome
    def who_is_through(state: State) -> int:
        own = 1 - 2 * state[0]
        for column in range(columns):
            if state[1 + column] == 1:
                return 1
            if state[1 + size - columns + column] == -1:
                return -1
        # (a seat that steps diagonally, too, is stuck only without men: its foremost man can always go on)
        goes_on = False
        if slants:
            for slot in range(1, 1 + size):
                goes_on |= state[slot] == own
        else:
            for step in range(len(steps)):
                goes_on |= may_step(state, steps, step, False)
        return ONGOING if goes_on else -own

    value, positions = known.get((columns, rows), (None, None))
    return Game(
        title=title,
        board=board,
        rules=Rules(
            start(board, range(size - men, size), range(men)),
            steps_forward,
            go,
            who_is_through,
            men_features(size, sides=True),
        ),
        state_size=1 + size,
        num_features=2 * size + 2,
        actions=moves(pairs),
        men=(WHITE, BLACK),
        check=all_of(single_men(board), men_left(board, men), _not_home(board)),
        value=value,
        positions=positions or _most_positions(size, men),
        heuristics=Heuristics(*_kernels_of_men(steps, columns, rows, slants)),
        board_end=_board_end(columns, size),
        can_draw=False,
    )


def _board(columns: int, rows: int, pairs: Sequence[tuple[int, int]]) -> Board:
    """Return the board of a size, by the pairs of squares between which men step."""
    size = columns * rows
    return Board(
        points=grid(columns, rows),
        lines=tuple(pair for pair in pairs if pair[0] < pair[1]),
        cells=True,
        labels=squares(columns, rows),
        homes=(tuple(range(size - columns, size)), tuple(range(columns))),
    )


_HOME, _FEW, _STUCK = map(ENDS.index, ("home", "too_few_men", "no_move"))


def _board_end(columns: int, size: int) -> Kernel:
    """Return the kernel of why the board has ended a contest: a man is home, or a seat has no man left, or no step."""

    @ending
    def home_few_or_stuck(state: State) -> int:
        men = 0
        for slot in range(1, 1 + size):
            if state[slot] == (1 if slot <= columns else -1 if slot > size - columns else 2):
                return _HOME
            men |= 1 << int(state[slot] + 1)
        return _STUCK if (men & 5) == 5 else _FEW

    return home_few_or_stuck


def _most_positions(size: int, men: int) -> int:
    """Return how many ways there are to put up to ``men`` men of each seat on squares, with either to move."""
    return 2 * sum(comb(size, own) * comb(size - own, other) for own in range(men + 1) for other in range(men + 1))


def _is_step(here: int, there: int, columns: int) -> bool:
    """Return whether two squares lie in neighbouring rows, and in the same or neighbouring columns."""
    return abs(here // columns - there // columns) == 1 and abs(here % columns - there % columns) <= 1


def _not_home(board: Board) -> Check:
    """Return a check that the seat to move has not won already."""

    def why_not(state: State) -> str | None:
        seat = int(state[0])
        if any(state[1 + square] == 1 - 2 * seat for square in board.homes[1 - seat]):
            return f"seat {seat} is to move, but has a man on the far row, which ended the contest"
        return None

    return why_not


def _kernels_of_men(steps: Int64s, columns: int, rows: int, slants: bool) -> tuple[Kernel, Kernel, Kernel]:
    """Return the heuristics: men, the more valuable the farther they have come; captures and men that arrive."""
    come = np.repeat(np.arange(rows), columns)  # how far a man of seat 1 has come on each square
    worth = np.array([[0, *(20 + 2 * far**2)] for far in (come[::-1], come)], dtype=np.int64)

    @evaluate
    def men_and_progress(state: State) -> int:
        total = 0
        for slot in range(1, len(state)):
            total += worth[0, slot] * (state[slot] == 1) - worth[1, slot] * (state[slot] == -1)
        return -total if state[0] else total

    @gain
    def progress(state: State, action: int) -> int:
        here, there, seat = steps[action, 0], steps[action, 1], state[0]
        difference: int = worth[seat, there] - worth[seat, here] + worth[1 - seat, there] * (state[there] != 0)
        return difference

    @forcing
    def captures_and_arrivals(state: State, actions: Actions) -> int:
        count = 0
        for step in range(len(steps)):
            there = steps[step, 1]
            urgent = (state[there] != 0) | (there <= columns) | (there > columns * (rows - 1))
            if urgent and may_step(state, steps, step, slants):
                count = write_action(actions, count, step, True)
        return count

    return men_and_progress, progress, captures_and_arrivals
