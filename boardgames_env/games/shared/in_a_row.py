"""Games of marks in a row: the rules on any board, and heuristics.

Two seats mark empty cells in turn, and the first to hold all cells of a winning line wins. Where the board has
columns, discs are dropped into these instead, and fall on those below. The kernels look only at the lines through the
cell just marked, and keep the winner in the state, so that play is fast on large boards. A state is the seat to move,
the cells, how many are marked (on a board of more than 127 cells, how many by seat 1), and who has won (+1 seat 0, -1
seat 1, 0 nobody yet).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from math import comb
from typing import Literal

import numpy as np

from boardgames_env.actions import at_each, into_columns
from boardgames_env.board import CROSS, NOUGHT, Board, Line, Man
from boardgames_env.ending import ENDS, ending
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games.shared.single_men import Check, all_of, count_men, men_features, placed_in_turn, write_where
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Kernel,
    State,
    evaluate,
    forcing,
    gain,
    helper,
    initial,
    markable,
    outcome,
    play,
    write_action,
)
from boardgames_env.kernels.signatures import Int64s, UInt16s

Overline = Literal["wins", "nothing", "loses"]
"""What a row does that is longer than the winning lines."""

_POINTS_OF_LONGER: dict[Overline, int] = {"wins": 1, "nothing": 0, "loses": -1}

_MOST_COUNTED = 127
"""The most cells whose marks fit into one slot of a state."""

# A line is summed up in one number: seat 0's marks on it, plus 9 times seat 1's. No line is longer than 8.
_OTHER = 9

# Urgent lines from the view of the seat to move, in the order of urgency.
_THREATEN, _STOP, _COMPLETE = 1, 2, 3


def state_size(board: Board) -> int:
    """Return the length of a state."""
    return 1 + board.size + 2


def most_positions(board: Board, columns: Sequence[Line] = ()) -> int:
    """Return how many ways there are to mark cells in turn: an upper bound on the positions of the game."""
    filled = np.array([1], dtype=object)  # by the number of marks, how many sets of cells can be marked
    for column in _stacks(board, columns):
        filled = np.convolve(filled, np.ones(len(column) + 1, dtype=object))
    return sum(int(ways) * comb(marks, marks // 2) for marks, ways in enumerate(filled))


def begin_with(board: Board, opening: Sequence[int] = ()) -> Kernel:
    """Return an ``initial`` kernel that marks the cells of an opening, of which no line is complete."""
    given = np.array(opening, dtype=np.int64)
    marked, halves = 1 + board.size, board.size > _MOST_COUNTED

    @initial
    def begin(state: State) -> None:
        state[:] = 0
        for mark in range(len(given)):
            state[1 + given[mark]] = 1 - 2 * (mark % 2)
        state[0] = len(given) % 2
        state[marked] = len(given) // 2 if halves else len(given)

    return begin


def rules(board: Board, columns: Sequence[Line] = (), overline: Overline = "wins") -> Rules:
    """Return the rules on a board whose winning lines have one length, at most 8.

    Args:
        board: The board.
        columns: The cells of the columns into which discs are dropped, all of one height, from the top; action *i*
            drops one into column *i*. By default action *i* marks cell *i*.
        overline: What a row does that is longer than the lines; one of their length wins beside it.
    """
    size = board.size
    marked, won, halves = 1 + size, 2 + size, size > _MOST_COUNTED
    lines, through, first = _lines(board)
    length = lines.shape[1]
    stacks = _stacks(board, columns)
    longer, beyond = _POINTS_OF_LONGER[overline], _beyond(board)

    @markable
    def empty_cells(state: State, actions: Actions) -> int:
        return write_where(state, size, 0, actions)

    @markable
    def open_columns(state: State, actions: Actions) -> int:
        count = 0
        for column in range(stacks.shape[0]):
            count = write_action(actions, count, column, state[stacks[column, stacks.shape[1] - 1]] == 0)
        return count

    @play
    def mark(state: State, action: int) -> None:
        own = 1 - 2 * state[0]
        slot = lowest_empty(state, stacks, action)
        state[slot] = own
        state[marked] += state[0] if halves else 1
        whole = length * (own & _OTHER)
        completed = False
        for which in range(first[slot - 1], first[slot]):
            completed |= marks_on(state, lines, through[which]) == whole
        state[won] = own * completed
        if completed and longer != 1:
            state[won] = own * longer
            for which in range(first[slot - 1], first[slot]):
                row = through[which]
                # (off the board, slot 0: the seat to move, 0 or 1, is no mark of its own, +1 or -1)
                is_longer = (state[beyond[row, 0]] == own) | (state[beyond[row, 1]] == own)
                if marks_on(state, lines, row) == whole and not is_longer:
                    state[won] = own
        state[0] = 1 - state[0]

    @outcome
    def row_wins(state: State) -> int:
        made = 2 * state[marked] + state[0] if halves else state[marked]
        return state[won] if (state[won] != 0) | (made == size) else ONGOING

    legal = open_columns if columns else empty_cells
    return Rules(begin_with(board), legal, mark, row_wins, men_features(size))


def row_game(
    title: str,
    board: Board,
    values: Sequence[int],
    value: int | None = None,
    columns: Sequence[Line] = (),
    men: tuple[Man, Man] = (CROSS, NOUGHT),
    overline: Overline = "wins",
) -> Game:
    """Return the game on a board; ``columns`` and ``overline`` are those of `rules`, ``values`` of `heuristics`."""
    return Game(
        title=title,
        board=board,
        rules=rules(board, columns, overline),
        state_size=state_size(board),
        num_features=2 * board.size + 1,
        actions=into_columns(columns) or at_each(board),
        men=men,
        check=check(board, columns, overline),
        complete=partial(_count_marks, board, overline),
        value=value,
        positions=most_positions(board, columns),
        heuristics=heuristics(board, values, columns),
        board_end=_line_or_full(2 + board.size),
    )


_LINE, _FULL = map(ENDS.index, ("line", "full_board"))


@cache
def _line_or_full(won: int) -> Kernel:
    """Return the kernel of why the board has ended a contest: slot ``won`` holds the winner."""

    @ending
    def full_unless_won(state: State) -> int:
        return _LINE if state[won] != 0 else _FULL

    return full_unless_won


def _points_of_rows(board: Board, overline: Overline, state: State, own: int) -> int:
    """Return the points of a seat, by its sign, for the rows that it holds: 1, 0 or -1."""
    rows = zip(board.winning_lines, _beyond(board).tolist(), strict=True)
    whole = [slots for line, slots in rows if all(state[1 + cell] == own for cell in line)]
    if any(all(state[slot] != own for slot in slots if slot) for slots in whole):
        return 1
    return _POINTS_OF_LONGER[overline] if whole else 0


def _count_marks(board: Board, overline: Overline, state: State) -> None:
    """Write how many cells are marked, and who has won by them: only the seat that is not to move can have."""
    number, other = sum(count_men(state, board)), 2 * int(state[0]) - 1
    state[1 + board.size] = number // 2 if board.size > _MOST_COUNTED else number
    state[2 + board.size] = other * _points_of_rows(board, overline, state, other)


def check(board: Board, columns: Sequence[Line] = (), overline: Overline = "wins") -> Check:
    """Return the check of a state: the marks, their number and the winner fit together, and no disc floats."""
    marked, won, halves = 1 + board.size, 2 + board.size, board.size > _MOST_COUNTED
    # (a longer row that wins nothing may be on the board of a contest that goes on)
    placed_on = board if overline == "wins" else replace(board, winning_lines=())

    def placed(state: State) -> int:
        return 2 * int(state[marked]) + int(state[0]) if halves else int(state[marked])

    def wrong_winner(state: State) -> str | None:
        other = 2 * int(state[0]) - 1
        if overline != "wins" and _points_of_rows(board, overline, state, -other):
            return f"seat {state[0]} is to move, but has a row that ended the contest"
        winner = other * _points_of_rows(board, overline, state, other)
        return None if state[won] == winner else f"slot {won}, the winner, is {state[won]}; by the lines it is {winner}"

    def floating(state: State) -> str | None:
        pairs = (pair for column in columns for pair in pairwise(column))
        floats = next((upper for upper, lower in pairs if state[1 + upper] != 0 and state[1 + lower] == 0), None)
        return None if floats is None else f"the disc on {board.labels[floats]} has none below it"

    return all_of(placed_in_turn(placed_on, placed, board.size), wrong_winner, floating)


def heuristics(board: Board, values: Sequence[int], columns: Sequence[Line] = ()) -> Heuristics:
    """Return heuristics that count the open lines, those on which only one seat has marks.

    The evaluation is the values of the lines open to the seat to move, less those of the lines open to the other.
    Forcing are the cells that complete a line; else those that stop the other seat from it; else those that leave a
    line one mark short. In columns these are cells that can be marked now.

    Args:
        board: The board; its winning lines have one length, at most 8.
        values: The values of an open line with 0, 1, 2, ... marks, the last for a line that is complete.
        columns: The columns into which discs are dropped, as in `rules`.

    Raises:
        BadInputError: If the values of all lines, short of completion, could add up to 10,000.
    """
    lines, through, first = _lines(board)
    value, difference, urgency = _tables_of_lines(board, values)
    stacks = _stacks(board, columns)
    action_at = np.zeros(1 + board.size, dtype=np.uint16)
    for number, stack in enumerate(stacks):
        action_at[stack] = number

    @evaluate
    def open_lines(state: State) -> int:
        total = 0
        for row in range(lines.shape[0]):
            total += value[marks_on(state, lines, row)]
        return -total if state[0] else total

    @gain
    def lines_through(state: State, action: int) -> int:
        total = 0
        slot = lowest_empty(state, stacks, action)
        for which in range(first[slot - 1], first[slot]):
            total += difference[state[0], marks_on(state, lines, through[which])]
        return total

    @forcing
    def urgent_cells(state: State, actions: Actions) -> int:
        most, count = 1, 0
        for row in range(lines.shape[0]):
            here = urgency[state[0], marks_on(state, lines, row)]
            if here < most:
                continue
            for place in range(lines.shape[1]):
                slot = lines[row, place]
                if state[slot] == 0 and lowest_empty(state, stacks, action_at[slot]) == slot:
                    if here > most:
                        most, count = here, 0
                    count = with_action(actions, count, action_at[slot])
        return count

    return Heuristics(open_lines, lines_through, urgent_cells)


@helper
def lowest_empty(state: State, stacks: UInt16s, column: int) -> int:
    """Return the slot of the lowest empty cell of a column that is not full."""
    height = 0
    for place in range(stacks.shape[1] - 1):
        height += int(state[stacks[column, place]] != 0)
    slot: int = stacks[column, height]
    return slot


@helper
def marks_on(state: State, lines: UInt16s, row: int) -> int:
    """Return the number of seat 0's marks on a line, plus 9 times that of seat 1's."""
    marks = 0
    for place in range(lines.shape[1]):
        # the lowest and the fourth bit: 1 of +1, 9 of -1
        marks += state[lines[row, place]] & _OTHER
    return marks


@helper
def with_action(actions: Actions, count: int, action: int) -> int:
    """Insert an action among ``count`` others in ascending order, if it is not there. Return how many there are."""
    place = count
    while place > 0 and actions[place - 1] > action:
        place -= 1
    if place > 0 and actions[place - 1] == action:
        return count
    for later in range(count, place, -1):
        actions[later] = actions[later - 1]
    actions[place] = action
    return count + 1


def _stacks(board: Board, columns: Sequence[Line]) -> UInt16s:
    """Return the slots of each column from the bottom; without columns each cell is one."""
    stacks = np.array(columns or [(cell,) for cell in range(board.size)], dtype=np.uint16) + 1
    return np.ascontiguousarray(stacks[:, ::-1]).astype(np.uint16)


def _beyond(board: Board) -> UInt16s:
    """Return the slots before and after each winning line, in its direction; 0 off the board."""
    slots = {point: 1 + location for location, point in enumerate(board.points)}
    points = np.array(board.points)
    ends = [(line[:2], line[:-3:-1]) for line in board.winning_lines]
    places = [[tuple(2 * points[last] - points[inner]) for last, inner in both] for both in ends]
    return np.array([[slots.get(place, 0) for place in both] for both in places], dtype=np.uint16)


def _lines(board: Board) -> tuple[UInt16s, UInt16s, UInt16s]:
    """Return the winning lines as slots, the lines through each cell in turn, and where each cell's lines begin."""
    lines = board.winning_slots
    through = [np.flatnonzero((lines == 1 + cell).any(axis=1)) for cell in range(board.size)]
    first = np.cumsum([0, *(len(each) for each in through)])
    # (unsigned: Numba need not ask whether an index counts from the end)
    return lines.astype(np.uint16), np.concatenate(through).astype(np.uint16), first.astype(np.uint16)


def _tables_of_lines(board: Board, values: Sequence[int]) -> tuple[Int64s, Int64s, Int64s]:
    """Return, by `marks_on` a line, its value to seat 0; by seat the value of one more mark, and its urgency."""
    if len(board.winning_lines) * max(values[:-1]) >= 10_000:
        raise BadInputError(
            f"values={values} are not allowed; all {len(board.winning_lines)} lines need less than 10,000"
        )
    length = len(board.winning_lines[0])
    value = np.zeros(_OTHER * length + 1, dtype=np.int64)
    difference = np.zeros((2, len(value)), dtype=np.int64)
    urgency = np.zeros((2, len(value)), dtype=np.int64)
    for marks in range(length + 1):
        value[marks] += values[marks]
        value[_OTHER * marks] -= values[marks]
    for seat, (own, other) in enumerate([(1, _OTHER), (_OTHER, 1)]):
        for marks in range(len(value) - own):
            difference[seat, marks] = (1 - 2 * seat) * (value[marks + own] - value[marks])
        urgency[seat, [(length - 2) * own, (length - 1) * other, (length - 1) * own]] = _THREATEN, _STOP, _COMPLETE
    return value, difference, urgency
