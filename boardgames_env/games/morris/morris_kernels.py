"""The kernels of the morris family; the rules are described in the docstring of the package.

Each kernel depends on as few of the rules as possible, so that games which differ in others share it.
"""

from functools import cache

from boardgames_env.board import Board
from boardgames_env.game import Rules
from boardgames_env.games.morris.mills import (
    Bitboard,
    can_slide,
    capturable,
    count,
    lowest,
    make_bitboard,
    men_on,
    mills_closed,
)
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.games.shared.single_men import write_men
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Features,
    Kernel,
    State,
    encode,
    helper,
    initial,
    inlined,
    markable,
    outcome,
    play,
    write_action,
)


def kernels_of(rules: MorrisRules) -> Rules:
    """Return the kernels of a game."""
    board, flying = rules.board, rules.fly_at > 0
    return Rules(
        _initial(board.size, rules.men),
        _legal(board, rules.fly_at, rules.any_capture, rules.may_pass),
        _play(board, flying, rules.capture_each_mill, rules.placing_captures, rules.extra_turn, rules.placing_ends),
        _outcome(board, rules.fly_at, rules.lose_at, rules.may_pass),
        _encode(board.size, rules.men, rules.most_captures, rules.may_pass),
    )


@inlined
def write_points(points: int, size: int, first: int, actions: Actions) -> int:
    """Write the actions at some points; the action at point 0 has the number ``first``. Return their number."""
    number = 0
    for point in range(size):
        number = write_action(actions, number, first + point, (points >> point) & 1 != 0)
    return number


@inlined
def write_slides(bitboard: Bitboard, men: int, empty: int, actions: Actions) -> int:
    """Write the slides of some men to the next points. Return their number.

    (To go through the men is 1.4 times as fast as to go through all pairs of points.)
    """
    number = 0
    while men != 0:
        source = lowest(men)
        men &= men - 1
        for column in range(0, bitboard.slides.shape[1], 2):
            target, action = bitboard.slides[source, column], bitboard.slides[source, column + 1]
            number = write_action(actions, number, action, (empty >> target) & 1 != 0)
    return number


@inlined
def write_flights(bitboard: Bitboard, men: int, empty: int, actions: Actions) -> int:
    """Write the moves of some men to all empty points. Return their number."""
    number = 0
    while men != 0:
        source = lowest(men)
        men &= men - 1
        for target in range(bitboard.size):
            # pairs of a point with itself have no number
            action = bitboard.size + source * (bitboard.size - 1) + target - int(target > source)
            number = write_action(actions, number, action, (empty >> target) & 1 != 0)
    return number


@helper
def must_pass(state: State, size: int) -> bool:
    """Return whether the seat to move misses a turn, or has no man in hand while the other seat places."""
    return bool(state[3 + size] < 0 or (state[1 + size + state[0]] == 0 and state[2 + size - state[0]] > 0))


@inlined
def write_legal(
    bitboard: Bitboard, fly_at: int, any_capture: bool, may_pass: bool, state: State, actions: Actions
) -> int:
    """Write the legal actions. Return their number."""
    size = bitboard.size
    own, other = men_on(state)
    empty = (own | other) ^ ((1 << size) - 1)
    if state[3 + size] > 0:
        allowed = other if any_capture else capturable(bitboard, other)
        return write_points(allowed, size, size + len(bitboard.pairs), actions)
    if may_pass and must_pass(state, size):
        return write_action(actions, 0, size + len(bitboard.pairs) + size, True)
    if state[1 + size + state[0]] > 0:
        return write_points(empty, size, 0, actions)
    if count(own) <= fly_at:
        return write_flights(bitboard, own, empty, actions)
    return write_slides(bitboard, own, empty, actions)


@helper
def end_turn(state: State, size: int, placing_ends: int, another: bool) -> None:
    """End the placing stage if it is over, and pass the turn, which the other seat misses if `another` is set."""
    if placing_ends > 0:
        own, other = men_on(state)
        if size - count(own | other) <= placing_ends:
            state[1 + size] = 0
            state[2 + size] = 0
    state[3 + size] = -int(another)
    state[0] = 1 - state[0]


@cache
def _initial(size: int, men: int) -> Kernel:
    @initial
    def all_in_hand(state: State) -> None:
        state[:] = 0
        state[1 + size] = men
        state[2 + size] = men

    return all_in_hand


@cache
def _legal(board: Board, fly_at: int, any_capture: bool, may_pass: bool) -> Kernel:
    bitboard = make_bitboard(board, fly_at > 0)

    @markable
    def place_move_or_capture(state: State, actions: Actions) -> int:
        return write_legal(bitboard, fly_at, any_capture, may_pass, state, actions)

    return place_move_or_capture


@cache
def _play(
    board: Board, flying: bool, each_mill: bool, placing_captures: bool, extra_turn: bool, placing_ends: int
) -> Kernel:
    bitboard = make_bitboard(board, flying)
    size, moves = board.size, len(bitboard.pairs)
    most = size if each_mill else 1
    pending = 3 + size

    @play
    def place_move_or_capture(state: State, action: int) -> None:
        # (read before anything is written: bytes that were just written are slow to read in one load)
        men, others = men_on(state)
        move, capture = action - size, action - size - moves
        mills = 0
        if capture >= size:  # a pass
            state[pending] = 0
        elif capture >= 0:
            state[1 + capture] = 0
            state[pending] -= 1
            mills = 1
        else:
            target = action
            if move < 0:
                state[1 + size + state[0]] -= 1
            else:
                source, target = bitboard.pairs[move]
                state[1 + source] = 0
                men ^= 1 << source
            state[1 + target] = 1 - 2 * state[0]
            mills = mills_closed(bitboard, men, target)
            if mills > 0 and (placing_captures or move >= 0):
                state[pending] = min(mills, most, count(others))
        if state[pending] == 0:
            end_turn(state, size, placing_ends, extra_turn and mills > 0)

    return place_move_or_capture


@cache
def _outcome(board: Board, fly_at: int, lose_at: int, may_pass: bool) -> Kernel:
    bitboard = make_bitboard(board, fly_at > 0)
    size = board.size

    @outcome
    def too_few_or_blocked(state: State) -> int:
        if state[3 + size] > 0:
            return ONGOING
        seat = state[0]
        win = 1 - 2 * seat
        own, other = men_on(state)
        if count(own) + state[1 + size + seat] <= lose_at:
            return int(-win)
        if count(other) + state[2 + size - seat] <= lose_at:
            return int(win)
        empty = (own | other) ^ ((1 << size) - 1)
        if state[1 + size + seat] > 0 or can_slide(bitboard, own, empty) or (may_pass and must_pass(state, size)):
            return ONGOING
        if empty == 0:
            return 0
        return ONGOING if count(own) <= fly_at else -win

    return too_few_or_blocked


@cache
def _encode(size: int, men: int, most_captures: int, may_pass: bool) -> Kernel:
    """Return the ``encode`` kernel. All features are from 0 to 1; the pages of the games list them."""

    @encode
    def men_hands_and_captures(state: State, viewer: int, features: Features) -> None:
        write_men(state, viewer, size, features)
        features[2 * size] = state[1 + size + viewer] / men
        features[2 * size + 1] = state[2 + size - viewer] / men
        features[2 * size + 2] = max(0, state[3 + size]) / most_captures
        features[2 * size + 3] = state[0] == viewer
        if may_pass:
            features[2 * size + 4] = state[3 + size] < 0

    return men_hands_and_captures
