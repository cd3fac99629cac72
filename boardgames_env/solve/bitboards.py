"""Exact scores of connect four: alpha-beta search on bitboards, with a transposition table.

A position is two whole numbers: the discs of the seat to move (``own``) and all discs (``mask``). Cell ``row`` of a
column, from the bottom, is bit ``column * (rows + 1) + row``; the bit above each column stays empty, so that no line
runs from one column into the next.

A score is 0 for a draw, and otherwise 1 if the winner wins with its last disc, 2 with the one before, and so on;
negative if the seat to move loses. After J. Tromp, *Fhourstones* (1996), for the boards, and P. Pons, *Solving Connect
Four* (2015), for scores, threats and the order of moves; `_claims_even` is V. Allis's rule "claimeven" (1988).
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numba import types

from boardgames_env.kernels import helper, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import INT64_1D, INT64_2D, Int64s

Cells = TypeVar("Cells", int, Int64s)


class Shape(NamedTuple):
    """The size of a board, and sets of its cells as bits.

    Attributes:
        columns: Number of columns.
        rows: Number of rows.
        bottom: The lowest cell of each column.
        board: All cells.
        lower: The cells of each column that have an odd number of cells above them.
    """

    columns: int
    rows: int
    bottom: int
    board: int
    lower: int


SHAPE = named_tuple_type(Shape, *(types.int64,) * 5)


class SearchArrays(NamedTuple):
    """The arrays of a search.

    Attributes:
        table: The transposition table, which searches of several threads may share; a power of two of entries.
        moves: For each number of discs, the moves of the position that is searched.
        ranks: For each number of discs, the ranks of these moves.
        counters: The number of positions searched.
    """

    table: Int64s
    moves: Int64s
    ranks: Int64s
    counters: Int64s


SEARCH_ARRAYS = named_tuple_type(SearchArrays, INT64_1D, INT64_2D, INT64_2D, INT64_1D)

# An entry of the table is a position's code, the number of its empty cells (6 bits) and a bound of its score (7 bits):
# an upper one from 1 to 43, or a lower one from 44 to 86, for scores from -21 to 21.
_MOST, _UPPER, _LOWER = 21, 22, 65
_BOUND_BITS, _ENTRY_BITS = 7, 13

MOST_CELLS = 42
"""The most cells of a board whose scores fit into an entry."""

MOST_BITS = 50
"""The most bits of a board whose codes fit into an entry."""

_MIRRORED_TO = 14
"""The number of discs up to which a position and its mirror image have one entry in the table."""

_FACTOR = 0x1E3779B97F4A7C15
"""Multiplied with codes to spread them over the table."""


def shape_of(columns: int, rows: int) -> Shape:
    """Return the shape of a board."""
    bottom = sum(1 << (rows + 1) * column for column in range(columns))
    lower = sum(1 << row for row in range(rows) if (rows - row) % 2 == 0)
    return Shape(columns, rows, bottom, bottom * ((1 << rows) - 1), bottom * lower)


def search_arrays_of(shape: Shape, table: Int64s) -> SearchArrays:
    """Return the arrays of a search with a transposition table of zeros, or one that other searches have filled."""
    size = (shape.columns * shape.rows + 1, shape.columns)
    return SearchArrays(table, np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(1, np.int64))


@helper
def mirrored(shape: Shape, code: Cells) -> Cells:
    """Return a code, or a set of cells, of the mirror image; of an array in Python, those of its elements."""
    height, image = shape.rows + 1, code & 0
    for column in range(shape.columns):
        image = (image << height) | ((code >> (column * height)) & ((1 << height) - 1))
    return image


@helper
def completing(shape: Shape, own: Cells) -> Cells:
    """Return the cells that complete four in a row with discs; some may hold discs, or lie beyond the board.

    Of an array in Python, those of its elements are returned.
    """
    height = shape.rows + 1
    found = (own << 1) & (own << 2) & (own << 3)
    for step in range(height - 1, height + 2):
        before = (own << step) & (own << 2 * step)
        after = (own >> step) & (own >> 2 * step)
        found |= before & ((own << 3 * step) | (own >> step))
        found |= after & ((own << step) | (own >> 3 * step))
    return found


@helper
def _has_four(shape: Shape, own: int) -> bool:
    """Return whether discs hold four in a row."""
    height, found = shape.rows + 1, 0
    pairs = own & (own >> 1)
    found |= pairs & (pairs >> 2)
    for step in range(height - 1, height + 2):
        pairs = own & (own >> step)
        found |= pairs & (pairs >> 2 * step)
    return found != 0


@helper
def _safe_moves(shape: Shape, other: int, mask: int) -> int:
    """Return the cells into which a disc can fall such that the other seat does not win at once."""
    possible = (mask + shape.bottom) & shape.board
    threats = completing(shape, other) & (shape.board ^ mask)
    forced = possible & threats
    if forced:
        if forced & (forced - 1):
            return 0
        possible = forced
    return possible & ~(threats >> 1)


@helper
def _claims_even(shape: Shape, own: int, other: int, left: int) -> int:
    """Return the least score of a seat that can always answer above the other's disc: 0 or 1, or -1 if it may lose.

    Each column has an even number of empty cells, of which the seat so gets the upper one of each pair, and the other
    seat the lower one. If its cells complete a line, it wins with the last disc or before.
    """
    if _has_four(shape, other | (left & shape.lower)):
        return -1
    return int(_has_four(shape, own | (left & ~shape.lower)))


@helper
def _size(cells: int) -> int:
    """Return the number of cells in a set."""
    size = 0
    while cells:
        cells &= cells - 1
        size += 1
    return size


@helper
def _code_of(shape: Shape, own: int, mask: int, discs: int) -> int:
    """Return the code of a position in the table."""
    code = own + mask
    return min(code, mirrored(shape, code)) if discs <= _MIRRORED_TO else code


@helper
def _place_of(table: Int64s, code: int) -> int:
    """Return the first of the two places of a code."""
    return ((code * _FACTOR) >> 36) & (len(table) - 2)


@helper
def _look_up(table: Int64s, code: int) -> int:
    """Return the bound that is known of a position, or 0."""
    place = _place_of(table, code)
    for entry in (table[place], table[place + 1]):
        if entry >> _ENTRY_BITS == code:
            return int(entry & ((1 << _BOUND_BITS) - 1))
    return 0


@helper
def _store(table: Int64s, code: int, empty: int, bound: int) -> None:
    """Store a bound: in the first place if that does not hold a position with more empty cells, else in the second."""
    place = _place_of(table, code)
    first = table[place]
    entry = (code << _ENTRY_BITS) | (empty << _BOUND_BITS) | bound
    if first >> _ENTRY_BITS == code:
        table[place] = entry
    elif (first >> _BOUND_BITS) & ((1 << (_ENTRY_BITS - _BOUND_BITS)) - 1) <= empty:
        table[place + 1] = first
        table[place] = entry
    else:
        table[place + 1] = entry


@helper
def _list_moves(shape: Shape, work: SearchArrays, own: int, mask: int, discs: int, safe: int) -> int:
    """List moves, those that threaten more lines first, and the middle before the sides. Return their number.

    Of moves with as many threats, those that must be answered at once come last. If the other seat cannot answer all
    threats of a move, -1 is returned.
    """
    moves, ranks = work.moves[discs], work.ranks[discs]
    height, count = shape.rows + 1, 0
    for number in range(shape.columns):
        beside = (number + 1) // 2
        column = shape.columns // 2 + (-beside if number % 2 else beside)
        move = safe & (((1 << shape.rows) - 1) << (column * height))
        if move:
            threats = completing(shape, own | move) & (shape.board ^ mask)
            answered = ((mask | move) + shape.bottom) & threats
            if answered & (answered - 1) or answered & (threats >> 1):
                return -1
            rank = 2 * _size(threats) - (answered != 0)
            place = count
            while place > 0 and ranks[place - 1] < rank:
                moves[place], ranks[place] = moves[place - 1], ranks[place - 1]
                place -= 1
            moves[place], ranks[place] = move, rank
            count += 1
    return count


@helper
def _known_after(shape: Shape, work: SearchArrays, own: int, mask: int, discs: int, moves: int, beta: int) -> int:
    """Return a score from ``beta`` on that a move has by what is known of the position after it, or -`MOST_CELLS`.

    This spares a quarter of the positions.
    """
    for number in range(moves):
        code = _code_of(shape, own ^ mask, mask | int(work.moves[discs, number]), discs + 1)
        bound = _look_up(work.table, code)
        if 0 < bound < _LOWER - _MOST and _UPPER - bound >= beta:
            return _UPPER - bound
    return -MOST_CELLS


@helper
def _search(shape: Shape, work: SearchArrays, own: int, mask: int, discs: int, alpha: int, beta: int) -> int:
    """Return the score of a position in which the seat to move cannot win at once.

    If it is not above ``alpha``, an upper bound is returned, and if it is not below ``beta``, a lower one.
    """
    work.counters[0] += 1
    empty = shape.columns * shape.rows - discs
    safe = _safe_moves(shape, own ^ mask, mask)
    if safe == 0:
        return -(empty // 2)
    if empty <= 2:
        return 0
    alpha, beta = max(alpha, -((empty - 2) // 2)), min(beta, (empty - 1) // 2)
    left = shape.board ^ mask
    odd = (mask + shape.bottom) & shape.board & ~shape.lower  # the lowest cells of columns with an odd number of them
    if odd == 0:
        least = _claims_even(shape, own ^ mask, own, left)
        beta = min(beta, -least) if least >= 0 else beta
    elif odd & (odd - 1) == 0:
        least = _claims_even(shape, own, own ^ mask, left)
        alpha = max(alpha, least) if least >= 0 else alpha
    code = _code_of(shape, own, mask, discs)
    bound = _look_up(work.table, code)
    if bound >= _LOWER - _MOST:
        alpha = max(alpha, bound - _LOWER)
    elif bound:
        beta = min(beta, bound - _UPPER)
    if alpha >= beta:
        return alpha
    moves = _list_moves(shape, work, own, mask, discs, safe)
    least = (empty - 1) // 2 if moves < 0 else _known_after(shape, work, own, mask, discs, moves, beta)
    if least >= beta:
        _store(work.table, code, empty, least + _LOWER)
        return least
    for number in range(moves):
        score = -_search(shape, work, own ^ mask, mask | int(work.moves[discs, number]), discs + 1, -beta, -alpha)
        if score >= beta:
            _store(work.table, code, empty, score + _LOWER)
            return score
        alpha = max(alpha, score)
    _store(work.table, code, empty, alpha + _UPPER)
    return alpha


@kernel(types.int64(SHAPE, SEARCH_ARRAYS, *(types.int64,) * 4), compiled_first=True)
def score_within(shape: Shape, work: SearchArrays, own: int, mask: int, least: int, most: int) -> int:
    """Return the score of a position in which the contest goes on, or the end of the range that is nearest to it.

    Few windows, in the order of a bisection that tries scores near 0 first, cost less than one wide window.
    """
    discs = _size(mask)
    empty = shape.columns * shape.rows - discs
    if completing(shape, own) & (mask + shape.bottom) & shape.board:
        return min(most, (empty + 1) // 2)
    low, high = max(least, -(empty // 2)), min(most, (empty + 1) // 2)
    while low < high:
        middle = low + (high - low) // 2
        if middle <= 0 and -(-low // 2) < middle:
            middle = -(-low // 2)
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        found = _search(shape, work, own, mask, discs, middle, middle + 1)
        if found <= middle:
            high = min(high, found)
        else:
            low = max(low, found)
    return max(least, min(most, low))
