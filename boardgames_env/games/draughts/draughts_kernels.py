"""The board, actions and kernels of draughts.

A state is the seat to move, the 32 dark squares, and the number of the square whose man must jump on; 0 if none must.
A slot of a square holds 1 for a man of seat 0 and 2 for a king, -1 and -2 for those of seat 1. Seat 0 moves down.
"""

import numpy as np

from boardgames_env.actions import jumps, moves
from boardgames_env.board import Board
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Features,
    State,
    encode,
    evaluate,
    forcing,
    gain,
    helper,
    inlined,
    markable,
    outcome,
    play,
    write_action,
)

SQUARES = 32
MAN, KING = 1, 2
JUMPER = 1 + SQUARES
"""The slot with the number of the square whose man must jump on."""

_PLACES = [(2 * (square % 4) + (square // 4 + 1) % 2, square // 4) for square in range(SQUARES)]
"""The column and the row of each square, from the top left."""

_SIDEWAYS = (-1, 1)


def _pairs(rows: int) -> list[tuple[int, int]]:
    """Return the squares from which a diagonal leads to another, some rows on, in order."""
    found = {place: square for square, place in enumerate(_PLACES)}
    targets = [
        (square, found.get((x + side * rows, y + way * rows), -1))
        for square, (x, y) in enumerate(_PLACES)
        for way in (-1, 1)
        for side in _SIDEWAYS
    ]
    return sorted((square, target) for square, target in targets if target >= 0)


def _over(square: int, target: int) -> int:
    """Return the square between two."""
    (x, y), (end_x, end_y) = _PLACES[square], _PLACES[target]
    return _PLACES.index(((x + end_x) // 2, (y + end_y) // 2))


_STEPS, _JUMPS = _pairs(1), _pairs(2)

ACTIONS = moves(_STEPS) + jumps(_JUMPS)

BOARD = Board(
    points=tuple((float(x), float(y)) for x, y in _PLACES),
    lines=tuple(pair for pair in _STEPS if pair[0] < pair[1]),
    cells=True,
    labels=tuple(str(1 + square) for square in range(SQUARES)),
    homes=((0, 1, 2, 3), (28, 29, 30, 31)),
)

# of each action, the slots of its origin, of its target and of the man that it takes (0: none), and the sign of the
# seat whose men go that way
_TABLE = np.array(
    [(1 + a, 1 + b, 0, 1 if b > a else -1) for a, b in _STEPS]
    + [(1 + a, 1 + b, 1 + _over(a, b), 1 if b > a else -1) for a, b in _JUMPS],
    dtype=np.int64,
)
ORIGIN, TARGET, TAKEN, WAY = range(4)

# by the slot of a square, the first step and the first jump from there; those from the next slot follow
_FIRST_STEP = np.searchsorted(_TABLE[: len(_STEPS), ORIGIN], np.arange(JUMPER + 1)).astype(np.int64)
_FIRST_JUMP = len(_STEPS) + np.searchsorted(_TABLE[len(_STEPS) :, ORIGIN], np.arange(JUMPER + 1)).astype(np.int64)


@inlined
def _may_go(state: State, own: int, action: int) -> bool:
    """Return whether the man of the seat with the sign ``own`` on an action's origin can go there."""
    taken = _TABLE[action, TAKEN]
    goes = (own * state[_TABLE[action, ORIGIN]] == KING) | (_TABLE[action, WAY] == own)
    takes = (taken == 0) | (own * state[taken] < 0)
    return bool(goes & takes & (state[_TABLE[action, TARGET]] == 0))


@inlined
def _arrived(man: int, target: int) -> int:
    """Return what is in a slot once a man has come there: a king if it is on the man's far row."""
    if (man == MAN and target > SQUARES - 4) or (man == -MAN and target <= 4):
        return KING * man
    return man


@helper
def can_jump(state: State, own: int, slot: int) -> bool:
    """Return whether the man in a slot, of the seat with the sign ``own``, can jump."""
    can = False
    for action in range(_FIRST_JUMP[slot], _FIRST_JUMP[slot + 1]):
        can |= _may_go(state, own, action)
    return can


@inlined
def _write_jumps(state: State, actions: Actions) -> int:
    """Write the jumps of the seat to move. Return their number."""
    own, count = 1 - 2 * state[0], 0
    for slot in range(1, JUMPER):
        if own * state[slot] > 0 and (state[JUMPER] == 0 or state[JUMPER] == slot):
            for action in range(_FIRST_JUMP[slot], _FIRST_JUMP[slot + 1]):
                count = write_action(actions, count, action, _may_go(state, own, action))
    return count


@inlined
def _write_steps(state: State, actions: Actions, first: int, last: int, most: int) -> int:
    """Write the steps of the seat to move from some slots, with men up to the kind ``most``. Return their number."""
    own, count = 1 - 2 * state[0], 0
    for slot in range(first, last + 1):
        if 0 < own * state[slot] <= most:
            for action in range(_FIRST_STEP[slot], _FIRST_STEP[slot + 1]):
                count = write_action(actions, count, action, _may_go(state, own, action))
    return count


@markable
def jumps_or_steps(state: State, actions: Actions) -> int:
    """Write the jumps; if there are none, the steps."""
    count = _write_jumps(state, actions)
    return count if count > 0 else _write_steps(state, actions, 1, SQUARES, KING)


@play
def go(state: State, action: int) -> None:
    """Move a man, which takes the one it jumps over and is crowned on the far row. Where it can jump on, it must."""
    own = 1 - 2 * state[0]
    origin, target, taken = _TABLE[action, ORIGIN], _TABLE[action, TARGET], _TABLE[action, TAKEN]
    man = int(state[origin])
    after = _arrived(man, target)
    state[origin] = 0
    state[target] = after
    state[JUMPER] = 0
    if taken > 0:
        state[taken] = 0
        if after == man and can_jump(state, own, target):
            state[JUMPER] = target
            return
    state[0] = 1 - state[0]


@outcome
def who_is_stuck(state: State) -> int:
    """Return a loss of the seat to move if it cannot."""
    own = 1 - 2 * state[0]
    for slot in range(1, JUMPER):
        if own * state[slot] > 0:
            for action in range(_FIRST_STEP[slot], _FIRST_STEP[slot + 1]):
                if _may_go(state, own, action):
                    return ONGOING
            if can_jump(state, own, slot):
                return ONGOING
    return 2 * int(state[0]) - 1


MEN_FEATURES = (SQUARES, 3)
"""Of each square, whether there is a man, a king, and one of the two that must jump on."""

NUM_FEATURES = 2 * 3 * SQUARES + 2


@encode
def men_and_kings(state: State, viewer: int, features: Features) -> None:
    """Write the viewer's men and kings by square, the other seat's, who is to move, and which seat the viewer is."""
    for seat in range(2):
        own = (1 - 2 * viewer) * (1 - 2 * seat)
        for square in range(SQUARES):
            there = own * state[1 + square]
            first = 3 * (SQUARES * seat + square)
            features[first] = there == MAN
            features[first + 1] = there == KING
            features[first + 2] = there > 0 and state[JUMPER] == 1 + square
    features[NUM_FEATURES - 2] = state[0] == viewer
    features[NUM_FEATURES - 1] = viewer == 0


def _values() -> list[list[int]]:
    """Return the values to seat 0 of what is in each slot; rows are -2 to 2.

    (Our choice, by contests of alpha-beta against itself.)
    """
    rows = [[0] * JUMPER for _ in range(2 * KING + 1)]
    for square, (x, y) in enumerate(_PLACES):
        # men gain as they advance; two on the own back row keep kings out of it; kings belong into the middle
        man = 100 + y + (15 if square in (0, 2) else 0)
        king = 150 + 8 * min(x, 7 - x, y, 7 - y)
        for content, value in ((MAN, man), (KING, king)):
            rows[KING + content][1 + square] = value
            rows[KING - content][SQUARES - square] = -value  # (the board turned round)
    return rows


_VALUES = np.array(_values(), dtype=np.int64)

_TRADES = 1000
"""How much more a lead is worth the fewer men there are, so that who leads exchanges them."""


@inlined
def _totals(state: State) -> tuple[int, int]:
    """Return the values of all men and kings: seat 0's less seat 1's, and of both together."""
    lead, whole = 0, 0
    for slot in range(1, JUMPER):
        value = _VALUES[KING + state[slot], slot]
        lead += value
        whole += abs(value)
    return lead, whole


@inlined
def _worth(lead: int, whole: int) -> int:
    """Return the value of a position to seat 0, by its `_totals`."""
    more = _TRADES * abs(lead) // max(1, whole)
    return lead + more if lead > 0 else lead - more


@evaluate
def men_kings_and_rows(state: State) -> int:
    """Return the value of all men and kings to the seat to move."""
    lead, whole = _totals(state)
    worth = _worth(lead, whole)
    return -worth if state[0] else worth


@gain
def gained(state: State, action: int) -> int:
    """Return by how much an action raises the value: where the man goes, its crown, and the man taken."""
    lead, whole = _totals(state)
    before = _worth(lead, whole)
    origin, target, taken = _TABLE[action, ORIGIN], _TABLE[action, TARGET], _TABLE[action, TAKEN]
    man = int(state[origin])
    left, come = _VALUES[KING + man, origin], _VALUES[KING + _arrived(man, target), target]
    lost = _VALUES[KING + state[taken], taken] if taken > 0 else 0
    after = _worth(lead + come - left - lost, whole + abs(come) - abs(left) - abs(lost))
    return before - after if state[0] else after - before


@forcing
def jumps_and_crownings(state: State, actions: Actions) -> int:
    """Write the jumps; if there are none, the steps of men to the far row."""
    count = _write_jumps(state, actions)
    first = 5 if state[0] else SQUARES - 7
    return count if count > 0 else _write_steps(state, actions, first, first + 3, MAN)
